"""
Arrangements: rows, columns, grids and reading order, and when they are unclear.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.instruction import Ordinal
from surefoot.refer.scene.arrangement import Arrangement, arranged, by_columns, in_order

Cells = list[tuple[int, int, int, int]]
ROW: Cells = [(40 * index, 0, 40 * index + 30, 20) for index in range(4)]
COLUMN: Cells = [(0, 30 * index, 60, 30 * index + 20) for index in range(3)]
GRID: Cells = [(40 * x, 30 * y, 40 * x + 30, 30 * y + 20) for y in range(2) for x in range(3)]


def of(cells: Cells) -> Arrangement:
    """Arrange boxes that stand for their own numbers."""
    boxes = np.array(cells, dtype=np.float64).reshape(-1, 4)
    return arranged(boxes, tuple(range(len(cells))))


@pytest.mark.parametrize(
    ("cells", "ordinal", "expected"),
    [
        (ROW, Ordinal(2, "row"), (1,)),
        (ROW, Ordinal(-1, "row"), (3,)),
        (ROW, Ordinal(5, "row"), ()),
        (ROW, Ordinal(-5, "row"), ()),
        (ROW, Ordinal(2, "column"), None),
        (ROW, Ordinal(2, "list"), (1,)),
        (ROW, Ordinal(1, "grid", row=1), None),
        (COLUMN, Ordinal(3, "column"), (2,)),
        (COLUMN, Ordinal(3, "row"), None),
        (COLUMN, Ordinal(-2, "list"), (1,)),
        (GRID, Ordinal(4, "list"), (3,)),
        (GRID, Ordinal(3, "grid", row=2), (5,)),
        (GRID, Ordinal(-1, "grid", row=-2), (2,)),
        (GRID, Ordinal(1, "grid", row=3), ()),
        (GRID, Ordinal(1, "column"), None),
        ([*GRID, (0, 60, 30, 80)], Ordinal(1, "grid", row=-1), (6,)),
        ([(0, 0, 30, 20), (80, 30, 110, 50)], Ordinal(1, "column"), None),
        ([(0, 0, 30, 20), (40, 14, 70, 34)], Ordinal(1, "list"), None),
        ([(0, 0, 30, 20), (40, 10, 70, 30)], Ordinal(2, "row"), (1,)),
        ([(0, 0, 30, 20), (40, 18, 70, 38)], Ordinal(2, "column"), None),
        ([(0, 0, 30, 20), (28, 0, 58, 20)], Ordinal(2, "row"), (1,)),
        ([(0, 0, 30, 20), (26, 0, 56, 20)], Ordinal(2, "row"), None),
        ([(0, 0, 9, 20), (20, 10, 29, 30), (40, 20, 49, 40)], Ordinal(1, "row"), None),
    ],
)
def test_positions(cells: Cells, ordinal: Ordinal, expected: tuple[int, ...] | None) -> None:
    """Each order finds its position, none beyond the end, and None where it is unclear."""
    assert in_order(of(cells), ordinal) == expected


def test_a_list_may_be_read_by_columns() -> None:
    """Column by column the second of a grid stands under the first; other orders have none."""
    assert by_columns(of(GRID), Ordinal(2, "list")) == (3,)
    assert by_columns(of(GRID), Ordinal(-1, "list")) == (5,)
    assert by_columns(of(GRID), Ordinal(1, "grid", row=1)) == ()
    assert by_columns(of(ROW), Ordinal(2, "list")) == ()
    assert by_columns(of(COLUMN), Ordinal(2, "list")) == ()


def test_ragged_rows_have_no_columns() -> None:
    """Words that wrap like text are read by rows alone."""
    ragged = [(0, 0, 30, 20), (40, 0, 90, 20), (0, 30, 60, 50), (70, 30, 90, 50)]
    assert in_order(of(ragged), Ordinal(3, "list")) == (2,)
    assert by_columns(of(ragged), Ordinal(3, "list")) == ()


GRIDS = st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(0, 2**16))


@given(GRIDS, st.integers(-500, 500), st.integers(-500, 500), st.sampled_from([0.5, 2.0, 4.0]))
def test_moving_scaling_and_mixing_change_nothing(
    grid: tuple[int, int, int], across: int, along: int, scale: float
) -> None:
    """A grid is read the same wherever it stands, however large, however it is listed."""
    columns, rows, seed = grid
    boxes = np.array(
        [(40 * x, 30 * y, 40 * x + 30, 30 * y + 20) for y in range(rows) for x in range(columns)],
        dtype=np.float64,
    )
    order = np.random.default_rng(seed).permutation(len(boxes))
    moved = (boxes + np.array([across, along, across, along])) * scale
    found = arranged(moved[order], tuple(int(item) for item in order))
    assert found.rows == tuple(
        tuple(range(columns * row, columns * (row + 1))) for row in range(rows)
    )


BOXES = st.lists(
    st.tuples(st.integers(0, 90), st.integers(0, 90), st.integers(1, 40), st.integers(1, 40)),
    max_size=6,
).map(lambda drawn: [(x, y, x + width, y + height) for x, y, width, height in drawn])


@given(BOXES, st.integers(1, 6))
def test_a_mirror_turns_a_row_round_and_leaves_a_column(cells: Cells, position: int) -> None:
    """Mirrored left to right, the first of a row is the last, and columns stay."""
    mirrored = [(-right, top, -left, bottom) for left, top, right, bottom in cells]
    one, other = of(cells), of(mirrored)
    assert in_order(one, Ordinal(position, "row")) == in_order(other, Ordinal(-position, "row"))
    for ordinal in (Ordinal(position, "column"), Ordinal(-position, "column")):
        assert in_order(one, ordinal) == in_order(other, ordinal)


@given(BOXES)
def test_each_box_has_one_position(cells: Cells) -> None:
    """In a clear arrangement the positions of a list go through all boxes once."""
    found = of(cells)
    if found.rows is not None:
        read = [in_order(found, Ordinal(item + 1, "list")) for item in range(len(cells))]
        assert sorted(place for item in read if item for place in item) == list(range(len(cells)))
        assert in_order(found, Ordinal(len(cells) + 1, "list")) == ()
