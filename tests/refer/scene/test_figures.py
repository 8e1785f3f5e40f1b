"""
Figures: what stands out from its ground, on drawn pictures.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from surefoot.core.drawn.cielab import lab
from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels
from surefoot.refer.scene.colours import COLOURS
from surefoot.refer.scene.figures import figure_in, palette_of

SHADES = st.sampled_from([0, 10, 128, 250, 255])


def drawn(
    ground: str = "white", size: tuple[int, int] = (80, 60)
) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    """Return a picture of one colour, and a pen for it."""
    image = Image.new("RGB", size, ground)
    return image, ImageDraw.Draw(image)


def test_a_filled_box_is_all_figure() -> None:
    """A blue box on white stands out wholly, and its white words do not."""
    image, pen = drawn()
    pen.rectangle((10, 10, 49, 29), fill="#0000ff")
    pen.rectangle((20, 18, 29, 21), fill="white")
    found = figure_in(palette_of(np.asarray(image)), Box(10, 10, 50, 30))
    assert (found.pixels, found.inked) == (800, 760)
    assert found.inks[COLOURS.index("blue")] == 760
    assert found.colours[COLOURS.index("white")] == 40
    assert (found.across, found.along) == (1.0, 1.0)


def test_the_ground_is_that_around_the_box() -> None:
    """A word on a grey band is measured against the band, not against the page."""
    image, pen = drawn()
    pen.rectangle((0, 5, 79, 40), fill="#cccccc")
    pen.rectangle((22, 18, 31, 22), fill="red")
    found = figure_in(palette_of(np.asarray(image)), Box(20, 12, 40, 32))
    assert found.inked == found.inks[COLOURS.index("red")] == 50
    assert (found.across, found.along) == (0.5, 0.25)


def test_what_hardly_differs_is_ground() -> None:
    """A shade less than 12 away in CIELAB does not stand out."""
    image, pen = drawn()
    pen.rectangle((10, 10, 29, 29), fill="#f0f0f0")
    palette = palette_of(np.asarray(image))
    assert figure_in(palette, Box(10, 10, 30, 30)).inked == 0


@pytest.mark.parametrize(
    "box", [Box(-50, -50, -10, -10), Box(200, 200, 300, 300), Box(20, 20, 20, 40)]
)
def test_a_box_without_pixels_has_no_figure(box: Box) -> None:
    """Outside the picture, and without an extent, there is nothing to see."""
    found = figure_in(palette_of(np.asarray(drawn()[0])), box)
    assert (found.pixels, found.inked, found.across) == (0, 0, 0.0)


def test_a_box_that_fills_the_picture_has_no_ground() -> None:
    """Without a ring nothing stands out, but the colours are counted."""
    image, pen = drawn()
    pen.rectangle((0, 0, 79, 29), fill="black")
    found = figure_in(palette_of(np.asarray(image)), Box(-5, -5, 90, 70))
    assert found.inked == 0
    assert found.colours[COLOURS.index("black")] == 2400


def slowly(pixels: Pixels, left: int, top: int, right: int, bottom: int) -> int:
    """Count the figure's pixels one by one."""
    ring: dict[tuple[int, ...], int] = {}
    inside: list[tuple[int, ...]] = []
    height, width = pixels.shape[:2]
    for y in range(max(0, top - 3), min(height, bottom + 3)):
        for x in range(max(0, left - 3), min(width, right + 3)):
            colour = tuple(int(pixel) for pixel in pixels[y, x])
            if left <= x < right and top <= y < bottom:
                inside.append(colour)
            else:
                ring[colour] = ring.get(colour, 0) + 1
    ground = min(ring, key=lambda item: (-ring[item], item))
    labs = lab(np.array([ground, *inside], np.uint8))
    return sum(float(np.linalg.norm(item - labs[0])) > 12 for item in labs[1:])


@given(
    st.lists(SHADES, min_size=4, max_size=4),
    st.integers(0, 6),
    st.integers(0, 6),
    st.integers(1, 8),
    st.integers(1, 8),
)
def test_a_figure_is_what_a_slow_count_finds(
    shades: list[int], left: int, top: int, width: int, height: int
) -> None:
    """Pixel by pixel, the same pixels stand out."""
    pixels = np.array(shades * 36, np.uint8)[np.arange(432) * 7 % 144].reshape(12, 12, 3)
    found = figure_in(palette_of(pixels), Box(left, top, left + width, top + height))
    right, bottom = left + width, top + height
    assert found.inked == slowly(pixels, left, top, min(12, right), min(12, bottom))


def test_a_large_picture_has_the_palette_that_sorting_gives() -> None:
    """The table of shades finds the colours and places of a sorted list, in the same order."""
    source = np.random.default_rng(3)
    pixels = source.integers(0, 256, (700, 700, 3), dtype=np.uint8)
    pixels[:350] = pixels[0, 0]
    found = palette_of(pixels)
    known, places = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True)
    assert (found.places.ravel() == places.ravel()).all()
    assert len(found.labs) == len(known)
    alone = palette_of(known[None, :5000])
    assert np.array_equal(found.labs[:5000], alone.labs)
