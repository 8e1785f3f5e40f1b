"""
What is seen where elements are hidden: blocks, gaps, and words that stay true.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from surefoot.benchmarks.hidden_seen import fits_another, place_is_told, seen
from surefoot.core.drawn.marks import drawn_marks
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Ordinal
from surefoot.core.screen import Element, Screen
from surefoot.refer.judge import Judge
from surefoot.refer.scene.scene import Scene

EMAIL, CONFIRM = Expression(text="Email"), Expression(text="Confirm")
GREY, WHITE, BLUE = 200, 255, (0, 0, 255)


def element(id_: str, role: str, box: Box, text: str = "") -> Element:
    """Return an element that is whole and hit, and says its text."""
    lines = (box,) if text else ()
    return Element(
        id_, role, box, name=text, text=text, name_boxes=lines, text_boxes=lines,
        visible_fraction=1.0, hits=(True,) * 5,
    )  # fmt: skip


FORM = (
    element("one", "text", Box(40, 40, 90, 56), "Email"),
    element("email", "textbox", Box(40, 60, 240, 90)),
    element("two", "text", Box(40, 110, 110, 126), "Confirm"),
    element("confirm", "textbox", Box(40, 130, 240, 160)),
    element("three", "text", Box(40, 180, 100, 196), "Country"),
)


def shown(elements: tuple[Element, ...] = FORM) -> Screen:
    """Return a screen of 400 x 300 pixels."""
    return Screen("s", "p", "x", "", 400, 300, 1.0, "web", "en", elements)


def picture(ground: int = WHITE) -> NDArray[np.uint8]:
    """Return a flat picture."""
    return np.full((300, 400, 3), ground, np.uint8)


def masked(ground: int, colour: int | tuple[int, int, int], *boxes: Box) -> NDArray[np.uint8]:
    """Return a picture with boxes painted over."""
    pixels = picture(ground)
    for box in boxes:
        left, top, right, bottom = (round(side) for side in box.as_tuple())
        pixels[top:bottom, left:right] = colour
    return pixels


@pytest.mark.parametrize(
    ("ground", "colour", "marked"),
    [(GREY, WHITE, True), (WHITE, WHITE, False), (WHITE, BLUE, True), (GREY, GREY, False)],
)
def test_a_mask_is_a_block_where_it_can_be_told_from_its_ground(
    ground: int,
    colour: int | tuple[int, int, int],
    marked: bool,
) -> None:
    """A white mask is a block on grey and nothing on white; a block has no words of its own."""
    target = FORM[3]
    pixels = masked(ground, colour, target.box)
    found = seen(shown(), pixels, target, [target, FORM[1]], masked=True)
    block = found.screen.element("confirm")

    assert found.marked is marked
    assert (block is not None) is marked
    assert found.screen.element("email") is None
    if block is not None:
        assert (block.role, block.name, block.text) == ("textbox", "", "")


def test_what_an_element_holds_is_hidden_with_it() -> None:
    """An icon in a hidden button is gone, too."""
    button = element("b", "button", Box(10, 10, 60, 40))
    icon = Element("i", "img", Box(20, 15, 40, 35), parent="b", visible_fraction=1.0)
    found = seen(shown((button, icon)), picture(), button, [button], masked=False)
    assert found.screen.elements == ()


def test_the_nearest_is_another_once_the_target_is_gone() -> None:
    """The field nearest to a label is the one above it, where nothing shows the gap."""
    nearest = Expression(role="control", relation="nearest", landmark=CONFIRM)
    below = Expression(role="control", direction="below", landmark=CONFIRM)
    target = FORM[3]
    gone = seen(shown(), picture(), target, [target], masked=False)
    block = seen(shown(), masked(WHITE, BLUE, target.box), target, [target], masked=True)
    for expression, another in ((nearest, True), (below, False)):
        scene = Scene(gone.screen)
        assert fits_another(scene, expression, "confirm") is another
        assert not fits_another(Scene(block.screen), expression, "confirm")
    assert not fits_another(Scene(shown()), nearest, "confirm")


def test_a_place_is_told_by_what_is_next_to_it() -> None:
    """Right below its label or in the middle between two, and nothing drawn before it."""
    scene = Scene(shown())
    between = Expression(
        role="control", relation="between", landmark=CONFIRM, second=Expression(text="Country")
    )
    below = Expression(role="control", direction="below", landmark=CONFIRM)
    far = Expression(role="control", direction="below", landmark=EMAIL)
    label = Expression(role="textbox", label="Confirm")
    only = Expression(role="control", container=Expression(role="form", name="Sign up"))
    nothing = drawn_marks(picture())
    for expression in (between, below, label):
        assert place_is_told(scene, nothing, expression, "confirm")
    for expression in (far, only):
        assert not place_is_told(scene, nothing, expression, "confirm")
    pixels = masked(WHITE, 0, Box(45, 163, 80, 177))
    assert not place_is_told(scene, drawn_marks(pixels), between, "confirm")
    assert place_is_told(scene, drawn_marks(pixels), below, "confirm")


SPOTS = st.tuples(st.integers(0, 4), st.integers(0, 5), st.sampled_from("tbf"), st.integers(0, 2))


@given(
    st.lists(SPOTS, min_size=2, max_size=10, unique_by=lambda spot: spot[:2]), st.integers(0, 9),
    st.booleans(),
)  # fmt: skip
def test_both_resolvers_agree_on_what_is_left(
    spots: list[tuple[int, int, str, int]],
    which: int,
    block: bool,
) -> None:
    """Whatever is hidden, the judge finds another thing meant where the resolver does."""
    roles = {"t": "text", "b": "button", "f": "textbox"}
    names = ("Total", "Save", "Name")
    elements = tuple(
        element(f"e{at}", roles[kind], Box(x * 75 + 5, y * 48 + 4, x * 75 + 55, y * 48 + 24),
                names[name] if kind != "f" else "")
        for at, (x, y, kind, name) in enumerate(spots)
    )  # fmt: skip
    target = elements[which % len(elements)]
    pixels = masked(WHITE, BLUE, target.box) if block else picture()
    left = seen(shown(elements), pixels, target, [target], masked=block).screen
    judge = Judge(left)
    total, name = Expression(text="Total"), Expression(text="Name")
    for expression in (
        Expression(role="control", direction="below", landmark=total),
        Expression(role="control", direction="right of", landmark=name),
        Expression(role="control", relation="nearest", landmark=total),
        Expression(role="control", relation="between", landmark=total, second=name),
        Expression(role="control", ordinal=Ordinal(2, "row")),
        Expression(role="textbox", label="Name"),
    ):
        scene = Scene(left)
        others = judge.others(expression, target.id)
        place = scene.place.get(target.id)
        false = place is not None and not expression.label and (
            place not in judge.fits(expression, "strict")
        )  # fmt: skip
        assert fits_another(scene, expression, target.id) == (bool(others) or false)
