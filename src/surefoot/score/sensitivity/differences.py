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
from surefoot.score.sensitivity.grid import METRICS, Column, Grid, Metric, Sums, column_sums
from surefoot.score.sensitivity.table import AS_WRITTEN, REWORDED
from surefoot.score.stats.clusters import (
    ANY,
    CHANGE,
    JACKKNIFE,
    Bounds,
    difference_of_ratios,
    intervals,
    p_values,
)
from surefoot.score.stats.intervals import Interval
from surefoot.score.stats.multiplicity import holm

__all__ = ["CONTRASTS", "Contrast", "Difference", "corrected", "differences"]

Contrast: TypeAlias = Literal["view", "model", "kind", "specificity", "wording"]
Pair: TypeAlias = tuple[int, int]
_BASELINES: Final = {"kind": DIRECT, "specificity": "high", "wording": AS_WRITTEN}
_BOUNDS: Final[dict[Metric, Bounds]] = {"s_mean": ANY, "s_worst": ANY, "s_oob": CHANGE}


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold one metric of a condition minus that of its baseline, on the same elements.

    ``model``, ``view`` and ``value`` name the condition; ``baseline`` is the other model,
    view or value, as ``contrast`` says. ``before`` and ``after`` are the metric over the
    ``elements`` that have it in both, for views over the instructions that both have, so
    that they can differ from the rows' numbers. A positive ``change`` is for the worse.
    ``p`` is that of the one test over ``clusters``, ``p_holm`` within the contrast and
    metric (``family`` tests). None stands where nothing can be said, as for an interval of
    a deviation on one site or where all sites change alike.
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


def differences(grid: Grid, contrast: Contrast) -> tuple[Difference, ...]:
    """Compare the columns of a grid that a contrast pairs, in every metric; not corrected."""
    pairs = list(CONTRASTS[contrast](grid.columns))
    if not pairs:
        return ()
    raw = [_compare(grid, contrast, metric, pairs) for metric in METRICS]
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
    grid: Grid, contrast: Contrast, metric: Metric, pairs: Sequence[Pair]
) -> list[Difference]:
    starts, places = (np.array(each, dtype=np.int64) for each in zip(*pairs, strict=True))
    shared = grid.chosen(metric, starts)[0] & grid.chosen(metric, places)[0]
    before, after = (column_sums(grid, metric, each, shared) for each in (starts, places))
    found = difference_of_ratios((before.above, before.below), (after.above, after.below))
    measured = intervals(found, _BOUNDS[metric])
    p = p_values(found, _BOUNDS[metric])
    return [
        _difference(
            contrast,
            metric,
            (grid.columns[start], grid.columns[place]),
            (int(shared[:, index].sum()), int(found.clusters[index])),
            _rates((before, after), index),
            measured[index],
            float(p[index]),
        )
        for index, (start, place) in enumerate(pairs)
    ]


def _rates(sides: tuple[Sums, Sums], index: int) -> tuple[float, float] | None:
    above = [float(each.above[:, index].sum()) for each in sides]
    below = [float(each.below[:, index].sum()) for each in sides]
    return (above[0] / below[0], above[1] / below[1]) if all(below) else None


def _difference(
    contrast: Contrast,
    metric: Metric,
    columns: tuple[Column, Column],
    counts: tuple[int, int],
    rates: tuple[float, float] | None,
    interval: Interval | None,
    p: float,
) -> Difference:
    start, place = columns
    baseline = {"view": start.condition.variant, "model": start.condition.model}
    elements, clusters = counts
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
        change=rates[1] - rates[0] if rates else None,
        interval=interval,
        test=JACKKNIFE,
        p=p,
    )


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
