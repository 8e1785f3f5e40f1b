"""
Looks: colour, shape and content, read from drawn screens.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from surefoot.core.geometry import Box
from surefoot.core.instruction import Colour, Content, Expression, Shape
from surefoot.core.screen import Element, Screen
from surefoot.refer.resolve.looks import colour_of
from surefoot.refer.resolve.resolve import resolve
from surefoot.refer.scene.scene import Scene


def element(id_: str, role: str, box: Box, text: str = "", **more: object) -> Element:
    """Return an element that is whole, hit, and shows its text."""
    lines = (Box(box.left, box.top, box.right, box.top + 10),) if text else ()
    seen = {"visible_fraction": 1.0, "hits": (True,) * 5, "text": text, "text_boxes": lines}
    parts: dict[str, Any] = {**seen, **more}
    return Element(id_, role, box, **parts)


def scene(picture: Image.Image, *elements: Element) -> Scene:
    """Return the scene of a picture."""
    screen = Screen("s", "p", "x", "", *picture.size, 1.0, "web", "en", elements)
    return Scene(screen, np.asarray(picture))


def readings(seen: Scene, expression: Expression) -> tuple[bool, bool]:
    """Tell whether an expression fits the first element strictly, and leniently."""
    first = seen.elements[0]
    return first in resolve(expression, seen), first in resolve(expression, seen, "lenient")


def painted(box: Box, *stripes: str, ground: str = "white") -> Image.Image:
    """Draw a box filled with stripes of equal width."""
    image = Image.new("RGB", (200, 200), ground)
    pen = ImageDraw.Draw(image)
    width = box.width / len(stripes)
    for index, colour in enumerate(stripes):
        left = box.left + index * width
        pen.rectangle((left, box.top, left + width - 1, box.bottom - 1), fill=colour)
    return image


@pytest.mark.parametrize(
    ("stripes", "colour", "expected"),
    [
        (["blue"], "blue", (True, True)),
        (["blue"], "red", (False, False)),
        (["blue"] * 6 + ["#009688"] * 4, "blue", (True, True)),
        (["blue"] * 5 + ["#009688"] * 5, "blue", (False, True)),
        (["blue"] * 7 + ["red"] * 3, "blue", (False, True)),
        (["blue"] * 8 + ["red"] * 2, "blue", (True, True)),
        (["blue"] * 8 + ["red"] * 2, "red", (False, True)),
        (["blue"] * 9 + ["red"], "red", (False, False)),
        (["white"], "white", (False, True)),
        (["white"], "blue", (False, False)),
    ],
)
def test_a_colour_wins_clearly_or_is_only_possible(
    stripes: list[str], colour: Colour, expected: tuple[bool, bool]
) -> None:
    """Six in ten with no rival above two in ten is strict; 15 in 100 is lenient."""
    box = Box(20, 20, 120, 40)
    seen = scene(painted(box, *stripes), element("a", "button", box, "Go"))
    assert readings(seen, Expression(colour=colour)) == expected
    assert (colour_of(seen, 0) == colour) is expected[0]


def test_a_thin_border_colours_a_button_and_no_field() -> None:
    """A field's figure must fill half of its box, another's a fiftieth."""
    image = Image.new("RGB", (200, 200), "white")
    ImageDraw.Draw(image).rectangle((20, 20, 119, 59), outline="blue", width=1)
    box = Box(20, 20, 120, 60)
    for role, expected in (("button", "blue"), ("textbox", ""), ("combobox", "")):
        assert colour_of(scene(image, element("a", role, box)), 0) == expected
    assert readings(scene(image, element("a", "textbox", box)), Expression(colour="blue"))[1]


@pytest.mark.parametrize(
    ("width", "height", "shape", "expected"),
    [
        (40, 40, "square", (True, True)),
        (46, 40, "square", (True, True)),
        (47, 40, "square", (False, True)),
        (34, 40, "square", (False, True)),
        (61, 40, "square", (False, False)),
        (60, 20, "wide", (True, True)),
        (59, 20, "wide", (False, True)),
        (39, 20, "wide", (False, False)),
        (20, 60, "tall", (True, True)),
        (20, 40, "tall", (False, True)),
        (60, 20, "tall", (False, False)),
    ],
)
def test_shapes_have_the_documented_bounds(
    width: int, height: int, shape: Shape, expected: tuple[bool, bool]
) -> None:
    """The ratios of a square, a wide and a tall box are exact."""
    box = Box.from_xywh(20, 20, width, height)
    seen = scene(painted(box, "black"), element("a", "button", box, "Go"))
    assert readings(seen, Expression(shape=shape)) == expected


def test_a_shape_is_that_of_what_is_drawn() -> None:
    """A square box with a small mark in it does not look like a square."""
    seen = scene(
        painted(Box(30, 30, 40, 40), "black"), element("a", "button", Box(20, 20, 60, 60))
    )
    assert readings(seen, Expression(shape="square")) == (False, True)


@pytest.mark.parametrize(
    ("role", "side", "text", "inner", "content", "expected"),
    [
        ("button", 40, "", "", "icon", (True, True)),
        ("button", 97, "", "", "icon", (False, True)),
        ("button", 129, "", "", "icon", (False, False)),
        ("checkbox", 40, "", "", "icon", (False, False)),
        ("button", 40, "3+", "", "icon", (False, True)),
        ("button", 40, "Save", "", "icon", (False, False)),
        ("link", 40, "", "Home", "icon", (False, True)),
        ("button", 40, "Save", "", "text", (True, True)),
        ("button", 40, "", "Home", "text", (False, True)),
        ("button", 40, "+", "", "text", (False, False)),
    ],
)
def test_icons_and_words_are_told_apart(
    role: str, side: int, text: str, inner: str, content: Content, expected: tuple[bool, bool]
) -> None:
    """Role, size, own words and words inside decide, each within its bound."""
    box = Box.from_xywh(20, 20, side, side)
    child = element("b", "text", Box(25, 25, 40, 35), inner, parent="a")
    seen = scene(painted(box, "black"), element("a", role, box, text), *([child] if inner else []))
    assert readings(seen, Expression(content=content)) == expected


def test_a_picture_inside_makes_words_less_than_text() -> None:
    """A button of words with an image in it is "text" leniently only."""
    box = Box(20, 20, 120, 40)
    picture = element("b", "img", Box(22, 22, 38, 38), parent="a")
    seen = scene(painted(box, "black"), element("a", "button", box, "Go"), picture)
    assert readings(seen, Expression(content="text")) == (False, True)


def test_an_icon_must_be_drawn() -> None:
    """An empty button without a figure is an icon leniently only."""
    seen = scene(Image.new("RGB", (99, 99)), element("a", "button", Box(20, 20, 60, 60)))
    assert readings(seen, Expression(content="icon")) == (False, True)


@pytest.mark.parametrize(
    "expression",
    [Expression(colour="blue"), Expression(shape="square"), Expression(content="icon")],
)
def test_without_pixels_nothing_looks_like_anything(expression: Expression) -> None:
    """No look fits a screen whose picture is not at hand."""
    elements = (element("a", "button", Box(20, 20, 60, 60)),)
    seen = Scene(Screen("s", "p", "x", "", 99, 99, 1.0, "web", "en", elements))
    assert readings(seen, expression) == (False, False)
    assert colour_of(seen, 0) == ""
