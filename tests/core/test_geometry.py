"""
Points and boxes, against slow definitions and the laws of geometry.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point

whole = st.integers(-40, 40)
reals = st.floats(-1e6, 1e6)


@st.composite
def grid_boxes(draw: st.DrawFn) -> Box:
    """Draw a box whose corners are whole numbers, so that pixels can be counted."""
    left, top = draw(whole), draw(whole)
    return Box(left, top, left + draw(st.integers(0, 30)), top + draw(st.integers(0, 30)))


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    """Draw any box."""
    x, y = sorted((draw(reals), draw(reals))), sorted((draw(reals), draw(reals)))
    return Box(x[0], y[0], x[1], y[1])


def _pixels(box: Box) -> set[tuple[int, int]]:
    columns = range(int(box.left), int(box.right))
    return {(x, y) for x in columns for y in range(int(box.top), int(box.bottom))}


@given(first=grid_boxes(), second=grid_boxes())
def test_areas_count_pixels(first: Box, second: Box) -> None:
    """Area, intersection and IoU agree with counting pixels one by one."""
    ours, theirs = _pixels(first), _pixels(second)
    assert first.area == len(ours)
    common = first.intersection(second)
    assert (common.area if common else 0) == len(ours & theirs)
    expected = len(ours & theirs) / len(ours | theirs) if ours | theirs else 0.0
    assert first.iou(second) == expected


@given(first=boxes(), second=boxes())
def test_overlap_is_symmetric_and_bounded(first: Box, second: Box) -> None:
    """IoU lies in [0, 1], and neither it nor the intersection depends on the order."""
    assert first.intersection(second) == second.intersection(first)
    assert math.isclose(first.iou(second), second.iou(first))
    assert 0.0 <= first.iou(second) <= 1.0 + 1e-9


@given(box=boxes())
def test_a_box_agrees_with_itself(box: Box) -> None:
    """A box with area has IoU 1 with itself, holds its centre and is its own hull."""
    assert box.contains(box.center)
    assert Box.around([box, box]) == box
    if box.area > 0:
        assert box.iou(box) == pytest.approx(1.0)
        assert box.intersection(box) == box


@given(members=st.lists(boxes(), min_size=1, max_size=5))
def test_the_hull_is_the_smallest(members: list[Box]) -> None:
    """The hull holds every corner, and each of its sides is some member's side."""
    hull = Box.around(members)
    for box in members:
        assert hull.contains(Point(box.left, box.top))
        assert hull.contains(Point(box.right, box.bottom))
    for side in ("left", "top", "right", "bottom"):
        assert getattr(hull, side) in {getattr(box, side) for box in members}


@pytest.mark.parametrize(
    ("x", "tolerance", "inside"),
    [
        (10.0, 0.0, True),
        (10.000001, 0.0, False),
        (20.0, 20.0, True),
        (20.001, 20.0, False),
        (-10.0, 20.0, True),
        (-10.001, 20.0, False),
    ],
)
def test_tolerance_is_the_growth_of_a_side(x: float, tolerance: float, *, inside: bool) -> None:
    """A tolerance of 20 moves each border by 10 pixels, and borders count in."""
    assert Box(0, 0, 10, 10).contains(Point(x, 5), tolerance=tolerance) is inside
    assert Box(0, 0, 10, 10).contains(Point(5, x), tolerance=tolerance) is inside


@given(box=grid_boxes(), x=whole, y=whole, factor=st.integers(1, 9))
def test_moving_and_scaling_keep_shape(box: Box, x: int, y: int, factor: int) -> None:
    """Moving keeps the size, scaling multiplies it, and both can be undone."""
    assert box.moved(x, y).moved(-x, -y) == box
    assert (box.moved(x, y).width, box.moved(x, y).height) == (box.width, box.height)
    assert box.scaled(factor).area == box.area * factor * factor
    assert box.scaled(1, factor).scaled(1, 1 / factor).as_tuple() == pytest.approx(box.as_tuple())
    assert Box.from_xywh(box.left, box.top, box.width, box.height) == box
    assert box.diagonal == Point(box.left, box.top).distance(Point(box.right, box.bottom))


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_numbers_must_be_finite(bad: float) -> None:
    """Neither a point nor a box takes infinity or no number."""
    for sides in ((bad, 0, 1, 1), (0, bad, 1, 1), (0, 0, bad, 1), (0, 0, 1, bad)):
        with pytest.raises(InvalidInputError):
            Box(*sides)
    for x, y in ((bad, 0), (0, bad)):
        with pytest.raises(InvalidInputError, match="finite coordinates"):
            Point(x, y)


def test_sides_must_be_in_order() -> None:
    """A box turned inside out is refused, and the hull of nothing too."""
    for sides in ((1, 0, 0, 1), (0, 1, 1, 0)):
        with pytest.raises(InvalidInputError, match="left <= right"):
            Box(*sides)
    with pytest.raises(InvalidInputError, match="at least one box"):
        Box.around([])


def test_touching_boxes_share_nothing() -> None:
    """Boxes that meet at a border, or have no area, have no intersection and IoU 0."""
    assert Box(0, 0, 5, 5).intersection(Box(5, 0, 9, 5)) is None
    assert Box(1, 1, 1, 1).iou(Box(1, 1, 1, 1)) == 0.0
