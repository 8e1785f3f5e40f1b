"""
Marks: what is drawn on a picture, with no list of elements at hand.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from surefoot.core.drawn.marks import drawn_marks


@given(
    left=st.integers(10, 200), top=st.integers(10, 150), width=st.integers(10, 180),
    height=st.integers(10, 90), style=st.sampled_from(["outline", "filled", "rounded"]),
    colours=st.sampled_from([(255, 200), (255, 230), (30, 60), (240, 20)]),
)  # fmt: skip
def test_a_drawn_control_is_a_mark(
    left: int, top: int, width: int, height: int, style: str, colours: tuple[int, int]
) -> None:
    """A box of any usual drawing is found where it is, give or take its border."""
    ground, ink = colours
    image = Image.new("RGB", (420, 280), (ground,) * 3)
    pen = ImageDraw.Draw(image)
    sides = (left, top, left + width - 1, top + height - 1)
    if style == "outline":
        pen.rectangle(sides, outline=(ink,) * 3)
    elif style == "filled":
        pen.rectangle(sides, fill=(ink,) * 3)
    else:
        pen.rounded_rectangle(sides, 3, outline=(ink,) * 3)
    found = drawn_marks(np.asarray(image))

    expected = np.array([left, top, left + width, top + height])
    assert len(found)
    assert (np.abs(found - expected).max(axis=1) <= 2).all()


def test_words_are_marks_and_nothing_is_none() -> None:
    """The letters of a word make one mark, words apart make two, and a flat ground none."""
    image = Image.new("RGB", (300, 60), "white")
    pen = ImageDraw.Draw(image)
    assert drawn_marks(np.asarray(image)).shape == (0, 4)
    pen.text((20, 20), "Save", fill="black", font=ImageFont.load_default(14))
    pen.text((200, 20), "Open", fill="black", font=ImageFont.load_default(14))
    found = drawn_marks(np.asarray(image))
    whole = found[(found[:, 2] - found[:, 0]) > 20]
    assert whole[:, 0].tolist() == pytest.approx([20, 200], abs=3)


def test_cells_that_share_their_borders_are_marks() -> None:
    """Each swatch of a palette is found, though all their borders touch."""
    image = Image.new("RGB", (200, 60), "white")
    pen = ImageDraw.Draw(image)
    for at in range(5):
        pen.rectangle(
            (20 + 20 * at, 20, 40 + 20 * at, 40), outline="black", fill=(40 * at, 90, 200)
        )
    found = drawn_marks(np.asarray(image))
    middles = {round((left + right) / 2) for left, _, right, _ in found if right - left < 22}
    assert len(middles) == 5
