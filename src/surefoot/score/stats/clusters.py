"""
The interval and the test of a rate, a mean, or a difference of two, over independent clusters.

Every metric is a ratio of two sums over clusters, such as hits over answers, or a
difference or a quotient of two such ratios. Its standard error is the jackknife's: the square
root of the sum of squares of how far the number moves when one cluster is left out (CR3 of
Bell and McCaffrey, Survey Methodology 28, 2002; MacKinnon, Nielsen and Webb, Journal of
Applied Econometrics 38, 2023). Its degrees of freedom are those that Bell and McCaffrey derive
from the sizes of the clusters: m - 1 for m equal ones, fewer where a few hold most of the
weight.

A rate has Wilson's interval, with Student's t for the normal quantile and the effective size
for the number of answers (Korn and Graubard, Survey Methodology 24, 1998). The design effect
is the jackknife's, drawn towards a small one where there are few misses or few hits, so that
one formula serves no miss, one miss and many. Everything else has Student's t on a scale
without ends: a mean that is never negative on its logarithm, a difference on its own scale,
or on log-odds where it has two bounds; where its clusters agree, the share of clusters that
may be unlike those seen is bounded exactly, at 1 - (alpha/2)^(1/m). The change of the same
elements has a module of its own, ``paired.py``.

``bench/coverage.py`` measures how often these intervals hold what they should.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.arrays import Bools, Floats, Ints
from surefoot.score.stats.intervals import CONFIDENCE, Interval

Bounds: TypeAlias = tuple[float, float]
Sums: TypeAlias = tuple[Floats, Floats]
RATE: Final[Bounds] = (0.0, 1.0)
CHANGE: Final[Bounds] = (-1.0, 1.0)
POSITIVE: Final[Bounds] = (0.0, np.inf)
ANY: Final[Bounds] = (-np.inf, np.inf)
FEW_CLUSTERS: Final = 10
POWER: Final = 0.8  # with which the smallest change that is found is found
JACKKNIFE: Final = "jackknife, Student's t"
WILSON: Final = "Wilson at effective size, Student's t"
AGREEING: Final = "exact bound where all agree"
_ROUNDING: Final = 1e-12


class ClusterEstimate(msgspec.Struct, frozen=True, eq=False):
    """
    Hold one number for each column, and how sure it is.

    ``value`` is NaN where nothing was observed. ``clusters`` counts those with something in
    the column; ``standard_error`` is NaN, and ``degrees`` of freedom 0, with fewer than two.
    Of a ratio, ``count`` is its denominator, ``crowding`` the size of the cluster that an
    answer is in, on average, and ``square`` the mean square of single values, where these
    are no counts; all NaN where they are not known.
    """

    value: Floats
    standard_error: Floats
    clusters: Ints
    degrees: Floats
    count: Floats
    crowding: Floats
    square: Floats


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


def ratio(
    numerators: Floats, denominators: Floats, squares: Floats | None = None
) -> ClusterEstimate:
    """
    Estimate each column's ratio of sums; all matrices are (clusters, columns).

    Denominators are at least 0, and a cluster with 0 has no part in the column. ``squares``
    are sums of the squares of single values; without them each value is 0 or 1. Raises
    InvalidInputError for shapes that differ.

    >>> found = ratio(np.array([[9.0], [7.0], [8.0]]), np.full((3, 1), 10.0))
    >>> [float(part[0].round(4)) for part in (found.value, found.standard_error, found.degrees)]
    [0.8, 0.0707, 2.0]
    """
    value, moved, weight = _left_out(numerators, denominators)
    total = denominators.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        crowding = (denominators**2).sum(axis=0) / total
        square = value if squares is None else squares.sum(axis=0) / total
    return _estimate(value, moved, weight, (total.astype(np.float64), crowding, square))


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
    [[0.402, 0.403], [0.96, 1.0]]
    """
    from scipy.special import expit, stdtrit

    low, high = bounds
    quantile = np.asarray(stdtrit(np.maximum(found.degrees, 1), (1 + confidence) / 2), np.float64)
    if bounds == RATE and not np.isnan(found.count).all():
        ends = _wilson_ends(found, quantile)
        return np.asarray(np.where(found.clusters > 1, ends, np.nan))
    reach = quantile * found.standard_error
    value = found.value
    with np.errstate(divide="ignore", invalid="ignore"):
        if np.isfinite(bounds).all():
            share = (value - low) / (high - low)
            odds = np.log(share) - np.log1p(-share)
            far = reach / (high - low) / (share * (1 - share))
            ends = low + (high - low) * expit(np.stack([odds - far, odds + far]))
            unlike = 1 - ((1 - confidence) / 2) ** (1 / found.clusters)
            widest = np.stack([value - unlike * (value - low), value + unlike * (high - value)])
        else:
            if np.isfinite(low):
                far = reach / (value - low)
                ends = low + (value - low) * np.exp(np.stack([-far, far]))
            else:
                ends = np.stack([value - reach, value + reach])
            widest = np.full_like(ends, np.nan)
    return np.asarray(np.where(_agree(found), widest, ends))


def design_effects(
    changed: Floats, independent: Floats, jackknife: Floats, crowding: Floats
) -> Floats:
    """
    Return how many times its variance among independent elements each number's variance is.

    ``changed`` counts the elements that tell of it: the misses of a rate, say. ``jackknife``
    and ``independent`` are the variance over clusters and over elements. The fewer changed,
    the nearer is what is returned to the design effect of clusters in which elements are
    correlated by 0.05, ``crowding`` being how many elements the cluster of one has.
    """
    expected = 1 + 0.05 * (crowding - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        seen = np.where(independent > _ROUNDING**2, jackknife / independent, expected)
    seen = np.where(np.isnan(seen), expected, seen)
    return np.asarray(np.maximum(0.3, (changed * seen + 2 * expected) / (changed + 2)))


def _effective_sizes(found: ClusterEstimate) -> Floats:
    """Return how many independent answers would tell as much about each rate."""
    value, count = found.value, found.count
    changed = count * np.minimum(value, 1 - value)
    whole = value * (1 - value)
    with np.errstate(divide="ignore", invalid="ignore"):
        # Values between 0 and 1 vary less than hits and misses of the same mean.
        narrower = np.where(whole > _ROUNDING, (found.square - value**2) / whole, 1.0)
        narrower = (changed * np.clip(narrower, 0.0, 1.0) + 2) / (changed + 2)
        independent = narrower * whole / count
    effects = design_effects(changed, independent, found.standard_error**2, found.crowding)
    return np.asarray(count / (effects * narrower))


def _wilson_ends(found: ClusterEstimate, quantile: Floats) -> Floats:
    value, size = found.value, _effective_sizes(found)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = 1 + quantile**2 / size
        middle = (value + quantile**2 / (2 * size)) / scale
        reach = quantile / scale * np.sqrt(value * (1 - value) / size + (quantile / size / 2) ** 2)
    ends = np.clip(np.stack([middle - reach, middle + reach]), 0.0, 1.0)
    # Rounding must not leave out the rate itself.
    return np.asarray(np.stack([np.minimum(ends[0], value), np.maximum(ends[1], value)]))


def intervals(
    found: ClusterEstimate, bounds: Bounds, *, over: str = "sites"
) -> list[Interval | None]:
    """
    Return each column's interval with what it rests on; ``over`` names the clusters.

    >>> found = ratio(np.array([[9.0], [7.0], [8.0]]), np.full((3, 1), 10.0))
    >>> [interval.method for interval in intervals(found, RATE) if interval]
    ["Wilson at effective size, Student's t"]
    """
    rates = bounds == RATE and not np.isnan(found.count).all()
    agree = np.zeros(len(found.value), np.bool_) if rates else _agree(found)
    method = WILSON if rates else JACKKNIFE
    return [
        None
        if np.isnan(low)
        else Interval(
            float(low),
            float(high),
            AGREEING if alike else method,
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

    Where the clusters of a difference agree without bounds, it is that of the sign test; 1
    where nothing was observed.

    >>> flips = np.array([[1.0, 0], [2, 0], [2, 0], [1, 0]])
    >>> p_values(ratio(flips, np.full((4, 2), 10.0)), CHANGE).round(3).tolist()
    [0.021, 1.0]
    """
    from scipy.special import stdtr

    low, high = bounds
    value, error = found.value, found.standard_error
    with np.errstate(divide="ignore", invalid="ignore"):
        if bounds == RATE and not np.isnan(found.count).all():
            size, error = value - null, np.sqrt(null * (1 - null) / _effective_sizes(found))
            alike = np.ones_like(value)
            agree = found.clusters < 2  # noqa: PLR2004 - one tells nothing of others
        else:
            agree = _agree(found)
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
        by_t = 2 * stdtr(np.maximum(found.degrees, 1), -np.abs(size / error))
        p = np.where(agree, 2 * alike**found.clusters, by_t)
    return np.asarray(np.where(np.isnan(p), 1.0, np.minimum(p, 1.0)))


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


def _estimate(
    value: Floats,
    moved: Floats,
    weight: Floats,
    sizes: tuple[Floats, Floats, Floats] | None = None,
) -> ClusterEstimate:
    clusters = np.count_nonzero(np.nan_to_num(weight) > 0, axis=0)
    several = clusters > 1
    unknown = np.full(len(value), np.nan)
    count, crowding, square = sizes or (unknown, unknown, unknown)
    return ClusterEstimate(
        value=value,
        standard_error=np.where(several, np.sqrt((moved**2).sum(axis=0)), np.nan),
        clusters=np.asarray(clusters, dtype=np.int64),
        degrees=np.where(several, weight_degrees(weight), 0.0),
        count=count,
        crowding=crowding,
        square=square,
    )


def weight_degrees(weight: Floats) -> Floats:
    """
    Return Bell and McCaffrey's degrees of freedom from (clusters, columns) weights that sum to 1.

    >>> weight_degrees(np.full((6, 1), 1 / 6)).round(6).tolist()
    [5.0]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        lever = weight**2 / (1 - weight)
        shared = lever.sum(axis=0) ** 2 - (lever**2).sum(axis=0)
        return np.asarray(1 / ((weight**2).sum(axis=0) + shared))


def _agree(found: ClusterEstimate) -> Bools:
    """Tell where clusters differ by no more than rounding, as a single one does."""
    scale = np.maximum(1.0, np.abs(found.value))
    return ~(found.standard_error > _ROUNDING * scale)
