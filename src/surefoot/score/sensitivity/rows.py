"""
One row for each model in each view, and for each value of a trait within it.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec
import numpy as np

from surefoot.score.sensitivity.grid import METRICS, Grid, Metric, Sums, column_sums
from surefoot.score.sensitivity.table import Trait
from surefoot.score.spread import Spread
from surefoot.score.stats.clusters import POSITIVE, RATE, Bounds, intervals, ratio
from surefoot.score.stats.intervals import Interval

__all__ = [
    "BOUNDS",
    "By",
    "Estimate",
    "Ruler",
    "SensitivityRow",
    "estimates",
    "measure",
]

By: TypeAlias = Literal["view"] | Trait
BOUNDS: Final[dict[Metric, Bounds]] = {"s_mean": POSITIVE, "s_worst": POSITIVE, "s_oob": RATE}


class Ruler(msgspec.Struct, frozen=True):
    """
    Hold what all numbers are measured with.

    ``tolerance`` (pixels) is the total growth of each side of a target's box.
    """

    tolerance: float = 0.0
    spread: Spread = "centroid"
    seed: int = 0


class Estimate(msgspec.Struct, frozen=True):
    """
    Hold a number with its interval over sites; None where nothing can be said.

    A deviation has no upper bound, so it has no interval on a single site, nor where all
    sites have the same, as with a model that clicks one place always.
    """

    value: float | None
    interval: Interval | None


class SensitivityRow(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold the three metrics of one model in one view, or of a slice of it.

    ``by`` and ``value`` name the slice ("view" and the view itself for the whole).
    ``s_mean`` and ``s_worst`` are in diagonals of the target's box, over ``measured``
    elements with ``clicks`` clicks: an element needs two. ``s_oob`` is the share of all
    ``instructions`` without a click in the box; ``unparsed``, ``refused`` and ``failed``
    are those among them that named no place. ``elements`` and ``clusters`` count all.
    """

    model: str
    reasoning: bool
    view: str
    by: By
    value: str
    spread: Spread
    tolerance: float
    elements: int
    clusters: int
    instructions: int
    measured: int
    clicks: int
    outside: int
    unparsed: int
    refused: int
    failed: int
    s_mean: Estimate
    s_worst: Estimate
    s_oob: Estimate


def measure(grid: Grid, by: By, ruler: Ruler) -> tuple[SensitivityRow, ...]:
    """Build a row for each column of a grid."""
    if not grid.columns:
        return ()
    every = np.arange(len(grid.columns))
    sums = {metric: column_sums(grid, metric, every) for metric in METRICS}
    found = estimates(sums)
    return tuple(
        _row(grid, by, ruler, index, {metric: found[metric][index] for metric in METRICS})
        for index in range(len(grid.columns))
    )


def estimates(sums: dict[Metric, Sums]) -> dict[Metric, list[Estimate]]:
    """Compute ratios of sums with their intervals, for each column of each metric."""
    found = {metric: ratio(each.above, each.below) for metric, each in sums.items()}
    return {
        metric: [
            Estimate(None if np.isnan(value) else float(value), interval)
            for value, interval in zip(each.value, intervals(each, BOUNDS[metric]), strict=True)
        ]
        for metric, each in found.items()
    }


def _row(
    grid: Grid, by: By, ruler: Ruler, index: int, found: dict[Metric, Estimate]
) -> SensitivityRow:
    column = grid.columns[index]
    asked = grid.asked[:, index]
    return SensitivityRow(
        model=column.condition.model,
        reasoning=column.condition.reasoning,
        view=column.condition.variant,
        by=by,
        value=column.value or column.condition.variant,
        spread=ruler.spread,
        tolerance=ruler.tolerance,
        elements=int(np.count_nonzero(asked)),
        clusters=int(np.count_nonzero(np.add.reduceat(asked, grid.starts))),
        instructions=int(asked.sum()),
        measured=int(np.count_nonzero(grid.known[:, index])),
        clicks=int(grid.known[:, index].sum()),
        outside=int(grid.outside[:, index].sum()),
        unparsed=int(grid.unparsed[:, index].sum()),
        refused=int(grid.refused[:, index].sum()),
        failed=int(grid.failed[:, index].sum()),
        s_mean=found["s_mean"],
        s_worst=found["s_worst"],
        s_oob=found["s_oob"],
    )
