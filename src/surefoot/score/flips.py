"""
Flips: pairs whose result differs between two conditions, and the balance of the two ways.
"""

from __future__ import annotations

import msgspec

from surefoot.score.matched import ABSENT, Small
from surefoot.score.stats.arrays import Ints

__all__ = ["Flips", "count_flips", "flip_rate", "net_change"]


class Flips(msgspec.Struct, frozen=True, eq=False):
    """
    Count the pairs of each comparison (columns).

    ``b`` were hits before and misses after, ``c`` the other way round. ``unmatched`` pairs
    were asked in at least one of the two conditions but not answered in both.
    ``difference`` is (pairs, comparisons): after minus before, 0 for unmatched pairs;
    ``matched`` has the same shape.
    """

    both: Ints
    b: Ints
    c: Ints
    neither: Ints
    unmatched: Ints
    difference: Small
    matched: Small


def count_flips(before: Small, after: Small) -> Flips:
    """Count flips between two (pairs, comparisons) matrices as ``Matched.hit`` has them."""
    matched = (before >= 0) & (after >= 0)
    asked = (before > ABSENT) | (after > ABSENT)
    lost = matched & (before > after)
    won = matched & (after > before)
    kept = matched & (before > 0) & (after > 0)
    totals = [each.sum(axis=0) for each in (kept, lost, won, matched, asked)]
    return Flips(
        both=totals[0],
        b=totals[1],
        c=totals[2],
        neither=totals[3] - totals[0] - totals[1] - totals[2],
        unmatched=totals[4] - totals[3],
        difference=won.astype("int8") - lost.astype("int8"),
        matched=matched.astype("int8"),
    )


def flip_rate(b: int, c: int, n: int) -> float:
    """
    Return the share of pairs whose result differs.

    >>> flip_rate(30, 10, 400)
    0.1
    """
    return (b + c) / n


def net_change(b: int, c: int, n: int) -> float:
    """
    Return the change of the hit rate from before to after; negative is a loss.

    >>> net_change(30, 10, 400)
    -0.05
    """
    return (c - b) / n
