"""
Each mode of failure on a drawn screen, and the order in which the rules are asked.
"""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction, Ordinal
from surefoot.core.question import Answer, Cell, Parsed, Question, Refusal, Unparsed
from surefoot.core.screen import Element, Screen
from surefoot.failures.classify import MissVerdict, classify
from surefoot.failures.modes import MODES
from surefoot.refer.scene.scene import Scene


def shown(id_: str, role: str, box: Box, name: str = "", **more: object) -> Element:
    """Return an element that is whole, hit, and spelled in its box."""
    words = (box,) if name else ()
    parts: dict[str, object] = {"name_boxes": words, "text": name, "text_boxes": words, **more}
    return Element(
        id_,
        role,
        box,
        name=name,
        visible_fraction=1.0,
        hits=(True,) * 5,
        **parts,  # type: ignore[arg-type]
    )


TOTAL = shown("total", "text", Box(200, 100, 260, 120), "Total")
LEFT = shown("left", "button", Box(150, 98, 174, 122))
RIGHT = shown("right", "button", Box(280, 98, 304, 122))
SAVE = shown("save", "button", Box(20, 20, 80, 44), "Save")
SAVE_ALL = shown("all", "link", Box(400, 20, 480, 36), "Save all")
WIDE = shown("wide", "button", Box(20, 200, 420, 260), "Continue")
LINKS = tuple(shown(f"a{at}", "link", Box(20 + 60 * at, 300, 60 + 60 * at, 316), f"Item {at}")
              for at in range(4))  # fmt: skip
PICTURE = shown("figure", "figure", Box(480, 180, 620, 280))
ELEMENTS = (TOTAL, LEFT, RIGHT, SAVE, SAVE_ALL, WIDE, *LINKS, PICTURE)
PIXELS = np.full((400, 640, 3), 255, dtype=np.uint8)
PIXELS[180:280, 480:620] = (np.arange(140) * 7 % 256).astype(np.uint8)[None, :, None]
SCENE = Scene(Screen("s", "p", "x", "", 640, 400, 1.0, "web", "en", ELEMENTS), PIXELS)

BESIDE = Expression(role="button", direction="left of", landmark=Expression(text="Total"))
NAMED = Expression(role="button", name="Save")
COUNTED = Expression(role="link", ordinal=Ordinal(3, "row"), name="")


def verdict(expression: Expression, target: Element, parsed: Parsed) -> MissVerdict:
    """Return the mode of one answer about a target."""
    instruction = Instruction("x", "en", "direct", "high", expression, target.id)
    question = Question(
        "q", "p#t", "p", Cell("original", "direct"), "s", "", 640, 400, instruction, target.box
    )
    return classify(SCENE, question, Answer("q", "", parsed))


@pytest.mark.parametrize(
    ("expression", "target", "parsed", "expected"),
    [
        (NAMED, SAVE, Unparsed("no JSON"), "unparsed"),
        (NAMED, SAVE, Refusal("cannot"), "refused"),
        (NAMED, SAVE, Point(700.0, 20.0), "location hallucination"),
        (NAMED, SAVE, Point(84.0, 32.0), "click-region error"),
        (NAMED, SAVE, Point(440.0, 28.0), "text-matching bias"),
        (NAMED, SAVE, Point(600.0, 380.0), "location hallucination"),
        (NAMED, SAVE, Point(550.0, 230.0), "undecided"),
        (NAMED, SAVE, Point(220.0, 230.0), "undecided"),
        (BESIDE, LEFT, Point(230.0, 110.0), "text-matching bias"),
        (BESIDE, LEFT, Point(290.0, 110.0), "spatial-reasoning error"),
        (Expression(role="button", name=""), LEFT, Point(290.0, 110.0), "visual confusion"),
        (COUNTED, LINKS[2], Point(30.0, 308.0), "spatial-reasoning error"),
        (NAMED, SAVE, Box(400.0, 20.0, 480.0, 36.0), "text-matching bias"),
    ],
)
def test_each_mode_is_told(
    expression: Expression, target: Element, parsed: Parsed, expected: str
) -> None:
    """Clicks that show one mistake each are told by its mode."""
    assert verdict(expression, target, parsed).mode == expected


def test_the_place_on_the_original_counts_where_nothing_else_is_told() -> None:
    """A click where the target was before a change is told, but not over words under it."""
    instruction = Instruction("x", "en", "direct", "high", NAMED, SAVE.id)
    question = Question(
        "q", "p#t", "p", Cell("zoom", "direct"), "s", "", 640, 400, instruction, SAVE.box
    )
    for point, former, mode in (
        (Point(550.0, 230.0), Box(540, 220, 560, 240), "scale brittleness"),
        (Point(550.0, 230.0), Box(500, 220, 540, 240), "undecided"),
        (Point(440.0, 28.0), Box(400, 20, 480, 36), "text-matching bias"),
    ):
        assert classify(SCENE, question, Answer("q", "", point), former).mode == mode


def test_every_mode_has_words() -> None:
    """The modes that the rules can give are those that have words."""
    assert verdict(NAMED, SAVE, Unparsed("?")).mode in MODES
    assert len(MODES) == len(set(MODES.values()))


def test_the_opposite_direction_is_said() -> None:
    """A click on the opposite side says which direction was taken for which."""
    assert verdict(BESIDE, LEFT, Point(290.0, 110.0)).why == "right of instead of left of"


def test_the_wrong_side_counts_where_nothing_stands() -> None:
    """A click on the empty opposite side of a landmark is a spatial error as well."""
    above = Expression(role="button", direction="above", landmark=Expression(text="Continue"))

    found = verdict(above, RIGHT, Point(300.0, 290.0))

    assert found.mode == "spatial-reasoning error"


def test_what_was_hit_is_named() -> None:
    """The verdict names the smallest element under the click, and none where none is."""
    assert verdict(NAMED, SAVE, Point(440.0, 28.0)).landed == "all"
    assert not verdict(NAMED, SAVE, Point(600.0, 380.0)).landed


def test_a_mode_needs_no_pixels() -> None:
    """Without a picture the rules still give a mode."""
    scene = Scene(SCENE.screen)
    instruction = Instruction("x", "en", "direct", "high", NAMED, SAVE.id)
    cell = Cell("original", "direct")
    question = Question("q", "p", "p", cell, "s", "", 640, 400, instruction, SAVE.box)

    found = classify(scene, question, Answer("q", "", Point(600.0, 380.0)))

    assert found.mode == "location hallucination"
