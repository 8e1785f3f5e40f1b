"""
The membrane against a slow solver, against what is known of harmonic functions, and sides.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError
from surefoot.perturb.masks.membrane import close_sides, film, rounded, side_colours
from surefoot.perturb.pixels import PixelRegion

extents = st.integers(1, 9)


def solved(left: np.ndarray, top: np.ndarray, right: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    """Solve the five-point Laplace equation as a dense linear system."""
    height, width = len(left), len(top)
    system = np.zeros((height * width, height * width))
    load = np.zeros((height * width, 3))
    for row in range(height):
        for column in range(width):
            here = row * width + column
            system[here, here] = 4
            for down, across, outside in (
                (-1, 0, top[column]),
                (1, 0, bottom[column]),
                (0, -1, left[row]),
                (0, 1, right[row]),
            ):
                if 0 <= row + down < height and 0 <= column + across < width:
                    system[here, here + down * width + across] = -1
                else:
                    load[here] += outside
    return np.linalg.solve(system, load).reshape(height, width, 3)


@given(height=extents, width=extents, seed=st.integers(0, 999))
def test_the_film_solves_the_equation(height: int, width: int, seed: int) -> None:
    """The sine transform gives what a dense solver gives, for any size and any sides."""
    random = np.random.default_rng(seed)
    left, right = random.uniform(0, 255, (2, height, 3))
    top, bottom = random.uniform(0, 255, (2, width, 3))
    found = film(left, top, right, bottom)
    assert found == pytest.approx(solved(left, top, right, bottom), abs=1e-8)


def test_a_plane_is_continued() -> None:
    """Sides that lie in a plane are spanned by the plane, and no value leaves the sides'."""
    rows, columns = np.mgrid[0:8, 0:12]
    plane = np.repeat((10.0 * rows + 3.0 * columns)[..., None], 3, axis=2)
    found = film(plane[1:-1, 0], plane[0, 1:-1], plane[1:-1, -1], plane[-1, 1:-1])
    assert found == pytest.approx(plane[1:-1, 1:-1], abs=1e-9)


def test_halves_are_rounded_up_whatever_the_last_digit() -> None:
    """A value that is a half up to rounding errors always becomes the same."""
    assert rounded(np.array([10.5 - 1e-9, 10.5, 10.5 + 1e-9, -3.0])).tolist() == [11, 11, 11, 0]


def test_sides_are_the_colours_outside() -> None:
    """Each side sees its own strip alone, and there is none at the picture's edge."""
    pixels = np.zeros((20, 20, 3), np.uint8)
    pixels[:, :5], pixels[:, 9:] = 10, 30
    pixels[:6, 5:9], pixels[12:, 5:9] = 20, 40
    left, top, right, bottom = side_colours(pixels, PixelRegion(5, 6, 9, 12), 2)
    means = [float(item.mean()) for item in (left, top, right, bottom) if item is not None]
    assert means == [10, 20, 30, 40]
    assert side_colours(pixels, PixelRegion(0, 0, 20, 20), 2) == (None,) * 4
    corner = side_colours(pixels, PixelRegion(0, 0, 4, 4), 2)
    assert [item is None for item in corner] == [True, True, False, False]


def test_a_line_that_meets_the_side_is_not_followed() -> None:
    """A rule of two pixels is outvoted by what is beside it; with a window of 1 it is not."""
    pixels = np.full((20, 60, 3), 240, np.uint8)
    pixels[:, 30:32] = 0
    where = PixelRegion(5, 8, 55, 15)
    robust, exact = (side_colours(pixels, where, 2, window)[1] for window in (9, 1))
    assert robust is not None
    assert exact is not None
    assert robust.min() == 240
    assert exact.min() == 0


def test_a_window_of_none_is_the_whole_side() -> None:
    """One colour a side is the side's median."""
    pixels = np.zeros((10, 10, 3), np.uint8)
    pixels[:, 7:] = 100
    top = side_colours(pixels, PixelRegion(0, 5, 10, 8), 1, 0)[1]
    assert top is not None
    assert np.unique(top).tolist() == [0]


def test_missing_sides_are_found() -> None:
    """A missing side runs between its neighbours' ends, or else is the one opposite."""
    ten, thirty, long = np.full((2, 3), 10.0), np.full((2, 3), 30.0), np.full((4, 3), 20.0)
    assert close_sides((None,) * 4, (2, 4)) is None
    closed = close_sides((ten, None, thirty, long), (2, 4))
    assert closed is not None
    assert closed[1][:, 0].tolist() == [14, 18, 22, 26]
    assert closed[0] is ten
    assert closed[3] is long
    closed = close_sides((None, long, None, 2 * long), (3, 4))
    assert closed is not None
    assert closed[0][:, 0].tolist() == closed[2][:, 0].tolist() == [25, 30, 35]
    closed = close_sides((None, long, None, None), (3, 4))
    assert closed is not None
    assert all(np.unique(item).tolist() == [20] for item in closed)


def test_a_ring_without_width_is_refused() -> None:
    """A ring under one pixel is the caller's mistake."""
    with pytest.raises(InvalidInputError, match="ring"):
        side_colours(np.zeros((9, 9, 3), np.uint8), PixelRegion(2, 2, 4, 4), 0)
