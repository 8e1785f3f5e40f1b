"""
Pictures to arrays and back; boxes to the pixels that they touch.
"""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.perturb.pixels import PixelRegion, read_pixels, regions, spell_png

side = st.floats(-30, 60)
boxes = st.builds(Box.from_xywh, side, side, st.floats(0, 50), st.floats(0, 50))


def test_pixels_survive_png() -> None:
    """What is written is read back, and the same pixels are the same bytes."""
    pixels = np.random.default_rng(1).integers(0, 256, (7, 11, 3), dtype=np.uint8)
    png = spell_png(pixels)
    assert np.array_equal(read_pixels(png, (11, 7)), pixels)
    assert spell_png(pixels.copy()) == png


@pytest.mark.parametrize(
    "data", [b"", b"no picture", spell_png(np.zeros((4, 4, 3), np.uint8))[:40]]
)
def test_bytes_that_are_no_image_are_refused(data: bytes) -> None:
    """Damaged bytes raise the caller's error."""
    with pytest.raises(InvalidInputError, match="an image"):
        read_pixels(data, (4, 4))


def test_a_bomb_is_refused() -> None:
    """A header that claims more pixels than fit into memory is no image."""
    file = io.BytesIO()
    Image.new("1", (20_000, 20_000)).save(file, "PNG")
    with pytest.raises(InvalidInputError):
        read_pixels(file.getvalue(), (20_000, 20_000))


def test_another_size_is_refused() -> None:
    """A picture of another size than the screen's is not the screen's."""
    with pytest.raises(InvalidInputError, match="5 x 4"):
        read_pixels(spell_png(np.zeros((4, 4, 3), np.uint8)), (5, 4))


@given(st.lists(boxes, max_size=6))
def test_regions_are_the_pixels_that_boxes_touch(found: list[Box]) -> None:
    """A pixel is in a region exactly where a box with an extent shares area or a line with it."""
    marked = np.zeros((20, 30), dtype=bool)
    for region in regions(found, (20, 30, 3)):
        assert 0 <= region.left < region.right <= 30
        assert 0 <= region.top < region.bottom <= 20
        marked[region.slices] = True
    expected = np.zeros((20, 30), dtype=bool)
    for box in found:
        for row in range(20):
            for column in range(30):
                if np.floor(box.left) <= column < np.ceil(box.right) and np.floor(
                    box.top
                ) <= row < np.ceil(box.bottom):
                    expected[row, column] = True
    assert np.array_equal(marked, expected)


def test_a_region_grows_inside_the_picture() -> None:
    """A margin stops at the picture's edges."""
    assert PixelRegion(2, 0, 5, 9).grown(3, (10, 20, 3)) == PixelRegion(0, 0, 8, 10)
