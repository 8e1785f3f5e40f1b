"""
The columns say of every answer what the scores' own judge says, one by one.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from surefoot.core.ledger import Ledger
from surefoot.core.question import Answer, Question, Refusal, Unparsed
from surefoot.core.store import ObjectStore
from surefoot.run.asking.runs import asked_questions, remember_bench
from surefoot.run.folders.folder import (
    export,
    read_answers,
    read_questions,
    read_screens,
    run_plan,
)
from surefoot.score.hits import is_hit
from surefoot.view.looking import LookedAt
from surefoot.view.opening import open_folders
from surefoot.view.selection import WRONG
from surefoot.view.table import AnswerOutcome, Flip


def outcome_of(question: Question, answer: Answer | None) -> AnswerOutcome:
    """Tell the outcome of one answer the long way."""
    if is_hit(question, answer):
        return AnswerOutcome.HIT
    if answer is None:
        return AnswerOutcome.FAILED
    kinds = {Refusal: AnswerOutcome.REFUSED, Unparsed: AnswerOutcome.UNPARSED}
    return kinds.get(type(answer.parsed), AnswerOutcome.MISS)


def test_outcomes_and_flips_are_those_of_single_answers(looked_at: LookedAt) -> None:
    """Every outcome is the one judge's, and a flip is one where original and variant differ."""
    table = looked_at.table
    assert table.models[0] == "steady"
    for number, run in enumerate(table.runs):
        questions = read_questions(run.bench)
        answers = {answer.question: answer for answer in read_answers(run.folder)}
        told = {q.id: outcome_of(q, answers.get(q.id)) for q in questions}
        first = {
            (q.pair, q.cell.instruction): told[q.id]
            for q in questions
            if q.cell.variant == "original"
        }
        for row, question in enumerate(questions):
            assert table.question(row) == question
            assert table.answer(number, row) == answers.get(question.id)
            assert table.outcome[number, row] == told[question.id]
            before = first[question.pair, question.cell.instruction]
            lost = before == AnswerOutcome.HIT and told[question.id] in WRONG
            assert (table.flip[number, row] == Flip.LOST) == lost
    assert {AnswerOutcome(item) for item in table.outcome[1].tolist()} == set(AnswerOutcome) - {
        AnswerOutcome.NOT_ASKED
    }


def test_distances_are_those_to_the_box(looked_at: LookedAt) -> None:
    """A hit is 0 pixels away, a miss as far as the nearest point of its box."""
    table = looked_at.table
    assert (table.miss[0] == 0).all()
    row = int((table.outcome[1] == AnswerOutcome.MISS).nonzero()[0][0])
    box = table.question(row).truth

    assert table.miss[1, row] == pytest.approx(
        ((300 - box.right) ** 2 + (190 - box.bottom) ** 2) ** 0.5
    )


def test_variants_stand_together(looked_at: LookedAt) -> None:
    """The variants of a question have its target and kind, and the original comes first."""
    table = looked_at.table
    for row in range(len(table)):
        rows = table.variants(row)
        cells = [table.question(other).cell for other in rows]
        assert [cell.variant for cell in cells] == ["original", "style", "zoom:1.5"]
        assert {table.question(other).pair for other in rows} == {table.question(row).pair}
        assert len({cell.instruction for cell in cells}) == 1
        assert table.original(row) == rows[0]


def test_each_words_have_an_original_of_their_own(tmp_path: Path, opened: Path) -> None:
    """Where an element is asked for in two words alike, each flip is between equal words."""
    bench, run = tmp_path / "bench", tmp_path / "run"
    first = [one for one in read_questions(opened / "bench") if one.cell.instruction == "direct"]
    other = [
        msgspec.structs.replace(
            one, id=f"{one.id}b", instruction=msgspec.structs.replace(one.instruction, text="Else")
        )
        for one in first
    ]
    shutil.copytree(ObjectStore(opened / "bench").folder, ObjectStore(bench).folder)
    with Ledger.open(bench, {"kind": "bench"}):
        screens = read_screens(opened / "bench")
        export(bench, "bench", {"screens.jsonl": screens, "questions.jsonl": [*first, *other]})
    with Ledger.open(run, run_plan(bench, {"name": "half"})):
        remember_bench(run, bench)
        hit = [Answer(one.id, "", one.truth.center) for one in first]
        missed = [Answer(one.id, "", Refusal("no")) for one in other]
        export(run, "run", {"answers.jsonl": [*hit, *missed], "failures.jsonl": []})

    table = LookedAt(open_folders([run])).table

    assert not table.flip.any()
    for row in range(len(table)):
        words = {table.question(same).instruction.text for same in table.variants(row)}
        assert words == {table.question(row).instruction.text}
        assert len(table.variants(row)) == 3


def test_a_part_of_a_benchmark_in_both_modes_twice(tmp_path: Path, opened: Path) -> None:
    """Of a run that asked two targets twice in both modes every row is the question of its id."""
    bench, run = opened / "bench", tmp_path / "run"
    asked = sorted(asked_questions(bench, "both", 2, 2), key=lambda question: question.id)
    plan = run_plan(
        bench,
        {"name": "brief"},
        {"reasoning": "both", "limit": 2, "limit_by": "site", "samples": 2},
    )
    with Ledger.open(run, plan):
        remember_bench(run, bench)
        answers = [Answer(question.id, "", question.truth.center) for question in asked]
        export(run, "run", {"answers.jsonl": answers, "failures.jsonl": []})
    table = LookedAt(open_folders([run])).table
    rows = {question.id: question for question in (*asked, *read_questions(bench))}

    assert {table.ids[row]: table.question(row) for row in range(len(table))} == rows
    row = table.ids.index(asked[-1].id)
    first = asked[-1].first_sample
    assert [table.ids[other] for other in table.samples(row)] == [first, f"{first}~2"]
    assert {table.question(other).sample for other in table.variants(row)} == {asked[-1].sample}
    hit = {table.ids[row] for row in (table.outcome[0] == AnswerOutcome.HIT).nonzero()[0]}
    assert hit == {question.id for question in asked}
    assert set(table.outcome[0].tolist()) == {AnswerOutcome.HIT, AnswerOutcome.NOT_ASKED}
