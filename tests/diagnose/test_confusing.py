"""
Why an element confuses a model: the words name what was planted, and nothing else.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.core.geometry import Point
from surefoot.core.instruction import Expression, Instruction, Ordinal
from surefoot.core.question import Answer, Cell, Parsed, Question, Refusal
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.diagnose.collecting import failing_of
from surefoot.diagnose.confusing import why_it_confuses
from surefoot.diagnose.diagnosing import diagnose_model
from surefoot.diagnose.findings import ElementFinding
from surefoot.diagnose.search.arms import Arm, ArmResult
from surefoot.diagnose.search.moves import Moves
from surefoot.diagnose.search.options import DiagnoseOptions
from surefoot.models import Options
from surefoot.refer.scene.scenes import Scenes
from surefoot.run.folders.folder import read_screens


def words_of(bench: Path, expression: Expression, target: str, parsed: Parsed) -> str:
    """Say why one element of the first drawn page confuses, by one question about it."""
    screen: Screen = read_screens(bench)[0]
    element = screen.element(target)
    assert element is not None
    instruction = Instruction("Click it", "en", "direct", "high", expression, target)
    question = Question(
        "q", "p", "p", Cell("original", "direct"), screen.id, screen.image, screen.width,
        screen.height, instruction, element.box, role=element.role,
    )  # fmt: skip
    result = ArmResult(Arm(question, (), 1.0), Answer("q", "", parsed), 1)
    scenes = Scenes([screen], ObjectStore(bench).get)
    failing = failing_of(result, scenes)
    return why_it_confuses(scenes.scene(screen.id), failing, [result], [], Moves(scenes))


def test_a_planted_turn_is_named(bench: Path, tmp_path: Path) -> None:
    """Of a model that takes right for left each text names the two, and what they share."""
    options = DiagnoseOptions(
        planner="heuristics", most=12, rounds=3, shrink=4, limit=8, confirm=0
    )
    _, found = diagnose_model(
        bench, f"simulated:left-right@{bench}", tmp_path / "out", options, options=Options()
    )
    failed = [element for element in found.elements if element.failures]

    assert len(failed) == 8
    for element in failed:
        said = element.confuses
        assert "left of instead of right of" in said or "right of instead of left of" in said
        assert "It shares with the target its role" in said
        assert said.count(". ") + 1 <= 3
    assert any(told_sides(element) for element in failed if element.role == "button")


def told_sides(element: ElementFinding) -> bool:
    """Tell whether the words say that two icons are alike in size, and apart in one part."""
    said = element.confuses
    return "size (24 x 24 px)" in said and "all of the instruction fits it but 'right of'" in said


def test_a_planted_count_is_named(bench: Path) -> None:
    """A click on the first of five links is told as a matter of the count."""
    third = Expression(role="link", ordinal=Ordinal(3, "row"))
    screen = read_screens(bench)[0]
    first = screen.element("a0")
    assert first is not None

    said = words_of(bench, third, "a2", first.box.center)

    assert said.startswith("The click is on the link 'Home', 128 px to the left of")
    assert "another of those that are counted" in said
    assert "all of the instruction fits it but the count, and " in said


@pytest.mark.parametrize(
    ("parsed", "told"),
    [
        (Refusal("I cannot"), "It named no place (refused: I cannot)."),
        (Point(639.0, 1.0), "The click is on nothing, "),
        (Point(9000.0, 1.0), "location hallucination: outside the picture"),
    ],
)
def test_a_click_on_nothing_shares_nothing(bench: Path, parsed: Parsed, told: str) -> None:
    """Where nothing was clicked no likeness is made up."""
    said = words_of(bench, Expression(role="link", name="Team"), "a2", parsed)

    assert told in said
    assert "shares" not in said
    assert said.endswith("It was not shrunk, and it was never hit.")


def test_words_that_do_not_fit_are_told(bench: Path) -> None:
    """A click on another link fits the role and not the name."""
    screen = read_screens(bench)[0]
    other = screen.element("a0")
    assert other is not None
    beside = Expression(text="News")
    named = Expression(role="link", name="Team", direction="right of", landmark=beside)

    said = words_of(bench, named, "a2", other.box.center)

    assert "of the instruction 'link' fits it, 'Team' does not" in said
