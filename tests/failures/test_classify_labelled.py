"""
Answers labelled by hand on real pages: the rules say what a person said.
"""

from __future__ import annotations

import tarfile
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from surefoot.core.geometry import Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Answer, Cell, Question
from surefoot.core.screen import Element, Screen
from surefoot.failures.classify import classify
from surefoot.failures.modes import FROM_JUDGE, FROM_THOUGHT, MODES
from surefoot.refer.scene.scene import Scene

HERE = Path(__file__).parent
LABELLED: list[dict[str, Any]] = tomllib.loads((HERE / "labelled.toml").read_text())["answer"]
NEEDED = 3  # answers of each mode


@pytest.fixture(scope="module")
def scenes() -> dict[str, Scene]:
    """Return the captured screens of the labelled pages, as they were before any change."""
    wanted = {item["page"] for item in LABELLED}
    with tarfile.open(HERE.parent / "golden" / "inputs.tar.xz") as archive:
        file = archive.extractfile("hits/screens.jsonl")
        assert file is not None
        screens = [msgspec.json.decode(line, type=Screen) for line in file]
    return {
        screen.page: Scene(screen)
        for screen in screens
        if screen.page in wanted and screen.variant == "original"
    }


def target_at(screen: Screen, role: str, point: Point) -> Element:
    """Return the smallest element of a role at a point."""
    there = [
        element
        for element in screen.elements
        if element.role == role and element.box.contains(point)
    ]
    return min(there, key=lambda item: item.box.area)


@pytest.mark.parametrize(
    "labelled", LABELLED, ids=lambda item: f"{item['mode']}-{'-'.join(map(str, item['click']))}"
)
def test_the_rules_say_what_a_person_said(
    scenes: dict[str, Scene], labelled: dict[str, Any]
) -> None:
    """The mode of a drawn answer is the one that it was labelled with."""
    scene = scenes[labelled["page"]]
    expression = msgspec.convert(labelled["asked"], Expression)
    target = target_at(scene.screen, expression.role, Point(*labelled["at"]))
    words = Instruction("x", "en", "direct", "high", expression, target.id)
    question = Question(
        "q",
        "p",
        "p",
        Cell("original", "direct"),
        scene.screen.id,
        "",
        1280,
        800,
        words,
        target.box,
    )
    thought = labelled.get("thought", "")
    x, y = labelled["click"]
    raw = f"Thought: {thought}\nAction: click({x}, {y})" if thought else f"({x}, {y})"

    verdict = classify(scene, question, Answer("q", raw, Point(float(x), float(y))))

    assert verdict.mode == labelled["mode"], verdict


def test_every_mode_of_a_click_was_labelled() -> None:
    """Each mode that a click can have stands at least three times among the labels."""
    counts = Counter(item["mode"] for item in LABELLED)

    assert {mode for mode, count in counts.items() if count >= NEEDED} == {
        mode
        for mode in MODES
        if mode not in {"unparsed", "refused", "scale brittleness", "undecided"} | FROM_JUDGE
    }
    assert all("thought" in item for item in LABELLED if item["mode"] in FROM_THOUGHT)
