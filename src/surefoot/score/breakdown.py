"""
Breakdowns: the hit rate by a property of the target.
"""

from __future__ import annotations

import itertools
from typing import Literal

import msgspec
import numpy as np

from surefoot.score.hits import hits
from surefoot.score.matched import conditions
from surefoot.score.outcomes import Outcomes, Status
from surefoot.score.stats.arrays import Labels
from surefoot.score.stats.intervals import Interval, wilson

__all__ = ["SIZE_EDGES", "Property", "Share", "break_down", "size_bins"]

Property = Literal["role", "size", "direction", "page"]
SIZE_EDGES = (16.0, 24.0, 32.0, 48.0)


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold the hits of one model in one cell among targets of one kind.

    The interval takes answers as independent; read it as description, not as a test.
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
    interval: Interval


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


def break_down(outcomes: Outcomes, by: Property, *, tolerance: float = 0.0) -> tuple[Share, ...]:
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
            interval=wilson(hit, n),
        )
        for index, code in enumerate(present)
    )


def _labels(table: Outcomes, by: Property) -> Labels:
    if by == "size":
        return size_bins(table)
    if by == "page":
        return table.cluster
    return table.role if by == "role" else table.direction
