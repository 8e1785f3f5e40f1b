"""
Colour, shape and content on drawn pictures.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression
from surefoot.core.screen import Element, Screen
from surefoot.refer.judge import Judge
from surefoot.refer.judge.looking import Names, basic_term, lab

BUTTON = (40.0, 40.0, 80.0, 80.0)


def readings(
    said: Expression,
    *shapes: tuple[str, tuple[int, int, int, int]],
    box: tuple[float, float, float, float] = BUTTON,
    role: str = "button",
    text: str = "",
) -> tuple[bool, bool]:
    """Draw shapes on white and tell whether an expression fits the box under each reading."""
    image = Image.new("RGB", (320, 200), "#ffffff")
    pen = ImageDraw.Draw(image)
    for colour, (left, top, right, bottom) in shapes:
        pen.rectangle((left, top, right - 1, bottom - 1), fill=colour)
    one = Element("a", role, Box(*box), text=text, visible_fraction=1.0, hits=(True,) * 5)
    screen = Screen("s", "p", "x", "", 320, 200, 1.0, "web", "en", (one,))
    judge = Judge(screen, np.asarray(image))
    return bool(judge.fits(said, "strict")), bool(judge.fits(said, "lenient"))


FULL = (40, 40, 80, 80)


@pytest.mark.parametrize(
    ("colour", "shapes", "expected"),
    [
        ("blue", [("#0343df", FULL)], (True, True)),
        ("red", [("#0343df", FULL)], (False, False)),
        ("blue", [("#0343df", (40, 40, 80, 65)), ("#e50000", (40, 65, 80, 80))], (False, True)),
        ("blue", [("#0343df", (40, 40, 80, 72)), ("#e50000", (40, 72, 80, 80))], (True, True)),
        ("red", [("#0343df", (40, 40, 80, 72)), ("#e50000", (40, 72, 80, 80))], (False, True)),
        ("red", [("#0343df", (40, 40, 80, 76)), ("#e50000", (40, 76, 80, 80))], (False, False)),
        ("blue", [("#0343df", (40, 40, 45, 45))], (False, True)),
        ("blue", [("#0343df", (40, 40, 48, 44))], (True, True)),
        ("green", [("#029386", FULL)], (False, True)),
        ("white", [], (False, True)),
        ("white", [("#222222", (30, 30, 90, 90)), ("#ffffff", FULL)], (True, True)),
    ],
)
def test_colours(
    colour: str, shapes: list[tuple[str, tuple[int, int, int, int]]], expected: tuple[bool, bool]
) -> None:
    """Most of the figure has the colour strictly; some of it, or none clear, leniently."""
    assert readings(Expression(colour=colour), *shapes) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("shape", "box", "expected"),
    [
        ("square", (40, 40, 80, 80), (True, True)),
        ("square", (40, 40, 90, 80), (False, True)),
        ("square", (40, 40, 110, 80), (False, False)),
        ("wide", (40, 40, 160, 80), (True, True)),
        ("wide", (40, 40, 130, 80), (False, True)),
        ("wide", (40, 40, 110, 80), (False, False)),
        ("tall", (40, 40, 60, 100), (True, True)),
        ("tall", (40, 40, 60, 85), (False, True)),
    ],
)
def test_shapes(shape: str, box: tuple[int, int, int, int], expected: tuple[bool, bool]) -> None:
    """A figure that fills its box has the box's shape."""
    said = Expression(shape=shape)  # type: ignore[arg-type]
    assert readings(said, ("#0343df", box), box=box) == expected


def test_a_shape_needs_a_figure_that_spans_the_box() -> None:
    """A small mark in a square box makes no square, strictly."""
    said = Expression(shape="square")
    assert readings(said, ("#0343df", (40, 40, 71, 72))) == (False, True)
    assert readings(said, ("#0343df", (40, 40, 72, 72))) == (True, True)


def test_what_reaches_out_of_the_image_has_the_shape_of_what_is_in_it() -> None:
    """A square box that is cut by the image's edge is no square."""
    said = Expression(shape="square")
    box = (40, 160, 120, 240)
    assert readings(said, ("#0343df", box), box=box) == (False, False)


@pytest.mark.parametrize(
    ("content", "role", "text", "size", "expected"),
    [
        ("icon", "button", "", 40, (True, True)),
        ("icon", "button", "Ok", 40, (False, True)),
        ("icon", "button", "Yes", 40, (False, False)),
        ("icon", "textbox", "", 40, (False, False)),
        ("icon", "link", "", 110, (False, True)),
        ("icon", "link", "", 140, (False, False)),
        ("text", "button", "Yes", 40, (True, True)),
        ("text", "button", "\u00d7", 40, (False, False)),
        ("text", "button", "", 40, (False, False)),
    ],
)
def test_contents(
    content: str, role: str, text: str, size: int, expected: tuple[bool, bool]
) -> None:
    """An icon is a small control without words; a text is one with words."""
    box = (40, 40, 40 + size, 40 + size)
    said = Expression(content=content)  # type: ignore[arg-type]
    assert readings(said, ("#0343df", (44, 44, 60, 60)), box=box, role=role, text=text) == expected


def test_an_icon_without_a_figure_is_none() -> None:
    """Where nothing is drawn there is no icon, strictly."""
    assert readings(Expression(content="icon")) == (False, True)


def test_a_field_needs_a_figure_of_half_its_box() -> None:
    """The frame of a blue-rimmed field does not make the field blue."""
    half, less = ("#0343df", (40, 40, 80, 60)), ("#0343df", (40, 40, 80, 59))
    assert readings(Expression(colour="blue"), half, role="textbox")[0]
    assert not readings(Expression(colour="blue"), less, role="textbox")[0]


def test_boxes_at_the_edge_and_outside_are_looked_at_without_failing() -> None:
    """A box that fills the image, or lies outside of it, has no ground and no figure."""
    for box in ((0, 0, 320, 200), (400, 300, 440, 340), (-90, -90, -10, -10), (50, 50, 50, 50)):
        for said in (Expression(colour="blue"), Expression(shape="square")):
            assert not readings(said, box=box)[0]


@pytest.mark.parametrize(
    ("colour", "name"),
    [
        ((255, 0, 0), "red"),
        ((250, 250, 250), "white"),
        ((128, 128, 128), "grey"),
        ((10, 10, 10), "black"),
        ((60, 60, 60), "unclear"),
        ((255, 165, 0), "orange"),
        ((0, 128, 128), "unclear"),
        ((101, 55, 0), "brown"),
    ],
)
def test_names_of_chosen_colours(colour: tuple[int, int, int], name: str) -> None:
    """Plain colours have their names, and those between two have none."""
    if colour == (60, 60, 60):
        name = "unclear" if lab(np.array([colour], dtype=np.uint8))[0][0] < 30 else "grey"
    assert Names().of([colour]) == [name]


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_lightness_is_that_of_the_relative_luminance(colour: tuple[int, int, int]) -> None:
    """L* follows the CIE formula of luminance, worked out in plain Python."""
    linear = [
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
        for share in (place / 255 for place in colour)
    ]
    luminance = 0.2126729 * linear[0] + 0.7151522 * linear[1] + 0.0721750 * linear[2]
    expected = 116 * luminance ** (1 / 3) - 16
    if luminance <= 216 / 24389:
        expected = luminance * 24389 / 27
    assert abs(lab(np.array([colour], dtype=np.uint8))[0][0] - expected) < 1e-4


def test_two_words_of_colour_pull_each_other_over() -> None:
    """Only the last word names, and another hue before it makes the name unclear."""
    names = ("light blue", "purplish pink", "yellowish orange", "blue/green", "bluegrey", "beige")
    terms = ["blue", "unclear", "orange", "unclear", "unclear", "unclear"]
    assert [basic_term(name) for name in names] == terms
