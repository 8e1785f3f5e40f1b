"""
``surefoot report``: writes the page and prints its sentences.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import ExitCode
from surefoot.core.geometry import Point
from surefoot.core.question import Parsed, Question

Surefoot = Callable[..., Any]


@pytest.fixture
def runs(
    drawn: Path,
    write_run: Callable[..., Path],
    stumble: Callable[[Question], Parsed],
    tmp_path: Path,
) -> tuple[Path, Path]:
    """Return a run that stumbles, and one that always clicks the corner."""
    return (
        write_run(drawn, tmp_path / "walker", stumble),
        write_run(drawn, tmp_path / "corner", lambda _: Point(0.0, 0.0), name="corner"),
    )


def test_options_reach_the_page(
    surefoot: Surefoot, runs: tuple[Path, Path], tmp_path: Path
) -> None:
    """Title, number of cards, references and tolerance are those of the command line."""
    out = tmp_path / "new" / "page.html"
    given = ("--title", "Two <models>", "--cards", 1, "--sanity", runs[1], "--tolerance", 2)
    ended = surefoot("report", runs[0], "--out", out, *given)
    page = out.read_text()

    assert ended.code == ExitCode.FINE
    said = ended.out.splitlines()
    assert len(said) == 3 + 1  # of six elements it is said three times that they are too few
    assert said[-1] == f"wrote {out}"
    assert all(line in page.replace("&#39;", "'") for line in said[:-1])
    assert "<h1>Two &lt;models&gt;</h1>" in page
    assert page.partition('id="gallery"')[2].count("<article") == 1
    assert 'id="sanity"' in page
    assert "tolerance 2 px" in page


def test_mistakes_exit_with_2(
    surefoot: Surefoot, runs: tuple[Path, Path], drawn: Path, tmp_path: Path
) -> None:
    """No folder of a run, a benchmark for a run, and fewer than no cards are mistakes."""
    out = ("--out", tmp_path / "page.html")

    assert "surefoot run" in surefoot("report", tmp_path / "none", *out).err
    assert surefoot("report", drawn, *out).code == ExitCode.USER_ERROR
    assert surefoot("report", runs[0], *out, "--cards", -1).code == ExitCode.USER_ERROR
    assert not (tmp_path / "page.html").exists()
