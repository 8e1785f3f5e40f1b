"""
Lines of text are found where they were drawn.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from surefoot.capture.described.ink import ink_lines
from surefoot.core.geometry import Box

WHOLE = Box(0, 0, 300, 120)


def drawn(*lines: tuple[int, int, str], ground: str = "white", ink: str = "black") -> Image.Image:
    """Draw lines of words at their places."""
    image = Image.new("RGB", (300, 120), ground)
    for left, top, text in lines:
        ImageDraw.Draw(image).text((left, top), text, fill=ink, font=ImageFont.load_default(24))
    return image


def spelled(left: int, top: int, text: str) -> Box:
    """Return the box of the ink of a line, by the font's own word."""
    pen = ImageDraw.Draw(Image.new("RGB", (1, 1)))
    return Box(*pen.textbbox((left, top), text, font=ImageFont.load_default(24)))


@pytest.mark.parametrize(("ground", "ink"), [("white", "black"), ("#102040", "#ffd700")])
def test_each_line_has_its_box(ground: str, ink: str) -> None:
    """Two lines, with the dots of their letters, give two boxes around the font's ink."""
    places = [(20, 10, "Filing jijij"), (20, 60, "second")]
    found = ink_lines(np.asarray(drawn(*places, ground=ground, ink=ink)), WHOLE)

    assert len(found) == 2
    for box, place in zip(found, places, strict=True):
        true = spelled(*place)
        assert abs(box.left - true.left) <= 2
        assert abs(box.right - true.right) <= 2
        assert true.top - 8 <= box.top <= true.top + 1
        assert true.bottom - 1 <= box.bottom <= true.bottom + 8


def test_a_frame_is_no_line() -> None:
    """A round frame and an underline at the border of the box do not widen the words."""
    image = drawn((60, 30, "Save"))
    ImageDraw.Draw(image).rounded_rectangle((0, 0, 299, 119), 30, outline="black", width=3)
    (box,) = ink_lines(np.asarray(image), WHOLE)

    assert box.left >= 58
    assert box.right <= 140


def test_a_photograph_is_one_box() -> None:
    """Where most pixels differ from the ground the whole box comes back."""
    noise = np.random.default_rng(3).integers(0, 255, (120, 300, 3), dtype=np.uint8)

    assert ink_lines(noise, WHOLE) == (WHOLE,)


@pytest.mark.parametrize(
    "box", [WHOLE, Box(400, 0, 500, 90), Box(-50, -50, -10, -10), Box(5, 5, 5, 5)]
)
def test_nothing_drawn_gives_nothing(box: Box) -> None:
    """An empty ground and a box outside the picture have no lines."""
    assert ink_lines(np.asarray(drawn()), box) == ()


@given(
    left=st.floats(-20, 310), top=st.floats(-20, 130),
    width=st.floats(0, 320), height=st.floats(0, 140),
)  # fmt: skip
def test_lines_stay_in_the_box(left: float, top: float, width: float, height: float) -> None:
    """Lines lie in the picture and, to the pixel, in the box that they were looked for in."""
    box = Box.from_xywh(left, top, width, height)
    for line in ink_lines(np.asarray(drawn((20, 10, "Wagtail"), (8, 70, "b"))), box):
        assert line.left >= max(0, box.left - 1)
        assert line.top >= max(0, box.top - 1)
        assert line.right <= min(300, box.right + 1)
        assert line.bottom <= min(120, box.bottom + 1)
