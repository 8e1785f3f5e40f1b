"""
Chance in the model: what a second asking of every miss tells, and what it cannot tell.

A model that draws its replies misses now and then for no reason that stands in the question.
If it misses each question with probability e, independently at each asking, then a question
that is not missed twice is missed at the first asking alone with probability
e (1 - e) / (1 - e^2) = e / (1 + e), and one in 1 / e^2 is missed twice. So e follows from the
misses that did not hold, and from e how many elements have a question that was missed twice by
chance alone. What is missed mostly, and for a reason, is hit now and then as well; so e is told
by the elements that have no question that was missed twice, as long as they have answers enough.
A model that answers the same words again shows nothing of the kind: asked twice, it is asked
once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from surefoot.diagnose.findings import Repeats
from surefoot.diagnose.search.arms import ArmResult

ENOUGH: Final = 20  # answers about elements without a failure


def repeats_of(elements: Iterable[Sequence[ArmResult]]) -> Repeats:
    """
    Return what the second askings came to; ``elements`` are the answers of each element.
    """
    by_element = [[result for result in several if result.answered] for several in elements]
    every = [result for several in by_element for result in several]
    again = [result for result in every if result.again is not None]
    held = sum(result.failed for result in again)
    same = sum(result.again is not None and result.answer is not None
               and result.again.raw == result.answer.raw for result in again)  # fmt: skip
    if not again or same == len(again):
        return Repeats(len(again), held, same, None, None)
    sound = [
        result for several in by_element if not any(map(_failed, several)) for result in several
    ]
    of = sound if len(sound) >= ENOUGH else [result for result in every if not result.failed]
    lost = sum(result.missed for result in of)
    chance = min(lost / (len(of) - lost), 1.0) if len(of) > lost else 1.0
    expected = math.fsum(1 - (1 - chance**2) ** len(several) for several in by_element)
    return Repeats(len(again), held, same, chance, expected)


def _failed(answer: ArmResult) -> bool:
    return answer.failed
