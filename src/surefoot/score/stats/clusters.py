"""
One interval and one test for every metric, over clusters that are independent.

Every metric is a ratio of two sums over clusters, such as hits over answers, or a
difference or a quotient of two such ratios. Its standard error is the jackknife's: how far
the number moves when one cluster is left out (CR3 of Bell and McCaffrey, Survey Methodology
28, 2002; MacKinnon, Nielsen and Webb, Journal of Applied Econometrics 38, 2023). Its degrees
of freedom are those that Bell and McCaffrey derive from the sizes of the clusters: m - 1 for
m equal ones, fewer where a few clusters hold most of the weight. Interval and test use
Student's t on a scale without ends: the log-odds of where the number lies between its
bounds, or its logarithm where it is bounded from below alone.

Where the clusters agree, their spread tells nothing of how clusters differ. The share of all
clusters that may then be unlike those seen is bounded exactly, at 1 - (alpha/2)^(1/m), and
such clusters may lie at either bound. So no interval has no width, and one cluster has
almost the whole range. Without a bound there is no interval then.

``bench/coverage.py`` measures how often these intervals hold what they should.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import msgspec
import numpy as np
from scipy.special import expit, stdtr, stdtrit

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.arrays import Bools, Floats, Ints
from surefoot.score.stats.intervals import CONFIDENCE, Interval

__all__ = [
    "AGREEING",
    "ANY",
    "CHANGE",
    "FEW_CLUSTERS",
    "JACKKNIFE",
    "POSITIVE",
    "RATE",
    "Bounds",
    "ClusterEstimate",
    "Sums",
    "detectable_effects",
    "difference_of_ratios",
    "few_clusters",
    "interval_bounds",
    "intervals",
    "p_values",
    "quotient_of_ratios",
    "ratio",
    "sum_by_cluster",
]

Bounds: TypeAlias = tuple[float, float]
Sums: TypeAlias = tuple[Floats, Floats]
RATE: Final[Bounds] = (0.0, 1.0)
CHANGE: Final[Bounds] = (-1.0, 1.0)
POSITIVE: Final[Bounds] = (0.0, np.inf)
ANY: Final[Bounds] = (-np.inf, np.inf)
FEW_CLUSTERS: Final = 10
JACKKNIFE: Final = "jackknife t"
AGREEING: Final = "exact bound where all agree"
_ROUNDING: Final = 1e-12


class ClusterEstimate(msgspec.Struct, frozen=True, eq=False):
    """
    Hold one number for each column, and how sure it is.

    ``value`` is NaN where nothing was observed. ``clusters`` counts those with something in
    the column; ``standard_error`` is NaN, and ``degrees`` of freedom 0, with fewer than two.
    """

    value: Floats
    standard_error: Floats
    clusters: Ints
    degrees: Floats


def sum_by_cluster(clusters: Sequence[str], values: Floats) -> Floats:
    """
    Return (clusters, columns): the sums of rows that are of one cluster, sorted by its name.

    >>> sum_by_cluster(["b", "a", "b"], np.array([[1.0], [2.0], [4.0]])).tolist()
    [[2.0], [5.0]]
    """
    names, row = np.unique(np.array(clusters, dtype=np.str_), return_inverse=True)
    total = np.zeros((len(names), values.shape[1]))
    np.add.at(total, row, values)
    return total


def ratio(numerators: Floats, denominators: Floats) -> ClusterEstimate:
    """
    Estimate each column's ratio of sums; both matrices are (clusters, columns).

    Denominators are at least 0, and a cluster with 0 has no part in the column. Raises
    InvalidInputError for shapes that differ.

    >>> found = ratio(np.array([[9.0], [7.0], [8.0]]), np.full((3, 1), 10.0))
    >>> [float(part[0].round(4)) for part in (found.value, found.standard_error, found.degrees)]
    [0.8, 0.0707, 2.0]
    """
    value, moved, weight = _left_out(numerators, denominators)
    return _estimate(value, moved, weight)


def difference_of_ratios(before: Sums, after: Sums) -> ClusterEstimate:
    """
    Estimate each column's ratio after minus that before, over the same clusters.

    Each side is (numerators, denominators), all (clusters, columns). Leaving a cluster out
    leaves it out of both sides, so what they share cancels.
    """
    (value_before, moved_before, weight_before), (value_after, moved_after, weight_after) = (
        _left_out(*side) for side in (before, after)
    )
    weight = (weight_before + weight_after) / 2
    return _estimate(value_after - value_before, moved_after - moved_before, weight)


def quotient_of_ratios(above: Sums, below: Sums) -> ClusterEstimate:
    """
    Estimate how many times one ratio is another over the same clusters, by its logarithm.

    The standard error is that of the quotient itself; a quotient over 0 is NaN.
    """
    (value_above, moved_above, weight_above), (value_below, moved_below, weight_below) = (
        _left_out(*side) for side in (above, below)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        value = value_above / value_below
        moved = (moved_above - value * moved_below) / value_below
    known = np.isfinite(value)
    moved = np.where(known, moved, np.nan)
    return _estimate(np.where(known, value, np.nan), moved, (weight_above + weight_below) / 2)


def interval_bounds(
    found: ClusterEstimate, bounds: Bounds, *, confidence: float = CONFIDENCE
) -> Floats:
    """
    Return (2, columns): the ends of each column's interval, NaN where there is none.

    ``bounds`` are the least and the greatest value that the number can have.

    >>> found = ratio(np.array([[9.0, 5], [7, 5], [8, 5]]), np.full((3, 2), [10.0, 5.0]))
    >>> interval_bounds(found, RATE).round(3).tolist()
    [[0.374, 0.292], [0.964, 1.0]]
    """
    low, high = bounds
    reach = stdtrit(np.maximum(found.degrees, 1), (1 + confidence) / 2) * found.standard_error
    value = found.value
    with np.errstate(divide="ignore", invalid="ignore"):
        if np.isfinite(bounds).all():
            share = (value - low) / (high - low)
            odds = np.log(share) - np.log1p(-share)
            far = reach / (high - low) / (share * (1 - share))
            ends = low + (high - low) * expit(np.stack([odds - far, odds + far]))
        elif np.isfinite(low):
            far = reach / (value - low)
            ends = low + (value - low) * np.exp(np.stack([-far, far]))
        else:
            ends = np.stack([value - reach, value + reach])
        unlike = 1 - ((1 - confidence) / 2) ** (1 / found.clusters)
        if np.isfinite(bounds).all():
            widest = np.stack([value - unlike * (value - low), value + unlike * (high - value)])
        else:
            widest = np.full_like(ends, np.nan)
    return np.asarray(np.where(_agree(found), widest, ends))


def intervals(
    found: ClusterEstimate, bounds: Bounds, *, over: str = "sites"
) -> list[Interval | None]:
    """
    Return each column's interval with what it rests on; ``over`` names the clusters.

    >>> found = ratio(np.array([[9.0], [7.0], [8.0]]), np.full((3, 1), 10.0))
    >>> [interval.method for interval in intervals(found, RATE) if interval]
    ['jackknife t']
    """
    agree = _agree(found)
    return [
        None
        if np.isnan(low)
        else Interval(
            float(low),
            float(high),
            AGREEING if alike else JACKKNIFE,
            clusters=int(clusters),
            over=over,
            standard_error=None if alike else float(error),
            degrees=None if alike else float(degrees),
        )
        for low, high, alike, clusters, error, degrees in zip(
            *interval_bounds(found, bounds),
            agree,
            found.clusters,
            found.standard_error,
            found.degrees,
            strict=True,
        )
    ]


def few_clusters(sizes: Floats | Ints, *, over: str = "sites") -> str:
    """
    Say what may be concluded where the clusters are few, or few hold most; "" where not.

    ``sizes`` has the questions of each cluster; ``over`` is the plural of what they are.

    >>> few_clusters(np.full(12, 7))
    ''
    >>> few_clusters(np.array([30]), over="forms")
    'Only 1 form: nothing can be concluded about others.'
    """
    count = int(np.count_nonzero(sizes))
    if count < 2:  # noqa: PLR2004 - one does not vary
        return f"Only {count} {over[:-1]}: nothing can be concluded about others."
    column = np.asarray(sizes, dtype=np.float64)[:, None]
    equal = 1 + float(ratio(column, column).degrees[0])
    if count < FEW_CLUSTERS:
        opening = f"Only {count} {over}"
    elif round(equal) < FEW_CLUSTERS:
        opening = f"{count} {over}, but some hold so much that they tell as little as {equal:.0f}"
    else:
        return ""
    return (
        f"{opening}: a difference whose interval leaves out zero may be concluded for {over} "
        "like these; where it does not, nothing is shown, above all not that there is none. "
        f"Single {over}, small differences and rates near 0 or 100 % need more {over}."
    )


def p_values(found: ClusterEstimate, bounds: Bounds, *, null: float = 0.0) -> Floats:
    """
    Return a two-sided p for each column: the least alpha whose interval leaves out ``null``.

    Where the clusters agree without bounds, it is that of the sign test; 1 where nothing
    was observed.

    >>> flips = np.array([[1.0, 0], [2, 0], [2, 0], [1, 0]])
    >>> p_values(ratio(flips, np.full((4, 2), 10.0)), CHANGE).round(3).tolist()
    [0.021, 1.0]
    """
    low, high = bounds
    value, error = found.value, found.standard_error
    with np.errstate(divide="ignore", invalid="ignore"):
        if np.isfinite(bounds).all():
            share, start = ((end - low) / (high - low) for end in (value, null))
            size = _log_odds(share) - _log_odds(start)
            error = error / (high - low) / (share * (1 - share))
            alike = np.where(value > null, (null - low) / (value - low), 1.0)
            alike = np.where(value < null, (high - null) / (high - value), alike)
        else:
            size = value - null
            if np.isfinite(low):
                size, error = np.log((value - low) / (null - low)), error / (value - low)
            alike = np.where(value == null, 1.0, 0.5)
        told = 2 * stdtr(np.maximum(found.degrees, 1), -np.abs(size / error))
        p = np.where(_agree(found), 2 * alike**found.clusters, told)
    return np.asarray(np.where(np.isnan(p), 1.0, np.minimum(p, 1.0)))


def detectable_effects(found: ClusterEstimate, *, power: float = 0.8) -> Floats:
    """
    Return the smallest true change of each column that its test finds with the power.

    It is the sum of both quantiles of t times the standard error (Bloom, Evaluation Review
    19, 1995), NaN with one cluster.

    >>> flips = np.array([[1.0], [2], [2], [1]])
    >>> detectable_effects(ratio(flips, np.full((4, 1), 10.0))).round(3).tolist()
    [0.139]
    """
    degrees = np.maximum(found.degrees, 1)
    quantiles = stdtrit(degrees, (1 + CONFIDENCE) / 2) + stdtrit(degrees, power)
    return np.asarray(quantiles * found.standard_error)


def _log_odds(share: Floats | float) -> Floats:
    return np.asarray(np.log(share) - np.log1p(-np.asarray(share)))


def _left_out(numerators: Floats, denominators: Floats) -> tuple[Floats, Floats, Floats]:
    """
    Return the ratio of sums, how far it moves without each cluster, and their weights.

    The moves are NaN where nothing is left without the cluster.
    """
    if numerators.shape != denominators.shape or numerators.ndim != 2:  # noqa: PLR2004
        raise InvalidInputError(
            "two matrices of one shape", found=f"{numerators.shape}, {denominators.shape}"
        )
    total = denominators.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = numerators.sum(axis=0) / total
        weight = denominators / total
        left = total - denominators
        moved = np.where(left > 0, (value * denominators - numerators) / left, np.nan)
    return value, moved, weight


def _estimate(value: Floats, moved: Floats, weight: Floats) -> ClusterEstimate:
    clusters = np.count_nonzero(np.nan_to_num(weight) > 0, axis=0)
    several = clusters > 1
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt((moved**2).sum(axis=0))
        lever = weight**2 / (1 - weight)
        shared = lever.sum(axis=0) ** 2 - (lever**2).sum(axis=0)
        degrees = 1 / ((weight**2).sum(axis=0) + shared)
    return ClusterEstimate(
        value=value,
        standard_error=np.where(several, error, np.nan),
        clusters=np.asarray(clusters, dtype=np.int64),
        degrees=np.where(several, degrees, 0.0),
    )


def _agree(found: ClusterEstimate) -> Bools:
    """Tell where clusters differ by no more than rounding, as a single one does."""
    scale = np.maximum(1.0, np.abs(found.value))
    return ~(found.standard_error > _ROUNDING * scale)
