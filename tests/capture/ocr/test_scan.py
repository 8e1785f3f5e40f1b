"""
Rectangles out of pixels.
"""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from surefoot.capture.ocr.scan import find_rectangles
from surefoot.core.geometry import Box


@given(
    st.integers(15, 150),
    st.integers(15, 100),
    st.integers(20, 200),
    st.integers(14, 120),
    st.sampled_from(["outline", "filled", "rounded", "pill"]),
    st.sampled_from([(255, 200), (255, 248), (30, 60), (240, 20)]),
)
def test_a_drawn_rectangle_is_found(
    x: int, y: int, width: int, height: int, style: str, colours: tuple[int, int]
) -> None:
    """A field or button of any usual drawing is found within a few pixels, and alone."""
    ground, ink = colours
    image = Image.new("L", (420, 300), ground)
    pen = ImageDraw.Draw(image)
    sides = (x, y, x + width - 1, y + height - 1)
    if style == "outline":
        pen.rectangle(sides, outline=ink)
    elif style == "filled":
        pen.rectangle(sides, fill=ink)
    else:
        wanted = 6 if style == "rounded" else height // 2
        radius = min(wanted, (width - 12) // 2, height // 2)
        pen.rounded_rectangle(sides, radius=radius, fill=ink)
    found = find_rectangles(image)
    assert len(found) == 1
    box = found[0]
    middle = Box(x, y, x + width, y + height).center
    assert box.center.distance(middle) <= 3
    if style in ("outline", "filled"):
        assert box.iou(Box(x, y, x + width, y + height)) > 0.8


def test_lines_and_letters_are_no_rectangles() -> None:
    """Rules, an open corner and text have no four sides."""
    image = Image.new("L", (300, 200), 255)
    pen = ImageDraw.Draw(image)
    pen.line((10, 20, 290, 20), fill=0)
    pen.line((10, 60, 290, 60), fill=0)
    pen.line((10, 20, 10, 60), fill=0)
    pen.text((30, 100), "Plain words, nothing else", fill=0)
    assert find_rectangles(image) == []


@pytest.mark.parametrize("size", [(1, 1), (9, 9), (2000, 3), (3, 2000)])
def test_tiny_images(size: tuple[int, int]) -> None:
    """An image too small for any rectangle has none."""
    assert find_rectangles(Image.new("L", size, 255)) == []


def test_noise_is_survived() -> None:
    """An image of noise is worked through in bounded time."""
    noise = np.random.default_rng(1).integers(0, 256, (800, 1280)).astype(np.uint8)
    start = time.process_time()
    find_rectangles(Image.fromarray(noise))
    assert time.process_time() - start < 10
