"""
What an interval is.
"""

from __future__ import annotations

import msgspec

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
