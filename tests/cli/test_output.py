"""
How verbs end: what was written, what failed, and the exit code.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer

from surefoot.cli.output import conclude, console, report_failures, say, say_written, tell
from surefoot.core.errors import ExitCode
from surefoot.core.ledger import Failure
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally

FINE = Outcome(Path("out"), Tally(), (), ("first", "last"))
FAILED = Outcome(
    Path("bad"),
    Tally(),
    (Failure("k", "bug", "Trace\n  line\nKeyError: x\n"), Failure("l", "t", "")),
)


def test_a_fine_end_names_what_was_written(capsys: pytest.CaptureFixture[str]) -> None:
    """Every line of the outcome comes first, then its folder, and nothing on stderr."""
    conclude(FINE)
    assert capsys.readouterr() == ("first\nlast\nwrote out\n", "")


def test_the_next_command_is_named_for_people_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """The command that may come next is one line on stderr, and no part of the JSON."""
    conclude(FINE, "score", Path("a b"))
    assert capsys.readouterr().err == "next: surefoot score 'a b'\n"
    with pytest.raises(typer.Exit) as left:
        conclude(FAILED, "score", "run", json=True)
    printed = capsys.readouterr()

    assert left.value.exit_code == ExitCode.SOME_UNITS_FAILED
    assert printed.err == ""
    assert json.loads(printed.out) == {
        "folder": "bad",
        "total": 0,
        "kept": 0,
        "done": 0,
        "failed": 0,
        "unparsed": 0,
        "cost": 0.0,
        "failures": [
            {"key": "k", "reason": "bug", "message": "Trace\n  line\nKeyError: x"},
            {"key": "l", "reason": "t", "message": ""},
        ],
        "lines": [],
        "broken": "",
    }


def test_failures_are_told_by_their_last_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Each failure is one line on stderr with its folder and reason; the exit code is 1."""
    with pytest.raises(typer.Exit) as left:
        conclude(FAILED)

    assert left.value.exit_code == ExitCode.SOME_UNITS_FAILED
    assert capsys.readouterr() == (
        "wrote bad\n",
        "failed in bad: bug: KeyError: x\nfailed in bad: t: \n",
    )


def test_failures_of_several_steps_are_told_together(capsys: pytest.CaptureFixture[str]) -> None:
    """All steps' failures are told before the exit, and fine steps exit quietly."""
    report_failures([FINE, FINE])
    with pytest.raises(typer.Exit):
        report_failures([FAILED, FINE, FAILED])

    assert capsys.readouterr().err.count("KeyError") == 2


def test_lines_go_to_stdout_and_progress_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    """What programs may read is on stdout; a console writes on stderr."""
    say("said")
    say_written(Path("file"))
    tell(FINE)
    console().print("progress")

    assert capsys.readouterr() == ("said\nwrote file\n   last\n", "progress\n")
