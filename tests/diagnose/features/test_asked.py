"""
Features: facts about a question and its screen, by name.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Element, Screen
from surefoot.diagnose.features.asked import signs_of
from surefoot.diagnose.features.target import rivals
from surefoot.diagnose.features.vocabulary import described, words_of
from surefoot.diagnose.search.pool import BenchPool, open_pool
from surefoot.refer.scene.scene import Scene


@pytest.fixture(scope="module")
def pool(bench: Path) -> BenchPool:
    """Return the pool of the drawn benchmark."""
    return open_pool(bench, bench, seed=0, most=40)


def features_by_text(pool: BenchPool, target: str) -> dict[str, tuple[str, ...]]:
    """Return the features of every instruction about one element of the first page."""
    subject = next(item for item in pool.subjects() if item.target == target)
    return {arm.question.instruction.text: arm.features for arm in pool.arms(subject)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Click the 'Team' link", {"kind:direct", "part:name", "words:words once"}),
        (
            "Click the link directly to the right of 'News'",
            {
                "direction:right of",
                "directions:left or right of",
                "part:landmark",
                "landmark:a control",
                "landmark-distance:near",
                "landmark-like",
            },
        ),
        ("Click the third text link from the left", {"order:row", "position:third or later"}),
        ("Click the control between 'Help' and 'News'", {"relation:between"}),
    ],
)
def test_an_instruction_is_described(pool: BenchPool, text: str, expected: set[str]) -> None:
    """What an instruction says is among its features."""
    assert expected <= set(features_by_text(pool, "a2")[text])


def test_a_target_is_described(pool: BenchPool) -> None:
    """Every instruction about an icon tells of its size, its rivals and its look-alikes."""
    expected = {"role:button", "area:medium", "rivals:many"}
    for features in features_by_text(pool, "r1").values():
        assert expected <= set(features)
        assert not any(feature.startswith("view:") for feature in features)


def test_how_a_target_stands_on_its_page() -> None:
    """A link in a sentence is in running text; one with the line to itself is not."""
    line, alone = Box(10, 10, 300, 26), Box(10, 50, 60, 66)

    def shown(id_: str, role: str, box: Box, text: str, parent: str = "") -> Element:
        return Element(
            id_, role, box, name=text, name_from="content", name_boxes=(box,), text=text,
            text_boxes=(box,), font_px=14.0, parent=parent, visible_fraction=1.0, hits=(True,) * 5,
        )  # fmt: skip

    elements = (
        shown("p", "paragraph", line, "Read all about it here and now"),
        shown("in", "link", Box(120, 10, 150, 26), "about it", "p"),
        shown("li", "listitem", alone, "Home"),
        shown("out", "link", alone, "Home", "li"),
        msgspec.structs.replace(
            shown("box", "checkbox", Box(10, 90, 30, 110), "Yes"),
            text="", text_boxes=(), states=("checked",), attributes={"floating": "x"},
        ),
    )  # fmt: skip
    screen = Screen("s", "p", "x", "", 400, 300, 1.0, "web", "en", elements)
    instruction = Instruction("x", "en", "direct", "high", Expression(name="x"), "in")
    question = Question(
        "q", "p", "c", Cell("original", "direct"), "s", "", 400, 300, instruction, line
    )

    def told(target: str) -> set[str]:
        about = msgspec.structs.replace(question.instruction, target=target)
        return set(
            described(msgspec.structs.replace(question, instruction=about), Scene(screen))[0]
        )

    assert {"prose", "within:a paragraph"} <= told("in")
    assert not {"prose", "unread", "toggle", "floating"} & told("out")
    assert {"toggle", "state:checked", "floating", "unread"} <= told("box")


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("Plain words", set()),
        ("it's", {"more than letters"}),
        ("Room 12", {"a digit", "digits or symbols", "more than letters"}),
        ("C#", {"symbols", "digits or symbols", "more than letters"}),
        ("CodeMirror", {"a capital inside a word"}),
        ("Überblick", {"letters beyond English"}),
    ],
)
def test_signs_are_told_by_what_they_are(text: str, signs: set[str]) -> None:
    """Digits, symbols, other letters and capitals inside are each told, and by what they share."""
    assert set(signs_of(text)) == signs


def test_rivals_are_controls_of_the_role(pool: BenchPool) -> None:
    """The icons beside words and the large button are rivals of an icon; links are not."""
    scene = pool.scenes.scene(pool.subjects()[0].screen)
    place = scene.place["r1"]

    found = {scene.elements[at].id for at in rivals(scene, place).nonzero()[0]}

    assert found == {"l0", "l1", "l2", "r0", "r2", "big"}


def test_every_feature_has_words(pool: BenchPool) -> None:
    """No feature is said by its bare code."""
    for subject in pool.subjects()[:4]:
        for arm in pool.arms(subject):
            for name in arm.features:
                assert ":" not in words_of(name)
                assert words_of(name)
