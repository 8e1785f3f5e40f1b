"""
The detector of masks: which of several it takes.
"""

from __future__ import annotations

import asyncio
import io

import pytest
from PIL import Image, ImageDraw, ImageFont

from surefoot.capture.ocr.scan import Scan, TextLine, Word
from surefoot.core.canonical import sha256
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Parsed, Question, Unparsed
from surefoot.models.backends.flat_mask import choose_mask
from surefoot.models.opening import open_model

MASKS = (Box(20, 60, 120, 84), Box(20, 140, 300, 164), Box(200, 60, 260, 84))


def scan_of(*words: tuple[str, Box]) -> Scan:
    """Return a scan of three masks and of words that were read."""
    return Scan(tuple(TextLine((Word(text, box, 90.0),)) for text, box in words), MASKS)


TITLE = ("Shipping", Box(20, 20, 110, 40))
TOTAL = ("Total", Box(140, 64, 190, 80))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Click the control directly below 'Shipping'", "20<SEP>60<SEP>120<SEP>84"),
        ("Click the control directly to the right of 'Total'", "200<SEP>60<SEP>260<SEP>84"),
        ("Click the control directly to the left of 'Total'", "20<SEP>60<SEP>120<SEP>84"),
        ("Click the control directly below 'Total'", "20<SEP>140<SEP>300<SEP>164"),
        ("Click the control nearest to 'Total'", "200<SEP>60<SEP>260<SEP>84"),
        ("Type 'Total' in the control directly below 'Shipping'", "20<SEP>60<SEP>120<SEP>84"),
        ("Click the third item", "20<SEP>140<SEP>300<SEP>164"),
        ("Click the control below 'Nowhere'", "20<SEP>140<SEP>300<SEP>164"),
    ],
)
def test_the_words_choose(text: str, expected: str) -> None:
    """The nearest in the direction said is taken; where nothing is found the largest."""
    assert choose_mask(text, "en", scan_of(TITLE, TOTAL)) == expected


def picture(*masks: Box) -> bytes:
    """Draw two words on grey, and masks."""
    image = Image.new("RGB", (400, 200), "#dddddd")
    pen = ImageDraw.Draw(image)
    for at, words in ((20, "Shipping"), (110, "Payment")):
        pen.text((20, at), words, fill="#000000", font=ImageFont.load_default(20))
    for box in masks:
        right, bottom = box.right - 1, box.bottom - 1
        pen.rectangle((box.left, box.top, right, bottom), fill="#00ff00")
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def answered(png: bytes, text: str) -> Parsed:
    """Return what the detector says about a picture."""
    instruction = Instruction(text, "en", "given", "high", Expression(), "x")
    question = Question(
        "q", "p", "c", Cell("static", "given"), "s", sha256(png), 400, 200, instruction,
        Box(0, 0, 9, 9),
    )  # fmt: skip

    async def ask() -> Parsed:
        model = open_model("flat-mask")
        try:
            return (await model.answer(question, png)).parsed
        finally:
            await model.close()

    return asyncio.run(ask())


def test_pictures_are_read() -> None:
    """On a picture the mask below the words that are quoted is answered, as a box."""
    first, second = Box(20, 56, 140, 80), Box(20, 146, 300, 190)
    both = picture(first, second)
    assert answered(both, "Click the control directly below 'Shipping'") == first
    assert answered(both, "Click the control directly below 'Payment'") == second
    assert answered(picture(second), "Click the control below 'Shipping'") == second


def test_no_mask_is_no_box() -> None:
    """Where nothing stands out it says so in words, which are no box."""
    assert isinstance(answered(picture(), "Click the first item"), Unparsed)


def test_it_takes_no_argument() -> None:
    """The name stands alone."""
    with pytest.raises(InvalidInputError, match="'flat-mask' alone"):
        open_model("flat-mask:large")
