"""
Inpainting continues a texture, and copies no sibling into the place of what is hidden.
"""

from __future__ import annotations

import numpy as np

from surefoot.core.edit import Mask
from surefoot.core.geometry import Box
from surefoot.perturb.masks.paint import paint


def stripes() -> np.ndarray:
    """Return slanted stripes, 120 x 160 pixels."""
    rows, columns = np.mgrid[0:120, 0:160]
    wave = 128 + 100 * np.sin((rows + 2 * columns) / 3.0)
    return np.repeat(wave.round().astype(np.uint8)[..., None], 3, axis=2)


def test_a_texture_goes_on() -> None:
    """On stripes the fill is far nearer to what was there than a smooth fill is."""
    pixels = stripes()
    where = (slice(50, 80), slice(60, 110))
    box = Box(60, 50, 110, 80)

    def error(kind: str) -> float:
        edit = Mask((box,), "inpaint" if kind == "inpaint" else "membrane", 6)
        filled = paint(pixels, edit)[where].astype(float)
        return float(np.abs(filled - pixels[where]).mean())

    assert error("inpaint") < 0.25 * error("membrane")


def test_a_sibling_is_not_copied() -> None:
    """Among equal buttons in a row on a textured ground, no button comes to the gap."""
    pixels = np.full((80, 300, 3), 200, np.uint8)
    pixels[::4] = 205
    for left in (20, 120, 220):
        pixels[30:50, left : left + 60] = (20, 60, 160)
    edit = Mask((Box(120, 30, 180, 50),), "inpaint", 6)
    filled = paint(pixels, edit)[30:50, 120:180]
    assert filled.min() >= 190


def test_a_flat_ground_is_left_to_the_membrane() -> None:
    """Where the ring has no texture the fill is the membrane's, pixel by pixel."""
    pixels = np.full((80, 100, 3), 230, np.uint8)
    pixels[20:40, 20:60] = 3
    edits = (Mask((Box(20, 20, 60, 40),), kind, 6) for kind in ("inpaint", "membrane"))
    one, other = (paint(pixels, edit) for edit in edits)
    assert np.array_equal(one, other)


def test_a_small_thing_in_a_large_piece_is_not_copied() -> None:
    """On a faint gradient a piece that holds one small sign is passed over."""
    pixels = np.repeat(np.linspace(90, 130, 200).astype(np.uint8)[:, None, None], 3, axis=2)
    pixels = np.repeat(pixels, 160, axis=1)
    pixels[95:103, 70:78] = 255
    pixels[30:60, 10:150] = 0
    edit = Mask((Box(10, 30, 150, 60),), "inpaint", 6)
    assert paint(pixels, edit)[30:60].max() < 140
