"""
Generating: every reason for a rejection, and everything generated holds.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression
from surefoot.core.screen import Element, Screen
from surefoot.refer.generate.generate import (
    candidates,
    check_target,
    direct,
    name_visible,
    relational,
    targets,
)
from surefoot.refer.generate.hold import holds
from surefoot.refer.read.read_back import read_back
from surefoot.refer.resolve.landmarks import landmarks
from surefoot.refer.resolve.rejection import REASONS, Rejection
from surefoot.refer.resolve.resolve import resolve
from surefoot.refer.say.realise import instruct
from surefoot.refer.scene.geometry import DIRECTIONS
from surefoot.refer.scene.scene import Scene

PLACE = Box(100, 100, 180, 124)


def element(id_: str, role: str, box: Box, name: str = "", **more: object) -> Element:
    """Return an element that is whole, hit, and spelled in its box."""
    spelled = {"name": name, "text": name, "name_boxes": (box,), "text_boxes": (box,)}
    seen = {"visible_fraction": 1.0, "hits": (True,) * 5, "font_px": 14.0}
    parts: dict[str, Any] = {**seen, **(spelled if name else {}), **more}
    return Element(id_, role, box, **parts)


def screen(*elements: Element) -> Screen:
    """Return a screen of 400 x 300 pixels."""
    return Screen("s", "p", "x", "", 400, 300, 1.0, "web", "en", elements)


def reason(found: object) -> str:
    """Return a rejection's reason, "" for anything else."""
    return found.reason if isinstance(found, Rejection) else ""


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, ""),
        ({"role": "heading"}, "not-interactive"),
        ({"role": "option"}, "not-interactive"),
        ({"states": ("disabled",)}, "disabled"),
        ({"box": Box(500, 0, 600, 20), "visible_fraction": 0.0}, "offscreen"),
        ({"visible_fraction": 0.7}, "not-visible"),
        ({"box": Box(0, 0, 7, 20)}, "too-small"),
        ({"hits": (False, True, True, True, True)}, "not-hit"),
        ({"hits": ()}, "not-hit"),
    ],
)
def test_a_target_can_be_acted_on(change: dict[str, Any], expected: str) -> None:
    """Each check of a target has its own reason, and only sound ones pass."""
    found = screen(msgspec.structs.replace(element("t", "button", PLACE, "Save"), **change))
    assert reason(check_target(found, "t")) == expected
    assert bool(targets(found)) == (not expected)
    assert len(candidates(found)) == (expected != "not-interactive")


def test_an_unknown_target_is_absent() -> None:
    """An id that the screen does not show is a rejection, not an error."""
    assert reason(direct(screen(), "t")) == "absent"
    assert reason(relational(screen(), "t")) == "absent"
    assert reason(holds(Expression(role="button", name="x"), "t", screen())) == "absent"
    assert not name_visible(screen(), "t")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, ""),
        ({"name": ""}, "no-name"),
        ({"name": "\ue8b8"}, "no-name"),
        ({"name": "\u00d7"}, "no-name"),
        ({"name_boxes": ()}, "name-not-visible"),
        ({"name_boxes": (Box(390, 0, 450, 20),)}, "name-not-visible"),
        ({"font_px": 6.0}, "name-not-visible"),
        ({"name": "x" * 60, "text": "x" * 60}, "name-too-long"),
        ({"states": ("disabled",)}, "disabled"),
    ],
)
def test_a_name_is_said_only_where_it_can_be_read(change: dict[str, Any], expected: str) -> None:
    """Nameless, icon, hidden, cut-off, tiny and endless names are not said."""
    found = screen(msgspec.structs.replace(element("t", "button", PLACE, "Save"), **change))
    assert reason(direct(found, "t")) == expected


def test_a_hidden_name_can_be_asked_for() -> None:
    """With hidden names an invisible name is said, and holds."""
    bare = element("t", "button", PLACE)
    found = screen(msgspec.structs.replace(bare, name="Menu", name_from="aria-label"))
    said = direct(found, "t", hidden_names=True)
    assert said == Expression(role="button", name="Menu")
    assert isinstance(said, Expression)
    assert holds(said, "t", found, hidden_names=True) is None
    assert reason(holds(said, "t", found)) == "name-not-visible"


def test_a_long_name_is_cut_only_where_its_beginning_is_unique() -> None:
    """The cut name is marked as cut, and refused where another begins alike."""
    long = "Read all about our terms of service"
    target = element("t", "link", PLACE, long)
    assert direct(screen(target), "t") == Expression(
        role="link", name="Read all about our terms of", name_cut=True
    )
    rival = element("r", "link", Box(0, 0, 80, 20), "Read all about our terms of payment")
    assert reason(direct(screen(target, rival), "t")) == "name-too-long"


def test_pixels_decide_whether_a_name_is_read() -> None:
    """The same element is named on strong contrast and refused on faint."""
    found = screen(element("t", "button", PLACE, "Save"))
    strong = np.full((300, 400, 3), 255, dtype=np.uint8)
    strong[105:118, 110:170] = 0
    faint = np.maximum(strong, 200)
    assert isinstance(direct(found, "t", strong), Expression)
    assert reason(direct(found, "t", faint)) == "name-not-visible"


def test_what_is_drawn_in_its_backgrounds_colour_is_no_target() -> None:
    """A target that the pixels do not show at all is blank; a faint border is enough."""
    found = screen(element("t", "button", PLACE))
    empty = np.full((300, 400, 3), 255, dtype=np.uint8)
    assert reason(check_target(Scene(found, empty), "t")) == "blank"
    framed = empty.copy()
    framed[100:124, 100:180] = 230
    framed[101:123, 101:179] = 255
    assert check_target(Scene(found, framed), "t") is None


HEAD = element("h", "heading", Box(100, 140, 180, 160), "Total")


def test_a_relation_says_role_direction_and_landmark_alone() -> None:
    """The target's own name is not in a relational expression."""
    found = screen(element("t", "button", PLACE, "Save"), HEAD)
    expected = Expression(role="button", direction="above", landmark=Expression(text="Total"))
    assert relational(found, "t") == (expected,)


@pytest.mark.parametrize(
    ("landmark", "expected"),
    [
        (msgspec.structs.replace(HEAD, name="Save", text="Save"), "no-landmark"),
        (msgspec.structs.replace(HEAD, parent="t"), "no-landmark"),
        (msgspec.structs.replace(HEAD, name_boxes=()), "no-landmark"),
        (msgspec.structs.replace(HEAD, hits=(False,) * 5), "no-landmark"),
        (msgspec.structs.replace(HEAD, name="7", text="7"), "no-landmark"),
        (msgspec.structs.replace(HEAD, name="a b c d e f g", text="a b c d e f g"), "no-landmark"),
        (msgspec.structs.replace(HEAD, text="Sum"), "no-landmark"),
        (HEAD, ""),
    ],
)
def test_a_landmark_is_seen_said_and_stands_apart(landmark: Element, expected: str) -> None:
    """The target's own words and parts, and what is unread or unsayable, are no landmarks."""
    found = screen(element("t", "button", PLACE, "Save"), landmark)
    assert reason(relational(found, "t")) == expected


def test_landmarks_have_words_of_their_own() -> None:
    """Words that stand twice, in any case, are no landmarks; those that stand once are."""
    twice = element("i", "text", Box(10, 10, 60, 30), "TOTAL")
    once = element("o", "text", Box(10, 40, 60, 60), "Orders")
    assert [landmark.id for landmark in landmarks(screen(HEAD, twice, once))] == ["o"]


def test_wanted_directions_come_first_and_unwanted_not_at_all() -> None:
    """Weights order the directions; a weight of nothing leaves one out."""
    left = element("l", "text", Box(20, 102, 80, 122), "Label")
    found = screen(element("t", "button", PLACE, "Save"), HEAD, left)
    for wanted, expected in (
        ({"above": 1.0, "right of": 2.0}, ["right of", "above"]),
        ({"above": 1.0, "right of": 0.0}, ["above"]),
    ):
        said = relational(found, "t", wanted=wanted)  # type: ignore[arg-type]
        assert isinstance(said, tuple)
        assert [expression.direction for expression in said] == expected
    assert relational(found, "t", seed=5) == relational(found, "t", seed=5)


def test_an_expression_falls_where_the_screen_changes() -> None:
    """Moved targets, renamed, faded or doubled landmarks and covered targets are told apart."""
    target = element("t", "button", PLACE, "Save")
    said = Expression(role="button", direction="above", landmark=Expression(text="Total"))
    moved = msgspec.structs.replace(target, box=Box(100, 200, 180, 224))
    renamed = msgspec.structs.replace(HEAD, name="Sum", text="Sum")
    faded = msgspec.structs.replace(HEAD, name_boxes=())
    twin = msgspec.structs.replace(HEAD, id="x", text_boxes=(Box(0, 0, 50, 20),))
    covered = msgspec.structs.replace(target, hits=(False,) * 5)
    assert holds(said, "t", screen(target, HEAD)) is None
    for elements, expected in (
        ((moved, HEAD), "false"),
        ((target, renamed), "false"),
        ((target, faded), "landmark-not-visible"),
        ((target, HEAD, twin), "landmark-ambiguous"),
        ((covered, HEAD), "not-hit"),
    ):
        assert reason(holds(said, "t", screen(*elements))) == expected


ROLES = st.sampled_from(["button", "link", "textbox", "checkbox", "heading", "text"])
WORDS = st.sampled_from(["Save", "Total", "Orders", "City", "save", "What's new", "\u00d7", ""])
CELLS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9), ROLES, WORDS), max_size=12)


@given(CELLS, st.integers(0, 3))
def test_whatever_is_generated_holds_and_can_be_read_back(
    cells: list[tuple[int, int, str, str]], seed: int
) -> None:
    """On any grid of elements, each expression means its target, and so do its words."""
    found = screen(
        *(
            element(f"e{i}", role, Box(80 * x, 30 * y, 80 * x + 70, 30 * y + 22), words)
            for i, (x, y, role, words) in enumerate(cells)
        )
    )
    for target in targets(found):
        said = direct(found, target.id)
        related = relational(found, target.id, seed=seed)
        every = [said, *(related if isinstance(related, tuple) else (related,))]
        for expression in every:
            if isinstance(expression, Rejection):
                assert expression.reason in REASONS
                continue
            assert holds(expression, target.id, found) is None
            assert target in resolve(expression, found)
            assert expression.direction is None or expression.direction in DIRECTIONS
            words = instruct(expression, target, found, seed=seed)
            assert read_back(words.text).expression == expression
            assert bool(words.landmark) == (expression.landmark is not None)
