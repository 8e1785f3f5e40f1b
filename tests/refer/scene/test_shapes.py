"""
Icons without a name: what is drawn by hand is named by its shape, and nothing else is.
"""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels
from surefoot.refer.judge.shape import is_shaped
from surefoot.refer.scene.shapes import SIDE, icon_drawn, tile_of

SIZES = (16, 20, 32)
# In cells of a square of 24; the strokes of a hand that copied no set of icons.
STROKES = {
    "cross": [(5, 5, 19, 19), (19, 5, 5, 19)],
    "plus": [(12, 4, 12, 20), (4, 12, 20, 12)],
    "bars": [(3, 6, 21, 6), (3, 12, 21, 12), (3, 18, 21, 18)],
    "arrow down": [(5, 8, 12, 15), (12, 15, 19, 8)],
    "magnifier": [(15, 15, 21, 21)],
    "tick": [(4, 12, 9, 17), (9, 17, 20, 6)],
}


def _picture(name: str, size: int, ink: str, ground: str, around: str) -> tuple[Pixels, Box]:
    """Draw an icon in a button of one colour, on a page of another."""
    scale, fine = 8, 24
    icon = Image.new("RGB", (fine * scale, fine * scale), ground)
    pen = ImageDraw.Draw(icon)
    for x0, y0, x1, y1 in STROKES.get(name, []):
        pen.line([x0 * scale, y0 * scale, x1 * scale, y1 * scale], ink, 2 * scale)
        for x, y in ((x0, y0), (x1, y1)):
            pen.ellipse([(x - 1) * scale, (y - 1) * scale, (x + 1) * scale, (y + 1) * scale], ink)
    if name == "magnifier":
        pen.ellipse([3 * scale, 3 * scale, 17 * scale, 17 * scale], outline=ink, width=2 * scale)
    page = Image.new("RGB", (120, 90), around)
    box = Box(20, 15, 20 + size + 16, 15 + size + 16)
    ImageDraw.Draw(page).rectangle((20, 15, 20 + size + 15, 15 + size + 15), ground)
    page.paste(icon.resize((size, size), Image.Resampling.LANCZOS), (28, 23))
    return np.asarray(page), box


@pytest.mark.parametrize("name", STROKES)
def test_a_drawing_by_hand_has_its_name(name: str) -> None:
    """Strokes that are in no set are named at three sizes and in two pairs of colours."""
    for size in SIZES:
        for ink, ground, around in (("#222", "#fff", "#fff"), ("#fff", "#1d4ed8", "#eee")):
            pixels, box = _picture(name, size, ink, ground, around)
            assert icon_drawn(pixels, box, []) in (name, "")
            assert is_shaped(pixels, box, [], name, about=0.9), (name, size)
    assert icon_drawn(*_picture(name, 32, "#222", "#fff", "#fff"), []) == name


def test_anything_else_has_no_name() -> None:
    """Blots, an empty button, and words where the icon is have no name."""
    random = np.random.default_rng(3)
    for _ in range(60):
        pixels, box = _picture("", 24, "#222", "#fff", "#fff")
        blot = np.kron(random.integers(0, 2, (6, 6)), np.ones((4, 4))).astype(np.uint8) * 200
        pixels = pixels.copy()
        pixels[23:47, 28:52] = blot[..., None]
        assert not icon_drawn(pixels, box, [])
    assert not icon_drawn(*_picture("", 24, "#222", "#fff", "#fff"), [])
    pixels, box = _picture("cross", 24, "#222", "#fff", "#fff")
    assert not icon_drawn(pixels, box, [box])


def test_a_tile_holds_the_drawing_alone() -> None:
    """A bar in a corner is put into the middle, as long as the tile, and its ink is kept."""
    ink = np.zeros((50, 50))
    ink[3:5, 10:50] = 1.0
    tile = tile_of(ink)
    assert tile.shape == (SIDE, SIDE)
    assert (tile[9:11].sum(axis=0) == 256).all()
    assert not np.delete(tile, (9, 10), axis=0).any()
