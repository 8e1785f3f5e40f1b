"""
A format that does not fit the model, or a server that refuses: no result, and no long run.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from surefoot.core.errors import ExitCode
from surefoot.core.ledger import Ledger
from surefoot.run.folders.folder import read_answers

if TYPE_CHECKING:
    from tests.conftest import FakeServer, MakeStep, Step

Surefoot = Callable[..., Any]
CLICK = "Action: click(start_box='(160,100)')"


@pytest.fixture
def speak(server: FakeServer, step: MakeStep) -> Callable[[Callable[[int], str]], None]:
    """Let the server reply by the number of the request."""

    def set_up(reply: Callable[[int], str]) -> None:
        def choose(_body: dict[str, Any]) -> Step:
            text = reply(len(server.bodies))
            if not text:
                return step(b'{"error": "no such model"}', status=404)
            return step(json.dumps({"choices": [{"message": {"content": text}}]}).encode())

        server.choose = choose

    return set_up


def arguments(server: FakeServer, bench: Path, out: Path, *more: object) -> tuple[object, ...]:
    """Return a run over a benchmark, without a self-check."""
    model = ("--model", f"openai:m@{server.base}", "--format", "json")
    return ("run", bench, *model, "--no-self-check", "--out", out, *more)


def test_a_run_stops_after_fifty_replies_that_say_no_place(
    surefoot: Surefoot,
    worded: Path,
    tmp_path: Path,
    server: FakeServer,
    speak: Callable[..., None],
) -> None:
    """It says what it saw and the format to give, keeps the replies, and goes on when told to."""
    speak(lambda _: CLICK)
    out = tmp_path / "run"
    ended = surefoot(*arguments(server, worded, out))

    assert ended.code == ExitCode.SOME_UNITS_FAILED
    assert "replies unparsed" in ended.err
    assert CLICK in ended.err
    assert "Give --format ui-tars-1.5, which reads 50 of 50, and another --out" in ended.err
    assert "--keep-going" in ended.err
    with Ledger.read(out) as ledger:
        kept = len(ledger.finished())
    asked = len(server.bodies)
    assert 50 <= kept <= asked <= 50 + 8
    again = surefoot(*arguments(server, worded, out))
    assert f"{kept} of {kept} replies unparsed" in again.err
    assert len(server.bodies) == asked
    other = surefoot(*arguments(server, worded, out), "--format", "ui-tars-1.5")
    assert other.code == ExitCode.USER_ERROR
    assert "'json' then, 'ui-tars-1.5' now" in other.err
    assert "name another folder" in other.err
    onward = surefoot(*arguments(server, worded, out, "--keep-going"))
    assert onward.code == ExitCode.FINE
    assert len(read_answers(out)) == 160
    assert len(server.bodies) == asked + 160 - kept


def test_a_program_reads_why_a_run_stopped(
    surefoot: Surefoot,
    worded: Path,
    tmp_path: Path,
    server: FakeServer,
    speak: Callable[..., None],
) -> None:
    """With --json a run that stops prints its counts, as its ledger has them, and the reason."""
    speak(lambda number: CLICK if number % 2 else "")
    out = tmp_path / "run"
    command = arguments(server, worded, out, "--json", "--retries", 0)
    ended = surefoot(*command)
    printed = json.loads(ended.out)

    assert ended.code == ExitCode.SOME_UNITS_FAILED
    assert "surefoot:" not in ended.err
    with Ledger.read(out) as ledger:
        done, failed = ledger.finished(), ledger.failures()
    assert printed["broken"].startswith("Expected replies that the format 'json' reads")
    assert (printed["total"], printed["kept"]) == (160, 0)
    assert printed["done"] == printed["unparsed"] == len(done) - len(failed)
    assert printed["failed"] == len(failed)
    assert [item["key"] for item in printed["failures"]] == [item.key for item in failed]
    again = json.loads(surefoot(*command).out)
    assert (again["kept"], again["done"], again["unparsed"]) == (printed["done"], 0, 0)
    assert {**again, "kept": 0, "done": printed["done"], "unparsed": printed["done"]} == printed


def test_a_server_that_refuses_everything_is_not_asked_on(
    surefoot: Surefoot,
    worded: Path,
    tmp_path: Path,
    server: FakeServer,
    speak: Callable[..., None],
) -> None:
    """Fifty failures end the run with the server's words; --retry-failed asks them anew."""
    speak(lambda _: "")
    ended = surefoot(*arguments(server, worded, tmp_path / "run"))

    assert ended.code == ExitCode.SOME_UNITS_FAILED
    assert "of them as 'http-404'" in ended.err
    assert "no such model" in ended.err
    speak(lambda _: '{"x": 3, "y": 4}')
    mended = surefoot(*arguments(server, worded, tmp_path / "run", "--retry-failed"))
    assert mended.code == ExitCode.FINE


@pytest.mark.parametrize(("lost", "stopped"), [(10, False), (11, True)])
def test_a_fifth_is_borne(
    surefoot: Surefoot,
    drawn: Path,
    tmp_path: Path,
    server: FakeServer,
    speak: Callable[..., None],
    lost: int,
    stopped: bool,
) -> None:
    """Ten lost replies of fifty are a weak model's; one more stops the run."""
    speak(lambda number: "I cannot tell" if number <= lost else '{"x": 3, "y": 4}')
    ended = surefoot(
        *arguments(server, drawn, tmp_path / "run", "--reasoning", "both", "--workers", 1)
    )

    assert (ended.code != ExitCode.FINE) is stopped
    assert (len(server.bodies) == 50) is stopped


def test_a_short_run_says_it_at_its_end(
    surefoot: Surefoot,
    drawn: Path,
    tmp_path: Path,
    server: FakeServer,
    speak: Callable[..., None],
) -> None:
    """A run of fewer than fifty questions is written, said to be broken, and ends with 1."""
    speak(lambda _: "")
    speak(lambda _: CLICK)
    ended = surefoot(*arguments(server, drawn, tmp_path / "run"))

    assert ended.code == ExitCode.SOME_UNITS_FAILED
    assert f"wrote {tmp_path / 'run'}" in ended.out
    assert "36 of 36 replies unparsed" in ended.err


def test_a_self_check_that_hits_nothing_stops_before_the_first_question(
    surefoot: Surefoot,
    drawn: Path,
    tmp_path: Path,
    server: FakeServer,
    speak: Callable[..., None],
) -> None:
    """None of sixteen buttons hit: what was replied is shown, and --keep-going asks on."""
    speak(lambda _: CLICK)
    out = tmp_path / "run"
    command = [item for item in arguments(server, drawn, out) if item != "--no-self-check"]
    ended = surefoot(*command)

    assert ended.code == ExitCode.SOME_UNITS_FAILED
    assert ended.out == ""
    assert "none hit and 0 of 16 replies parsed" in ended.err
    assert CLICK in ended.err
    assert "--format ui-tars-1.5, which reads 16 of 16" in ended.err
    assert not out.exists()
    assert len(server.bodies) == 16
    printed = json.loads(surefoot(*command, "--json").out)
    assert (printed["total"], printed["kept"] + printed["done"] + printed["failed"]) == (36, 0)
    assert "none hit and 0 of 16 replies parsed" in printed["broken"]
    assert not out.exists()
    onward = surefoot(*command, "--keep-going")
    assert onward.code == ExitCode.FINE
    assert len(server.bodies) == 16 + 16 + 16 + 36
