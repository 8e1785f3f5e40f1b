"""
The engine for questions, with models that answer, fail, break and are interrupted.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from surefoot.core.errors import InvalidInputError, MissingComponentError, ModelError
from surefoot.core.geometry import Point
from surefoot.core.ledger import Ledger
from surefoot.core.question import Answer, Question, Unparsed, Usage
from surefoot.core.store import ObjectStore
from surefoot.run.asking.answers import answer_all, answer_key, export_answers
from surefoot.run.engine.progress import Progress, Tally
from surefoot.run.folders.folder import read_answers, read_questions


class Pointer:
    """Answer with a point that depends on the question and the image."""

    def __init__(self, trouble: dict[str, Exception] | None = None, delay: float = 0.0) -> None:
        self.trouble = trouble or {}
        self.delay = delay
        self.asked: list[str] = []
        self.now = self.most = 0

    def identity(self) -> dict[str, object]:
        """Return a name."""
        return {"name": "pointer"}

    async def answer(self, question: Question, image: bytes, *_: bytes) -> Answer:
        """Wait, fail where told to, answer otherwise."""
        self.asked.append(question.id)
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(self.delay)
        self.now -= 1
        if question.id in self.trouble:
            raise self.trouble[question.id]
        if question.id == "q005":
            return Answer(question.id, "hm", Unparsed("no numbers"), Usage(cost=0.5))
        return Answer(question.id, f"{len(image)}", Point(len(image), 1), Usage(cost=0.25))


def _ask(bench: Path, run: Path, model: Pointer, **options: int) -> Tally:
    questions = read_questions(bench)
    with Ledger.open(run, {"model": 1}) as ledger, Progress("asking") as progress:
        tally = asyncio.run(
            answer_all(
                questions, ObjectStore(bench).get, model, ledger, progress=progress, **options
            )
        )
        export_answers(run, questions, model.identity(), ledger)
    return tally


def test_every_question_is_answered_once(bench: Path, tmp_path: Path) -> None:
    """All answers arrive, with unparsed ones and cost counted; a second run asks nothing."""
    model = Pointer()
    tally = _ask(bench, tmp_path / "run", model)
    assert tally == Tally(total=12, done=12, unparsed=1, cost=11 * 0.25 + 0.5)
    assert sorted(model.asked) == [f"q{number:03d}" for number in range(12)]
    assert [answer.question for answer in read_answers(tmp_path / "run")] == sorted(model.asked)
    again = Pointer()
    assert _ask(bench, tmp_path / "run", again) == Tally(total=12, kept=12)
    assert again.asked == []


def test_questions_about_one_image_follow_each_other(bench: Path, tmp_path: Path) -> None:
    """In the order of asking, no image comes back once another was begun."""
    model = Pointer()
    _ask(bench, tmp_path / "run", model, concurrency=1)
    images = {item.id: item.image for item in read_questions(bench)}
    order = [images[question] for question in model.asked]
    changes = sum(before != after for before, after in itertools.pairwise(order))
    assert changes == len(set(order)) - 1


@pytest.mark.parametrize("concurrency", [1, 3, 40])
def test_concurrency_is_kept(bench: Path, tmp_path: Path, concurrency: int) -> None:
    """As many questions are in flight as allowed, or as there are, and never more."""
    model = Pointer(delay=0.01)
    _ask(bench, tmp_path / "run", model, concurrency=concurrency)
    assert model.most == min(concurrency, 12)


BAD_ANSWERS: dict[str, Callable[[str], object]] = {
    "another question": lambda _name: Answer("q999", "hm", Point(1, 1)),
    "truth for a count": lambda name: Answer(name, "hm", Point(1, 1), Usage(prompt_tokens=True)),
    "no cost": lambda name: Answer(name, "hm", Point(1, 1), Usage(cost=float("nan"))),
    "half a letter": lambda name: Answer(name, "\ud83d", Point(1, 1)),
    "nothing": lambda _name: None,
    "no struct": lambda name: {"question": name, "raw": 3},
}


@pytest.mark.parametrize("kind", BAD_ANSWERS)
def test_what_a_model_may_not_answer_is_its_questions_failure(
    bench: Path, tmp_path: Path, kind: str
) -> None:
    """An answer that no reader would take is committed by none, and named."""

    class Odd(Pointer):
        async def answer(self, question: Question, image: bytes, *further: bytes) -> Answer:
            if question.id != "q003":
                return await super().answer(question, image, *further)
            return cast("Answer", BAD_ANSWERS[kind](question.id))

    run = tmp_path / "run"
    assert (_ask(bench, run, Odd()).done, len(read_answers(run))) == (11, 11)
    with Ledger.read(run) as ledger:
        (failure,) = ledger.failures()
    assert failure.reason == "invalid-input"
    assert failure.message.startswith("question 'q003': Expected an answer")
    assert "\n" not in failure.message


def test_a_record_that_is_no_answer_fails_its_question_alone(bench: Path, tmp_path: Path) -> None:
    """A folder whose ledger holds a bad record exports the rest, and says which is missing."""
    run, model = tmp_path / "run", Pointer()
    questions = read_questions(bench)
    with Ledger.open(run, {"model": 1}) as ledger:
        ledger.done(answer_key(questions[3], model.identity()), b'{"question": 3}')
    assert _ask(bench, run, model).done == 11
    assert len(read_answers(run)) == 11
    rows = [json.loads(line) for line in (run / "failures.jsonl").read_text().splitlines()]
    assert rows == [{"question": questions[3].id, "reason": "unreadable-record"}]


def test_failures_are_recorded_with_their_reason(bench: Path, tmp_path: Path) -> None:
    """No reply, bad input and a bug are failures of one question each, and exported."""
    trouble: dict[str, Exception] = {
        "q001": ModelError("timeout", expected="a reply", found="none"),
        "q002": ZeroDivisionError("division by zero"),
        "q003": InvalidInputError("a picture", found="none"),
    }
    run = tmp_path / "run"
    tally = _ask(bench, run, Pointer(trouble))
    assert (tally.done, tally.failed, tally.complete) == (9, 3, False)
    rows = [json.loads(line) for line in (run / "failures.jsonl").read_text().splitlines()]
    assert rows == [
        {"question": "q001", "reason": "timeout"},
        {"question": "q002", "reason": "bug"},
        {"question": "q003", "reason": "invalid-input"},
    ]
    kept = Pointer()
    assert _ask(bench, run, kept).failed == 3
    assert kept.asked == []


def test_a_missing_component_ends_the_run(bench: Path, tmp_path: Path) -> None:
    """What no question is to blame for is raised; what was answered is kept."""
    trouble: dict[str, Exception] = {
        "q006": MissingComponentError("language data", found="none", remedy="install it")
    }
    with pytest.raises(MissingComponentError, match="language data"):
        _ask(bench, tmp_path / "run", Pointer(trouble), concurrency=1)
    with Ledger.read(tmp_path / "run") as ledger:
        assert ledger.failures() == []
    assert _ask(bench, tmp_path / "run", Pointer()).complete


def test_interruptions_do_not_show_in_the_export(bench: Path, tmp_path: Path) -> None:
    """A run cancelled again and again exports the bytes of an uninterrupted one."""
    _ask(bench, tmp_path / "whole", Pointer())

    async def cut(model: Pointer, ledger: Ledger) -> None:
        with Progress("asking") as progress:
            asking = answer_all(
                read_questions(bench),
                ObjectStore(bench).get,
                model,
                ledger,
                concurrency=3,
                progress=progress,
            )
            await asyncio.wait_for(asking, 0.04)

    asked: list[str] = []
    for _ in range(3):
        model = Pointer(delay=0.03)
        with Ledger.open(tmp_path / "cut", {"model": 1}) as ledger, pytest.raises(TimeoutError):
            asyncio.run(cut(model, ledger))
        asked += model.asked
    last = Pointer()
    _ask(bench, tmp_path / "cut", last)
    for name in ("answers.jsonl", "failures.jsonl", "manifest.json"):
        whole, cut_ = (tmp_path / literal / name for literal in ("whole", "cut"))
        assert whole.read_bytes() == cut_.read_bytes()
    assert len(asked + last.asked) <= 12 + 3 * 3


SCRIPT = """
import asyncio, sys
from pathlib import Path
from surefoot.core.geometry import Point
from surefoot.core.ledger import Ledger
from surefoot.core.question import Answer
from surefoot.core.store import ObjectStore
from surefoot.run.asking.answers import answer_all
from surefoot.run.folders.folder import read_questions
from surefoot.run.engine.progress import Progress

class Slow:
    def identity(self):
        return {"name": "pointer"}
    async def answer(self, question, image, *further):
        sys.stdout.write(question.id + "\\n")
        sys.stdout.flush()
        await asyncio.sleep(0.02)
        return Answer(question.id, f"{len(image)}", Point(len(image), 1))

bench, run = map(Path, sys.argv[1:])
with Ledger.open(run, {"model": 1}) as ledger, Progress("asking") as progress:
    questions = read_questions(bench)
    asyncio.run(answer_all(
        questions, ObjectStore(bench).get, Slow(), ledger, concurrency=2, progress=progress))
"""


def test_a_kill_loses_only_what_is_in_flight(bench: Path, tmp_path: Path) -> None:
    """Killed again and again, a run asks at most the requests in flight a second time."""
    asked: list[str] = []
    kills = 0
    for _ in range(20):
        process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(bench), str(tmp_path / "run")],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        asked += [line for line in (process.stdout.readline() for _ in range(4)) if line]
        os.kill(process.pid, signal.SIGKILL)
        asked += process.stdout.read().split()
        process.stdout.close()
        if process.wait() == 0:
            break
        kills += 1
    asked = [item.strip() for item in asked]
    assert set(asked) == {f"q{number:03d}" for number in range(12)}
    assert kills >= 2
    assert len(asked) - 12 <= 2 * kills


def test_keys_depend_on_everything(bench: Path) -> None:
    """Another question, truth or model identity is another key; equal ones are one."""
    first, second = read_questions(bench)[:2]
    identity: dict[str, Any] = {"name": "a", "revision": 1}
    keys = {
        answer_key(first, identity),
        answer_key(second, identity),
        answer_key(first, {"name": "a", "revision": 2}),
    }
    assert len(keys) == 3
    assert answer_key(first, dict(reversed(identity.items()))) in keys


def test_commits_are_shared(bench: Path, tmp_path: Path) -> None:
    """Twelve answers that come at once need far fewer than twelve commits."""
    commits: list[str] = []
    model = Pointer(delay=0.01)
    with (
        Ledger.open(tmp_path / "run", {}, at=commits.append) as ledger,
        Progress("asking") as progress,
    ):
        commits.clear()
        asking = answer_all(
            read_questions(bench),
            ObjectStore(bench).get,
            model,
            ledger,
            concurrency=12,
            progress=progress,
        )
        began = time.monotonic()
        asyncio.run(asking)
    assert commits.count("ledger:after-commit") <= 4
    assert time.monotonic() - began < 5
