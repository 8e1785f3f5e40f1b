"""
Intervals for rates and for differences of rates.
"""

from __future__ import annotations

import math

import msgspec
from scipy.special import betaincinv, ndtri

from surefoot.core.errors import InvalidInputError

__all__ = ["CONFIDENCE", "Interval", "clopper_pearson", "newcombe", "wilson"]

CONFIDENCE = 0.95


class Interval(msgspec.Struct, frozen=True):
    """
    Hold both ends of an interval, its method and its confidence.

    ``clusters`` is how many independent clusters it rests on, ``standard_error`` and
    ``degrees`` of freedom what it was made from; None where the method has none.
    """

    low: float
    high: float
    method: str
    confidence: float = CONFIDENCE
    clusters: int | None = None
    standard_error: float | None = None
    degrees: float | None = None


def clopper_pearson(count: float, total: int, *, confidence: float = CONFIDENCE) -> Interval:
    """
    Return the exact binomial interval (Clopper and Pearson, 1934).

    A count that is no whole number, such as a sum of shares, gets the same formula's value.

    >>> interval = clopper_pearson(0, 10)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.0, 0.3085)
    """
    _check(count, total)
    tail = (1 - confidence) / 2
    low = float(betaincinv(count, total - count + 1, tail)) if count else 0.0
    high = float(betaincinv(count + 1, total - count, 1 - tail)) if count < total else 1.0
    return Interval(low, high, "clopper-pearson", confidence)


def wilson(count: int, total: int, *, confidence: float = CONFIDENCE) -> Interval:
    """
    Return the score interval (Wilson, 1927), without continuity correction.

    >>> interval = wilson(5, 10)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.2366, 0.7634)
    """
    _check(count, total)
    z = float(ndtri((1 + confidence) / 2))
    rate, scale = count / total, 1 + z * z / total
    middle = (rate + z * z / (2 * total)) / scale
    reach = z * math.sqrt(rate * (1 - rate) / total + z * z / (4 * total * total)) / scale
    low = max(0.0, middle - reach) if count else 0.0
    high = min(1.0, middle + reach) if count < total else 1.0
    return Interval(low, high, "wilson", confidence)


def newcombe(
    counts: tuple[int, int], totals: tuple[int, int], *, confidence: float = CONFIDENCE
) -> Interval:
    """
    Return the interval of rate 1 minus rate 0 for independent samples (Newcombe, 1998).

    This is the hybrid of two Wilson intervals (method 10); it never leaves [-1, 1].
    """
    first = wilson(counts[0], totals[0], confidence=confidence)
    second = wilson(counts[1], totals[1], confidence=confidence)
    before, after = counts[0] / totals[0], counts[1] / totals[1]
    down = math.hypot(after - second.low, first.high - before)
    up = math.hypot(second.high - after, before - first.low)
    return Interval(after - before - down, after - before + up, "newcombe", confidence)


def _check(count: float, total: int) -> None:
    if not 0 <= count <= total or total < 1:
        raise InvalidInputError(
            "0 <= count <= total and a total above 0", found=f"{count}/{total}"
        )
