"""
Rates of a diagnosis with their intervals, sites being the clusters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from surefoot.diagnose.findings import Rate
from surefoot.score.stats.clusters import (
    POSITIVE,
    RATE,
    intervals,
    quotient_of_ratios,
    ratio,
    single_interval,
    sum_by_cluster,
)
from surefoot.score.stats.intervals import Interval

__all__ = ["Found", "per_hundred", "rate_over_sites", "ratio_interval"]

# Failures and questions of one element.
Found: TypeAlias = tuple[int, int]


def per_hundred(found: Sequence[Found]) -> float | None:
    """
    Return the failures found per 100 questions asked.

    >>> per_hundred([(2, 10), (1, 10)])
    15.0
    """
    asked = sum(questions for _, questions in found)
    return 100 * sum(failures for failures, _ in found) / asked if asked else None


def rate_over_sites(found: Sequence[tuple[str, bool]]) -> Rate:
    """
    Return the rate of (site, whether it counts) with its interval; nothing has none.

    >>> rate_over_sites([("a", True), ("b", False)]).rate
    0.5
    """
    if not found:
        return Rate(0, 0, None, None)
    counts = np.array([[float(each), 1.0] for _, each in found])
    sums = sum_by_cluster([site for site, _ in found], counts)
    count, total = sum(each for _, each in found), len(found)
    interval = single_interval(ratio(sums[:, :1], sums[:, 1:]), RATE)
    return Rate(count, total, count / total, interval)


def ratio_interval(
    one: Mapping[str, Found], other: Mapping[str, Found], sites: Mapping[str, str]
) -> tuple[float | None, Interval | None]:
    """
    Return how many times the failures per question one search finds of another's.

    Both search the same elements (by their pair); ``sites`` names the site of each, and
    the two searches of a site stay paired. Where the other found nothing there is no ratio.
    """
    pairs = sorted(one.keys() & other.keys())
    counts = np.array([[*one[each], *other[each]] for each in pairs], np.float64).reshape(-1, 4)
    sums = sum_by_cluster([sites[each] for each in pairs], counts)
    found = quotient_of_ratios((sums[:, :1], sums[:, 1:2]), (sums[:, 2:3], sums[:, 3:]))
    if np.isnan(found.value[0]):
        return None, None
    (interval,) = intervals(found, POSITIVE)
    return float(found.value[0]), interval
