"""
Breakdowns: the hit rate by a property of the target.
"""

from __future__ import annotations

import itertools
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from surefoot.score.cells import Units
from surefoot.score.hits import hits
from surefoot.score.matched import conditions
from surefoot.score.outcomes import Outcomes, Status
from surefoot.score.stats.arrays import Floats, Ints, Labels
from surefoot.score.stats.clusters import RATE, intervals, ratio
from surefoot.score.stats.intervals import Interval

__all__ = ["SIZE_EDGES", "Property", "Share", "break_down", "size_bins"]

Property = Literal["role", "size", "direction", "site"]
SIZE_EDGES = (16.0, 24.0, 32.0, 48.0)


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold the hits of one model in one cell among targets of one kind.

    The interval is over sites, as that of a cell is; where there is but one it says so.
    """

    model: str
    reasoning: bool
    instruction: str
    variant: str
    by: str
    value: str
    tolerance: float
    n: int
    hits: int
    unparsed: int
    rate: float
    interval: Interval | None


def size_bins(outcomes: Outcomes) -> Labels:
    """
    Sort targets into bins of the shorter side of their box, in pixels.

    >>> from surefoot.score.outcomes import tabulate
    >>> size_bins(tabulate([])).names
    ('under 16', '16 to 24', '24 to 32', '32 to 48', '48 and over')
    """
    shorter = (outcomes.truth[:, 2:] - outcomes.truth[:, :2]).min(axis=1)
    inner = itertools.pairwise(SIZE_EDGES)
    names = (
        f"under {SIZE_EDGES[0]:g}",
        *(f"{low:g} to {high:g}" for low, high in inner),
        f"{SIZE_EDGES[-1]:g} and over",
    )
    return Labels(names, np.digitize(shorter, SIZE_EDGES).astype(np.int64))


def break_down(
    outcomes: Outcomes, by: Property, units: Units = "sites", *, tolerance: float = 0.0
) -> tuple[Share, ...]:
    """
    Count hits by a property of the target, for every model and cell; failed units are left out.

    So is, by size, every question that is about no place. Raises InvalidInputError for a bad
    tolerance.
    """
    kept = outcomes.answered & outcomes.placed if by == "size" else outcomes.answered
    table = outcomes.take(kept)
    labels = _labels(table, by)
    found, cell = conditions(table)
    width = len(labels.names) or 1
    present, row = np.unique(cell * width + labels.codes, return_inverse=True)
    columns = (
        np.ones(len(table)),
        hits(table, tolerance=tolerance),
        table.status == Status.UNPARSED,
    )
    counts = [np.bincount(row, weights=column, minlength=len(present)) for column in columns]
    group = table.cluster if units == "sites" else table.pair
    measured = intervals(
        ratio(*(_by_cluster(group, row, each, len(present)) for each in (columns[1], columns[0]))),
        RATE,
        over=units,
    )
    return tuple(
        Share(
            **msgspec.structs.asdict(found[int(code) // width]),
            by=by,
            value=labels.names[int(code) % width],
            tolerance=tolerance,
            n=(n := int(counts[0][index])),
            hits=(hit := int(counts[1][index])),
            unparsed=int(counts[2][index]),
            rate=hit / n,
            interval=measured[index],
        )
        for index, code in enumerate(present)
    )


def _by_cluster(group: Labels, row: Ints, values: NDArray[np.generic], columns: int) -> Floats:
    """Sum values over each cluster and column: (clusters, columns)."""
    size = len(group.names) * columns
    total = np.bincount(group.codes * columns + row, weights=values, minlength=size)
    return total.reshape(len(group.names), columns).astype(np.float64)


def _labels(table: Outcomes, by: Property) -> Labels:
    if by == "size":
        return size_bins(table)
    if by == "site":
        return table.cluster
    return table.role if by == "role" else table.direction
