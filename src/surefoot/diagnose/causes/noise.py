"""
Chance in the model: what a second asking of every miss tells, and what it cannot tell.

A model that draws its replies misses now and then for no reason that stands in the question.
If it misses each question with probability e, independently at each asking, then of n
questions n e (1 - e) are missed once and hit when they are asked again, and n e^2 are missed
twice. So e follows from the misses that did not hold, and from e how many elements have a
question that was missed twice by chance alone. A model that answers the same words again
shows nothing of the kind: asked twice, it is asked once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from surefoot.diagnose.findings import Repeats
from surefoot.diagnose.search.arms import ArmResult

__all__ = ["repeats_of"]

MOST: Final = 0.5  # of a question by chance: what misses more often does so for a reason


def repeats_of(elements: Iterable[Sequence[ArmResult]]) -> Repeats:
    """
    Return what the second askings came to; ``elements`` are the answers of each element.
    """
    by_element = [[one for one in several if one.answered] for several in elements]
    told = [one for several in by_element for one in several]
    again = [one for one in told if one.again is not None]
    held = sum(one.failed for one in again)
    same = sum(one.again is not None and one.answer is not None
               and one.again.raw == one.answer.raw for one in again)  # fmt: skip
    if not again or same == len(again):
        return Repeats(len(again), held, same, None, None)
    chance = _chance(len(again) - held, len(told) - held)
    expected = math.fsum(1 - (1 - chance**2) ** len(several) for several in by_element)
    return Repeats(len(again), held, same, chance, expected)


def _chance(lost: int, of: int) -> float:
    """Return e with e (1 - e) = lost / of, the smaller one; a half where there is none."""
    inner = 1 - 4 * lost / of if of else 0.0
    return (1 - math.sqrt(inner)) / 2 if inner > 0 else MOST
