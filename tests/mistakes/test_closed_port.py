"""
A server that does not run: said at once, by every verb that asks one.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import ExitCode

Surefoot = Callable[..., Any]


@pytest.fixture
def closed() -> Iterator[str]:
    """Return the address of a port that is taken, and on which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}/v1"


@pytest.mark.timeout(20)  # six tries with their waits take 54 s
@pytest.mark.parametrize("checked", [True, False])
def test_a_closed_port_is_said_at_once(
    surefoot: Surefoot, drawn: Path, tmp_path: Path, closed: str, *, checked: bool
) -> None:
    """The address, the reason and the mend in one line; nothing is recorded as failed."""
    out = tmp_path / "run"
    check = () if checked else ("--no-self-check",)
    model = ("--model", f"openai:m@{closed}", "--format", "json")
    ended = surefoot("run", drawn, *model, *check, "--out", out)

    assert ended.code == ExitCode.SOME_UNITS_FAILED
    *_, last = ended.err.splitlines(keepends=True)
    assert last == (
        f"surefoot: Expected a server at {closed}, found nothing that listens there (connection "
        "refused). Start it, or correct the address behind the model's name.\n"
    )
    assert not (out / "failures.jsonl").exists()


@pytest.mark.timeout(20)
def test_a_diagnosis_says_it_too(
    surefoot: Surefoot, drawn: Path, tmp_path: Path, closed: str
) -> None:
    """Nor does a diagnosis wait for what never listened."""
    model = ("--model", f"openai:m@{closed}", "--format", "json")
    ended = surefoot("diagnose", drawn, *model, "--out", tmp_path / "d")

    assert ended.code == ExitCode.SOME_UNITS_FAILED
    assert f"a server at {closed}" in ended.err
