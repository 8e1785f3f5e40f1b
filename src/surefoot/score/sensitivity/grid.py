"""
Elements by columns: what the three metrics sum, for each slice of each view.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.score.matched import Condition, conditions
from surefoot.score.outcomes import Outcomes, Status
from surefoot.score.stats.arrays import Bools, Floats, Ints, Labels

__all__ = [
    "METRICS",
    "Column",
    "Grid",
    "Metric",
    "Sums",
    "Units",
    "column_sums",
    "lay_out",
    "number_elements",
]

Metric: TypeAlias = Literal["s_mean", "s_worst", "s_oob"]
METRICS: Final[tuple[Metric, ...]] = ("s_mean", "s_worst", "s_oob")


class Column(msgspec.Struct, frozen=True):
    """Name one column: a model in a view, and the value of a trait ("" for all)."""

    condition: Condition
    value: str = ""


class Units(msgspec.Struct, frozen=True, eq=False):
    """
    Number the elements so that those of one cluster stand together.

    ``element`` is each row's number, ``starts`` the first element of each cluster.
    """

    element: Ints
    elements: int
    starts: Ints


class Grid(msgspec.Struct, frozen=True, eq=False):
    """
    Hold (elements, columns) matrices, the elements sorted by cluster.

    ``mean`` and ``worst`` are the mean and the largest deviation of an element's answers
    in the column, in diagonals, NaN without one; ``known`` counts those answers.
    ``asked`` counts instructions, ``outside`` those without a click in the box, and
    ``unparsed``, ``refused`` and ``failed`` which of them named no place. ``starts`` has
    the first element of each cluster.
    """

    columns: tuple[Column, ...]
    mean: Floats
    worst: Floats
    known: Floats
    asked: Floats
    outside: Floats
    unparsed: Floats
    refused: Floats
    failed: Floats
    starts: Ints

    def chosen(self, metric: Metric, columns: Ints) -> tuple[Bools, Floats, Floats]:
        """Return for columns whether a metric has an element, its numerators, denominators."""
        if metric == "s_oob":
            asked = self.asked[:, columns]
            return asked > 0, self.outside[:, columns], asked
        values = (self.mean if metric == "s_mean" else self.worst)[:, columns]
        there = ~np.isnan(values)
        return there, np.where(there, values, 0.0), there.astype(np.float64)


class Sums(msgspec.Struct, frozen=True, eq=False):
    """Hold numerators and denominators of ratios, both (clusters, columns)."""

    above: Floats
    below: Floats


def number_elements(outcomes: Outcomes) -> Units:
    """Assign numbers by cluster and name; raises InvalidInputError for a pair in two clusters."""
    names = [np.array(each.names, dtype=np.str_) for each in (outcomes.cluster, outcomes.pair)]
    both = np.stack(
        [
            np.argsort(np.argsort(known, kind="stable"))[each.codes]
            for known, each in zip(names, (outcomes.cluster, outcomes.pair), strict=True)
        ],
        axis=1,
    )
    found, element = np.unique(both, axis=0, return_inverse=True)
    if len(np.unique(found[:, 1])) != len(found):
        raise InvalidInputError("each element on one site", found="an element on two")
    starts = np.flatnonzero(np.diff(found[:, 0], prepend=-1))
    return Units(element.ravel().astype(np.int64), len(found), starts.astype(np.int64))


def lay_out(
    outcomes: Outcomes, units: Units, hit: Bools, far: Floats, labels: Labels | None = None
) -> Grid:
    """
    Sum the answers of each element in each column.

    ``hit`` tells which clicks lie in the box, ``far`` is each answer's deviation (NaN
    without one), and ``labels`` the values of a trait that split each view; a row whose
    value is "" is left out.
    """
    chosen = _named(labels) if labels else np.ones(len(outcomes), dtype=np.bool_)
    table, hit, far = outcomes.take(chosen), hit[chosen], far[chosen]
    found, condition = conditions(table)
    values = labels.take(chosen) if labels else Labels(("",), np.zeros(len(table), np.int64))
    code = condition * len(values.names) + values.codes
    present, column = np.unique(code, return_inverse=True)
    shape = (units.elements, len(present))
    at = units.element[chosen] * len(present) + column
    status, measured = table.status, ~np.isnan(far)
    counts = {
        "known": measured,
        "asked": np.ones(len(table), dtype=np.bool_),
        "outside": ~hit,
        "unparsed": status == Status.UNPARSED,
        "refused": status == Status.REFUSAL,
        "failed": status == Status.FAILED,
    }
    tallies = {name: _sum(at, each.astype(np.float64), shape) for name, each in counts.items()}
    total = _sum(at[measured], far[measured], shape)
    with np.errstate(invalid="ignore"):
        mean = total / tallies["known"]
    return Grid(
        columns=tuple(_column(int(each), found, values) for each in present),
        mean=mean,
        worst=_largest(at[measured], far[measured], shape),
        starts=units.starts,
        **tallies,
    )


def column_sums(grid: Grid, metric: Metric, columns: Ints, shared: Bools | None = None) -> Sums:
    """
    Sum a metric's numerators and denominators over each cluster, for some columns.

    ``shared``, (elements, columns), leaves out the elements where it is false.
    """
    there, above, below = grid.chosen(metric, columns)
    kept = there if shared is None else there & shared
    return Sums(
        *(
            np.add.reduceat(np.where(kept, each, 0.0), grid.starts, axis=0)
            for each in (above, below)
        )
    )


def _column(code: int, found: tuple[Condition, ...], values: Labels) -> Column:
    condition, value = divmod(code, len(values.names))
    return Column(found[condition], values.names[value])


def _named(labels: Labels) -> Bools:
    return np.asarray(np.array([name != "" for name in labels.names])[labels.codes])


def _sum(at: Ints, values: Floats, shape: tuple[int, int]) -> Floats:
    total = np.bincount(at, weights=values, minlength=shape[0] * shape[1])
    return np.asarray(total.astype(np.float64)).reshape(shape)


def _largest(at: Ints, values: Floats, shape: tuple[int, int]) -> Floats:
    largest = np.full(shape[0] * shape[1], -np.inf)
    np.maximum.at(largest, at, values)
    return np.where(np.isinf(largest), np.nan, largest).reshape(shape)
