"""
Elements from pixels: on drawn screens whose parts are known, and on parts made by hand.
"""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from surefoot.capture.detector import BarePicture, DetectedThing
from surefoot.capture.detectors.pixels import Frame, classify, find_in_pixels, shows_more
from surefoot.capture.detectors.pixels.frames import find_frames
from surefoot.core.errors import UnknownNameError
from surefoot.core.geometry import Box

FIELD, BUTTON, CHECK = Box(150, 40, 420, 76), Box(150, 160, 270, 200), Box(150, 108, 168, 126)


ICONS = tuple(Box.from_xywh(left, 21, 18, 18) for left in (40, 76, 112))


def drawn() -> BarePicture:
    """Draw a form: a label and its field, a check box with words, a button, four table cells."""
    image = Image.new("RGB", (640, 320), "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(16)
    for box in (FIELD, CHECK):
        sides = (box.left, box.top, box.right - 1, box.bottom - 1)
        pen.rectangle(sides, fill="white", outline="#777777")
    pen.rectangle((BUTTON.left, BUTTON.top, BUTTON.right - 1, BUTTON.bottom - 1), fill="#1a5fb4")
    pen.text((186, 170), "Submit", fill="white", font=font)
    pen.text((40, 48), "Surname", fill="#111111", font=font)
    pen.text((180, 108), "Remember", fill="#111111", font=font)
    cells = ((40, 240, "Lantern"), (160, 240, "Anchor"), (40, 276, "Compass"), (160, 276, "Rope"))
    for left, top, words in cells:
        pen.rectangle((left, top, left + 120, top + 36), outline="#777777")
        pen.text((left + 20, top + 8), words, fill="#111111", font=font)
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
    assert words == ["Anchor", "Compass", "Lantern", "Remember", "Rope", "Surname"]


def toolbar() -> BarePicture:
    """Draw three icons of strokes in a toolbar's border, words, and two buttons side by side."""
    image = Image.new("RGB", (640, 160), "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(16)
    pen.rectangle((20, 10, 400, 50), outline="#bbbbbb")
    for box in ICONS:
        left, top = int(box.left), int(box.top)
        pen.ellipse((left, top, left + 17, top + 17), outline="#333333", width=2)
        pen.line((left + 5, top + 9, left + 12, top + 9), fill="#333333", width=2)
    pen.text((440, 20), "Untitled", fill="#111111", font=font)
    for left, words in ((40, "Accept"), (130, "Refuse")):
        pen.rectangle((left, 90, left + 86, 120), fill="#eeeeee", outline="#777777")
        pen.text((left + 18, 95), words, fill="#111111", font=font)
    file = io.BytesIO()
    image.save(file, "PNG")
    return BarePicture("toolbar", file.getvalue())


def test_icons_in_a_toolbar_and_words_of_neighbours_are_parted() -> None:
    """Strokes are one icon each, and one line read across two buttons names both apart."""
    found = find_in_pixels(toolbar(), "")
    icons = [item.box for item in found if item.role == "button" and not item.words]
    names = sorted(item.words for item in found if item.role == "button" and item.words)

    assert len(icons) == len(ICONS)
    assert all(icon.intersection(box) == box for icon, box in zip(icons, ICONS, strict=True))
    assert names == ["Accept", "Refuse"]


def text(left: float, top: float, words: str) -> DetectedThing:
    """Make a line of words, 8 pixels a letter and 14 high."""
    box = Box(left, top, left + 8 * len(words), top + 14)
    return DetectedThing("text", box, words, (box,))


@pytest.mark.parametrize(
    ("frame", "words", "marks", "role"),
    [
        (Frame(Box(0, 0, 120, 30)), [text(42, 8, "Save")], [], "button"),
        (Frame(Box(0, 0, 120, 20)), [text(42, 3, "Save")], [], "button"),
        (Frame(Box(0, 0, 120, 20), bordered=False), [text(42, 3, "Paid")], [], ""),
        (Frame(Box(0, 0, 300, 30)), [text(8, 8, "Search")], [], "textbox"),
        (Frame(Box(0, 0, 300, 30), plain=False), [text(8, 8, "Saved.")], [], ""),
        (Frame(Box(0, 0, 300, 30), bordered=False), [text(8, 8, "Row")], [], ""),
        (Frame(Box(0, 0, 300, 30)), [text(8, 8, "Red")], [Box(280, 10, 290, 18)], "textbox"),
        (Frame(Box(0, 0, 14, 14)), [text(20, 0, "Yes")], [], ""),
        (Frame(Box(0, 0, 14, 14), empty=True), [text(20, 0, "Yes")], [], "checkbox"),
        (Frame(Box(0, 0, 14, 14), empty=True, round=True), [text(20, 0, "Yes")], [], "radio"),
        (Frame(Box(0, 0, 14, 14), empty=True), [text(300, 0, "Far")], [], ""),
        (Frame(Box(0, 0, 300, 30)), [text(400, 8, "x")], [Box(140, 8, 170, 20)], ""),
        (Frame(Box(0, 0, 300, 200)), [text(8, 8, "A card")], [], ""),
        # a toolbar's words, each beside its icon
        (Frame(Box(0, 0, 250, 36)), [text(30, 11, "New file"), text(150, 11, "Open")], [], ""),
        (Frame(Box(0, 0, 160, 30)), [text(40, 8, "Save"), text(82, 8, "as...")], [], "button"),
        # a folder, a card and a door are not as wide as high
        (Frame(Box(0, 0, 16, 14), empty=True), [text(20, 0, "Desktop")], [], ""),
        (Frame(Box(0, 0, 14, 16), empty=True), [text(20, 0, "Leave")], [], ""),
        (Frame(Box(0, 0, 14, 15), empty=True), [text(20, 0, "Yes")], [], "checkbox"),
        # an avatar
        (Frame(Box(0, 0, 40, 40), bordered=False), [text(90, 60, "Ada")], [Box(12, 14, 28, 26)],
         ""),
    ],
)  # fmt: skip
def test_a_frame_is_what_its_words_and_marks_make_it(
    frame: Frame, words: list[DetectedThing], marks: list[Box], role: str
) -> None:
    """Where the words stand, and what else is drawn, tells what a frame is, or that it is none."""
    found = [item.role for item in classify(words, [frame], marks, []) if item.framed]

    assert found == ([role] if role else [])


def test_what_is_drawn_as_large_as_an_empty_box_is_a_ticked_one() -> None:
    """A full square is a check box beside an empty one in its column, and else nothing is said."""
    full, empty = Frame(Box(0, 30, 14, 44)), Frame(Box(0, 0, 14, 14), empty=True)
    words = [text(20, 0, "Tea"), text(20, 30, "Milk")]
    pieces = [empty.box, full.box]

    both = classify(words, [empty, full], [], pieces)
    alone = classify(words, [full], [], pieces[1:])

    assert [item.box for item in both if item.role == "checkbox"] == pieces
    assert [item.role for item in alone if item.role != "text"] == []


def test_what_is_drawn_beside_words_is_an_icon() -> None:
    """A piece about as high as the words is an icon, and a missed letter and a photo are none."""
    pieces = [Box(0, 0, 14, 14), Box(107, 2, 115, 14), Box(200, 0, 300, 90)]
    found = classify([text(40, 0, "Settings")], [], [], pieces)

    icons = [item.box for item in found if item.role == "button"]
    assert len(icons) == 1
    assert icons[0].iou(pieces[0]) > 0.5


@pytest.mark.parametrize(("count", "kept"), [(2, 0), (3, 3)])
def test_few_pieces_in_a_field_are_unread_words_and_many_a_toolbar(count: int, kept: int) -> None:
    """What is drawn in the middle of a field may be faint words; three icons are a toolbar."""
    pieces = [Box(left, 8, left + 14, 22) for left in range(100, 100 + 30 * count, 30)]
    field = Frame(Box(0, 0, 300, 30))
    found = classify([text(0, 60, "Settings")], [field], pieces, pieces)

    assert [item.role for item in found if item.role != "text"] == ["button"] * kept


def test_the_head_of_a_card_is_no_field() -> None:
    """A frame with a card of its width below it, however high, is part of the card."""
    image = Image.new("RGB", (640, 480), "#eeeeee")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(16)
    pen.rectangle((40, 20, 360, 440), fill="white", outline="#777777")
    pen.line((40, 60, 360, 60), fill="#777777")
    pen.text((50, 30), "Payment", fill="#111111", font=font)
    file = io.BytesIO()
    image.save(file, "PNG")
    found = find_in_pixels(BarePicture("card", file.getvalue()), "")

    assert [(item.role, item.words) for item in found] == [("text", "Payment")]


def test_a_faint_frame_at_the_bottom_of_a_picture_is_found() -> None:
    """A frame whose diagonals leave the picture, and meet no edge before, is found in its box."""
    box = Box(20, 240, 680, 280)
    image = Image.new("RGB", (700, 300), "white")
    ImageDraw.Draw(image).rectangle((20, 240, 679, 279), outline="#f5f5f5")
    found = list(find_frames(np.asarray(image), [box]))

    assert [frame.box for frame in found] == [box]


def test_letters_far_apart_are_icons_that_were_read_as_words() -> None:
    """What was read otherwise the second time, and is spread wide, hides no icon."""
    row = DetectedThing("text", Box(0, 0, 110, 14), "B@O", (Box(0, 0, 110, 14),), sure=False)
    pieces = [Box(left, 0, left + 14, 14) for left in (0, 46, 92)]
    found = classify([row, text(0, 40, "Settings")], [], [], pieces)

    assert [item.role for item in found if item.words != "Settings"] == ["button"] * 3


def test_an_unknown_second_reader_is_refused() -> None:
    """A reader that there is none of is refused by name."""
    with pytest.raises(UnknownNameError, match="second reader"):
        find_in_pixels(drawn(), "rapidoc")


def signs_and_icons() -> BarePicture:
    """Draw signs as large as icons, bare and in small frames, and icons, among lines of words."""
    image = Image.new("RGB", (760, 240), "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(16)
    pen.text((30, 20), "Untitled document", fill="#111111", font=font)
    pen.text((30, 200), "Everything is saved", fill="#111111", font=font)
    for at, sign in enumerate("7$38%A"):
        pen.text((40 + 90 * at, 66), sign, fill="#222222", font=ImageFont.load_default(22))
    for at, sign in enumerate("4&9?"):
        left = 40 + 90 * at
        pen.rectangle((left, 112, left + 33, 145), fill="#eeeeee", outline="#666666")
        pen.text((left + 10, 118), sign, fill="#222222", font=font)
    for left in (440, 640):
        pen.rectangle((left, 112, left + 33, 145), fill="#eeeeee", outline="#666666")
        folder = ((7, 10), (14, 10), (16, 13), (26, 13), (26, 26), (7, 26), (7, 10))
        pen.line([(left + x, 111 + y) for x, y in folder], fill="#222222", width=2)
    file = io.BytesIO()
    image.save(file, "PNG")
    return BarePicture("signs", file.getvalue())


def test_what_can_be_read_is_no_icon() -> None:
    """Of signs and drawings of one size, in frames or bare, only the drawings are buttons."""
    found = find_in_pixels(signs_and_icons(), "")
    unnamed = [item.box.center for item in found if item.role == "button" and not item.words]

    assert [round(center.x / 10) for center in sorted(unnamed, key=lambda at: at.x)] == [46, 66]


@pytest.mark.parametrize(
    ("piece", "kept"),
    [
        (Box(180, 22, 191, 34), 0),
        (Box(190, 22, 202, 34), 0),
        (Box(86, 21, 99, 33), 0),
        (Box(88, 23, 98, 35), 0),
        (Box(184, 16, 206, 38), 0),
        (Box(72, 15, 94, 37), 0),
        (Box(206, 20, 220, 34), 1),
        (Box(70, 20, 84, 34), 1),
        (Box(192, 16, 214, 38), 1),
        (Box(184, 44, 198, 58), 1),
    ],
)
def test_what_goes_on_with_a_line_of_words_is_no_icon(piece: Box, kept: int) -> None:
    """A piece as high as letters, a word's gap from a line, may be a word that was not read."""
    line = text(100, 20, "Settings s")
    found = classify([line], [], [], [piece])

    assert [item.role for item in found if item.role != "text"] == ["button"] * kept


@pytest.mark.parametrize(
    ("ink", "role"),
    [
        (Box(8, 8, 24, 24), "button"),
        (Box(10, 12, 22, 20), "button"),
        (Box(2, 2, 30, 30), ""),
        (Box(4, 4, 16, 16), ""),
        (Box(8, 2, 24, 14), ""),
        (Box(2, 10, 14, 22), ""),
    ],
)
def test_a_small_frame_is_a_button_where_an_icon_stands_in_its_middle(ink: Box, role: str) -> None:
    """A frame around a picture, or with something in a corner, is called nothing."""
    found = classify([text(0, 60, "Settings")], [Frame(Box(0, 0, 32, 32))], [ink], [])

    assert [item.role for item in found if item.framed] == ([role] if role else [])


@pytest.mark.parametrize("role", ["button", "textbox"])
@pytest.mark.parametrize(
    ("drawn", "read", "kept"),
    [
        ("Budget annuel", "annuel", False),
        ("Budget annuel", "Budget", False),
        ("Command Options", "Options", False),
        ("Options (advanced)", "Options", False),
        ("Account closed", "closed", False),
        ("Budget annuel", "Budget annuel", True),
        ("Options", "Options", True),
        ("+ Options", "Options", True),  # a sign, as an icon before words
        ("Options v", "Options", True),  # the arrow of a list
        ("- Options v", "Options", True),
    ],
)
@pytest.mark.parametrize("ground", [(255, 230), (60, 90)])
def test_a_part_of_a_name_names_nothing(
    role: str, drawn: str, read: str, kept: bool, ground: tuple[int, int]
) -> None:
    """A control in which more words are drawn than were read is left out."""
    image = Image.linear_gradient("L").resize((220, 30))
    image = image.point(lambda value: ground[0] + (ground[1] - ground[0]) * value // 255)
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(16)
    colour = 20 if ground[0] > 128 else 240
    pen.rectangle((0, 0, 219, 29), outline=colour)
    pen.text((12, 5), drawn, fill=colour, font=font)
    left = 12 + font.getlength(drawn[: drawn.index(read)])
    line = Box(left, 6, left + font.getlength(read), 24)
    item = DetectedThing(role, Box(0, 0, 220, 30), read, (line,), framed=True)

    assert shows_more(np.asarray(image.convert("RGB")), item, 14.0) != kept
