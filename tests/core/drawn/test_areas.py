"""
Areas and ink: drawn controls of every usual kind are one area, strokes of an icon one piece.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from surefoot.core.drawn.areas import compact_ink, enclosed_areas
from surefoot.core.geometry import Box


@given(
    left=st.integers(10, 200), top=st.integers(10, 150), width=st.integers(16, 180),
    height=st.integers(16, 90), style=st.sampled_from(["outline", "filled", "rounded", "disc"]),
    colours=st.sampled_from([(255, 200), (255, 249), (30, 60), (240, 20)]),
)  # fmt: skip
def test_a_drawn_control_is_an_area(
    left: int, top: int, width: int, height: int, style: str, colours: tuple[int, int]
) -> None:
    """A box or disc of any usual drawing is found once, give or take its border."""
    ground, ink = ((colour,) * 3 for colour in colours)
    image = Image.new("RGB", (420, 280), ground)
    pen = ImageDraw.Draw(image)
    if style == "disc":
        width = height
    sides = (left, top, left + width - 1, top + height - 1)
    if style == "outline":
        pen.rectangle(sides, outline=ink)
    elif style == "filled":
        pen.rectangle(sides, fill=ink)
    elif style == "rounded":
        pen.rounded_rectangle(sides, 4, outline=ink)
    else:
        pen.ellipse(sides, fill=ink)
    found = enclosed_areas(np.asarray(image))

    assert len(found) == 1
    expected = (left, top, left + width, top + height)
    assert found[0].as_tuple() == pytest.approx(expected, abs=2)


def test_nothing_and_an_open_shape_are_no_area() -> None:
    """A flat ground has no area, nor has a border with a gap in it."""
    image = Image.new("RGB", (200, 100), "white")
    assert enclosed_areas(np.asarray(image)) == []
    pen = ImageDraw.Draw(image)
    pen.rectangle((20, 20, 120, 60), outline="black")
    pen.line((60, 20, 70, 20), fill="white")
    assert enclosed_areas(np.asarray(image)) == []


def test_ink_is_taken_out_of_words_and_borders() -> None:
    """Strokes that are close are one piece, and what is known is none, a border included."""
    image = Image.new("RGB", (300, 80), "white")
    pen = ImageDraw.Draw(image)
    border = Box(10, 10, 290, 70)
    pen.rectangle((10, 10, 289, 69), outline="black")
    for left in (40, 44, 48, 120):
        pen.rectangle((left, 30, left + 1, 45), fill="black")
    pixels = np.asarray(image)
    found = compact_ink(pixels, [Box(110, 25, 140, 50)], [border], 4)

    assert [box.as_tuple() for box in found] == [(40, 30, 50, 46)]
    assert len(compact_ink(pixels, [], [], 4)) == 3
    assert len(compact_ink(pixels, [], [border], 1)) == 4
