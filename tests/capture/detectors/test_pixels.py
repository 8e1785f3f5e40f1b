"""
Elements from pixels: on drawn screens whose parts are known, and on parts made by hand.
"""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageDraw, ImageFont

from surefoot.capture.detector import BarePicture, DetectedThing
from surefoot.capture.detectors.pixels import Frame, classify, find_in_pixels
from surefoot.core.errors import UnknownNameError
from surefoot.core.geometry import Box

FIELD, BUTTON, CHECK = Box(150, 40, 420, 76), Box(150, 160, 270, 200), Box(150, 108, 168, 126)


def drawn() -> BarePicture:
    """Draw a form: a label and its field, a check box with words, a button, two table cells."""
    image = Image.new("RGB", (640, 320), "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(16)
    for box in (FIELD, CHECK):
        sides = (box.left, box.top, box.right - 1, box.bottom - 1)
        pen.rectangle(sides, fill="white", outline="#777777")
    pen.rectangle((BUTTON.left, BUTTON.top, BUTTON.right - 1, BUTTON.bottom - 1), fill="#1a5fb4")
    pen.text((186, 170), "Submit", fill="white", font=font)
    pen.text((40, 48), "Surname", fill="#111111", font=font)
    pen.text((180, 108), "Remember", fill="#111111", font=font)
    for left, words in ((40, "Lantern"), (160, "Anchor")):
        pen.rectangle((left, 240, left + 120, 276), outline="#777777")
        pen.text((left + 20, 248), words, fill="#111111", font=font)
    file = io.BytesIO()
    image.save(file, "PNG")
    return BarePicture("form", file.getvalue())


def test_a_drawn_form_is_found_as_what_it_looks_like() -> None:
    """A field, a check box and a button are found in their boxes, words once, and no cells."""
    found = find_in_pixels(drawn(), "")
    controls = {item.role: item for item in found if item.role != "text"}

    assert set(controls) == {"textbox", "checkbox", "button"}
    assert controls["textbox"].box.iou(FIELD) > 0.9
    assert controls["checkbox"].box.iou(CHECK) > 0.8
    assert controls["button"].box.iou(BUTTON) > 0.9
    assert (controls["button"].words, controls["button"].sure) == ("Submit", True)
    words = sorted(item.words for item in found if item.role == "text")
    assert words == ["Anchor", "Lantern", "Remember", "Surname"]


def text(left: float, top: float, words: str) -> DetectedThing:
    """Make a line of words, 8 pixels a letter and 14 high."""
    box = Box(left, top, left + 8 * len(words), top + 14)
    return DetectedThing("text", box, words, (box,))


@pytest.mark.parametrize(
    ("frame", "words", "marks", "role"),
    [
        (Frame(Box(0, 0, 120, 30)), [text(42, 8, "Save")], [], "button"),
        (Frame(Box(0, 0, 300, 30)), [text(8, 8, "Search")], [], "textbox"),
        (Frame(Box(0, 0, 300, 30), plain=False), [text(8, 8, "Saved.")], [], ""),
        (Frame(Box(0, 0, 300, 30)), [text(8, 8, "Red")], [Box(280, 10, 290, 18)], "textbox"),
        (Frame(Box(0, 0, 14, 14)), [text(40, 0, "Yes")], [], "img"),
        (Frame(Box(0, 0, 14, 14), empty=True), [text(40, 0, "Yes")], [], "checkbox"),
        (Frame(Box(0, 0, 14, 14), empty=True, round=True), [text(40, 0, "Yes")], [], "radio"),
        (Frame(Box(0, 0, 300, 30)), [text(400, 8, "x")], [Box(140, 8, 170, 20)], ""),
        (Frame(Box(0, 0, 300, 200)), [text(8, 8, "A card")], [], ""),
    ],
)  # fmt: skip
def test_a_frame_is_what_its_words_and_marks_make_it(
    frame: Frame, words: list[DetectedThing], marks: list[Box], role: str
) -> None:
    """Where the words stand, and what else is drawn, tells what a frame is, or that it is none."""
    found = [item.role for item in classify(words, [frame], marks) if item.framed]

    assert found == ([role] if role else [])


def test_what_is_drawn_beside_words_is_an_icon() -> None:
    """A mark about as high as the words is an icon; a letter among words and a photo are none."""
    marks = [Box(0, 0, 14, 14), Box(24, 2, 32, 14), Box(200, 0, 300, 90)]
    found = classify([text(20, 0, "Settings")], [], marks)

    icons = [item.box for item in found if item.role == "button"]
    assert icons == [marks[0]]


def test_an_unknown_second_reader_is_refused() -> None:
    """A reader that there is none of is refused by name."""
    with pytest.raises(UnknownNameError, match="second reader"):
        find_in_pixels(drawn(), "rapidoc")
