"""
Whether the models that hit most are those that waver least: two orders of models compared.
"""

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np

from surefoot.core.seeds import derive_seed
from surefoot.score.compare import DIRECT
from surefoot.score.hits import hits
from surefoot.score.matched import ORIGINAL, Condition
from surefoot.score.outcomes import Outcomes
from surefoot.score.sensitivity.grid import (
    METRICS,
    Grid,
    Metric,
    Sums,
    column_sums,
    lay_out,
    number_elements,
)
from surefoot.score.sensitivity.rows import Ruler
from surefoot.score.stats.arrays import Bools, Floats, Ints, Labels
from surefoot.score.stats.bootstrap import percentile_bounds, resampled_ratios
from surefoot.score.stats.intervals import Interval
from surefoot.score.stats.ranks import tau_b, tau_p

__all__ = [
    "LEAST_MODELS",
    "Rank",
    "RankComparison",
    "Standard",
    "compare_ranks",
    "other_standard",
    "own_standard",
]

LEAST_MODELS: Final = 3
_METHOD: Final = "percentile bootstrap"
_RESAMPLES: Final = 10_000


class Rank(msgspec.Struct, frozen=True):
    """Hold one model's hit rate on the standard set and its metrics, in the original view."""

    model: str
    reasoning: bool
    hit_rate: float
    s_mean: float
    s_worst: float
    s_oob: float


class RankComparison(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold Kendall's tau-b between models ordered by hit rate and by one metric.

    1 says that the models which hit most waver least, in the same order; -1 the opposite.
    ``interval`` draws sites anew and keeps the models: it says nothing about others. An
    order moves in steps, which no standard error describes, so it alone is a bootstrap's;
    None where all resamples have one order. ``p`` takes the ``models`` as drawn at random;
    None where ties leave nothing to order.
    """

    metric: Metric
    models: int
    tau: float | None
    interval: Interval | None
    p: float | None


class Standard(msgspec.Struct, frozen=True, eq=False):
    """
    Hold the hits of each model on the standard set, summed over clusters.

    ``names`` are (model, reasoning), one a column. ``own`` says that the clusters are those
    of the benchmark itself, so that one resample of them serves both.
    """

    names: tuple[tuple[str, bool], ...]
    sums: Sums
    own: bool


def own_standard(kinds: Grid) -> Standard:
    """Take the direct instructions on the original, from a grid by kind of expression."""
    chosen = [
        index
        for index, column in enumerate(kinds.columns)
        if column.value == DIRECT and column.condition.variant == ORIGINAL
    ]
    return _standard(kinds, np.array(chosen, dtype=np.int64), own=True)


def other_standard(outcomes: Outcomes, ruler: Ruler) -> Standard:
    """
    Take other runs: their direct instructions on the original, or all that they asked.

    Raises InvalidInputError for a bad tolerance and for a pair in two clusters.
    """
    direct = _is(outcomes.instruction, DIRECT) & _is(outcomes.variant, ORIGINAL)
    table = outcomes.take(direct) if direct.any() else outcomes
    nothing = Labels(("",), np.zeros(len(table), dtype=np.int64))
    table = msgspec.structs.replace(table, instruction=nothing, variant=nothing)
    hit, far = hits(table, tolerance=ruler.tolerance), np.full(len(table), np.nan)
    grid = lay_out(table, number_elements(table), hit, far)
    return _standard(grid, np.arange(len(grid.columns)), own=False)


def _is(labels: Labels, name: str) -> Bools:
    return np.asarray(np.array([each == name for each in labels.names])[labels.codes])


def _standard(grid: Grid, columns: Ints, *, own: bool) -> Standard:
    missed = column_sums(grid, "s_oob", columns)
    found = [grid.columns[index].condition for index in columns]
    return Standard(
        tuple((each.model, each.reasoning) for each in found),
        Sums(missed.below - missed.above, missed.below),
        own,
    )


def compare_ranks(
    grid: Grid, standard: Standard, ruler: Ruler
) -> tuple[tuple[Rank, ...], tuple[RankComparison, ...]]:
    """
    Order models by hit rate on the standard set and by each metric on the original view.

    Models that lack one of the two are left out; under three models nothing is compared.
    """
    pairs = [
        (index, standard.names.index((found.model, found.reasoning)))
        for index, column in enumerate(grid.columns)
        if (found := column.condition).variant == ORIGINAL
        and (found.model, found.reasoning) in standard.names
    ]
    if not pairs:
        return (), ()
    at, chosen = (np.array(each, dtype=np.int64) for each in zip(*pairs, strict=True))
    hit = Sums(standard.sums.above[:, chosen], standard.sums.below[:, chosen])
    sums = [hit, *(column_sums(grid, metric, at) for metric in METRICS)]
    points = np.stack([_ratio(each) for each in sums])
    kept = np.flatnonzero(~np.isnan(points).any(axis=0))
    ranks = tuple(_rank(grid.columns[at[each]].condition, points[:, each]) for each in kept)
    if len(ranks) < LEAST_MODELS:
        return ranks, ()
    seeds = [ruler.seed if standard.own else derive_seed(ruler.seed, "standard")]
    seeds += [ruler.seed] * len(METRICS)
    drawn = [_draw(each, kept, seed) for each, seed in zip(sums, seeds, strict=True)]
    return ranks, tuple(
        _compare(metric, points[[0, place]][:, kept], (drawn[0], drawn[place]), len(grid.starts))
        for place, metric in enumerate(METRICS, start=1)
    )


def _rank(condition: Condition, values: Floats) -> Rank:
    return Rank(condition.model, condition.reasoning, *(float(each) for each in values))


def _ratio(sums: Sums) -> Floats:
    with np.errstate(invalid="ignore"):
        return np.asarray(sums.above.sum(axis=0) / sums.below.sum(axis=0))


def _draw(sums: Sums, columns: Ints, seed: int) -> Floats:
    above, below = sums.above[:, columns], sums.below[:, columns]
    return resampled_ratios(above, below, resamples=_RESAMPLES, seed=seed)


def _compare(
    metric: Metric, points: Floats, drawn: tuple[Floats, Floats], clusters: int
) -> RankComparison:
    hit, values = drawn
    tau = float(tau_b(points[:1], -points[1:])[0])
    low, high = (float(each) for each in percentile_bounds(tau_b(hit, -values)[:, None])[:, 0])
    told = not np.isnan(tau) and low < high
    return RankComparison(
        metric=metric,
        models=points.shape[1],
        tau=None if np.isnan(tau) else tau,
        interval=Interval(low, high, _METHOD, clusters=clusters, over="sites") if told else None,
        p=tau_p(points[0], -points[1]),
    )
