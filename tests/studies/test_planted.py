"""
Planted faults: each misses within its class as often as it says, and rarely without it.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question
from surefoot.core.screen import Element, Screen
from surefoot.refer.scene.scene import Scene
from surefoot_studies.planted import CONTROLS, FAULTS, GIVEN, OWN, PlantedQuestion, read_faults


def shown(id_: str, role: str, box: Box, name: str = "") -> Element:
    """Return an element that is whole and hit."""
    return Element(id_, role, box, name=name, text=name, visible_fraction=1.0, hits=(True,) * 5)


ELEMENTS = (
    shown("small", "textbox", Box(700, 10, 740, 30)),
    shown("large", "button", Box(20, 100, 220, 160), "Continue"),
)
SCREEN = Screen("s", "p", "x", "", 800, 600, 1.0, "web", "en", ELEMENTS)
SCENE, WHITE = Scene(SCREEN), np.full((600, 800, 3), 255, np.uint8)


def asked(place: int, number: int, text: str = "Click it") -> PlantedQuestion:
    """Return one asking about one of the two elements."""
    target = ELEMENTS[place]
    instruction = Instruction(
        text, "en", "direct", "high", Expression(role=target.role), target.id
    )
    question = Question(
        f"{place}-{number}", target.id, "s", Cell("original", "direct"), "s", "", 800, 600,
        instruction, target.box, target.role,
    )  # fmt: skip
    return PlantedQuestion(question, WHITE, SCENE, place)


def missed(name: str, place: int, **chosen: str) -> float:
    """Return the share of two hundred askings whose reply is not in the target's box."""
    replies = [
        json.loads(FAULTS[name].replies(asked(place, number, **chosen))) for number in range(200)
    ]
    clicks = [Point(found["x"], found["y"]) if "x" in found else None for found in replies]
    return 1 - sum(
        click is not None and ELEMENTS[place].box.contains(click) for click in clicks
    ) / len(clicks)


@pytest.mark.parametrize(
    "name", ["under-26-px", "right-third", "text-boxes", "icons", "small-and-right"]
)
def test_a_class_is_missed_and_nothing_else(name: str) -> None:
    """Of the small text box at the right 17 in 20 are missed, of the large button one."""
    assert missed(name, 0) == pytest.approx(0.85, abs=0.08)
    assert missed(name, 1) == pytest.approx(0.05, abs=0.05)


def test_a_class_of_words_is_told_by_words() -> None:
    """What is missed for its words is hit in others."""
    assert missed("over-12-words", 1, text="word " * 13) > 0.7
    assert missed("over-12-words", 1, text="word " * 12) < 0.15


@pytest.mark.parametrize(
    ("name", "share"), [("perfect", 0.0), ("noisy", 0.12), ("nearest-control", 0.4)]
)
def test_controls_miss_alike_everywhere(name: str, share: float) -> None:
    """A control misses both elements as often, for nothing that stands in the question."""
    for place in (0, 1):
        assert missed(name, place) == pytest.approx(share, abs=0.08)


def test_every_fault_says_what_is_to_be_named() -> None:
    """Faults have a name to be found by, controls have none, and no fault is listed twice."""
    assert all(FAULTS[name].named for name in (*GIVEN, *OWN))
    assert not any(fault.named for fault in CONTROLS.values())
    assert {name for name, fault in FAULTS.items() if fault.control} == CONTROLS.keys()
    assert len(FAULTS) == len(GIVEN) + len(OWN) + len(CONTROLS) >= 30


def test_faults_are_read_from_a_file(tmp_path: Path) -> None:
    """What a file plants is there under its name, with the class that the file gives."""
    file = tmp_path / "more.py"
    file.write_text(
        "from surefoot_studies.planted import Fault\n"
        "FAULTS = {'no-boxes': Fault('buttons', frozenset(), "
        "lambda told: told.question.role == 'button')}\n",
        "utf-8",
    )

    (found,) = read_faults(file).values()

    assert [found.holds(asked(place, 0)) for place in (0, 1)] == [False, True]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (None, "no such file"),
        ("", "a NoneType"),
        ("FAULTS = {'one': 1}", "'one', a int"),
        (
            "from surefoot_studies.planted import FAULTS as own\nFAULTS = {'icons': own['icons']}",
            "'icons'",
        ),
        (
            "from surefoot_studies.planted import FAULTS as own\nFAULTS = {'../a': own['icons']}",
            "'../a'",
        ),
    ],
)
def test_a_file_without_faults_is_refused(text: str | None, found: str, tmp_path: Path) -> None:
    """A file that is not there, has no faults, or gives one a name that cannot be is named."""
    file = tmp_path / "more.py"
    if text is not None:
        file.write_text(text, "utf-8")

    with pytest.raises(InvalidInputError, match=found):
        read_faults(file)
