"""
Paired differences of the three metrics, always on the elements that both sides have.

A view stands against the original, a model against another, one kind, specificity or
wording of instructions against another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, TypeAlias

import msgspec
import numpy as np

from surefoot.score.compare import DIRECT
from surefoot.score.matched import ORIGINAL
from surefoot.score.sensitivity.grid import METRICS, Column, Grid, Metric, column_sums
from surefoot.score.sensitivity.rows import LEAST_CLUSTERS, ROUNDING, Ruler
from surefoot.score.sensitivity.table import AS_WRITTEN, REWORDED
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.bootstrap import percentile_bounds, resampled_ratios
from surefoot.score.stats.intervals import Interval, clopper_pearson
from surefoot.score.stats.multiplicity import holm
from surefoot.score.stats.randomisation import swap_test, swap_test_name

__all__ = ["CONTRASTS", "Contrast", "Difference", "corrected", "differences"]

Contrast: TypeAlias = Literal["view", "model", "kind", "specificity", "wording"]
Pair: TypeAlias = tuple[int, int]
_BASELINES: Final = {"kind": DIRECT, "specificity": "high", "wording": AS_WRITTEN}
_METHOD: Final = "paired bootstrap percentile"


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold one metric of a condition minus that of its baseline, on the same elements.

    ``model``, ``view`` and ``value`` name the condition; ``baseline`` is the other model,
    view or value, as ``contrast`` says. ``before`` and ``after`` are the metric over the
    ``elements`` that have it in both, for views over the instructions that both have, so
    that they can differ from the rows' numbers. A positive ``change`` is for the worse.
    ``p`` is that of a randomisation over ``clusters``, ``p_holm`` within the contrast and
    metric (``family`` tests). None stands where nothing can be said, as for an interval
    over one page or where every resample is alike.
    """

    contrast: Contrast
    metric: Metric
    model: str
    reasoning: bool
    view: str
    value: str
    baseline: str
    elements: int
    clusters: int
    before: float | None
    after: float | None
    change: float | None
    interval: Interval | None
    test: str
    p: float
    p_holm: float = 1.0
    family: int = 1


def differences(grid: Grid, contrast: Contrast, ruler: Ruler) -> tuple[Difference, ...]:
    """Compare the columns of a grid that a contrast pairs, in every metric; not corrected."""
    pairs = list(CONTRASTS[contrast](grid.columns))
    if not pairs:
        return ()
    raw = [_compare(grid, contrast, metric, pairs, ruler) for metric in METRICS]
    return tuple(each for family in raw for each in family)


def corrected(raw: Sequence[Difference]) -> tuple[Difference, ...]:
    """Correct p-values by Holm, each contrast and metric being a family."""
    done = list(raw)
    for family in dict.fromkeys((each.contrast, each.metric) for each in raw):
        rows = [at for at, each in enumerate(raw) if (each.contrast, each.metric) == family]
        for at, p in zip(rows, holm([raw[at].p for at in rows]), strict=True):
            done[at] = msgspec.structs.replace(raw[at], p_holm=p, family=len(rows))
    return tuple(done)


def _compare(
    grid: Grid, contrast: Contrast, metric: Metric, pairs: Sequence[Pair], ruler: Ruler
) -> list[Difference]:
    starts, places = (np.array(each, dtype=np.int64) for each in zip(*pairs, strict=True))
    shared = grid.chosen(metric, starts)[0] & grid.chosen(metric, places)[0]
    before, after = (column_sums(grid, metric, each, shared) for each in (starts, places))
    sides = ((before.above, before.below), (after.above, after.below))
    bounds = _bounds(sides, ruler)
    tested = swap_test(*sides, seed=ruler.seed)
    clusters = np.count_nonzero(before.below, axis=0)
    return [
        _difference(
            contrast,
            metric,
            (grid.columns[start], grid.columns[place]),
            (int(shared[:, index].sum()), int(clusters[index])),
            _rates(sides, index),
            (float(bounds[0, index]), float(bounds[1, index])),
            (swap_test_name(len(grid.starts)), float(tested[index])),
        )
        for index, (start, place) in enumerate(pairs)
    ]


Sides: TypeAlias = tuple[tuple[Floats, Floats], tuple[Floats, Floats]]


def _bounds(sides: Sides, ruler: Ruler) -> Floats:
    above, below = (np.hstack([side[part] for side in sides]) for part in (0, 1))
    drawn = resampled_ratios(above, below, resamples=ruler.resamples, seed=ruler.seed)
    before, after = np.split(drawn, 2, axis=1)
    return percentile_bounds(after - before)


def _rates(sides: Sides, index: int) -> tuple[float, float] | None:
    totals = [float(below[:, index].sum()) for _, below in sides]
    if not all(totals):
        return None
    before, after = (
        float(above[:, index].sum()) / total
        for (above, _), total in zip(sides, totals, strict=True)
    )
    return before, after


def _difference(
    contrast: Contrast,
    metric: Metric,
    columns: tuple[Column, Column],
    counts: tuple[int, int],
    rates: tuple[float, float] | None,
    bounds: tuple[float, float],
    tested: tuple[str, float],
) -> Difference:
    start, place = columns
    baseline = {"view": start.condition.variant, "model": start.condition.model}
    elements, clusters = counts
    change = rates[1] - rates[0] if rates else None
    return Difference(
        contrast=contrast,
        metric=metric,
        model=place.condition.model,
        reasoning=place.condition.reasoning,
        view=place.condition.variant,
        value=place.value,
        baseline=baseline.get(contrast, start.value),
        elements=elements,
        clusters=clusters,
        before=rates[0] if rates else None,
        after=rates[1] if rates else None,
        change=change,
        interval=None if change is None else _interval(metric, change, clusters, bounds),
        test=tested[0],
        p=tested[1],
    )


def _interval(
    metric: Metric, change: float, clusters: int, bounds: tuple[float, float]
) -> Interval | None:
    """
    Name the bootstrap's interval, or replace it where every resample is alike.

    Pages that are not like those seen are then at most a share that the exact binomial
    bound gives; a share outside can change by 1 in either direction on those. A deviation
    has no bound, so neither has its change an interval then.
    """
    if clusters < LEAST_CLUSTERS:
        return None
    if bounds[1] - bounds[0] > ROUNDING:
        return Interval(*bounds, _METHOD)
    if metric != "s_oob":
        return None
    share = clopper_pearson(0, clusters).high
    low, high = change - share * (1 + change), change + share * (1 - change)
    return Interval(low, high, "clopper-pearson bound over clusters")


def _against_original(columns: Sequence[Column]) -> Iterable[Pair]:
    index = {column: place for place, column in enumerate(columns)}
    for place, column in enumerate(columns):
        beside = REWORDED if column.condition.variant.endswith(REWORDED) else ""
        base = msgspec.structs.replace(column.condition, variant=ORIGINAL + beside)
        start = index.get(msgspec.structs.replace(column, condition=base))
        if start is not None and start != place:
            yield start, place


def _between_models(columns: Sequence[Column]) -> Iterable[Pair]:
    for place, column in enumerate(columns):
        for start, other in enumerate(columns[:place]):
            if _view(other) == _view(column):
                yield start, place


def _view(column: Column) -> tuple[bool, str, str]:
    return column.condition.reasoning, column.condition.variant, column.value


def _against_value(value: str) -> Callable[[Sequence[Column]], Iterable[Pair]]:
    def pairs(columns: Sequence[Column]) -> Iterable[Pair]:
        index = {column: place for place, column in enumerate(columns)}
        for place, column in enumerate(columns):
            start = index.get(msgspec.structs.replace(column, value=value))
            if start is not None and start != place:
                yield start, place

    return pairs


CONTRASTS: Final[dict[Contrast, Callable[[Sequence[Column]], Iterable[Pair]]]] = {
    "view": _against_original,
    "model": _between_models,
    "kind": _against_value(_BASELINES["kind"]),
    "specificity": _against_value(_BASELINES["specificity"]),
    "wording": _against_value(_BASELINES["wording"]),
}
