"""
What every verb prints: progress on a terminal, what it wrote or serves, how it ended.
"""

from __future__ import annotations

import contextlib
import shlex
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import typer

from surefoot.cli.given import note_command
from surefoot.core.canonical import readable_json
from surefoot.core.errors import ExitCode
from surefoot.core.files import write_atomic
from surefoot.core.terminal import PlainStream
from surefoot.run.engine.outcome import Outcome

if TYPE_CHECKING:
    from rich.console import Console

    from surefoot.api.scores import Report
    from surefoot.api.serving import ServedPages


def console() -> Console:
    """Return a console on stderr: alive on a terminal, a line now and then in a pipe."""
    from rich.console import Console

    stream = sys.stderr
    # What the console draws is its own; the texts in it are plain already.
    return Console(file=stream.raw if isinstance(stream, PlainStream) else stream)


def say(text: str) -> None:
    """Print one line on stdout."""
    print(text, flush=True)


def complain(text: str) -> None:
    """Print one line on stderr."""
    print(text, file=sys.stderr, flush=True)


def print_json(value: object) -> None:
    """Print JSON for programs on stdout."""
    say(readable_json(value).decode().rstrip())


def say_written(path: Path) -> None:
    """Name a file or folder that was written."""
    print(f"wrote {path}")


def write_json(path: Path | None, value: object) -> None:
    """Write JSON for programs, and say so, where a file was asked for."""
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, readable_json(value))
        say_written(path)


def print_report(report: Report, tables: Path | None) -> None:
    """Print what a report says first, and name its files."""
    for sentence in report.sentences:
        say(sentence)
    say_written(report.path)
    if tables is not None:
        say_written(tables)


def tell(step: str | Outcome) -> None:
    """Print the name of a step among several, or how it ended, indented."""
    if isinstance(step, Outcome):
        note_command(step.folder)
    say(step if isinstance(step, str) else f"   {step.lines[-1]}")


class PrintedFailure(msgspec.Struct, frozen=True):
    """Name a unit that failed: its key, a short reason for programs, and the reason in words."""

    key: str
    reason: str
    message: str


class PrintedOutcome(msgspec.Struct, frozen=True):
    """
    Hold what --json prints of a command over a folder; its fields stay as they are.

    ``total`` units, of which ``kept`` were finished before, ``done`` by this command, and
    ``failed`` in either; ``unparsed`` replies of this command; ``cost`` in US dollars.
    ``lines`` are what is said to people. ``broken`` says what is wrong with the whole, "" where
    nothing is.
    """

    folder: str
    total: int
    kept: int
    done: int
    failed: int
    unparsed: int
    cost: float
    failures: tuple[PrintedFailure, ...]
    lines: tuple[str, ...]
    broken: str


def conclude(outcome: Outcome, *following: object, json: bool = False) -> None:
    """
    Say what a run wrote and what failed in it; exits with 1 if anything did.

    ``following`` are the words of the command that may come next; of a part of several, that
    is what unites them.
    """
    note_command(outcome.folder)
    if outcome.shard:
        following = ("merge", outcome.folder, "OTHER...", "--out", "FOLDER")
    if json:
        print_json(_printed(outcome))
    else:
        for line in outcome.lines:
            print(line)
        say_written(outcome.folder)
    report_failures([outcome], quiet=json)
    if following and not json:
        suggest(*following)


def suggest(*words: object) -> None:
    """Name on stderr the command that may come next."""
    print(f"next: {shlex.join(['surefoot', *map(str, words)])}", file=sys.stderr)


def _printed(outcome: Outcome) -> PrintedOutcome:
    failures = (
        PrintedFailure(item.key, item.reason, item.message.strip()) for item in outcome.failures
    )
    return PrintedOutcome(
        folder=str(outcome.folder),
        **msgspec.structs.asdict(outcome.tally),
        failures=tuple(failures),
        lines=outcome.lines,
        broken=str(outcome.broken or ""),
    )


def report_failures(outcomes: Iterable[Outcome], *, quiet: bool = False) -> None:
    """Print on stderr each failed unit's reason, and what is broken; exits with 1 then."""
    failed = False
    for outcome in outcomes:
        for failure in outcome.failures:
            failed = True
            if quiet:
                continue
            last = (failure.message.strip().splitlines() or [""])[-1]
            print(f"failed in {outcome.folder}: {failure.reason}: {last}", file=sys.stderr)
        if outcome.broken:
            failed = True
            if not quiet:
                print(f"surefoot: {outcome.broken}", file=sys.stderr)
    if failed:
        raise typer.Exit(ExitCode.SOME_UNITS_FAILED)


def serve_until_told(begin: Callable[[], ServedPages], ended: str, then: str = "") -> bool:
    """
    Serve pages until nothing is left to do on them, and return True; or until they are stopped.

    What is served is opened in a browser, unless ``then`` says what else is done with it.

    What stops them is Ctrl-C or the signal to terminate, in a background job too; then
    ``ended`` is said, and False returned.
    """
    kinds = (signal.SIGINT, signal.SIGTERM)  # a shell's background job starts deaf to the first
    before = [signal.signal(kind, signal.default_int_handler) for kind in kinds]
    try:
        with contextlib.suppress(KeyboardInterrupt), begin() as served:
            for line in served.said:
                say(line)
            how = (
                f"serving {served.address}: {then}"
                if then
                else f"open {served.address} in a browser"
            )
            say(f"{how}; Ctrl-C ends it")
            return served.finished.wait()
    finally:
        for kind, handler in zip(kinds, before, strict=True):
            signal.signal(kind, handler)
    say(ended)
    return False
