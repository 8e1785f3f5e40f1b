"""
What every verb prints: progress on a terminal, what it wrote, how it ended.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from surefoot.cli.given import note_command
from surefoot.core.canonical import readable_json
from surefoot.core.errors import ExitCode
from surefoot.core.files import write_atomic
from surefoot.core.terminal import PlainStream
from surefoot.run.engine.outcome import Outcome

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "conclude",
    "console",
    "report_failures",
    "say",
    "say_written",
    "tell",
    "write_json",
]


def console() -> Console:
    """Return a console on stderr: alive on a terminal, silent in a pipe."""
    from rich.console import Console

    stream = sys.stderr
    # What the console draws is its own; the texts in it are plain already.
    return Console(file=stream.raw if isinstance(stream, PlainStream) else stream)


def say(text: str) -> None:
    """Print one line on stdout."""
    print(text, flush=True)


def say_written(path: Path) -> None:
    """Name a file or folder that was written."""
    print(f"wrote {path}")


def write_json(path: Path | None, value: object) -> None:
    """Write JSON for programs, and say so, where a file was asked for."""
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, readable_json(value))
        say_written(path)


def tell(outcome: Outcome) -> Outcome:
    """Print the last line of a step among several, indented, and return the outcome."""
    note_command(outcome.folder)
    print(f"   {outcome.lines[-1]}", flush=True)
    return outcome


def conclude(outcome: Outcome) -> None:
    """Say what a run wrote and what failed in it; exits with 1 if anything did."""
    note_command(outcome.folder)
    for line in outcome.lines:
        print(line)
    say_written(outcome.folder)
    report_failures([outcome])


def report_failures(outcomes: Iterable[Outcome]) -> None:
    """Print on stderr each failed unit's reason, and what is broken; exits with 1 then."""
    failed = False
    for outcome in outcomes:
        for failure in outcome.failures:
            failed = True
            last = (failure.message.strip().splitlines() or [""])[-1]
            print(f"failed in {outcome.folder}: {failure.reason}: {last}", file=sys.stderr)
        if outcome.broken:
            failed = True
            print(f"surefoot: {outcome.broken}", file=sys.stderr)
    if failed:
        raise typer.Exit(ExitCode.SOME_UNITS_FAILED)
