"""
What a metric is: a number for each answer, and all that intervals, tests and tables need of it.

A metric is one file in ``score/metrics/``, or in a package of your own under the entry-point
group ``surefoot.score.metrics``. Its intervals, paired tests, JSON, tables and figures follow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Answer, Question
from surefoot.core.registry import Registry
from surefoot.score.outcomes import Outcomes
from surefoot.score.spread import Spread
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.clusters import RATE, Bounds

Within: TypeAlias = Literal["sum", "mean", "max"]


class Ruler(msgspec.Struct, frozen=True):
    """
    Hold what answers are measured with.

    ``tolerance`` (pixels) is the total growth of each side of a target; ``spread`` says how a
    click's deviation from the others is measured.
    """

    tolerance: float = 0.0
    spread: Spread = "centroid"


class Metric(msgspec.Struct, frozen=True, kw_only=True):
    """
    Describe a metric; ``measure``, ``column`` or both compute it.

    ``measure`` takes a question and its answer (None where the unit failed) and returns a
    number, or None where the metric says nothing of that question. ``column`` does the same
    for a whole table at once, with NaN for None; it may look at several answers together,
    and at what ``measure`` found, in ``Outcomes.measured`` under the metric's name.
    ``within`` says how the answers about one element under one condition come together:
    "sum" counts each by itself, whatever other answers are looked at; "mean" and "max" make
    one number an element. ``together`` says that a row's number depends on the other rows
    that are measured. ``bounds`` are the least and the greatest value; ``reference`` is
    where the metric is defined. ``unit`` is written behind a number; a "share" is written in
    percent, a "ratio" as it is. ``counts`` names, in the plural, what has one number each.
    """

    name: str
    version: int
    title: str
    summary: str
    unit: str
    higher_is_better: bool
    bounds: Bounds
    reference: str
    measure: Callable[[Question, Answer | None], float | None] | None = None
    column: Callable[[Outcomes, Ruler], Floats] | None = None
    within: Within = "sum"
    together: bool = False
    counts: str = "elements"

    def __post_init__(self) -> None:
        if self.measure is None and self.column is None:
            raise InvalidInputError(
                f"measure or column for the metric '{self.name}'", found="neither"
            )

    def values(self, outcomes: Outcomes, ruler: Ruler) -> Floats:
        """
        Return (rows,): the metric of each row, NaN where it says nothing.

        Raises InvalidInputError for a table that was made without the metric.
        """
        if self.column is not None:
            column = self.column(outcomes, ruler)
            if getattr(column, "shape", None) != (len(outcomes),):
                raise InvalidInputError(
                    f"a number a row from the metric '{self.name}' ({self.column.__module__})",
                    found=f"{type(column).__name__}: {column!a:.80}",
                    remedy="mend the metric",
                )
            return column
        if self.name not in outcomes.measured:
            raise InvalidInputError(
                f"a table with the metric '{self.name}'",
                found=", ".join(sorted(outcomes.measured)) or "none",
                remedy="name the metric when the table is made",
            )
        return outcomes.measured[self.name]


class GivenMetric(Metric, frozen=True, kw_only=True):
    """Describe a metric that rows bring along, as ``measured_rows`` lays them out."""

    version: int = 1
    unit: str = "share"
    higher_is_better: bool = True
    bounds: Bounds = RATE
    reference: str = "ours"

    def __post_init__(self) -> None:
        """Accept what neither ``measure`` nor ``column`` computes."""


METRICS: Final = Registry(Metric, "surefoot.score.metrics", what="metric")
