"""
Selection by a teacher and by people: what is kept, what is set aside, and what is said of it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

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
    """One variant that people call damaged takes its whole group along, and nothing else."""
    questions = read_questions(drawn)
    (bad,) = (
        question
        for question in questions
        if question.cell.variant == "style" and question.id.endswith("a.html style send direct")
    )
    sheet = tmp_path / "ann.csv"
    sheet.write_text(f"item,undamaged\n{bad.id},no\n{questions[0].id},yes\n")
    outcome = select_targets(drawn, tmp_path / "out", answers=[sheet])

    gone = {question.id for question in questions} - {
        question.id for question in read_questions(tmp_path / "out")
    }
    assert {name.split()[2:] == ["send", "direct"] for name in gone} == {True}
    assert len(gone) == 3
    assert "      1  rejected: people: undamaged" in outcome.lines


def test_mistakes_are_named(drawn: Path, write_run: Write, tmp_path: Path) -> None:
    """Nobody who selects, a teacher that hits nothing, and an unknown item write nothing."""
    run = write_run(drawn, tmp_path / "run", lambda _: Point(0, 0))
    sheet = tmp_path / "ann.csv"
    sheet.write_text("item,rating\nelsewhere,no\n")
    for given, said in (
        ({}, "nobody"),
        ({"teachers": [run]}, "kept"),
        ({"answers": [sheet]}, "elsewhere"),
    ):
        with pytest.raises((InvalidInputError, NothingKeptError), match=said):
            select_targets(drawn, tmp_path / "out", **given)
    assert not (tmp_path / "out").exists()
