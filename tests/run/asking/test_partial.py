"""
A run that was stopped, or goes on, is scored, reported, viewed and opened, and marked partial.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import surefoot
from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Ledger
from surefoot.core.question import Answer, Parsed, Question
from surefoot.run.asking.answers import answer_key
from surefoot.run.asking.runs import find_run, open_run, remember_bench
from surefoot.run.folders.folder import read_questions, run_plan
from surefoot.run.selecting import select_targets
from surefoot.view.application import view_application
from surefoot.view.looking import LookedAt
from surefoot.view.opening import open_folders
from tests.view.asking import TOKEN, Asker

Replies = Callable[[Question], Parsed | None]
COUNT, FAILED = 20, 2  # of 36 questions those that are through, the last ones without a reply
WORDS = "partial: 18 of 36 questions answered"


@pytest.fixture
def stopped(drawn: Path, stumble: Replies, tmp_path: Path) -> Path:
    """Return a run of which 18 questions have an answer, two failed, and 16 were never asked."""
    out, identity = tmp_path / "stopped", {"name": "walker"}
    with Ledger.open(out, run_plan(drawn, identity)) as ledger:
        remember_bench(out, drawn)
        for at, question in enumerate(read_questions(drawn)[:COUNT]):
            key = answer_key(question, identity)
            if at < COUNT - FAILED:
                parsed = stumble(question)
                assert parsed is not None
                ledger.done(key, canonical_json(Answer(question.id, "", parsed)))
            else:
                ledger.failed(key, "timeout", "no reply")
    return out


def test_what_was_never_asked_is_no_failure(stopped: Path) -> None:
    """A question that nobody got to is left out; one that failed stays a failure."""
    run = open_run(stopped)

    assert run.partial is not None
    assert run.partial.words == WORDS
    assert len(run.questions) == COUNT
    assert (len(run.answers), len(run.failures)) == (COUNT - FAILED, FAILED)


def test_everything_that_shows_it_marks_it(stopped: Path, tmp_path: Path) -> None:
    """Scores, report, pages and Python say how much of the run there is, and count it alone."""
    scores = surefoot.score(stopped)
    report = surefoot.report(stopped, out=tmp_path / "page.html", cards=0)
    overview = Asker(view_application(LookedAt(open_folders([stopped])), TOKEN)).get("/").text
    opened = surefoot.open(stopped)

    assert scores.warnings[0] == f"walker, {WORDS}"
    assert (scores.summary.answers, scores.summary.failed) == (COUNT - FAILED, FAILED)
    for page in (report.path.read_text("utf-8"), overview):
        assert WORDS in page
    assert isinstance(opened, surefoot.ModelRun)
    assert (opened.partial, len(opened)) == (WORDS, COUNT)
    assert len(opened.to_pandas()) == COUNT


def test_it_is_read_while_it_goes_on(stopped: Path, drawn: Path, stumble: Replies) -> None:
    """Beside a writer the run is read as far as it is, and again when there is more."""
    identity = {"name": "walker"}
    question = read_questions(drawn)[COUNT]
    with Ledger.open(stopped, run_plan(drawn, identity)) as ledger:
        before = find_run(stopped)
        parsed = stumble(question)
        assert parsed is not None
        answer = Answer(question.id, "", parsed)
        ledger.done(answer_key(question, identity), canonical_json(answer))
        after = find_run(stopped)

    assert before.only is not None
    assert after.only == before.only | {question.id}


def test_its_tables_are_gone_with_it(stopped: Path) -> None:
    """What was laid out of a run is deleted with it, and never lay in the run's folder."""
    run = find_run(stopped)
    tables = run.tables
    assert tables.is_dir()
    del run

    assert not tables.exists()
    assert not (stopped / "answers.jsonl").exists()


def test_nothing_yet_is_said(drawn: Path, stopped: Path, tmp_path: Path) -> None:
    """A run without any answer is refused, and so is a teacher that was not asked everything."""
    empty = tmp_path / "empty"
    with Ledger.open(empty, run_plan(drawn, {"name": "walker"})):
        remember_bench(empty, drawn)

    with pytest.raises(InvalidInputError, match="none to 36 questions yet"):
        surefoot.score(empty)
    with pytest.raises(InvalidInputError, match="teachers that were asked everything"):
        select_targets(drawn, tmp_path / "selected", teachers=[stopped])
