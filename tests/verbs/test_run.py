"""
``surefoot run``: what it refuses, and how it exits.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import ExitCode
from surefoot.run.folders.folder import read_answers

Surefoot = Callable[..., Any]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--model", "oracel"), "Did you mean 'oracle'"),
        (("--model", "random", "--format", "jsn"), "'json'"),
        (("--model", "openai:"), "no name of a model"),
        (("--model", "random", "--limit", "-1"), "--limit"),
        (("--model", "random", "--workers", "0"), "--workers"),
        (("--model", "random", "--reasoning", "maybe"), "'both'"),
        (("--model", "random", "--prompt-file", "none.toml"), "a prompt file at none.toml"),
    ],
)
def test_mistakes_exit_with_2_and_begin_nothing(
    surefoot: Surefoot, drawn: Path, tmp_path: Path, given: tuple[str, ...], said: str
) -> None:
    """A wrong name or number is refused with what was meant, and no folder is made."""
    ended = surefoot("run", drawn, "--out", tmp_path / "run", *given)

    assert ended.code == ExitCode.USER_ERROR
    assert said in ended.err
    assert not (tmp_path / "run").exists()


def test_a_missing_benchmark_is_named(surefoot: Surefoot, tmp_path: Path) -> None:
    """A folder that is no benchmark is refused with the verb that writes one."""
    ended = surefoot("run", tmp_path / "none", "--model", "random", "--out", tmp_path / "run")

    assert ended.code == ExitCode.USER_ERROR
    assert "surefoot build" in ended.err


def test_failed_units_exit_with_1(surefoot: Surefoot, drawn: Path, tmp_path: Path) -> None:
    """Questions without a reply are told on stderr by their reason; the rest is written."""
    half = ("run", drawn, "--model", "oracle", "--out", tmp_path / "half", "--limit", 3)
    assert surefoot(*half).code == ExitCode.FINE
    replayed = ("--model", f"replay:{tmp_path / 'half'}", "--format", "json")
    ended = surefoot("run", drawn, *replayed, "--out", tmp_path / "run")

    assert ended.code == ExitCode.SOME_UNITS_FAILED
    assert ended.err.count("no-reply: ") == 18
    assert f"wrote {tmp_path / 'run'}" in ended.out
    assert len(read_answers(tmp_path / "run")) == 18


def test_another_model_is_refused(surefoot: Surefoot, drawn: Path, tmp_path: Path) -> None:
    """A folder of one model takes no other, and the first difference is named."""
    surefoot("run", drawn, "--model", "center", "--out", tmp_path / "run")
    ended = surefoot("run", drawn, "--model", "oracle", "--out", tmp_path / "run")

    assert ended.code == ExitCode.USER_ERROR
    assert "'center' then, 'oracle' now" in ended.err
