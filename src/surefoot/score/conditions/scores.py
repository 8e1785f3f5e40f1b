"""
Scores: one number with its interval for each metric, condition and slice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from surefoot.score.conditions.rows import Condition, Rows, measured_rows
from surefoot.score.metric import GivenMetric, Metric
from surefoot.score.stats.arrays import Floats, Ints, combine
from surefoot.score.stats.clusters import RATE, Sums, intervals, ratio
from surefoot.score.stats.exact import ExactSums, exact_sums
from surefoot.score.stats.intervals import Interval

LOST: Final = ("unparsed", "refused", "failed")
MOST_SUMS: Final = 4_000_000  # clusters times columns at once, 32 MB a matrix


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold one metric of one model under one condition, or of a slice of it.

    ``trait`` and ``value`` name the slice, "" for the whole. ``n`` counts what the metric
    says something of: rows, or elements for a metric of elements; ``total`` is the sum over
    them. ``unparsed``, ``refused`` and ``failed`` count the rows of the slice that were lost
    in that way. ``amount`` is None where nothing was measured, and ``interval`` where
    nothing can be said of other clusters.
    """

    metric: str
    model: str
    reasoning: bool
    instruction: str
    variant: str
    trait: str = ""
    value: str = ""
    n: int = 0
    total: float = 0.0
    rows: int = 0
    clusters: int = 0
    unparsed: int = 0
    refused: int = 0
    failed: int = 0
    amount: float | None = None
    interval: Interval | None = None


class ColumnSums:
    """
    Hold all that the scores of some columns are made of, as sums over clusters.

    Sums of parts merge to those of the whole to the last bit, if an element lies in one part and
    rows are numbered alike. ``lost`` is (4, columns): rows, and those of them that are unparsed,
    refused and failed.
    """

    def __init__(self, clusters: int, columns: int) -> None:
        self.shape = clusters, columns
        self.count = np.zeros(clusters * columns)
        self.values, self.squares = (ExactSums(clusters * columns) for _ in range(2))
        self.lost = np.zeros((1 + len(LOST), columns), dtype=np.int64)

    def add(self, rows: Rows, metric: Metric, values: Floats, chosen: Ints, column: Ints) -> None:
        """Add what a metric says of the chosen rows, which stand in columns."""
        kinds = (np.ones(len(chosen), np.bool_), *(rows.lost[name][chosen] for name in LOST))
        width = self.shape[1]
        self.lost += np.stack([np.bincount(column[is_kind], minlength=width) for is_kind in kinds])
        numbers, column, cluster = _merged(rows, metric, values, chosen, column)
        at = combine(cluster, column, self.shape[1])
        self.count += np.bincount(at, minlength=len(self.count))
        self.values.add(numbers, at)
        if metric.bounds == RATE:
            self.squares.add(numbers**2, at)

    def merge(self, other: ColumnSums) -> None:
        """Add the sums of other elements."""
        self.count += other.count
        self.values.merge(other.values)
        self.squares.merge(other.squares)
        self.lost += other.lost

    def numbers(self, metric: Metric, over: str) -> Iterator[dict[str, Any]]:
        """Yield the numbers of each column, by the names of a score's fields."""
        above, below = self.values.rounded().reshape(self.shape), self.count.reshape(self.shape)
        squares = self.squares.rounded().reshape(self.shape) if metric.bounds == RATE else None
        found = ratio(above, below, squares)
        for index, interval in enumerate(intervals(found, metric.bounds, over=over)):
            n = int(below[:, index].sum())
            yield {
                "n": n,
                "total": math.fsum(above[:, index].tolist()),
                "rows": int(self.lost[0, index]),
                **{name: int(self.lost[1 + at, index]) for at, name in enumerate(LOST)},
                "clusters": int(found.clusters[index]),
                "amount": float(found.value[index]) if n else None,
                "interval": interval,
            }


class Scored(NamedTuple):
    """Name what one column of sums is of: whose score it is, and of which slice."""

    model: str
    reasoning: bool = False
    instruction: str = ""
    variant: str = ""
    trait: str = ""
    value: str = ""


def columns_of(rows: Rows, trait: str = "") -> list[Scored]:
    """Name the columns of conditions, or of the values of a trait within each."""
    names, present, _ = rows.columns(trait)
    places = (divmod(int(code), len(names)) for code in present)
    return [
        Scored(**rows.conditions[at].named, trait=trait, value=names[value])
        for at, value in places
    ]


def sums_of_columns(
    rows: Rows, metric: Metric, values: Floats, trait: str = ""
) -> Iterator[ColumnSums]:
    """Yield the sums of all columns; so many columns at once as memory allows."""
    _, present, column = rows.columns(trait)
    step = max(1, MOST_SUMS // max(1, rows.clusters))
    for start in range(0, len(present), step):
        width = min(step, len(present) - start)
        chosen = np.arange(len(rows))
        if width < len(present):
            chosen = np.flatnonzero((start <= column) & (column < start + width))
        sums = ColumnSums(rows.clusters, width)
        sums.add(rows, metric, values[chosen], chosen, column[chosen] - start)
        yield sums


def scores_of(
    scored: Iterable[Scored], sums: Iterable[ColumnSums], metric: Metric, over: str
) -> list[Score]:
    """Return the score of each column of sums; a slice without a value is none."""
    numbers = (number for part in sums for number in part.numbers(metric, over))
    return [
        Score(metric=metric.name, **item._asdict(), **found)
        for item, found in zip(scored, numbers, strict=True)
        if item.value or not item.trait
    ]


def score_rows(rows: Rows, metric: Metric, values: Floats, trait: str = "") -> list[Score]:
    """
    Score every condition in a metric, or every value of a trait within each.

    ``values`` are the metric's of all rows. Rows without a value of the trait are left out.
    """
    sums = sums_of_columns(rows, metric, values, trait)
    return scores_of(columns_of(rows, trait), sums, metric, rows.unit)


def baseline_scores(rows: Rows, metric: Metric, values: Floats, variant: str) -> list[Score]:
    """
    Score each model in a variant, all kinds of instruction and modes of reasoning together.

    ``values`` are the metric's of all rows. Models that were not asked in the variant have none.
    """
    return pooled_scores(rows, metric, values, lambda one: one.variant == variant, variant=variant)


def pooled_scores(
    rows: Rows,
    metric: Metric,
    values: Floats,
    chosen: Callable[[Condition], bool],
    *,
    instruction: str = "",
    variant: str = "",
) -> list[Score]:
    """
    Score each model over all conditions that are chosen, together.

    ``values`` are the metric's of all rows; ``instruction`` and ``variant`` name what is chosen.
    Models without such a condition have no score.
    """
    return [
        score
        for model, sums in sums_of_models(rows, metric, values, chosen).items()
        for score in scores_of(
            [Scored(model, instruction=instruction, variant=variant)], [sums], metric, rows.unit
        )
    ]


def sums_of_models(
    rows: Rows, metric: Metric, values: Floats, chosen: Callable[[Condition], bool]
) -> dict[str, ColumnSums]:
    """Return the sums of each model over all conditions that are chosen, where it has one."""
    found = {}
    for model in dict.fromkeys(
        condition.model for condition in rows.conditions if chosen(condition)
    ):
        at = [
            place
            for place, condition in enumerate(rows.conditions)
            if condition.model == model and chosen(condition)
        ]
        own = np.flatnonzero(np.isin(rows.condition, at))
        found[model] = ColumnSums(rows.clusters, 1)
        found[model].add(rows, metric, values[own], own, np.zeros(len(own), dtype=np.int64))
    return found


def mean_of(
    metric: GivenMetric,
    found: Iterable[tuple[str, float]],
    model: str,
    variant: str = "",
    *,
    unit: str = "sites",
) -> Score:
    """
    Return the mean of (cluster, number), with its interval; nothing has none.

    ``unit`` is the plural of what the clusters are.

    >>> right = GivenMetric(name="right", title="right", summary="the answer is right")
    >>> mean_of(right, [("a", 1.0), ("b", 0.0)], "ocr").amount
    0.5
    """
    pairs = list(found)
    condition = Condition(model, variant=variant)
    numbers = np.array([float(number) for _, number in pairs])
    rows = measured_rows(
        [condition] * len(pairs), range(len(pairs)), [cluster for cluster, _ in pairs],
        {metric.name: numbers}, {}, unit=unit,
    )  # fmt: skip
    if pairs:
        return score_rows(rows, metric, numbers)[0]
    return Score(metric=metric.name, **condition.named)


def by_element(rows: Rows, metric: Metric, values: Floats, columns: tuple[Ints, int]) -> Sums:
    """
    Sum a metric over each cluster and column: numerators and denominators, (clusters, columns).

    ``values`` are those of all rows; ``columns`` are the column of each, and how many there are.
    """
    column, count = columns
    numbers, column, cluster = _merged(rows, metric, values, np.arange(len(rows)), column)
    parts = numbers, np.ones(len(numbers))
    return sum_clusters(parts, cluster, column, (rows.clusters, count))


def sum_clusters(parts: Sums, cluster: Ints, column: Ints, shape: tuple[int, int]) -> Sums:
    """Sum two columns of numbers into matrices of a shape, (clusters, columns)."""
    at = combine(cluster, column, shape[1])
    above, below = (exact_sums(part, at, shape[0] * shape[1]).reshape(shape) for part in parts)
    return above, below


def _merged(
    rows: Rows, metric: Metric, values: Floats, chosen: Ints, column: Ints
) -> tuple[Floats, Ints, Ints]:
    """Return what a metric knows of the chosen rows, or of their elements; column and cluster."""
    known = ~np.isnan(values)
    kept, numbers, column = chosen[known], values[known], column[known]
    if metric.within == "sum":
        return numbers, column, rows.cluster[kept]
    return _merge(metric, numbers, rows.element[kept], column, rows.cluster[kept])


def _merge(
    metric: Metric, values: Floats, element: Ints, column: Ints, cluster: Ints
) -> tuple[Floats, Ints, Ints]:
    """Make one number of all values of an element in a column; return column and cluster too."""
    key = combine(column, element, int(element.max(initial=-1)) + 1)
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    if metric.within == "max":
        merged = np.full(len(first), -np.inf)
        np.maximum.at(merged, group, values)
    else:
        count = np.bincount(group, minlength=len(first))
        merged = np.bincount(group, weights=values, minlength=len(first)) / count
    return merged, column[first], cluster[first]
