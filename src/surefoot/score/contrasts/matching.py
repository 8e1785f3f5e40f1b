"""
Elements matched over two columns of rows: what a metric says of those that both sides know.

Each column is looked at once, however many others it is compared with.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Final, TypeAlias

import msgspec
import numpy as np

from surefoot.score.conditions.rows import Condition, Rows
from surefoot.score.metric import Metric
from surefoot.score.stats.arrays import Bools, Floats, Ints

NO_FLIPS: Final = np.array([1, 0, 0, 0, 0])
Column: TypeAlias = tuple[Condition, str]
Flips: TypeAlias = tuple[Condition, Ints]


class Sides(msgspec.Struct, frozen=True, eq=False):
    """
    Hold what is known of elements before and after.

    ``elements`` are (known,) places of elements, ascending; ``means`` is (2, known).
    """

    elements: Ints
    means: Floats


class Matched(msgspec.Struct, frozen=True, eq=False):
    """
    Hold what one metric says of the elements under two conditions.

    ``sides`` are those that both know. ``alone`` are (elements,) values of the baseline where the
    other side is not known. ``asked`` and ``baseline`` are (all elements,): those that were asked
    on either side, and those that the baseline knows. ``cells`` have the flips of each condition:
    0, and how many were right on both sides, in the baseline alone, here alone and in neither; 1
    and zeros where an element was asked more than once, or is neither right nor wrong.
    """

    sides: Sides
    alone: Floats
    asked: Bools
    baseline: Bools
    cells: tuple[Flips, ...]


class _Known(msgspec.Struct, frozen=True, eq=False):
    """
    Hold what one metric says of the elements of one column.

    ``elements`` are the known ones, ascending, and ``means`` theirs. ``single`` tells those of
    them that were asked once and are right or wrong, ``right`` those whose sum is 1.
    ``is_known`` and ``asked`` are (all elements,): those that are known, and that have a row.
    """

    elements: Ints
    means: Floats
    single: Bools
    right: Bools
    is_known: Bools
    asked: Bools


class ElementColumns:
    """
    Hold the columns of rows by a trait, or by conditions, and what metrics say of each.

    Rows without a value of the trait are in no column.
    """

    def __init__(self, rows: Rows, trait: str) -> None:
        self.rows = rows
        names, present, place = rows.columns(trait)
        order = np.argsort(place.astype(np.min_scalar_type(len(present))), kind="stable")
        ends = np.cumsum(np.bincount(place, minlength=len(present)))[:-1]
        found = zip(present.tolist(), np.split(order, ends), strict=True)
        kept = [(*divmod(cell, len(names)), rows_of) for cell, rows_of in found]
        if trait not in Condition.__struct_fields__:
            kept = [item for item in kept if names[item[1]]]
        self.columns = [(rows.conditions[at], names[value]) for at, value, _ in kept]
        self.members = [rows_of for _, _, rows_of in kept]
        unread = rows.lost["unparsed"]
        self.unparsed = [int(np.count_nonzero(unread[own])) for own in self.members]
        self._elements: dict[tuple[int, int], Ints] = {}
        self._known: dict[tuple[str, int], tuple[Floats, dict[int, _Known]]] = {}

    def match(
        self, metric: Metric, values: Floats, start: int, place: int, condition: Condition
    ) -> Matched:
        """Match two columns by their elements, of a metric with its values of all rows."""
        before, after = (self._of(metric, values, column) for column in (start, place))
        alone = np.empty(0)
        if before.elements is after.elements:
            elements, was, now = before.elements, before.right, after.right
            means = np.stack([before.means, after.means])
        else:
            shared, back = after.is_known[before.elements], before.is_known[after.elements]
            elements, was, now = before.elements[shared], before.right[shared], after.right[back]
            means = np.stack([before.means[shared], after.means[back]])
            alone = before.means[~shared]
        flips = NO_FLIPS
        if _is_single(before, after) and _is_single(after, before):
            both, first, second = map(np.count_nonzero, (was & now, was, now))
            neither = len(elements) - first - second + both
            flips = np.array([0, both, first - both, second - both, neither])
        return Matched(
            sides=Sides(elements, means),
            alone=alone,
            asked=np.asarray(before.asked | after.asked),
            baseline=before.is_known,
            cells=((condition, flips),),
        )

    def _of(self, metric: Metric, values: Floats, column: int) -> _Known:
        _, known = self._known.setdefault((metric.name, id(values)), (values, {}))
        if column not in known:
            own = _known_of(self.rows, metric, values, self.members[column])
            key = len(own.elements), zlib.crc32(own.elements.tobytes())
            shared = self._elements.setdefault(key, own.elements)
            # Columns with the same elements share them, so that they need not be compared again.
            if np.array_equal(own.elements, shared):
                own = msgspec.structs.replace(own, elements=shared)
            known[column] = own
        return known[column]


def element_columns(rows: Rows, trait: str) -> ElementColumns:
    """Return the columns of rows by a trait, or by conditions, made once."""
    key = trait if trait in rows.traits else ""
    if key not in rows.kept:
        rows.kept[key] = ElementColumns(rows, trait)
    columns: ElementColumns = rows.kept[key]
    return columns


def sums_by_element(
    rows: Rows, metric: Metric, values: Floats, chosen: Ints, side: Ints | None = None
) -> tuple[Floats, Floats]:
    """Return the sums of each element on each of two sides, and their counts: (2, elements)."""
    at, size = rows.element[chosen], rows.elements
    if side is not None:
        at, size = at + side * rows.elements, 2 * size
    known = ~np.isnan(values)
    if not known.all():
        values, at = values[known], at[known]
    below = np.bincount(at, minlength=size).astype(np.float64)
    if metric.within == "max":
        above = np.full(size, -np.inf)
        np.maximum.at(above, at, values)
        below = (below > 0).astype(np.float64)
        above[below == 0] = 0.0
    else:
        above = np.bincount(at, weights=values, minlength=size)
    return above.reshape(-1, rows.elements), below.reshape(-1, rows.elements)


def merge_cells(cells: Sequence[Matched], elements: int) -> Matched:
    """Take the mean of each element over several cells; flips are added up."""
    if len(cells) == 1:
        return cells[0]
    finite = [
        msgspec.structs.replace(cell.sides, means=np.nan_to_num(cell.sides.means))
        for cell in cells
    ]
    return Matched(
        sides=mean_of_sides(finite, elements),
        alone=np.empty(0),
        asked=np.asarray(np.logical_or.reduce([cell.asked for cell in cells])),
        baseline=np.asarray(np.logical_or.reduce([cell.baseline for cell in cells])),
        cells=tuple(own for cell in cells for own in cell.cells),
    )


def mean_of_sides(parts: Sequence[Sides], elements: int) -> Sides:
    """
    Return the mean of each element over the parts that know it.

    >>> one = Sides(np.array([0, 2]), np.array([[1.0, 0.0], [1.0, 1.0]]))
    >>> two = Sides(np.array([2]), np.array([[1.0], [0.0]]))
    >>> found = mean_of_sides([one, two], 3)
    >>> found.elements.tolist(), found.means.tolist()
    ([0, 2], [[1.0, 0.5], [1.0, 0.5]])
    """
    if len(parts) == 1:
        return parts[0]
    first = parts[0].elements
    if all(part.elements is first for part in parts):
        together = np.zeros_like(parts[0].means)
        for part in parts:
            together += part.means
        return Sides(first, together / len(parts))
    total, count = np.zeros((2, elements)), np.zeros(elements)
    for part in parts:
        total[0, part.elements] += part.means[0]
        total[1, part.elements] += part.means[1]
        count[part.elements] += 1
    known = np.flatnonzero(count)
    return Sides(known, total[:, known] / count[known])


def shared_sides(one: Sides, other: Sides, elements: int) -> tuple[Sides, Sides]:
    """Return both for the elements that both know."""
    if one.elements is other.elements:
        return one, other
    known = np.zeros((2, elements), dtype=np.bool_)
    known[0, one.elements] = known[1, other.elements] = True
    own, others = known[1, one.elements], known[0, other.elements]
    both = one.elements[own]
    return Sides(both, one.means[:, own]), Sides(both, other.means[:, others])


def _is_single(own: _Known, other: _Known) -> bool:
    """Tell whether elements that both sides were asked were asked once, and are right or wrong."""
    return bool(own.single.all() or own.single[other.asked[own.elements]].all())


def _known_of(rows: Rows, metric: Metric, values: Floats, chosen: Ints) -> _Known:
    above, below = (side[0] for side in sums_by_element(rows, metric, values[chosen], chosen))
    asked = np.zeros(rows.elements, dtype=np.bool_)
    asked[rows.element[chosen]] = True
    is_known = np.asarray(below > 0)
    elements = np.flatnonzero(is_known)
    sums, counts = above[elements], below[elements]
    right = sums == 1
    return _Known(
        elements=elements,
        means=sums / counts,
        single=np.asarray((counts <= 1) & (right | (sums == 0))),
        right=np.asarray(right),
        is_known=is_known,
        asked=asked,
    )
