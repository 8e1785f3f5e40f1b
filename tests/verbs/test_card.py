"""
``surefoot card``: writes the page in every form, and prints what it says first.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import surefoot as api
from surefoot.core.errors import ExitCode
from surefoot.core.geometry import Point
from surefoot.core.question import Parsed, Question

Surefoot = Callable[..., Any]


@pytest.fixture
def runs(
    drawn: Path,
    worded: Path,
    write_run: Callable[..., Path],
    stumble: Callable[[Question], Parsed],
    tmp_path: Path,
) -> list[Path]:
    """Return a model's runs over two benchmarks, and one of the middle."""
    return [
        write_run(drawn, tmp_path / "walker", stumble),
        write_run(worded, tmp_path / "words", stumble),
        write_run(worded, tmp_path / "center", lambda _: Point(5.0, 5.0), name="center"),
    ]


def test_every_form_is_written(surefoot: Surefoot, runs: list[Path], tmp_path: Path) -> None:
    """Page, JSON, Markdown, entries and LaTeX are written, and are those of the function."""
    out = tmp_path / "new"
    files = {
        "--json": "card.json", "--markdown": "README.md", "--eval-results": "entries.yaml",
        "--latex": "table.tex",
    }  # fmt: skip
    given = [part for name, file in files.items() for part in (name, out / file)]
    ended = surefoot("card", *runs, "--out", out / "card.html", "--dataset", "a/b", *given)
    card = api.card(runs, out=tmp_path / "again.html")

    assert ended.code == ExitCode.FINE
    assert ended.out.splitlines()[: len(card.sentences)] == [*card.sentences]
    assert (out / "card.html").read_bytes() == (tmp_path / "again.html").read_bytes()
    assert json.loads((out / "card.json").read_text())["models"] == ["walker"]
    assert (out / "README.md").read_text("utf-8") == card.markdown()
    assert (out / "entries.yaml").read_text("utf-8") == card.eval_results("a/b")
    assert (out / "table.tex").read_text("utf-8") == card.latex()


def test_mistakes_exit_with_2(surefoot: Surefoot, runs: list[Path], tmp_path: Path) -> None:
    """No run, a port that is none, and entries without a data set are mistakes."""
    out = ("--out", tmp_path / "card.html")

    assert "surefoot run" in surefoot("card", tmp_path / "none", *out).err
    assert surefoot("card", *runs, *out, "--port", 0).code == ExitCode.USER_ERROR
    assert surefoot("card", runs[2], *out).code == ExitCode.USER_ERROR
    ended = surefoot("card", *runs, *out, "--eval-results", tmp_path / "e.yaml")
    assert ended.code == ExitCode.USER_ERROR
    assert "OWNER/NAME" in ended.err
    assert not (tmp_path / "e.yaml").exists()
