"""
The failures of finished runs, read again and told by their mode: each row as if by itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest

import surefoot
from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.ledger import Done, Ledger
from surefoot.core.question import Answer, Parsed, Question, Refusal, Unparsed
from surefoot.core.store import ObjectStore
from surefoot.failures.classify import classify
from surefoot.failures.modes import MODES
from surefoot.failures.shares import NOT_JUDGED, draw_failures, failure_shares
from surefoot.failures.thought import thought_of
from surefoot.failures.words import unjudged_sentences
from surefoot.refer.scene.scenes import Scenes
from surefoot.run.asking.answers import answer_key, export_answers
from surefoot.run.asking.failures import judge_failures, read_verdicts
from surefoot.run.asking.runs import (
    FinishedRun,
    Reasoning,
    asked_questions,
    find_run,
    open_run,
    remember_bench,
    tabulate_folders,
)
from surefoot.run.folders.folder import export, read_questions, read_screens, run_plan
from surefoot.score.hits import judge
from surefoot.score.metric import Ruler
from surefoot.score.scorings.hits import HITS

NAMES = tuple(MODES)
Replier = Callable[[Question, str], tuple[str, Parsed]]


def wander(question: Question, model: str) -> tuple[str, Parsed]:
    """Reply with a place that depends on all that is asked, or with nothing, or a hit."""
    draw = int.from_bytes(f"{question.id}{model}".encode()[-7:], "big") % 11
    thought = "Thought: I look at the top of the page.\nAction: " * (draw % 2)
    if draw == 0:
        return f"{thought}?", Unparsed("no numbers")
    if draw == 2:
        return thought, Refusal("not there")
    if draw == 1:
        return thought, question.truth.center
    place = question.truth.center
    return thought, Point(place.x + 4.0 * draw**2 - 60, place.y + 9.0 * draw - 30)


def answered(bench: Path, out: Path, model: str, mode: Reasoning, reply: Replier) -> FinishedRun:
    """Return the run of a model that replies so to each question of a benchmark."""
    questions, identity = asked_questions(bench, mode, 0), {"name": model}
    with Ledger.open(out, run_plan(bench, identity, {"reasoning": mode})) as ledger:
        remember_bench(out, bench)
        for question in questions:
            raw, parsed = reply(question, model)
            answer = Answer(question.id, raw, parsed)
            ledger.record_many([Done(answer_key(question, identity), canonical_json(answer))])
        export_answers(out, questions, identity, ledger)
    return open_run(out)


@pytest.fixture(scope="module")
def runs(drawn: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[FinishedRun, ...]:
    """Return two models that were asked the drawn bench in both modes, and one without reasons."""
    modes: dict[str, Reasoning] = {"b": "both", "a": "both", "c": "off"}
    folder = tmp_path_factory.mktemp("runs")
    return tuple(answered(drawn, folder / name, name, modes[name], wander) for name in modes)


def test_each_row_is_told_as_if_by_itself(runs: tuple[FinishedRun, ...]) -> None:
    """Whatever the order of runs, modes and screens, a row has the mode of its own answer."""
    table = tabulate_folders(runs, HITS)
    drawn = draw_failures(table, Ruler())

    judged, _ = judge_failures(runs, table, drawn)

    expected: list[str] = []
    thoughtful: list[bool] = []
    moved: list[bool] = []
    for run in runs:
        scenes = Scenes(read_screens(run.bench), ObjectStore(run.bench).get)
        hits = judge(run.questions, run.answers)
        answers = {answer.question: answer for answer in run.answers}
        first = {
            question.pair: question.truth
            for question in run.questions
            if question.cell.variant == "original"
        }
        for question in run.questions:
            answer, failed = answers[question.id], not hits[question.id]
            former = first.get(question.pair)
            former = None if former == question.truth else former
            verdict = classify(scenes.scene(question.screen), question, answer, former)
            moved.append(failed and former is not None)
            expected.append(verdict.mode if failed else "")
            thoughtful.append(failed and bool(thought_of(answer.raw)))
    # Runs that were asked the same stand together in the table.
    assert [NAMES[mode] if mode != NOT_JUDGED else "" for mode in judged.mode] == expected
    assert judged.thoughtful.tolist() == thoughtful
    assert judged.moved.tolist() == moved
    assert len(set(expected)) > 4
    assert any(thoughtful)


def test_no_picture_is_decoded_that_no_rule_looks_at(
    drawn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clicks outside the picture and replies without a place are told without its pixels."""
    lost: tuple[Parsed, ...] = (Point(-9.0, -9.0), Unparsed("no numbers"), Refusal("not there"))
    replies = itertools.cycle(lost)
    run = answered(drawn, tmp_path / "far", "far", "off", lambda *_: ("", next(replies)))
    table = tabulate_folders([run], HITS)
    monkeypatch.setattr("surefoot.run.asking.failures.pixels_of", None)

    judged, _ = judge_failures([run], table, draw_failures(table, Ruler()))

    expected = {"location hallucination", "unparsed", "refused"}
    assert {NAMES[mode] for mode in judged.mode} == expected


def test_thoughts_are_read_where_no_screen_is_known(
    drawn: Path, write_run: Callable[..., Path], tmp_path: Path
) -> None:
    """Of a benchmark without screens the target alone is known, and thoughts are read."""
    bench = tmp_path / "bench"
    with Ledger.open(bench, {"kind": "bench"}):
        export(bench, "bench", {"questions.jsonl": read_questions(drawn)})
    run = write_run(
        bench, tmp_path / "run", lambda _: Point(1.0, 1.0),
        raw="Thought: It is at the top.\nAction: (1, 1)",
    )  # fmt: skip
    runs = [find_run(run)]
    table = tabulate_folders(runs, HITS)
    judged, _ = judge_failures(runs, table, draw_failures(table, Ruler()))

    assert judged.thoughtful.all()
    assert judged.alone.all()
    assert not any("these replies have none" in one for one in surefoot.score(run).lines)


def test_only_what_was_drawn_is_told(runs: tuple[FinishedRun, ...]) -> None:
    """Rows that were not drawn have no mode, and those that were have the same as before."""
    table = tabulate_folders(runs, HITS)
    every = draw_failures(table, Ruler())
    some = every.drawn.copy()
    some[np.flatnonzero(some)[::3]] = False
    fewer = msgspec.structs.replace(every, drawn=some)

    whole, part = (judge_failures(runs, table, drawn)[0].mode for drawn in (every, fewer))

    assert (part[some] == whole[some]).all()
    assert (part[~some] == NOT_JUDGED).all()


def test_examples_are_few_and_the_same_for_a_seed(runs: tuple[FinishedRun, ...]) -> None:
    """A mode has at most two examples of a model, of different targets, chosen by the seed."""
    table = tabulate_folders(runs, HITS)
    drawn = draw_failures(table, Ruler())

    first, again = (judge_failures(runs, table, drawn, seed=1)[1] for _ in range(2))

    assert first == again
    kinds = [(example.verdict.mode, example.model) for example in first]
    assert max(map(kinds.count, kinds)) == 2
    assert [NAMES.index(mode) for mode, _ in kinds] == sorted(
        NAMES.index(mode) for mode, _ in kinds
    )
    targets = [(example.verdict.mode, example.model, example.question.pair) for example in first]
    assert len(set(targets)) == len(targets)


def test_a_click_where_the_target_was_is_told(
    drawn: Path, write_run: Callable[..., Path], tmp_path: Path
) -> None:
    """A model that clicks where the target stands on the original shows it where it was moved."""
    left, right = Box(4, 4, 24, 14), Box(200, 150, 220, 160)
    asked = []
    for question in read_questions(drawn):
        truth = left if question.cell.variant == "original" else right
        asked.append(msgspec.structs.replace(question, truth=truth))
    with Ledger.open(tmp_path / "bench", {"kind": "bench", "seed": 1}):
        tables = {"screens.jsonl": read_screens(drawn), "questions.jsonl": asked}
        export(tmp_path / "bench", "bench", tables)
    run = open_run(write_run(tmp_path / "bench", tmp_path / "run", lambda _: left.center))
    table = tabulate_folders([run], HITS)

    judged, _ = judge_failures([run], table, draw_failures(table, Ruler()))

    variants = [question.cell.variant for question in run.questions]
    assert judged.moved.tolist() == [variant != "original" for variant in variants]
    assert "scale brittleness" in {NAMES[mode] for mode in judged.mode[judged.moved]}
    assert (judged.mode[~judged.moved] == NOT_JUDGED).all()


def test_originals_that_disagree_tell_nothing(
    drawn: Path, write_run: Callable[..., Path], tmp_path: Path
) -> None:
    """Where two benchmarks call different targets by one name, none counts as moved."""
    folders = []
    for name, box in (("first", Box(4, 4, 24, 14)), ("second", Box(40, 4, 60, 14))):
        asked = []
        for question in read_questions(drawn):
            if question.cell.variant == "original":
                question = msgspec.structs.replace(question, truth=box)  # noqa: PLW2901
            asked.append(question)
        with Ledger.open(tmp_path / name, {"kind": "bench", "seed": name}):
            tables = {"screens.jsonl": read_screens(drawn), "questions.jsonl": asked}
            export(tmp_path / name, "bench", tables)
        folder = write_run(
            tmp_path / name, tmp_path / f"run-{name}", lambda _: Point(319.0, 199.0), name=name
        )
        folders.append(open_run(folder))

    def moved(runs: list[FinishedRun]) -> int:
        table = tabulate_folders(runs, HITS)
        return int(judge_failures(runs, table, draw_failures(table, Ruler()))[0].moved.sum())

    assert moved(folders[:1]) > 0
    assert moved(folders) == 0


@pytest.mark.parametrize(
    "change",
    [
        {"asks": "words", "answers": ("a",)},
        {"answerable": False},
        {"polygon": (Point(0, 0), Point(9, 0), Point(0, 9))},
        {"instruction": "elsewhere"},
    ],
)
def test_what_asks_for_no_known_element_is_not_told(
    drawn: Path, write_run: Callable[..., Path], tmp_path: Path, change: dict[str, object]
) -> None:
    """Words, refusals, polygons and targets that are not recorded get no mode."""
    if change.get("instruction"):
        words = read_questions(drawn)[0].instruction
        change = {"instruction": msgspec.structs.replace(words, target="elsewhere")}
    asked = [msgspec.structs.replace(question, **change) for question in read_questions(drawn)]
    with Ledger.open(tmp_path / "bench", {"kind": "bench", "seed": 1}):
        tables = {"screens.jsonl": read_screens(drawn), "questions.jsonl": asked}
        export(tmp_path / "bench", "bench", tables)
    out = write_run(tmp_path / "bench", tmp_path / "run", lambda _: Point(319.0, 199.0))
    run = open_run(out)
    table = tabulate_folders([run], HITS)
    drawn_rows = draw_failures(table, Ruler())

    judged, examples = judge_failures([run], table, drawn_rows)

    assert drawn_rows.drawn.all()
    # A place where words are asked for is no answer at all.
    told = "unparsed" if change.get("asks") else ""
    assert {NAMES[mode] if mode >= 0 else "" for mode in judged.mode} == {told}
    assert not [example for example in examples if example.verdict.mode != "unparsed"]


def test_where_the_target_alone_is_known_some_rules_hold(
    drawn: Path, write_run: Callable[..., Path], tmp_path: Path
) -> None:
    """A click beside the box is told, one far away by a verdict alone, and a note says why."""
    asked = [msgspec.structs.replace(one, screen="unknown") for one in read_questions(drawn)]
    with Ledger.open(tmp_path / "bench", {"kind": "bench", "seed": 1}):
        export(tmp_path / "bench", "bench", {"screens.jsonl": (), "questions.jsonl": asked})
    near = asked[0].id

    def click(question: Question) -> Point:
        box = question.truth
        return Point(box.right + 3, box.center.y) if question.id == near else Point(319.0, 199.0)

    run = open_run(write_run(tmp_path / "bench", tmp_path / "run", click, name="m"))
    table = tabulate_folders([run], HITS)
    drawn_rows = draw_failures(table, Ruler())
    sheet = tmp_path / "sheet.csv"
    said = f"{asked[1].id},m,Instruction misinterpretation\n{near},m,\n"
    sheet.write_text(f"item,model,mode\n{said}")

    judged, _ = judge_failures([run], table, drawn_rows, verdicts=read_verdicts([sheet]))

    told = dict(zip([one.id for one in run.questions], judged.mode, strict=True))
    assert NAMES[told[near]] == "click-region error"
    assert NAMES[told[asked[1].id]] == "instruction misinterpretation"
    assert [NAMES[mode] for mode in told.values()].count("undecided") == len(asked) - 2
    assert judged.alone.all()
    found = failure_shares(table, judged)
    shares = [one for condition in found.conditions for one in condition.modes]
    judged_by = [one for one in shares if one.mode == "instruction misinterpretation" and one.of]
    assert [(one.count, one.of) for one in judged_by] == [(1, 1)]
    assert f"of {len(asked) - 1} failures the target alone is known" in " ".join(
        unjudged_sentences(found)
    )


@pytest.mark.parametrize(
    ("rows", "told"), [("a,m,bad luck", "'bad luck'"), ("a,m,refused\na,m,undecided", "one mode")]
)
def test_what_is_no_verdict_is_refused(tmp_path: Path, rows: str, told: str) -> None:
    """Another word than a mode's, or two modes of one reply, end in a sentence with the line."""
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(f"item,model,mode\n{rows}\n")

    with pytest.raises(InvalidInputError, match=told):
        read_verdicts([sheet])
