"""
Rows and positions: clear arrangements read one way, unclear ones not at all.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.geometry import Box
from surefoot.core.instruction import Order, Ordinal
from surefoot.core.screen import Element, Screen
from surefoot.refer.judge.ground import Ground
from surefoot.refer.judge.ranking import counted_leniently, counted_strictly, rows_of


def ground(*boxes: Box, parents: tuple[str, ...] = ()) -> Ground:
    """Return elements of these boxes, e0, e1, ..., some with parents."""
    above = parents + ("",) * len(boxes)
    elements = tuple(
        Element(f"e{at}", "button", box, parent=above[at]) for at, box in enumerate(boxes)
    )
    return Ground(Screen("s", "p", "x", "", 500, 500, 1.0, "web", "en", elements))


def cell(row: int, column: int) -> Box:
    """Return a box of a regular grid."""
    return Box.from_xywh(30 * column, 20 * row, 20, 10)


@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12))
def test_a_grid_is_read_like_a_page(cells: set[tuple[int, int]]) -> None:
    """Rows come from the top, each from the left, whatever the order of the elements."""
    order = sorted(cells, key=hash)
    rows = rows_of({at: cell(*place) for at, place in enumerate(order)})
    assert rows is not None
    assert [order[at] for row in rows for at in row] == sorted(cells)
    assert len(rows) == len({row for row, _ in cells})


@pytest.mark.parametrize(
    ("boxes", "clear"),
    [
        ([Box(0, 0, 9, 10), Box(10, 5, 19, 15)], True),
        ([Box(0, 0, 9, 10), Box(10, 6, 19, 16)], False),
        ([Box(0, 0, 9, 10), Box(10, 9, 19, 19)], True),
        ([Box(0, 0, 10, 10), Box(9, 0, 19, 10)], True),
        ([Box(0, 0, 10, 10), Box(8, 0, 18, 10)], False),
        ([Box(0, 0, 9, 10), Box(10, 5, 19, 15), Box(20, 10, 29, 20)], False),
    ],
    ids=["half", "less than half", "a tenth", "border", "overlap", "stairs"],
)
def test_what_is_clear(boxes: list[Box], clear: bool) -> None:
    """Half the height is one row, a tenth is two, anything between is unclear."""
    assert (rows_of(dict(enumerate(boxes))) is not None) == clear


GRID = (cell(0, 0), cell(0, 1), cell(1, 0), cell(1, 1), cell(2, 0))


@pytest.mark.parametrize(
    ("boxes", "order", "position", "row", "expected"),
    [
        (GRID[:2], "row", 2, 0, {1}),
        (GRID[:3], "row", 2, 0, set()),
        (GRID[:2], "row", 3, 0, set()),
        (GRID[:1], "row", 1, 0, set()),
        (GRID[::2], "column", -1, 0, {2}),
        (GRID, "column", 1, 0, set()),
        (GRID, "list", 4, 0, {3}),
        (GRID, "list", -1, 0, {4}),
        (GRID, "grid", 2, 2, {3}),
        (GRID, "grid", -1, -1, {4}),
        (GRID[:3], "grid", 1, 1, set()),
        (GRID, "grid", 1, 4, set()),
    ],
)
def test_positions_of_each_order(
    boxes: tuple[Box, ...], order: Order, position: int, row: int, expected: set[int]
) -> None:
    """A position exists only in an arrangement of its order's form."""
    found = counted_strictly(ground(*boxes), range(len(boxes)), Ordinal(position, order, row))
    assert found == expected


def test_a_list_can_be_read_down_the_columns() -> None:
    """Leniently the second of two rows of two is the one to the right or the one below."""
    drawn = ground(*GRID[:4])
    assert counted_leniently(drawn, range(4), range(4), Ordinal(2, "list")) == {1, 2}


def test_more_can_be_counted_leniently() -> None:
    """One more that the words could mean moves the others' positions."""
    drawn = ground(*GRID[:2], cell(0, 2))
    assert counted_leniently(drawn, [1, 2], range(3), Ordinal(2, "row")) == {1, 2}


def test_an_unclear_lenient_counting_fits_all() -> None:
    """Where the lenient ones stand in no row, any of them may be meant."""
    drawn = ground(cell(0, 0), cell(0, 1), Box(90, 6, 110, 16))
    assert counted_leniently(drawn, [0, 1], range(3), Ordinal(1, "row")) == {0, 1, 2}


def test_one_thing_is_counted_once() -> None:
    """A wrapper and what it wraps stand at one position."""
    drawn = ground(*GRID[:2], GRID[1], parents=("", "", "e1"))
    assert counted_strictly(drawn, range(3), Ordinal(2, "row")) == {1, 2}
    assert counted_strictly(drawn, range(3), Ordinal(3, "row")) == set()
