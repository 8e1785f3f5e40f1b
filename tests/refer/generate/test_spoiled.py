"""
What a variant has made unreadable of a target is seen in the pixels of both pictures.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.refer.generate.spoiled import spoiled
from surefoot.refer.scene.scene import Scene

INK, PALE, GROUND, ACCENT = (20, 20, 20), (225, 225, 225), (255, 255, 255), (60, 120, 220)
BOX: Final = Box(20, 20, 60, 50)
OTHER: Final = Box(70, 20, 110, 50)
Colour = tuple[int, int, int]
Drawn = list[tuple[Box, Colour]]


def scene(drawn: Drawn, *elements: Element) -> Scene:
    """Return a scene of a white picture with filled boxes, the first ones undermost."""
    pixels: Any = np.full((100, 200, 3), 255, np.uint8)
    for box, colour in drawn:
        left, top, right, bottom = (round(side) for side in box.as_tuple())
        pixels[top:bottom, left:right] = colour
    return Scene(Screen("s", "p", "x", "", 200, 100, 1.0, "web", "en", elements), pixels)


def element(id_: str, box: Box, role: str, **more: object) -> Element:
    """Return an element that is whole and hit."""
    seen: dict[str, Any] = {"visible_fraction": 1.0, "hits": (True,) * 5, **more}
    return Element(id_, role, box, **seen)


def icon(colour: Colour) -> Drawn:
    """Return a mark in the middle of a box."""
    return [(Box(34, 28, 46, 42), colour)]


def letters(colour: Colour) -> Drawn:
    """Return strokes as letters have them."""
    return [(Box(24 + 6 * at, 30, 26 + 6 * at, 42), colour) for at in range(6)]


LINE: Final = (Box(24, 28, 58, 44),)
BUTTON: Final = element("t", BOX, "button", name="Home")
WORDS: Final = element(
    "t", BOX, "button", name="Save", text="Save", text_boxes=LINE, name_boxes=LINE, font_px=14.0
)
TICKED: Final = element("t", BOX, "checkbox", states=("checked",))
CUT: Final = element("t", BOX, "button", name="Save", text="Save", text_boxes=LINE, font_px=14.0)
FRAME: Final = [(BOX, INK), (Box(22, 22, 58, 48), GROUND)]

CASES: Final = {
    "icon kept": (icon(INK), icon(ACCENT), BUTTON, BUTTON, ""),
    "icon faded": (icon(INK), icon(PALE), BUTTON, BUTTON, "mark-spoiled"),
    "icon gone": (icon(INK), [], BUTTON, BUTTON, "mark-spoiled"),
    "icon in a frame": (FRAME + icon(INK), FRAME + icon(PALE), BUTTON, BUTTON, "mark-spoiled"),
    "icon on another ground": (icon(INK), [(BOX, INK), *icon(PALE)], BUTTON, BUTTON, ""),
    "icon that was faint": (icon((200, 200, 200)), icon((200, 200, 200)), BUTTON, BUTTON, ""),
    "icon that was faint, fainter": (icon((170, 170, 170)), icon(PALE), BUTTON, BUTTON,
                                     "mark-spoiled"),
    "words kept": (letters(INK), letters(ACCENT), WORDS, WORDS, ""),
    "words faded": (letters(INK), letters(PALE), WORDS, WORDS, "words-spoiled"),
    "words cut": (letters(INK), letters(INK), WORDS, CUT, "words-spoiled"),
    "words that were faint": (letters(PALE), letters(PALE), WORDS, WORDS, ""),
    "tick faded": (FRAME + icon(INK), FRAME + icon(PALE), TICKED, TICKED, "mark-spoiled"),
    "tick kept": (FRAME + icon(INK), FRAME + icon(INK), TICKED, TICKED, ""),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_has_lost_its_mark_or_its_words_is_named(case: str) -> None:
    """A target is spoiled where what could be seen before can be no longer."""
    before, after, first, then, reason = CASES[case]
    found = spoiled(scene(before, first), scene(after, then), "t")

    assert (found.reason if found else "") == reason


def test_what_is_moved_out_of_the_picture_is_not_spoiled() -> None:
    """A target that the variant has pushed below the picture's end is another matter."""
    gone = element("t", Box(20, 120, 60, 150), "button", visible_fraction=0.0, hits=(False,) * 5)
    cut = element("t", Box(20, 90, 60, 120), "button", visible_fraction=0.33)
    before = scene(icon(INK), BUTTON)

    assert spoiled(before, scene([], gone), "t") is None
    assert spoiled(before, scene([], cut), "t") is None


WIDE: Final = Box(20, 20, 120, 50)
MARKS: Final = {
    "left": (Box(26, 28, 40, 42), (Box(56, 28, 90, 44),)),
    "right": (Box(100, 28, 114, 42), (Box(36, 28, 70, 44),)),
    "above": (Box(60, 24, 72, 34), (Box(49, 36, 83, 46),)),
    "below": (Box(60, 37, 72, 47), (Box(49, 22, 83, 34),)),
}


def captioned(side: str, picture: Colour | None, ground: Colour = GROUND) -> Scene:
    """Return a scene of a button that has readable words, and a picture on one side of them."""
    mark, lines = MARKS[side]
    left, top = lines[0].left, lines[0].top
    ink = INK if ground == GROUND else GROUND
    strokes = [(Box(left + 6 * at, top + 1, left + 2 + 6 * at, top + 9), ink) for at in range(6)]
    said: dict[str, Any] = {"name": "Save", "text": "Save", "text_boxes": lines}
    button = element("t", WIDE, "button", name_boxes=lines, font_px=14.0, **said)
    return scene([(WIDE, ground), *strokes, *([(mark, picture)] if picture else [])], button)


@pytest.mark.parametrize("side", MARKS)
@pytest.mark.parametrize(
    ("ground", "picture", "reason"),
    [
        (GROUND, INK, ""),
        (GROUND, ACCENT, ""),
        (GROUND, PALE, "mark-spoiled"),
        (GROUND, None, "mark-spoiled"),
        (INK, GROUND, ""),
        (INK, (40, 40, 40), "mark-spoiled"),
    ],
)
def test_a_picture_beside_readable_words_is_a_mark(
    side: str, ground: Colour, picture: Colour | None, reason: str
) -> None:
    """A folder that was black on white is not to be seen on black, though its name is."""
    found = spoiled(captioned(side, INK), captioned(side, picture, ground), "t")

    assert (found.reason if found else "") == reason


def test_words_alone_have_no_picture_to_lose() -> None:
    """Nor has a picture that was faint before."""
    faint = (200, 200, 200)

    assert spoiled(captioned("left", None), captioned("left", None), "t") is None
    assert spoiled(captioned("left", faint), captioned("left", PALE), "t") is None


SELECTED: Final = element("t", BOX, "tab", states=("selected",))
TAB: Final = element("o", OTHER, "tab")


@pytest.mark.parametrize(
    ("after", "reason"),
    [
        ([(BOX, ACCENT)], ""),
        ([(BOX, (90, 90, 90)), (OTHER, ACCENT)], ""),
        ([(Box(20, 47, 60, 50), INK)], ""),
        ([], "state-spoiled"),
        ([(BOX, ACCENT), (OTHER, ACCENT)], "state-spoiled"),
    ],
)
def test_what_is_selected_must_look_so(after: Drawn, reason: str) -> None:
    """A tab that looked selected and looks as the others do is spoiled."""
    before = scene([(BOX, ACCENT)], SELECTED, TAB)
    found = spoiled(before, scene(after, SELECTED, TAB), "t")

    assert (found.reason if found else "") == reason
