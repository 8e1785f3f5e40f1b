"""
What a person answers is a run: kept as it comes, asked in a drawn order, read like any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError, PlanMismatchError
from surefoot.core.geometry import Box, Point
from surefoot.core.ledger import Ledger, note_hint
from surefoot.core.question import Choice, Question, Refusal, Text
from surefoot.core.store import ObjectStore
from surefoot.run.asking.answers import answer_key
from surefoot.run.asking.runs import asked_questions, open_run
from surefoot.run.folders.folder import export, read_questions
from surefoot.score.hits import judge
from surefoot.view.clicking import HumanAnswers, SentAnswer, clicking_order


def answer_all(asked: HumanAnswers, said: Callable[[Question], Any]) -> None:
    """Answer whatever is still open."""
    for number in range(asked.at, len(asked)):
        assert asked.take(SentAnswer(number, 1.5, said(asked.questions[number])))


def bench_of(
    folder: Path, drawn: Path, *questions: dict[str, object], benchmark: str = ""
) -> Path:
    """Write a benchmark of changed questions, with the picture of the first one drawn."""
    plain = read_questions(drawn)[0]
    changed = [
        msgspec.structs.replace(plain, id=str(number), pair=str(number), **change)
        for number, change in enumerate(questions)
    ]
    with Ledger.open(folder, {"kind": "bench", "benchmark": benchmark, "seed": 0}):
        ObjectStore(folder).put(ObjectStore(drawn).get(plain.image))
        export(folder, "bench", {"questions.jsonl": changed})
    return folder


def test_the_order_is_drawn_and_puts_repetitions_apart(drawn: Path) -> None:
    """Sites take turns, every target comes once before any comes again, another seed differs."""
    questions = read_questions(drawn)
    order = clicking_order(questions, 1)
    pairs = len({question.pair for question in questions})

    assert sorted(question.id for question in order) == [question.id for question in questions]
    for start in range(0, len(order), pairs):
        assert len({question.pair for question in order[start : start + pairs]}) == pairs
    assert len({question.cluster for question in order[:3]}) == 3
    assert clicking_order(questions[::-1], 1) == order
    assert clicking_order(questions, 2) != order


def test_a_limit_is_spread_over_sites_as_for_models(drawn: Path, tmp_path: Path) -> None:
    """A person is asked the very questions that a model with the same limit is asked."""
    with HumanAnswers(drawn, "Ada", tmp_path / "run", limit=3) as asked:
        found = {question.id for question in asked.questions}
        sites = Counter(question.cluster for question in asked.questions)
        answer_all(asked, lambda question: question.truth.center)
    run = open_run(tmp_path / "run")

    assert found == {question.id for question in asked_questions(drawn, "off", 3)}
    assert len(set(sites.values())) == 1
    assert {question.id for question in run.questions} == found


def test_who_comes_back_goes_on(drawn: Path, tmp_path: Path) -> None:
    """Answers are there when the folder is opened again, with seconds; the last finish it."""
    out = tmp_path / "run"
    with HumanAnswers(drawn, "Ada", out, seed=3) as asked:
        for number in range(8):
            assert asked.take(SentAnswer(number, 0.5, asked.questions[number].truth.center))
    with HumanAnswers(drawn, "Ada", out, seed=3) as asked:
        assert (asked.at, asked.all_answered.is_set()) == (8, False)
        answer_all(asked, lambda _: Point(0.0, 0.0))
        assert asked.all_answered.is_set()
    run = open_run(out)
    hits = judge(run.questions, run.answers)
    first = [question.id for question in asked.questions[:8]]

    assert run.name == "human Ada"
    assert sorted(name for name, hit in hits.items() if hit) == sorted(first)
    with Ledger.read(out) as ledger:
        assert ledger.seconds(answer_key(asked.questions[0], run.identity)) == 0.5


def test_sent_twice_is_kept_once_and_another_answer_is_not(drawn: Path, tmp_path: Path) -> None:
    """An answer sent again is acknowledged; a second, different one and an early one are not."""
    with HumanAnswers(drawn, "Ada", tmp_path / "run") as asked:
        assert asked.take(SentAnswer(0, 1.0, Point(1.0, 2.0)))
        assert asked.take(SentAnswer(0, 9.0, Point(1.0, 2.0)))
        assert not asked.take(SentAnswer(0, 1.0, Point(3.0, 2.0)))
        assert not asked.take(SentAnswer(5, 1.0, Point(3.0, 2.0)))
        assert not asked.take(SentAnswer(99, 1.0, Point(3.0, 2.0)))
        assert asked.at == 1


def test_every_kind_is_answered_as_it_asks(drawn: Path, tmp_path: Path) -> None:
    """Places, options, words and refusals count as those of models do; another kind is refused."""
    bench = bench_of(
        tmp_path / "bench",
        drawn,
        {},
        {"asks": "option", "options": ("A", "B"), "answers": ("B",)},
        {"asks": "words", "answers": ("4:30 PM",)},
        {"answerable": False},
    )
    said = {
        "0": read_questions(bench)[0].truth.center,
        "1": Choice("B"),
        "2": Text("4:30 pm"),
        "3": Refusal("There is no such element"),
    }
    wrong = {"0": Choice("B"), "1": Choice("C"), "2": Text(" "), "3": Point(-1.0, 5.0)}
    with HumanAnswers(bench, "Ada", tmp_path / "run") as asked:
        for number, question in enumerate(asked.questions):
            assert asked.may_refuse(question)
            with pytest.raises(InvalidInputError, match=r"Expected (a|one)"):
                asked.take(SentAnswer(number, 1.0, wrong[question.id]))  # type: ignore[arg-type]
            assert asked.take(SentAnswer(number, 1.0, said[question.id]))  # type: ignore[arg-type]
    run = open_run(tmp_path / "run")

    assert judge(run.questions, run.answers) == dict.fromkeys(said, True)


def test_nobody_declines_where_every_question_has_its_target(drawn: Path, tmp_path: Path) -> None:
    """In a benchmark without such questions "there is none" is no answer."""
    with HumanAnswers(drawn, "Ada", tmp_path / "run") as asked:
        assert not asked.may_refuse(asked.questions[0])
        with pytest.raises(InvalidInputError, match="a place in the picture"):
            asked.take(SentAnswer(0, 1.0, Refusal("none")))


def test_where_overlap_is_scored_a_box_is_asked_for(drawn: Path, tmp_path: Path) -> None:
    """A box within the picture is taken; a point, a flat box and one beyond it are not."""
    bench = bench_of(tmp_path / "bench", drawn, {}, benchmark="hidden@1")
    with HumanAnswers(bench, "Ada", tmp_path / "run") as asked:
        assert asked.kind(asked.questions[0]) == "box"
        for said in (Point(5.0, 5.0), Box(5.0, 5.0, 5.0, 9.0), Box(-1.0, 5.0, 5.0, 9.0)):
            with pytest.raises(InvalidInputError, match="a box in the picture"):
                asked.take(SentAnswer(0, 1.0, said))
        assert asked.take(SentAnswer(0, 1.0, Box(5.0, 5.0, 9.0, 9.0)))


def test_mistakes_are_named(drawn: Path, tmp_path: Path) -> None:
    """No name, questions without pictures, and the folder of another run end in an error."""
    with pytest.raises(InvalidInputError, match="a name of who clicks"):
        HumanAnswers(drawn, " ", tmp_path / "run")
    bare = bench_of(tmp_path / "bench", drawn, {"image": ""})
    with pytest.raises(InvalidInputError, match="1 of 1 without one"):
        HumanAnswers(bare, "Ada", tmp_path / "run")
    with HumanAnswers(drawn, "Ada", tmp_path / "run"):
        pass
    with pytest.raises(PlanMismatchError), HumanAnswers(drawn, "Bob", tmp_path / "run"):
        pass


def test_a_run_that_was_left_says_how_to_go_on(drawn: Path, tmp_path: Path) -> None:
    """Who scores an unfinished run is told the command that goes on with it."""
    out = tmp_path / "run"
    with HumanAnswers(drawn, "Ada", out) as asked:
        asked.take(SentAnswer(0, 1.0, Point(1.0, 1.0)))
        note_hint(out, "command", "..\nsurefoot view bench --click Ada --out run")

    partial = open_run(out).partial
    assert partial is not None
    assert partial.words == "partial: 1 of 36 questions answered"
    assert partial.advice.endswith("surefoot view bench --click Ada --out run")
