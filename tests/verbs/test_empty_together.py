"""
What comes to nothing ends with 1 and says why, whatever the verb.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from surefoot.benchmarks.benchmark import Funnel
from surefoot.capture.settings import Settings
from surefoot.core.errors import ExitCode
from surefoot.core.ledger import Ledger
from surefoot.run.folders.folder import export


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """Write a benchmark that asks nothing, as the diagnosis of a perfect model leaves one."""
    folder = tmp_path / "empty"
    with Ledger.open(folder, {"kind": "bench", "benchmark": "failing@1"}):
        tables: dict[str, tuple[()]] = {"screens.jsonl": (), "questions.jsonl": ()}
        export(folder, "bench", tables, {"funnel.json": Funnel((), {})})
    return folder


@pytest.mark.parametrize(
    "words",
    [
        ("run", "{}", "--model", "center"),
        ("diagnose", "{}", "--model", "center"),
        ("export", "{}"),
        ("export", "{}", "--format", "hforms"),
        ("audit", "{}"),
        ("select", "{}", "--teacher", "{}"),
        ("build", "sensitivity", "--screens", "{}"),
        ("build", "hidden", "--screens", "{}"),
    ],
)
def test_a_benchmark_without_questions(
    surefoot: Callable[..., Any], empty: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """Nothing is finished of it."""
    out = tmp_path / "out"

    ended = surefoot(*(word.format(empty) for word in words), "--out", out)

    assert ended.code == ExitCode.SOME_UNITS_FAILED
    assert "question" in ended.err
    assert "found no" in ended.err
    assert not (out / "manifest.json").exists()


def test_elements_that_nobody_told(
    surefoot: Callable[..., Any], tmp_path: Path, drawn: Path
) -> None:
    """Of screens without elements the reason is counted, with what to do."""
    screens = tmp_path / "screens"
    settings = msgspec.to_builtins(Settings())
    with Ledger.open(screens, {"kind": "screens", "settings": settings, "renderer": {}}):
        export(screens, "screens", {"screens.jsonl": ()})

    ended = surefoot("build", "sensitivity", "--screens", screens, "--out", tmp_path / "out")
    other = surefoot("build", "sensitivity", "--screens", drawn, "--out", tmp_path / "other")

    assert ended.code == other.code == ExitCode.SOME_UNITS_FAILED
    assert "screens with elements" in ended.err
    assert "targets: " in other.err
    assert not (tmp_path / "other" / "manifest.json").exists()
