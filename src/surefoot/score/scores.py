"""
Scores: one number with its interval for each metric, condition and slice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec
import numpy as np

from surefoot.score.metric import Metric
from surefoot.score.rows import Rows
from surefoot.score.stats.arrays import Floats, Ints, Labels, renumber
from surefoot.score.stats.clusters import Sums, intervals, ratio
from surefoot.score.stats.intervals import Interval

__all__ = ["MOST_SUMS", "Score", "by_element", "score_rows", "sum_clusters"]

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
    n: int
    total: float
    rows: int
    clusters: int
    unparsed: int = 0
    refused: int = 0
    failed: int = 0
    amount: float | None
    interval: Interval | None


def score_rows(rows: Rows, metric: Metric, values: Floats, trait: str = "") -> list[Score]:
    """
    Score every condition in a metric, or every value of a trait within each.

    ``values`` are the metric's of all rows. Rows without a value of the trait are left out.
    """
    chosen = np.arange(len(rows))
    labels = Labels(("",), np.zeros(len(rows), dtype=np.int64))
    if trait:
        labels = rows.traits[trait]
        named = np.array([name != "" for name in labels.names], dtype=np.bool_)
        chosen = np.flatnonzero(named[labels.codes])
    code = rows.condition[chosen] * len(labels.names) + labels.codes[chosen]
    present, column = renumber(code, len(rows.conditions) * len(labels.names))
    count = np.bincount(column, minlength=len(present))
    lost = {
        name: np.bincount(column[told[chosen]], minlength=len(present))
        for name, told in rows.lost.items()
    }
    columns = (chosen, column, len(present))
    measured = _measured(rows, metric, values[chosen] if trait else values, columns)
    scores = []
    for index, (each, one) in enumerate(zip(present.tolist(), measured, strict=True)):
        condition, value = divmod(each, len(labels.names))
        scores.append(
            Score(
                metric=metric.name,
                **msgspec.structs.asdict(rows.conditions[condition]),
                trait=trait,
                value=labels.names[value],
                rows=int(count[index]),
                unparsed=int(lost["unparsed"][index]),
                refused=int(lost["refused"][index]),
                failed=int(lost["failed"][index]),
                **one,
            )
        )
    return scores


def _measured(
    rows: Rows, metric: Metric, values: Floats, columns: tuple[Ints, Ints, int]
) -> Iterator[dict[str, Any]]:
    """Yield what is measured of each column; so many columns at once as memory allows."""
    chosen, column, count = columns
    step = max(1, MOST_SUMS // max(1, rows.clusters))
    for start in range(0, count, step):
        width = min(step, count - start)
        inside = slice(None) if width == count else (start <= column) & (column < start + width)
        part = chosen[inside], column[inside] - start, width
        above, below = by_element(rows, metric, values[inside], part)
        found = ratio(above, below)
        for index, interval in enumerate(intervals(found, metric.bounds, over=rows.unit)):
            n = int(below[:, index].sum())
            yield {
                "n": n,
                "total": float(above[:, index].sum()),
                "clusters": int(found.clusters[index]),
                "amount": float(found.value[index]) if n else None,
                "interval": interval,
            }


def by_element(
    rows: Rows, metric: Metric, values: Floats, columns: tuple[Ints, Ints, int]
) -> Sums:
    """
    Sum a metric over each cluster and column: numerators and denominators, (clusters, columns).

    ``values`` are those of the chosen rows; ``columns`` are the chosen rows, the column of
    each, and how many columns there are.
    """
    chosen, column, count = columns
    known = ~np.isnan(values)
    values, column, element = values[known], column[known], rows.element[chosen][known]
    cluster = rows.cluster[chosen][known]
    if metric.within != "sum":
        values, element, column, cluster = _merge(metric, values, element, column, cluster)
    return sum_clusters((values, np.ones(len(values))), cluster, column, (rows.clusters, count))


def sum_clusters(parts: Sums, cluster: Ints, column: Ints, shape: tuple[int, int]) -> Sums:
    """Sum two columns of numbers into matrices of a shape, (clusters, columns)."""
    at = cluster * shape[1] + column
    above, below = (
        np.bincount(at, weights=part, minlength=shape[0] * shape[1]).astype(np.float64)
        for part in parts
    )
    return above.reshape(shape), below.reshape(shape)


def _merge(
    metric: Metric, values: Floats, element: Ints, column: Ints, cluster: Ints
) -> tuple[Floats, Ints, Ints, Ints]:
    """Make one number of all values of an element in a column."""
    key = column * (int(element.max(initial=-1)) + 1) + element
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    if metric.within == "max":
        merged = np.full(len(first), -np.inf)
        np.maximum.at(merged, group, values)
    else:
        count = np.bincount(group, minlength=len(first))
        merged = np.bincount(group, weights=values, minlength=len(first)) / count
    return merged, element[first], column[first], cluster[first]
