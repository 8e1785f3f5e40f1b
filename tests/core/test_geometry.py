"""
Points and boxes, against slow definitions and the laws of geometry.
"""

from __future__ import annotations

import decimal
import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import (
    Box,
    Point,
    distance_to_polygon,
    inside_of_polygon,
    rescaled,
)

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


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e308, -2e12])
def test_numbers_must_be_finite(bad: float) -> None:
    """Neither a point nor a box takes infinity, no number, or what no screen has."""
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


def winding(point: Point, corners: list[Point]) -> float:
    """Add up the angles under which a point sees the sides: a whole turn inside, else none."""
    angles = [math.atan2(corner.y - point.y, corner.x - point.x) for corner in corners]
    turns = (
        (b - a + math.pi) % (2 * math.pi) - math.pi
        for a, b in zip(angles, [*angles[1:], angles[0]], strict=True)
    )
    return abs(sum(turns)) / (2 * math.pi)


@st.composite
def stars(draw: st.DrawFn) -> list[Point]:
    """Draw corners in order round a centre, near and far in turn: not always convex."""
    count = draw(st.integers(3, 9))
    radii = draw(st.lists(st.integers(1, 30), min_size=count, max_size=count))
    return [
        Point(radius * math.cos(math.tau * n / count), radius * math.sin(math.tau * n / count))
        for n, radius in enumerate(radii)
    ]


@given(corners=stars(), x=st.floats(-40, 40), y=st.floats(-40, 40))
def test_distance_to_a_polygon_agrees_with_angles_and_samples(
    corners: list[Point], x: float, y: float
) -> None:
    """Inside is where the angles make a turn; outside, the border's points are as far."""
    point = Point(x, y)
    found = distance_to_polygon(point, corners)
    border = [
        Point(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t)
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
        for t in np.linspace(0, 1, 200).tolist()
    ]
    nearest = min(point.distance(item) for item in border)
    assume(nearest > 1e-6)
    if winding(point, corners) > 0.5:
        assert found == 0.0
    else:
        assert found == pytest.approx(nearest, abs=0.2)


@given(corners=stars())
def test_a_point_inside_a_polygon_is_inside(corners: list[Point]) -> None:
    """The chosen point has the whole polygon around it, concave ones too."""
    point = inside_of_polygon(corners)
    assert distance_to_polygon(point, corners) == 0.0
    assert winding(point, corners) == pytest.approx(1.0)


def test_the_border_of_a_polygon_counts_in() -> None:
    """Corners and sides are at distance 0, and a bare line is no polygon."""
    corners = [Point(0, 0), Point(8, 0), Point(8, 6), Point(0, 6)]
    for a, b in itertools.pairwise([*corners, corners[0]]):
        assert distance_to_polygon(a, corners) == 0.0
        assert distance_to_polygon(Point((a.x + b.x) / 2, (a.y + b.y) / 2), corners) == 0.0
    with pytest.raises(InvalidInputError, match="three corners"):
        distance_to_polygon(Point(0, 0), corners[:2])
    with pytest.raises(InvalidInputError, match="an area"):
        inside_of_polygon([Point(0, 0), Point(5, 0), Point(9, 0)])


@given(st.decimals(-5000, 5000, places=4), st.integers(1, 4000), st.integers(1, 4000))
def test_a_number_is_rescaled_with_one_rounding(
    number: decimal.Decimal, target: int, source: int
) -> None:
    """The result is the float nearest to what decimals of 60 digits give."""
    with decimal.localcontext(prec=60):
        exact = number * target / source
    assert rescaled(float(number), target, source) == float(exact)


def test_what_is_not_finite_is_not_rescaled() -> None:
    """Infinity and NaN stay what they are, for others to refuse."""
    assert rescaled(math.inf, 2, 3) == math.inf
    assert math.isnan(rescaled(math.nan, 2, 3))
