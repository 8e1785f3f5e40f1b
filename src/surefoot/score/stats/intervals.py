"""
Intervals, and those of a rate whose trials are independent.
"""

from __future__ import annotations

import math

import msgspec
from scipy.special import ndtri

from surefoot.core.errors import InvalidInputError

__all__ = ["CONFIDENCE", "Interval", "wilson"]

CONFIDENCE = 0.95


class Interval(msgspec.Struct, frozen=True):
    """
    Hold both ends of an interval, its method and its confidence.

    ``clusters`` is how many independent clusters it rests on, and ``over`` names them in
    the plural; ``standard_error`` and ``degrees`` of freedom are what it was made from.
    None, or "", where the method has none.
    """

    low: float
    high: float
    method: str
    confidence: float = CONFIDENCE
    clusters: int | None = None
    over: str = ""
    standard_error: float | None = None
    degrees: float | None = None


def wilson(count: int, total: int, *, confidence: float = CONFIDENCE) -> Interval:
    """
    Return the score interval (Wilson, 1927), without continuity correction.

    >>> interval = wilson(5, 10)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.2366, 0.7634)
    """
    if not 0 <= count <= total or total < 1:
        raise InvalidInputError(
            "0 <= count <= total and a total above 0", found=f"{count}/{total}"
        )
    z = float(ndtri((1 + confidence) / 2))
    rate, scale = count / total, 1 + z * z / total
    middle = (rate + z * z / (2 * total)) / scale
    reach = z * math.sqrt(rate * (1 - rate) / total + z * z / (4 * total * total)) / scale
    low = max(0.0, middle - reach) if count else 0.0
    high = min(1.0, middle + reach) if count < total else 1.0
    return Interval(low, high, "wilson", confidence)
