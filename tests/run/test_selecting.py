"""
Selection by a teacher and by people: what is kept, what is set aside, and what is said of it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import InvalidInputError, NothingKeptError
from surefoot.core.geometry import Point
from surefoot.core.question import Parsed, Question, Refusal, Unparsed
from surefoot.core.store import ObjectStore
from surefoot.report.answers.scored import Choices, score_runs
from surefoot.run.asking.runs import find_run
from surefoot.run.folders.folder import read_questions, read_screens, read_table
from surefoot.run.selecting import RejectedGroup, select_targets
from surefoot.score.scorings.hits import HITS

Write = Callable[..., Path]


def teach(question: Question) -> Parsed | None:
    """Hit but for 'send': missed directly, and on the three pages by a landmark in three ways."""
    if question.instruction.target == "save":
        on_original = question.cell.variant == "original"
        return question.truth.center if on_original else Point(0, 0)
    ways: dict[str, Parsed | None] = {"a": Unparsed("x"), "b": Refusal("no"), "c": None}
    way = question.cluster.removesuffix(".html")[-1]
    return Point(1, 1) if question.cell.instruction == "direct" else ways[way]


@pytest.fixture
def selected(drawn: Path, write_run: Write, tmp_path: Path) -> Path:
    """Select from the drawn benchmark by a teacher that hits one of each two targets."""
    run = write_run(drawn, tmp_path / "teacher", teach, name="teacher")
    select_targets(drawn, tmp_path / "out", teachers=[run])
    return tmp_path / "out"


def test_what_the_teacher_misses_on_the_original_is_set_aside(selected: Path, drawn: Path) -> None:
    """Groups are kept whole, whatever the variants; the rest lies beside them, with reasons."""
    kept = read_questions(selected)
    rejected = read_table(selected, "rejected.jsonl", RejectedGroup, kind="bench")

    assert {question.instruction.target for question in kept} == {"save"}
    aside = [question for group in rejected for question in group.questions]
    assert sorted([*kept, *aside], key=lambda item: item.id) == list(read_questions(drawn))
    reasons = {(group.instruction, reason) for group in rejected for reason in group.reasons}
    assert reasons == {
        ("direct", "teacher: missed"),
        ("relational", "teacher: unparsed"),
        ("relational", "teacher: declined"),
        ("relational", "teacher: no reply"),
    }
    store = ObjectStore(selected)
    assert all(store.get(screen.image) for screen in read_screens(selected))


def test_every_score_says_that_a_teacher_selected(
    selected: Path, drawn: Path, write_run: Write, tmp_path: Path
) -> None:
    """A run over what was selected is scored with a warning, one over the whole is not."""
    runs = [
        find_run(write_run(bench, tmp_path / name, teach, name="other"))
        for name, bench in (("part", selected), ("whole", drawn))
    ]
    part, whole = (score_runs([run], HITS, Choices()) for run in runs)

    assert any("only what teacher hit" in warning for warning in part.warnings)
    assert not any("hit on the original" in warning for warning in whole.warnings)


def test_people_drop_what_fails(drawn: Path, tmp_path: Path) -> None:
    """One variant that fails takes its target along in all words; whole keeps what all saw."""
    questions = read_questions(drawn)
    (bad,) = (one for one in questions if one.id.endswith("a.html style send direct"))
    other = next(one for one in questions if one.pair != bad.pair)
    sheet = tmp_path / "ann.csv"
    seen = [f"{one.id},yes\n" for one in questions if one.pair == other.pair]
    sheet.write_text(f"item,page_plausible\n{bad.id},no\n{''.join(seen)}")
    outcome = select_targets(drawn, tmp_path / "out", answers=[sheet])
    select_targets(drawn, tmp_path / "whole", answers=[sheet], whole=True)

    kept = {question.pair for question in read_questions(tmp_path / "out")}
    assert {question.pair for question in questions} - kept == {bad.pair}
    kinds = len({one.cell.instruction for one in questions if one.pair == bad.pair})
    assert f"{kinds:7}  rejected: people: page_plausible" in outcome.lines
    assert {one.pair for one in read_questions(tmp_path / "whole")} == {other.pair}


def test_mistakes_are_named(drawn: Path, write_run: Write, tmp_path: Path) -> None:
    """Nobody who selects, a teacher that hits nothing, and an unknown item write nothing."""
    run = write_run(drawn, tmp_path / "run", lambda _: Point(0, 0))
    sheet = tmp_path / "ann.csv"
    sheet.write_text("item,rating\nelsewhere,no\n")
    mistakes: tuple[tuple[dict[str, Any], str], ...] = (
        ({}, "nobody"),
        ({"teachers": [run]}, "kept"),
        ({"answers": [sheet]}, "elsewhere"),
    )
    for given, said in mistakes:
        with pytest.raises((InvalidInputError, NothingKeptError), match=said):
            select_targets(drawn, tmp_path / "out", **given)
    assert not (tmp_path / "out").exists()
