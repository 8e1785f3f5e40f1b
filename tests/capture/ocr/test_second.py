"""
A second reading: what two readers agree on, and what they do not.
"""

from __future__ import annotations

import importlib.util

import pytest
from PIL import Image, ImageDraw, ImageFont

from surefoot.capture.desktop.spelling import font_file
from surefoot.capture.ocr.scan import TextLine, Word
from surefoot.capture.ocr.second import agree, find_signs, read_again, read_with_rapidocr
from surefoot.core.errors import MissingComponentError
from surefoot.core.geometry import Box

LINES = (
    TextLine((Word("Delivery", Box(20, 20, 90, 38), 90.0),)),
    TextLine((Word("Nothing", Box(20, 80, 90, 98), 90.0),)),
)


def page() -> Image.Image:
    """Draw one of two lines, light on dark."""
    image = Image.new("RGB", (200, 120), "#203040")
    font = ImageFont.load_default(16)
    ImageDraw.Draw(image).text((20, 18), "Delivery", fill="white", font=font)
    return image


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Log in", "LOG IN", True), ("Order 10", "Order lO", True), ("Save", "Saves", False),
        ("...", "...", False), ("", "x", False),
    ],
)  # fmt: skip
def test_readings_agree_on_letters_and_digits(one: str, other: str, same: bool) -> None:
    """Case, signs and look-alikes are no difference; a letter more is one, and nothing is none."""
    assert agree(one, other) is same


def test_a_line_is_read_again_where_it_is() -> None:
    """Each line is read in its own box, and an empty one gives no words."""
    first, second = read_again(page(), LINES, "en")

    assert agree(first, "Delivery")
    assert not agree(second, "Nothing")


def test_an_absent_reader_is_a_missing_component() -> None:
    """Without RapidOCR the package to install is named; with it, the line is read."""
    if importlib.util.find_spec("rapidocr_onnxruntime") is None:
        with pytest.raises(MissingComponentError, match="rapidocr-onnxruntime"):
            read_with_rapidocr(page(), LINES, "en")
    else:
        assert agree(read_with_rapidocr(page(), LINES, "en")[0], "Delivery")


@pytest.mark.parametrize(("ground", "ink"), [("white", "#222222"), ("#1a5fb4", "white")])
def test_signs_are_found_at_any_size(ground: str, ink: str) -> None:
    """A letter, a digit or a sign alone is read, small and large, dark and light."""
    image = Image.new("RGB", (900, 150), ground)
    pen, boxes = ImageDraw.Draw(image), []
    for at, sign in enumerate((*"0123456789", *"AQgkm", *"$\u20ac%&?", "12", "Hi")):
        for down, size in enumerate((14, 18, 26)):
            font, place = (
                ImageFont.truetype(font_file("en")[0], size),
                (10 + 40 * at, 10 + 45 * down),
            )
            pen.text(place, sign, fill=ink, font=font)
            sides = pen.textbbox(place, sign, font=font)
            boxes.append(Box(sides[0] - 3.0, sides[1] - 3.0, sides[2] + 3.0, sides[3] + 3.0))

    assert find_signs(image, boxes, "en") == [True] * len(boxes)
