"""
Two runs of one model beside each other: told apart by what differs, or by labels.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from attacks.warm import draw_world
from surefoot.core.errors import ExitCode

Surefoot = Callable[..., Any]


@pytest.fixture
def runs(surefoot: Surefoot, tmp_path: Path) -> tuple[Path, Path]:
    """Ask one model the same benchmark in two ways."""
    draw_world(tmp_path)
    folders = tmp_path / "plain", tmp_path / "thinking"
    for folder, reasoning in zip(folders, ("off", "both"), strict=True):
        ended = surefoot(
            "run", tmp_path / "drawn", "--model", "center", "--out", folder,
            "--reasoning", reasoning,
        )  # fmt: skip
        assert ended.code == 0, ended.err
    return folders


def test_what_differs_tells_them_apart(surefoot: Surefoot, runs: tuple[Path, Path]) -> None:
    """Each run stands under its model and the choice in which they differ, and under no other."""
    told = surefoot("score", *runs).out

    assert "center (reasoning off)" in told
    assert "center (reasoning both)" in told
    assert "benchmark" not in told


def test_labels_name_them(surefoot: Surefoot, runs: tuple[Path, Path]) -> None:
    """Labels stand for the runs in their order."""
    told = surefoot("score", *runs, "--label", "first", "--label", "second").out

    assert "first, direct, original" in told
    assert "second, direct, original" in told
    assert "center" not in told


@pytest.mark.parametrize("labels", [["one"], ["same", "same"], ["a", "b", "c"]])
def test_labels_that_name_nothing_are_refused(
    surefoot: Surefoot, runs: tuple[Path, Path], labels: list[str]
) -> None:
    """There is one label for every run, each another."""
    ended = surefoot("score", *runs, *(word for label in labels for word in ("--label", label)))

    assert ended.code == ExitCode.USER_ERROR
    assert "--label" in ended.err


def test_one_run_twice_is_refused(surefoot: Surefoot, runs: tuple[Path, Path]) -> None:
    """Nothing tells a run from itself; both folders are named."""
    ended = surefoot("score", runs[0], runs[0])

    assert ended.code == ExitCode.USER_ERROR
    assert f"{runs[0]} and {runs[0]}" in ended.err
