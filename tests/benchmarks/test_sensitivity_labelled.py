"""
A set's own targets said in every way that a guessed scene proves, beside the set's own words.
"""

from __future__ import annotations

import io
from typing import Final

import msgspec
from PIL import Image, ImageDraw, ImageFont

from surefoot.benchmarks.benchmark import BuildOptions
from surefoot.benchmarks.sensitivity import SENSITIVITY
from surefoot.benchmarks.sensitivity_labelled import say_labelled, with_target
from surefoot.core.canonical import sha256
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Element, Screen

SIZE: Final = (480, 240)
SAVE: Final = Box(40, 30, 160, 66)
FIELD: Final = Box(140, 110, 400, 146)


def picture() -> bytes:
    """Draw a button and a labelled field."""
    image = Image.new("RGB", SIZE, "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(18)
    pen.rectangle((SAVE.left, SAVE.top, SAVE.right - 1, SAVE.bottom - 1), fill="#1a5fb4")
    pen.text((76, 36), "Save", fill="white", font=font)
    sides = (FIELD.left, FIELD.top, FIELD.right - 1, FIELD.bottom - 1)
    pen.rectangle(sides, fill="white", outline="#777777")
    pen.text((40, 116), "Email", fill="#111111", font=font)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


PNG: Final = picture()
BARE: Final = Screen(
    "000000001", "shot", "screenspot:shot.png", sha256(PNG), *SIZE, 1.0, "web", "en", ()
)  # fmt: skip
TOLD: Final = msgspec.structs.replace(
    BARE,
    source="uibert:shot.png",
    elements=(
        Element("view-0", "button", SAVE, name="save", text="save"),
        Element("view-1", "textbox", FIELD),
        Element("view-2", "text", Box(36, 112, 100, 142), name="email", text="email"),
        Element("object-0", "", SAVE),
    ),
)


class Store:
    """Keep pictures in memory."""

    def __init__(self) -> None:
        self.kept = {sha256(PNG): PNG}

    def put(self, data: bytes, suffix: str = "png") -> str:  # noqa: ARG002
        """Keep a picture."""
        self.kept[sha256(data)] = data
        return sha256(data)

    def get(self, sha: str, suffix: str = "png") -> bytes:  # noqa: ARG002
        """Return a picture."""
        return self.kept[sha]


def asked(name: str, truth: Box, words: str) -> Question:
    """Make a question as an import writes it."""
    said = Instruction(words, "en", "given", "high", Expression(), "")
    return Question(
        name, f"set/{name}", "shot", Cell("original", "given"), BARE.id, BARE.image, *SIZE,
        said, truth, page="shot", split="test",
    )  # fmt: skip


QUESTIONS: Final = (
    asked("1", SAVE, "store it"),
    asked("2", FIELD, "your mail"),
    asked("3", Box(0, 0, 0, 0), "nowhere"),
)


def options(detector: str = "") -> BuildOptions:
    """Return options of a build without views."""
    parameters = {"detector": detector} if detector else {}
    return msgspec.structs.replace(
        SENSITIVITY.defaults, variants=("original",), parameters=parameters
    )


def test_a_bare_picture_gives_instructions_on_what_was_found() -> None:
    """Each is about the set's own box, says whose elements proved it, and how much was seen."""
    result = say_labelled(BARE, QUESTIONS, Store(), options("pixels"))
    ours = [item for item in result.questions if item.cell.instruction != "given"]
    own = [item for item in result.questions if item.cell.instruction == "given"]

    assert {item.truth for item in ours} == {SAVE, FIELD}
    assert {item.facts["elements told by"] for item in result.questions} == {"pixels@4"}
    assert all(item.facts["share of the scene seen"].endswith("%") for item in ours)
    assert [item.instruction.text for item in own] == ["store it", "your mail"]
    assert {item.pair for item in own} == {item.pair for item in ours}
    texts = {item.instruction.text for item in ours}
    assert "Click the 'Save' button" in texts
    assert any("Email" in text for text in texts)
    assert not any(item.instruction.expression.ordinal for item in ours)
    assert ("questions", "no box") in {(fall.stage, fall.reason) for fall in result.falls}
    screens = {screen.id: screen for screen in result.screens}
    assert all(screens[item.screen].guessed_by == "pixels@4" for item in result.questions)


def test_what_a_set_shows_under_a_variant_stays_so_named() -> None:
    """Under the set's own "style" every view is one of it; an element's pair is the same."""
    styled = [
        msgspec.structs.replace(one, cell=Cell("style", "given"), pair=f"p{one.pair}")
        for one in QUESTIONS
    ]
    views = msgspec.structs.replace(options(), variants=("original", "crop"))
    result = say_labelled(TOLD, styled, Store(), views)
    screens = {screen.id: screen.variant for screen in result.screens}

    assert {one.cell.variant for one in result.questions} == {"style", "style+crop"}
    assert all(screens[one.screen] == one.cell.variant for one in result.questions)
    assert {one.pair for one in result.questions} == {"pset/1"}


def test_a_set_that_tells_roles_needs_no_detector() -> None:
    """The set's own elements are the scene, marked as what a set told."""
    result = say_labelled(TOLD, QUESTIONS, Store(), options())

    assert {item.facts["elements told by"] for item in result.questions} == {"uibert"}
    assert any(item.instruction.kind == "direct" for item in result.questions)


def test_nothing_is_said_where_nobody_tells_what_is_there() -> None:
    """Without elements and without a detector a screen falls, and the remedy is told."""
    result = say_labelled(BARE, QUESTIONS, Store(), options())

    assert result.questions == ()
    assert "--detector" in result.falls[0].reason


def test_a_target_takes_the_place_of_its_parts() -> None:
    """A set's box around one found text is one control, named by it, of no certain kind."""
    line = Box(60, 40, 100, 54)
    words = Element("found-1", "text", line, name="Save", name_boxes=(line,), text="Save")
    far = Element("found-2", "text", Box(300, 40, 340, 54), name="Open")
    screen = msgspec.structs.replace(BARE, elements=(words, far), guessed_by="pixels@4")
    held = with_target(screen, SAVE, "target")

    assert [item.id for item in held.elements] == ["found-2", "target"]
    target = held.element("target")
    assert target is not None
    assert (target.role, target.name, target.box) == ("link", "Save", SAVE)
    assert "background" not in target.attributes
