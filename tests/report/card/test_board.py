"""
The leaderboard from runs that were handed in: planted ties and gaps, and every kind of cheat.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import surefoot as api
from surefoot.core.canonical import canonical_json
from surefoot.core.errors import ExitCode, InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.ledger import Done, Ledger
from surefoot.core.question import Answer, Question, Refusal
from surefoot.core.seeds import random_source
from surefoot.models import FORMATS
from surefoot.models.local import place_reply, refusal_reply
from surefoot.models.model import parsed_reply
from surefoot.report.card.board import Leaderboard, make_board
from surefoot.run.asking.answers import answer_key, export_answers
from surefoot.run.folders.folder import (
    export,
    manifest_digest,
    read_answers,
    read_questions,
    read_screens,
    run_plan,
)
from surefoot.run.releases import make_release
from surefoot.run.suites.design import read_suite
from surefoot.run.suites.folder import BENCHES, TARGETS
from surefoot.score.scorings.hits import ABSENT

Surefoot = Callable[..., Any]
HandIn = Callable[..., list[Path]]
PILLARS = ("perturbed", "hidden")


@pytest.fixture(scope="module")
def suite(benches: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a suite of two pillars, of which one asks for what is not there, too."""
    folder = tmp_path_factory.mktemp("suites") / "suite"
    plan = {
        "kind": "suite", "screens": [], "design": msgspec.to_builtins(read_suite("quick"))
    }  # fmt: skip
    with Ledger.open(folder, plan):
        for name in PILLARS:
            shutil.copytree(benches[name], folder / name)
        bench = folder / "perturbed"
        questions = read_questions(bench)
        absent = [
            msgspec.structs.replace(
                one, id=f"{one.id} not", pair=f"{one.page}#not", truth=Box(0, 0, 0, 0),
                answerable=False, cell=msgspec.structs.replace(one.cell, instruction=ABSENT),
            )
            for one in questions
            if one.instruction.target == "b0" and one.cell.instruction == "direct"
        ]  # fmt: skip
        tables = {"questions.jsonl": (*questions, *absent), "screens.jsonl": read_screens(bench)}
        funnel = json.loads((bench / "funnel.json").read_bytes())
        export(bench, "bench", tables, {"funnel.json": funnel})
        digests = {name: manifest_digest(folder / name, "bench") for name in PILLARS}
        export(folder, "suite", {TARGETS: []}, {BENCHES: digests})
    return folder


@pytest.fixture(scope="module")
def release(suite: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the release of the suite."""
    folder = tmp_path_factory.mktemp("releases") / "release"
    make_release(suite, [], folder, name="ours", version="v1")
    return folder


@pytest.fixture
def hand_in(suite: Path, tmp_path: Path) -> HandIn:
    """Write a model's runs over all pillars: it hits at a rate, and may decline."""
    form = FORMATS.get("json")

    def make(
        name: str,
        rate: float,
        *,
        seed: int = 0,
        declines: float = 0.0,
        pillars: tuple[str, ...] = PILLARS,
    ) -> list[Path]:
        def reply(question: Question) -> str:
            source = random_source(seed, name, question.id)
            if source.random() < (declines if question.answerable else 2 * declines):
                return refusal_reply("not there")
            hit = source.random() < rate and question.answerable
            place = question.truth.center if hit else Point(300.0, 190.0)
            return place_reply(place.x, place.y)

        made = []
        for pillar in pillars:
            bench, out = suite / pillar, tmp_path / f"{name}-{pillar}"
            questions = read_questions(bench)
            identity = {"name": name, "format": form.identity()}
            with Ledger.open(out, run_plan(bench, identity, {"reasoning": "off"})) as ledger:
                said = [(one, reply(one)) for one in questions]
                answers = [Answer(one.id, raw, parsed_reply(raw, one, form)) for one, raw in said]
                ledger.record_many(
                    Done(answer_key(one, identity), canonical_json(answer), 0.0)
                    for one, answer in zip(questions, answers, strict=True)
                )
                export_answers(out, questions, identity, ledger)
            made.append(out)
        return made

    return make


def rewritten(run: Path, change: Callable[[list[Answer]], list[Answer]], **plan: object) -> None:
    """Change a run's answers or its plan and seal it again, as somebody does who cheats well."""
    answers = change([*read_answers(run)])
    failures = (run / "failures.jsonl").read_text().splitlines()
    told = json.loads((run / "plan.json").read_bytes()) | plan
    (run / "plan.json").write_bytes(canonical_json(told))
    export(run, "run", {"answers.jsonl": answers, "failures.jsonl": map(json.loads, failures)})


def test_planted_equals_tie_and_a_gap_does_not(
    release: Path, hand_in: HandIn, tmp_path: Path, surefoot: Surefoot
) -> None:
    """Two equal models share the first place, and one that is 15 points behind has the third."""
    equal = [*hand_in("a", 0.8, seed=1), *hand_in("b", 0.8, seed=2)]
    runs = [*equal, *hand_in("c", 0.93, declines=0.3)]  # 65 % hits
    ended = surefoot("release", "board", release, *runs, "--out", tmp_path / "board.html")
    board = api.rank_runs(release, runs, out=tmp_path / "again.html")
    page = (tmp_path / "board.html").read_text("utf-8")

    assert ended.code == ExitCode.FINE
    assert board.ranking.places["c"] == (3, 3)
    assert board.ranking.places["a"] == board.ranking.places["b"] == (1, 2)
    assert "share the first place" in ended.out
    assert {one.pillar for one in board.ranking.rates if one.model == "oracle"} == {*PILLARS, ""}
    rates = {one.model: one.amount for one in board.ranking.rates if not one.pillar}
    assert rates["oracle"] == 1.0
    assert rates["random"] < 0.1
    right, wrong = ({one.model: one.amount for one in part} for part in (board.right, board.wrong))
    assert right["oracle"] == 1.0
    assert right["a"] == wrong["a"] == 0.0
    assert right["c"] == pytest.approx(0.6, abs=0.25)
    assert wrong["c"] == pytest.approx(0.3, abs=0.1)
    assert page == (tmp_path / "again.html").read_text("utf-8")
    assert all(name in page for name in ("refused wrongly", "ceiling (oracle)", "chance"))
    assert "<script" not in page


def test_what_does_not_hold_is_refused_by_name(
    release: Path, hand_in: HandIn, tmp_path: Path, surefoot: Surefoot
) -> None:
    """A changed reply, verdict or file, a missing question, and another benchmark are listed."""
    good = hand_in("good", 0.8)
    folders = {name: hand_in(name, 0.8, pillars=("hidden",))[0] for name in (
        "reply", "verdict", "file", "missing", "strange", "benchmark", "format",
    )}  # fmt: skip

    def other_reply(answers: list[Answer]) -> list[Answer]:
        first, *rest = answers
        return [msgspec.structs.replace(first, raw='{"x": 1, "y": 2}'), *rest]

    def other_verdict(answers: list[Answer]) -> list[Answer]:
        first, *rest = answers
        return [msgspec.structs.replace(first, parsed=Refusal("no")), *rest]

    rewritten(folders["reply"], other_reply)
    rewritten(folders["verdict"], other_verdict)
    answers = folders["file"] / "answers.jsonl"
    answers.write_bytes(answers.read_bytes().replace(b"190", b"191", 1))
    rewritten(folders["missing"], lambda answers: answers[1:])
    rewritten(
        folders["strange"],
        lambda answers: [*answers[1:], msgspec.structs.replace(answers[0], question="other")],
    )
    rewritten(folders["benchmark"], list, bench="0" * 64)
    gibberish = {"name": "format", "format": {"name": "gibberish"}}
    rewritten(folders["format"], list, model=gibberish)
    again = tmp_path / "again"
    shutil.copytree(good[1], again)
    runs = [*good, *folders.values(), again, tmp_path / "nowhere"]
    ended = surefoot("release", "board", release, *runs, "--out", tmp_path / "board.html")
    board = make_board(release, runs)
    why = {Path(one.run).name: one.why for one in board.refused}
    page = (tmp_path / "board.html").read_text("utf-8")

    assert ended.code == ExitCode.SOME_UNITS_FAILED
    assert board.ranking.models == ("good",)
    assert [one.model for one in board.submissions] == ["good", "good"]
    assert {*why} == {
        *(folder.name for folder in folders.values()), "again", "nowhere"
    }  # fmt: skip
    for name, words in {
        "reply": "to read as", "verdict": "to read as", "file": "manifest.json describes",
        "missing": "1 missing", "strange": "1 missing", "benchmark": "another benchmark",
        "format": "gibberish",
    }.items():  # fmt: skip
        assert words in why[folders[name].name], why
        assert folders[name].name in page
        assert f"refused: {folders[name].parent.name}/{folders[name].name}: " in ended.err
    assert "another one" in why["again"]
    assert str(tmp_path) not in page


def test_a_model_without_a_pillar_has_no_place(release: Path, hand_in: HandIn) -> None:
    """It has a rate in what it was asked, and nobody is said to be first."""
    board = make_board(release, hand_in("half", 1.0, pillars=("hidden",)))
    rate = board.ranking.rate("half", "hidden")

    assert isinstance(board, Leaderboard)
    assert board.ranking.models == ()
    assert "nobody has a place" in board.sentences[0]
    assert rate is not None
    assert rate.amount == 1.0


def test_a_failure_is_a_miss_and_options_are_the_same(release: Path, hand_in: HandIn) -> None:
    """Who fails on half of a pillar hits half of it; a pillar asked otherwise is refused."""
    first, second = hand_in("a", 1.0)
    answers = read_answers(second)
    lost = [{"question": one.question, "reason": "timeout"} for one in answers[::2]]
    export(second, "run", {"answers.jsonl": answers[1::2], "failures.jsonl": lost})
    board = make_board(release, [first, second])
    told = board.ranking.rate("a", "hidden")

    assert told is not None
    assert told.amount == pytest.approx(0.5)
    assert [one.unanswered for one in board.submissions] == [0, len(lost)]
    plan = json.loads((second / "plan.json").read_bytes())
    model = {**plan["model"], "temperature": 1.0}
    failures = [json.loads(line) for line in (second / "failures.jsonl").read_text().splitlines()]
    (second / "plan.json").write_bytes(canonical_json({**plan, "model": model}))
    export(second, "run", {"answers.jsonl": answers[1::2], "failures.jsonl": failures})
    (refused,) = make_board(release, [first, second]).refused
    assert "as it was asked about perturbed" in refused.why


def test_a_release_that_is_not_whole_ranks_nobody(
    release: Path, hand_in: HandIn, tmp_path: Path
) -> None:
    """Without its data, or with other data, no run is read."""
    part = tmp_path / "part"
    part.mkdir()
    shutil.copy(release / "release.json", part)
    with pytest.raises(InvalidInputError, match="whole release"):
        make_board(part, hand_in("a", 0.8))
