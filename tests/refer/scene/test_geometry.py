"""
Directions: strict implies lenient, mirrors swap, moving and scaling change nothing.
"""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.instruction import Direction
from surefoot.refer.scene.geometry import DIRECTIONS, Boxes, Reading, beyond, distances, lies

READINGS: tuple[Reading, ...] = get_args(Reading)
MIRRORED: dict[Direction, Direction] = {
    "above": "above",
    "below": "below",
    "left of": "right of",
    "right of": "left of",
}

SIDES = st.tuples(
    st.integers(0, 300), st.integers(0, 300), st.integers(0, 120), st.integers(0, 120)
)
BOXES = SIDES.map(lambda s: np.array([s[0], s[1], s[0] + s[2], s[1] + s[3]], dtype=np.float64))
DIRECTION = st.sampled_from(DIRECTIONS)
READING = st.sampled_from(READINGS)
UNIT = st.integers(1, 40).map(float)


def one(direction: Direction, box: Boxes, landmark: Boxes, unit: float, reading: Reading) -> bool:
    """Ask about a single box."""
    return bool(lies(direction, box[None, :], landmark, unit, reading)[0])


@given(DIRECTION, BOXES, BOXES, UNIT)
def test_strict_implies_lenient(
    direction: Direction, box: Boxes, landmark: Boxes, unit: float
) -> None:
    """What lies strictly in a direction lies there leniently too."""
    if one(direction, box, landmark, unit, "strict"):
        assert one(direction, box, landmark, unit, "lenient")


@given(DIRECTION, BOXES, BOXES, UNIT, READING)
def test_a_mirror_swaps_left_and_right(
    direction: Direction, box: Boxes, landmark: Boxes, unit: float, reading: Reading
) -> None:
    """In the mirrored picture the mirrored direction holds, and no other."""
    flip = np.array([-1.0, 1.0, -1.0, 1.0])
    mirrored_box, mirrored_mark = ((flip * item)[[2, 1, 0, 3]] for item in (box, landmark))
    assert one(direction, box, landmark, unit, reading) == one(
        MIRRORED[direction], mirrored_box, mirrored_mark, unit, reading
    )


@given(DIRECTION, BOXES, BOXES, UNIT, READING, st.integers(-500, 500), st.integers(-500, 500))
def test_moving_the_picture_changes_nothing(
    direction: Direction,
    box: Boxes,
    landmark: Boxes,
    unit: float,
    reading: Reading,
    across: int,
    along: int,
) -> None:
    """A relation is the same wherever both boxes are moved together."""
    by = np.array([across, along, across, along], dtype=np.float64)
    moved = one(direction, box + by, landmark + by, unit, reading)
    assert moved == one(direction, box, landmark, unit, reading)


@given(DIRECTION, BOXES, BOXES, UNIT, READING, st.sampled_from([0.25, 0.5, 2.0, 4.0]))
def test_scaling_the_picture_changes_nothing(
    direction: Direction, box: Boxes, landmark: Boxes, unit: float, reading: Reading, by: float
) -> None:
    """A relation is the same at every uniform scale of boxes and unit."""
    scaled = one(direction, box * by, landmark * by, unit * by, reading)
    assert scaled == one(direction, box, landmark, unit, reading)


@given(BOXES, BOXES, UNIT)
def test_no_box_is_strictly_in_two_opposite_directions(
    box: Boxes, landmark: Boxes, unit: float
) -> None:
    """Above excludes below, and left excludes right, for boxes that have an extent."""
    if (box[2:] > box[:2]).all() and (landmark[2:] > landmark[:2]).all():
        for first, second in (("above", "below"), ("left of", "right of")):
            both = [one(item, box, landmark, unit, "strict") for item in (first, second)]  # type: ignore[arg-type]
            assert not all(both)


@pytest.mark.parametrize(
    ("box", "strict", "lenient"),
    [
        ([0, 0, 40, 20], True, True),
        ([0, 0, 40, 21], False, True),
        ([31, 0, 71, 20], False, True),
        ([30, 0, 70, 20], True, True),
        ([0, -101, 40, -81], False, True),
        ([0, -100, 40, -80], True, True),
        ([0, -201, 40, -181], False, False),
        ([70, -20, 90, 0], False, False),
        ([60, -20, 64, 0], False, True),
        ([0, 0, 40, 60], False, False),
    ],
)
def test_above_has_the_documented_bounds(box: list[int], strict: bool, lenient: bool) -> None:
    """Separation, half overlap, 5 and 10 units and the cone's slope are exact."""
    landmark = np.array([10.0, 20.0, 50.0, 40.0])
    row = np.array(box, dtype=np.float64)
    assert one("above", row, landmark, 20.0, "strict") is strict
    assert one("above", row, landmark, 20.0, "lenient") is lenient


@given(BOXES, BOXES)
def test_distance_is_the_shortest_way_between_the_boxes(box: Boxes, landmark: Boxes) -> None:
    """The distance equals that of the two nearest points, found by clamping."""
    across = np.clip(0.0, box[0] - landmark[2], box[2] - landmark[0])
    along = np.clip(0.0, box[1] - landmark[3], box[3] - landmark[1])
    assert distances(box[None, :], landmark)[0] == pytest.approx(np.hypot(across, along))


@given(DIRECTION, BOXES, BOXES, UNIT)
def test_what_is_strictly_there_is_past_the_centre(
    direction: Direction, box: Boxes, landmark: Boxes, unit: float
) -> None:
    """A strict relation puts the whole box past the landmark's centre."""
    if one(direction, box, landmark, unit, "strict"):
        assert beyond(direction, box[None, :], landmark)[0]
