"""
Masks found by their flatness.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from surefoot.core.geometry import Box
from surefoot.models.sight.flat import flat_rectangles, likely_masks

MAGENTA = (255, 0, 255)


def slow_rectangles(picture: NDArray[np.uint8]) -> set[tuple[int, Box]]:
    """Return flat rectangles by growing each connected area of one colour."""
    tall, wide, _ = picture.shape
    colours = [[tuple(map(int, item)) for item in row] for row in picture]
    seen: set[tuple[int, int]] = set()
    found: set[tuple[int, Box]] = set()
    for start in itertools.product(range(tall), range(wide)):
        if start in seen:
            continue
        area, waiting = {start}, [start]
        while waiting:
            y, x = waiting.pop()
            for near in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                inside = 0 <= near[0] < tall and 0 <= near[1] < wide
                if inside and near not in area and colours[near[0]][near[1]] == colours[y][x]:
                    area.add(near)
                    waiting.append(near)
        seen |= area
        rows, columns = sorted({y for y, _ in area}), sorted({x for _, x in area})
        if min(len(rows), len(columns)) >= 6 and len(area) == len(rows) * len(columns):
            red, green, blue = colours[start[0]][start[1]]
            box = Box(columns[0], rows[0], columns[-1] + 1, rows[-1] + 1)
            found.add((red << 16 | green << 8 | blue, box))
    return found


@given(st.lists(st.tuples(*(st.integers(0, 24) for _ in range(4)), st.integers(0, 2)), max_size=6))
def test_rectangles_are_the_areas_that_fill_their_box(
    drawn: list[tuple[int, int, int, int, int]],
) -> None:
    """The runs find exactly what growing every area of one colour finds."""
    picture = np.full((26, 30, 3), 200, np.uint8)
    for x, y, wide, tall, colour in drawn:
        picture[y : y + tall, x : x + wide] = (colour, 90, 7)
    assert set(flat_rectangles(picture)) == slow_rectangles(picture)


@pytest.fixture
def page() -> NDArray[np.uint8]:
    """Return a page of noise in grey with two flat panels in greys of its own."""
    noise = np.random.default_rng(4).integers(150, 250, (120, 160, 1), dtype=np.uint8)
    picture = np.repeat(noise, 3, axis=2)
    picture[90:110, 10:60] = 140
    return picture


def test_a_colour_of_its_own_gives_a_mask_away(page: NDArray[np.uint8]) -> None:
    """Of flat panels those in the colour farthest from all others are taken, all of them."""
    page[10:30, 20:50] = MAGENTA
    page[50:60, 90:130] = MAGENTA
    assert likely_masks(page) == [Box(20, 10, 50, 30), Box(90, 50, 130, 60)]


def test_a_colour_that_is_elsewhere_too_does_not(page: NDArray[np.uint8]) -> None:
    """One more pixel of the colour, and it is no mask's; white is what is left to take."""
    page[10:30, 20:50] = MAGENTA
    page[0, 0] = MAGENTA
    assert likely_masks(page) == []
    page[50:60, 90:130] = 255
    assert likely_masks(page) == [Box(90, 50, 130, 60)]


@pytest.mark.parametrize("shape", [(1, 1, 3), (5, 400, 3), (0, 0, 3)])
def test_small_pictures_hold_none(shape: tuple[int, int, int]) -> None:
    """A picture too small for a mask has none."""
    assert likely_masks(np.zeros(shape, np.uint8)) == []
