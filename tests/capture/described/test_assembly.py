"""
Nodes become elements: who is one, what is spelled, what a control says.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from surefoot.capture.described.assembly import DescribedNode, assemble, ink_lines
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box

SAVE = Box(20, 20, 120, 60)
WHOLE = Box(0, 0, 300, 120)


@pytest.fixture
def pixels() -> NDArray[np.uint8]:
    """Draw one word."""
    image = Image.new("RGB", (200, 100), "white")
    ImageDraw.Draw(image).text((30, 26), "Save", fill="black", font=ImageFont.load_default(20))
    return np.asarray(image, dtype=np.uint8)


def node(role: str, box: Box, **told: Any) -> DescribedNode:  # noqa: ANN401 - fields of several types
    """Return a node that is named by its role."""
    return DescribedNode(id=told.pop("id", role or "none"), role=role, box=box, **told)


def test_a_control_says_the_words_in_it(pixels: NDArray[np.uint8]) -> None:
    """A button without words of its own shows those of its text, and its name is spelled."""
    page = [node("button", SAVE, name="SAVE"), node("", SAVE, parent=0, words="Save")]
    (button,) = assemble(page, pixels)

    assert button.text == "Save"
    assert button.name_boxes == button.text_boxes
    assert len(button.name_boxes) == 1
    assert button.hits == (True,) * 5


def test_words_of_a_control_inside_are_its_own(pixels: NDArray[np.uint8]) -> None:
    """A row does not say what the button in it says."""
    page = [
        node("option", Box(0, 0, 200, 100), name="Row"),
        node("button", SAVE, parent=0, name="Save", words="Save"),
    ]
    row, button = assemble(page, pixels)

    assert row.text == ""
    assert row.name_boxes == ()
    assert row.hits == (False, False, True, True, True)
    assert button.parent == "option"


@pytest.mark.parametrize(
    ("name", "cover", "spelled"),
    [("Save", 150.0, True), ("Store", 150.0, False), ("Save", 90.0, False)],
)
def test_names_are_spelled_by_what_is_seen(
    pixels: NDArray[np.uint8], name: str, cover: float, spelled: bool
) -> None:
    """Another word does not spell a name, nor does one that is partly covered."""
    page = [
        node("button", SAVE, name=name, words="Save"),
        node("img", Box(cover, 0, 200, 100)),
    ]
    button, _ = assemble(page, pixels)

    assert bool(button.name_boxes) is spelled
    assert button.visible_fraction == (1.0 if cover > 120 else 0.7)


def test_words_that_are_not_drawn_are_not_shown(pixels: NDArray[np.uint8]) -> None:
    """A text over an empty part of the picture shows nothing."""
    (text,) = assemble([node("text", Box(130, 0, 190, 90), name="Save", words="Save")], pixels)

    assert (text.text, text.text_boxes, text.name_boxes) == ("", (), ())


def test_what_is_told_is_kept(pixels: NDArray[np.uint8]) -> None:
    """Fractions, hits and boxes of words that a description tells are not worked out."""
    told = {
        "visible_fraction": 0.25,
        "hits": (False, True, False, False, False),
        "text_boxes": (SAVE,),
        "name_boxes": (),
    }
    (button,) = assemble([node("button", SAVE, name="Save", words="Save", **told)], pixels)

    assert {field: getattr(button, field) for field in told} == told


def test_the_order_tells_what_lies_on_top(pixels: NDArray[np.uint8]) -> None:
    """What is listed first may be the topmost; parents keep their places."""
    page = [
        node("dialog", SAVE, id="top"),
        node("button", SAVE, parent=0, id="own"),
        node("button", SAVE, id="under"),
    ]
    top, own, under = assemble(page, pixels, [2, 0, 1])

    assert (top.visible_fraction, own.visible_fraction, under.visible_fraction) == (1, 1, 0)
    assert top.hits == ()
    assert own.parent == "top"


def test_what_has_no_role_hands_its_parent_on(pixels: NDArray[np.uint8]) -> None:
    """A node without a role is no element; those in it belong to what it belongs to."""
    page = [node("list", SAVE), node("", SAVE, parent=0), node("link", SAVE, parent=1)]

    assert [(element.role, element.parent) for element in assemble(page, pixels)] == [
        ("list", ""),
        ("link", "list"),
    ]


def test_a_cycle_of_parents_is_refused(pixels: NDArray[np.uint8]) -> None:
    """Two nodes that hold one another are no tree."""
    page = [node("list", SAVE, parent=1), node("link", SAVE, parent=0)]
    with pytest.raises(InvalidInputError, match="cycle"):
        assemble(page, pixels)


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
