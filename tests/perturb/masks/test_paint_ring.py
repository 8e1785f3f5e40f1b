"""
The ring around a region, and one colour from it.
"""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.perturb.masks.paint import flat_colour, ring_pixels
from surefoot.perturb.pixels import PixelRegion

WHERE = PixelRegion(4, 4, 8, 7)


def hidden(*places: PixelRegion) -> np.ndarray:
    """Return the mask of regions on a picture of 12 x 12."""
    found = np.zeros((12, 12), dtype=bool)
    for place in places:
        found[place.slices] = True
    return found


def test_the_ring_is_what_lies_around() -> None:
    """A ring of one pixel around 4 x 3 pixels has 18 of them, none from inside."""
    pixels = np.zeros((12, 12, 3), np.uint8)
    pixels[WHERE.slices] = 99
    found = ring_pixels(pixels, WHERE, 1, hidden(WHERE))
    assert len(found) == 6 * 5 - 4 * 3
    assert not found.any()


def test_what_another_box_hides_is_not_in_the_ring() -> None:
    """A neighbour that is masked too gives its content to no fill."""
    pixels = np.zeros((12, 12, 3), np.uint8)
    other = PixelRegion(8, 0, 12, 12)
    pixels[other.slices] = 200
    assert flat_colour(pixels, WHERE, 3, hidden(WHERE, other), "median").tolist() == [0, 0, 0]


def test_the_ring_widens_until_something_is_seen() -> None:
    """Where the near ring is masked the next farther pixels decide, and grey where all is."""
    pixels = np.full((12, 12, 3), 50, np.uint8)
    large = PixelRegion(1, 1, 12, 12)
    assert flat_colour(pixels, WHERE, 1, hidden(large), "mode").tolist() == [50, 50, 50]
    everything = hidden(PixelRegion(0, 0, 12, 12))
    assert flat_colour(pixels, WHERE, 1, everything, "median").tolist() == [128, 128, 128]


def test_median_and_mode_differ_where_they_should() -> None:
    """Three colours in unequal numbers: the middle one by channel, and the commonest."""
    pixels = np.zeros((12, 12, 3), np.uint8)
    row = [10] * 2 + [20] * 2 + [30] * 3
    pixels[0, :7] = np.array(row)[:, None]
    masked = np.ones((12, 12), dtype=bool)
    masked[0, :7] = False
    place = PixelRegion(0, 1, 7, 2)
    assert flat_colour(pixels, place, 1, masked, "median").tolist() == [20, 20, 20]
    assert flat_colour(pixels, place, 1, masked, "mode").tolist() == [30, 30, 30]


def test_equally_common_colours_are_told_apart_the_same_way() -> None:
    """Of two colours as common as each other the darker wins."""
    pixels = np.zeros((12, 12, 3), np.uint8)
    pixels[::2] = (9, 8, 7)
    pixels[1::2] = (9, 8, 6)
    masked = ~hidden(PixelRegion(0, 0, 2, 2))
    assert flat_colour(pixels, PixelRegion(2, 0, 3, 2), 1, masked, "mode").tolist() == [9, 8, 6]


def test_a_ring_without_width_is_refused() -> None:
    """A ring under one pixel is the caller's mistake."""
    with pytest.raises(InvalidInputError, match="ring"):
        ring_pixels(np.zeros((12, 12, 3), np.uint8), WHERE, 0, hidden(WHERE))
