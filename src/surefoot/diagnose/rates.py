"""
Rates of a diagnosis with their intervals, pages being the clusters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from surefoot.core.seeds import derive_seed
from surefoot.diagnose.findings import Rate
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.bootstrap import percentile_bounds, resampled_ratios
from surefoot.score.stats.intervals import Interval, clopper_pearson, wilson

__all__ = [
    "clustered_rate",
    "exact_counts",
    "exact_interval",
    "has_spread",
    "per_hundred",
    "rate_of",
    "ratio_interval",
]

RESAMPLES: Final = 2000
NO_SPREAD: Final = 1e-9  # what rounding leaves where all resamples are alike
# Failures and questions of one element.
Found = tuple[int, int]


def rate_of(count: int, total: int) -> Rate:
    """
    Return a rate with Wilson's interval; nothing of nothing has none.

    >>> rate_of(5, 10).rate
    0.5
    """
    if not total:
        return Rate(0, 0, None, None)
    return Rate(count, total, count / total, wilson(count, total))


def per_hundred(found: Sequence[Found]) -> float | None:
    """
    Return the failures found per 100 questions asked.

    >>> per_hundred([(2, 10), (1, 10)])
    15.0
    """
    asked = sum(questions for _, questions in found)
    return 100 * sum(failures for failures, _ in found) / asked if asked else None


def ratio_interval(
    one: Mapping[str, Found], other: Mapping[str, Found], pages: Mapping[str, str], *, seed: int
) -> tuple[float | None, Interval | None]:
    """
    Return how many times the failures per question one search finds of another's.

    Both search the same elements (by their pair); ``pages`` names the page of each. The
    interval is the percentile bootstrap's over pages, in which both stay paired. Where the
    other found nothing there is no ratio.
    """
    pairs = sorted(one.keys() & other.keys())
    names = sorted({pages[each] for each in pairs})
    table = np.zeros((2, len(names), 2))
    for pair in pairs:
        row = names.index(pages[pair])
        for column, found in enumerate((one[pair], other[pair])):
            table[:, row, column] += found
    failures, questions = table
    if not pairs or not failures[:, 1].sum() or not questions[:, 0].sum():
        return None, None
    rates = failures.sum(axis=0) / questions.sum(axis=0)
    drawn = resampled_ratios(
        failures, questions, resamples=RESAMPLES, seed=derive_seed(seed, "search-over-random")
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios: Floats = drawn[:, 0] / drawn[:, 1]
    ratios[~np.isfinite(ratios)] = np.nan
    low, high = percentile_bounds(ratios[:, None])[:, 0]
    interval = None if np.isnan(low) else Interval(float(low), float(high), "bootstrap over pages")
    return float(rates[0] / rates[1]), interval


def has_spread(interval: Interval) -> bool:
    """
    Tell whether an interval is more than one number.

    >>> has_spread(Interval(1.0, 1.0, "bootstrap over pages"))
    False
    """
    return interval.high - interval.low > NO_SPREAD


def exact_counts(count: int, total: int, pages: int) -> tuple[int, int]:
    """
    Return the count and the total that an exact interval rests on where pages agree.

    Where all or none count each page is taken once, which is the cautious end; between
    them answers are no more alike within a page than between pages, so all are taken.

    >>> exact_counts(40, 40, 8)
    (8, 8)
    """
    return (count, total) if 0 < count < total else (pages if count else 0, pages)


def exact_interval(count: int, total: int, pages: int) -> Interval:
    """Return the exact interval (Clopper and Pearson, 1934) for pages that all agree."""
    exact = clopper_pearson(*exact_counts(count, total, pages))
    over = "answers" if 0 < count < total else "pages"
    return Interval(exact.low, exact.high, f"clopper-pearson over {over}")


def clustered_rate(found: Sequence[tuple[str, bool]], *, seed: int = 0) -> Rate:
    """
    Return the rate of (page, whether it counts), with a bootstrap interval over pages.

    On one page alone nothing tells how pages differ: the interval is then Wilson's, as if
    all were independent. Where all pages agree no resample differs: it is then exact.
    """
    pages = sorted({page for page, _ in found})
    count = sum(counts for _, counts in found)
    if len(pages) < 2:  # noqa: PLR2004 - one page has no variance
        return rate_of(count, len(found))
    table = np.zeros((2, len(pages), 1))
    for page, counts in found:
        table[0, pages.index(page), 0] += counts
        table[1, pages.index(page), 0] += 1
    drawn = resampled_ratios(table[0], table[1], resamples=RESAMPLES, seed=seed)
    low, high = percentile_bounds(drawn)[:, 0]
    interval = Interval(float(low), float(high), "bootstrap over pages")
    if not has_spread(interval):
        interval = exact_interval(count, len(found), len(pages))
    return Rate(count, len(found), count / len(found), interval)
