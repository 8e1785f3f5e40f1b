"""
On elements that were found, and not recorded, less is said: each doubt has a screen of its own.
"""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Ordinal, Region
from surefoot.core.screen import HIT_POINTS, Element, Screen
from surefoot.refer.resolve.detected import proves_less
from surefoot.refer.scene.scene import Scene

FRAME = {"background": "drawn"}


def found(
    name: str, role: str, left: float, top: float, words: str = "", *, framed: bool = True
) -> Element:
    """Make an element of 80 x 24 pixels as a detector would."""
    box = Box(left, top, left + 80, top + 24)
    lines = (Box(left + 8, top + 5, left + 8 + 7 * len(words), top + 19),) if words else ()
    return Element(
        name, role, box, name=words, name_boxes=lines, text=words, text_boxes=lines,
        visible_fraction=1.0, hits=(True,) * HIT_POINTS, attributes=FRAME if framed else {},
    )  # fmt: skip


def scene(*elements: Element, drawn: tuple[Box, ...] = ()) -> Scene:
    """Make a screen of 640 x 400 pixels on which the elements, and more, are drawn."""
    pixels = np.full((400, 640, 3), 255, np.uint8)
    for box in (*(item.box for item in elements if item.role != "text"), *drawn):
        pixels[int(box.top) : int(box.bottom), int(box.left) : int(box.right)] = 90
    shown = Screen("s", "p", "x", "", 640, 400, 1.0, "", "en", elements, guessed_by="pixels@1")
    return Scene(shown, pixels)


SAVE = found("save", "button", 40, 40, "Save")
FIELD = found("field", "textbox", 140, 100)
LABEL = found("label", "text", 40, 100, "Email", framed=False)
RIGHT = Expression(role="textbox", direction="right of", landmark=Expression(text="Email"))


@pytest.mark.parametrize(
    ("expression", "target"),
    [(Expression(role="button", name="Save"), 0), (RIGHT, 1)],
)
def test_what_holds_whatever_a_thing_is_is_said(expression: Expression, target: int) -> None:
    """A name read once, and a direction in which nothing else lies, are trusted."""
    assert proves_less(scene(SAVE, FIELD, LABEL), expression, target) is None


@pytest.mark.parametrize(
    "expression",
    [
        Expression(role="button", ordinal=Ordinal(1, "row")),
        Expression(role="button", size="largest"),
    ],
)
def test_rows_and_extremes_are_never_trusted(expression: Expression) -> None:
    """What was missed would shift a count or a comparison, so neither is said."""
    rejection = proves_less(scene(SAVE, FIELD), expression, 0)

    assert rejection is not None
    assert rejection.reason == "gaps"


@pytest.mark.parametrize("state", ["empty", "checked"])
def test_states_are_not_to_be_seen(state: str) -> None:
    """A detector sees no state, so none is said."""
    expression = msgspec.convert({"role": "textbox", "state": state}, Expression)
    rejection = proves_less(scene(FIELD), expression, 0)

    assert rejection is not None
    assert rejection.reason == "not-to-be-seen"


@pytest.mark.parametrize("rival", ["Save", "Savo", "Save all changes"])
def test_a_name_that_is_read_alike_elsewhere_is_doubted(rival: str) -> None:
    """Words that one letter, or a beginning, tells apart may be the same words to a reader."""
    shown = scene(SAVE, found("rival", "text", 40, 200, rival, framed=False))
    rejection = proves_less(shown, Expression(role="button", name="Save"), 0)

    assert rejection is not None
    assert rejection.reason == "ambiguous-lenient"


def test_a_guessed_role_tells_nothing_apart() -> None:
    """A text box is not told from a button that stands as near by its role alone."""
    button = found("rival", "button", 140, 126)
    rejection = proves_less(scene(button, FIELD, LABEL), RIGHT, 1)

    assert rejection is not None
    assert rejection.reason == "ambiguous-lenient"


def test_what_is_drawn_in_between_comes_first() -> None:
    """Whatever is drawn between words and a target, found or not, makes it no direct neighbour."""
    far = msgspec.structs.replace(FIELD, box=Box(145, 100, 225, 124))
    missed = Box(105, 102, 125, 120)

    assert proves_less(scene(far, LABEL), RIGHT, 0) is None
    rejection = proves_less(scene(far, LABEL, drawn=(missed,)), RIGHT, 0)
    assert rejection is not None
    assert rejection.reason == "too-far"


@pytest.mark.parametrize(
    "expression",
    [
        Expression(role="textbox", region=Region("left")),
        Expression(role="textbox", relation="nearest", landmark=Expression(text="Email")),
    ],
)
def test_what_was_missed_may_be_what_is_meant(expression: Expression) -> None:
    """A place alone, and nearness, are not trusted: what was missed may lie there, or nearer."""
    assert proves_less(scene(FIELD, LABEL), expression, 0) is not None


def test_words_alone_are_called_no_button() -> None:
    """Without a frame of its own a nameless thing is no button to those who look."""
    bare = found("bare", "button", 140, 100, framed=False)
    expression = Expression(role="button", direction="right of", landmark=Expression(text="Email"))
    rejection = proves_less(scene(bare, LABEL), expression, 0)

    assert rejection is not None
    assert rejection.reason == "not-like-its-word"
