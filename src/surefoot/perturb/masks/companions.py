"""
Which boxes of a screen are masked together with a target's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from surefoot.core.errors import InvalidInputError
from surefoot.core.seeds import random_source

__all__ = ["companions"]


def companions(
    ids: Sequence[str], target: str, seed: int, *, share: float = 0.2
) -> tuple[str, ...]:
    """
    Draw a share of a screen's boxes to mask at once, the target always among them.

    Of n boxes it is share x n, rounded to the nearest whole number, halves up, and at least
    the target itself. The others are drawn evenly, without replacement; ``seed`` and target
    decide which. They come in the order of ``ids``. Raises InvalidInputError for a target
    that is not among them, for an id that comes twice, and for a share outside (0, 1].

    >>> companions([str(number) for number in range(10)], "3", 7)
    ('3', '4')
    """
    if ids.count(target) != 1 or len(set(ids)) != len(ids):
        raise InvalidInputError(f"each id once, '{target}' among them", found=str(list(ids))[:200])
    if not 0 < share <= 1:
        raise InvalidInputError("a share above 0 and up to 1", found=str(share))
    others = [each for each in ids if each != target]
    count = max(1, math.floor(share * len(ids) + 0.5))
    drawn = random_source(seed, "companions", target).sample(others, count - 1)
    chosen = {target, *drawn}
    return tuple(each for each in ids if each in chosen)
