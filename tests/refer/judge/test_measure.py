"""
Distances and directions of the judge, against slow measuring on a grid of points.
"""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.geometry import Box
from surefoot.core.instruction import Direction
from surefoot.refer.judge.measure import (
    apart,
    lies_leniently,
    lies_strictly,
    past_centre,
    turned,
)

BOXES = st.builds(
    Box.from_xywh, st.integers(0, 30), st.integers(0, 30), st.integers(1, 9), st.integers(1, 9)
)
WAYS: tuple[Direction, ...] = ("above", "below", "left of", "right of")
OPPOSITE: dict[Direction, Direction] = {
    "above": "below",
    "below": "above",
    "left of": "right of",
    "right of": "left of",
}


def points(box: Box) -> list[tuple[float, float]]:
    """Return all whole points of a box, its border counted in."""
    across = range(int(box.left), int(box.right) + 1)
    return list(itertools.product(across, range(int(box.top), int(box.bottom) + 1)))


@given(BOXES, BOXES)
def test_the_distance_is_that_of_the_nearest_points(one: Box, other: Box) -> None:
    """No two points of the boxes are nearer than the distance, and two are that near."""
    slow = min(
        ((a - c) ** 2 + (b - d) ** 2) ** 0.5 for a, b in points(one) for c, d in points(other)
    )
    assert abs(apart(one, other) - slow) < 1e-9


@given(BOXES, BOXES, st.integers(1, 6))
def test_strictly_there_is_leniently_there(one: Box, other: Box, line: int) -> None:
    """What lies squarely in a direction lies there for everybody, and past the centre."""
    for way in WAYS:
        if lies_strictly(one, way, other, line):
            assert lies_leniently(one, way, other, line)
            assert past_centre(one, way, other)


@given(BOXES, BOXES, st.integers(1, 6))
def test_directions_have_opposites(one: Box, other: Box, line: int) -> None:
    """One lies above another where that lies below it, and so across."""
    for way in WAYS:
        there = lies_strictly(one, way, other, line)
        assert there == lies_strictly(other, OPPOSITE[way], one, line)


@given(BOXES, BOXES, st.integers(1, 6))
def test_turning_the_picture_turns_the_direction(one: Box, other: Box, line: int) -> None:
    """A direction is the same question as above, after turning both boxes."""
    for way in WAYS:
        a, b = turned(one, way), turned(other, way)
        assert lies_leniently(one, way, other, line) == lies_leniently(a, "above", b, line)


def test_five_lines_are_near_and_a_half_is_shared() -> None:
    """The strict direction ends after five lines, and where less than half is shared."""
    mark = Box(0, 100, 40, 110)
    assert lies_strictly(Box(20, 30, 60, 50), "above", mark, 10)
    assert not lies_strictly(Box(20, 30, 60, 49), "above", mark, 10)
    assert not lies_strictly(Box(21, 30, 61, 50), "above", mark, 10)
    assert not lies_strictly(Box(20, 30, 60, 101), "above", mark, 10)


def test_a_slope_of_six_fifths_is_still_above() -> None:
    """Without anything shared the centres may be 1.2 times as far across as down."""
    mark = Box(0, 100, 10, 110)
    assert lies_leniently(Box(60, 50, 70, 60), "above", mark, 10)
    assert not lies_leniently(Box(61, 50, 71, 60), "above", mark, 10)
