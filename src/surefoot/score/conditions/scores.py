"""
Scores: one number with its interval for each metric, condition and slice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import msgspec
import numpy as np

from surefoot.score.conditions.rows import Condition, Rows, measured_rows
from surefoot.score.metric import GivenMetric, Metric
from surefoot.score.stats.arrays import Bools, Floats, Ints, combine, renumber
from surefoot.score.stats.clusters import RATE, Sums, intervals, ratio
from surefoot.score.stats.intervals import Interval

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


def score_rows(rows: Rows, metric: Metric, values: Floats, trait: str = "") -> list[Score]:
    """
    Score every condition in a metric, or every value of a trait within each.

    ``values`` are the metric's of all rows. Rows without a value of the trait are left out.
    """
    names: tuple[str, ...] = ("",)
    code = rows.condition
    if trait:
        names = rows.traits[trait].names
        code = combine(code, rows.traits[trait].codes, len(names))
    present, column = renumber(code, len(rows.conditions) * len(names))
    count = np.bincount(column, minlength=len(present))
    lost = {
        name: np.bincount(column[told], minlength=len(present)) for name, told in rows.lost.items()
    }
    scores = []
    for index, one in enumerate(_measured(rows, metric, values, column, len(present))):
        condition, value = divmod(int(present[index]), len(names))
        if trait and not names[value]:
            continue
        scores.append(
            Score(
                metric=metric.name,
                **rows.conditions[condition].named,
                trait=trait,
                value=names[value],
                rows=int(count[index]),
                unparsed=int(lost["unparsed"][index]),
                refused=int(lost["refused"][index]),
                failed=int(lost["failed"][index]),
                **one,
            )
        )
    return scores


def _measured(
    rows: Rows, metric: Metric, values: Floats, column: Ints, count: int
) -> Iterator[dict[str, Any]]:
    """Yield what is measured of each column; so many columns at once as memory allows."""
    step = max(1, MOST_SUMS // max(1, rows.clusters))
    for start in range(0, count, step):
        width = min(step, count - start)
        inside: Bools | slice = slice(None)
        if width < count:
            inside = (start <= column) & (column < start + width)
        part = inside, column[inside] - start, width
        yield from _numbers(rows, metric, values[inside], part)


def _numbers(
    rows: Rows, metric: Metric, values: Floats, columns: tuple[Bools | Ints | slice, Ints, int]
) -> Iterator[dict[str, Any]]:
    """Yield the numbers of each column of the chosen rows, by the names of a score's fields."""
    above, below = by_element(rows, metric, values, columns)
    squares = None
    if metric.bounds == RATE and not np.isin(values[~np.isnan(values)], (0, 1)).all():
        squares, _ = by_element(rows, metric, values, columns, power=2)
    found = ratio(above, below, squares)
    for index, interval in enumerate(intervals(found, metric.bounds, over=rows.unit)):
        n = int(below[:, index].sum())
        yield {
            "n": n,
            "total": float(above[:, index].sum()),
            "clusters": int(found.clusters[index]),
            "amount": float(found.value[index]) if n else None,
            "interval": interval,
        }


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
    scores = []
    for model in dict.fromkeys(one.model for one in rows.conditions):
        at = [
            place
            for place, one in enumerate(rows.conditions)
            if one.model == model and chosen(one)
        ]
        own = np.flatnonzero(np.isin(rows.condition, at))
        if not len(own):
            continue
        columns = own, np.zeros(len(own), dtype=np.int64), 1
        (numbers,) = _numbers(rows, metric, values[own], columns)
        scores.append(
            Score(
                metric=metric.name,
                model=model,
                reasoning=False,
                instruction=instruction,
                variant=variant,
                rows=len(own),
                unparsed=int(rows.lost["unparsed"][own].sum()),
                refused=int(rows.lost["refused"][own].sum()),
                failed=int(rows.lost["failed"][own].sum()),
                **numbers,
            )
        )
    return scores


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
    told = list(found)
    condition = Condition(model, variant=variant)
    numbers = np.array([float(number) for _, number in told])
    rows = measured_rows(
        [condition] * len(told), range(len(told)), [cluster for cluster, _ in told],
        {metric.name: numbers}, {}, unit=unit,
    )  # fmt: skip
    if told:
        return score_rows(rows, metric, numbers)[0]
    return Score(metric=metric.name, **condition.named)


def by_element(
    rows: Rows,
    metric: Metric,
    values: Floats,
    columns: tuple[Bools | Ints | slice, Ints, int],
    *,
    power: int = 1,
) -> Sums:
    """
    Sum a metric over each cluster and column: numerators and denominators, (clusters, columns).

    ``values`` are those of the chosen rows; ``columns`` are the chosen rows, the column of
    each, and how many columns there are. Numerators are sums of what each row or element has,
    to a ``power``.
    """
    chosen, column, count = columns
    known, cluster = ~np.isnan(values), rows.cluster[chosen]
    parts: Sums = np.where(known, values, 0.0) ** power, known
    if metric.within != "sum":
        values, column, cluster = _merge(
            metric, values[known], rows.element[chosen][known], column[known], cluster[known]
        )
        parts = values**power, np.ones(len(values))
    return sum_clusters(parts, cluster, column, (rows.clusters, count))


def sum_clusters(parts: Sums, cluster: Ints, column: Ints, shape: tuple[int, int]) -> Sums:
    """Sum two columns of numbers into matrices of a shape, (clusters, columns)."""
    at = combine(cluster, column, shape[1])
    above, below = (
        np.bincount(at, weights=part, minlength=shape[0] * shape[1]).astype(np.float64)
        for part in parts
    )
    return above.reshape(shape), below.reshape(shape)


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
