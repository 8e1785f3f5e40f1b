"""
``surefoot score`` and ``surefoot report`` on runs of a sensitivity benchmark.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import ExitCode
from surefoot.core.question import Parsed, Question

Surefoot = Callable[..., Any]
Replies = Callable[[Question], Parsed | None]


@pytest.fixture(scope="module")
def runs(
    worded: Path,
    write_run: Callable[..., Path],
    waver: Callable[[float], Replies],
    tmp_path_factory: pytest.TempPathFactory,
) -> list[Path]:
    """Return runs of two models."""
    out = tmp_path_factory.mktemp("runs")
    return [
        write_run(worded, out / name, waver(noise), name=name)
        for name, noise in (("steady", 0.1), ("wild", 1.2))
    ]


def test_lines_and_numbers_are_those_of_sensitivity(
    surefoot: Surefoot, runs: list[Path], tmp_path: Path
) -> None:
    """Each view is a line and a row of JSON with its three metrics."""
    out = tmp_path / "scores.json"
    ended = surefoot("score", *runs, "--json", out, "--spread", "pairwise", "--tolerance", 4)
    scores = json.loads(out.read_text())

    assert ended.code == ExitCode.FINE
    assert ended.out.splitlines()[-1] == f"wrote {out}"
    for name in ("steady", "wild"):
        assert f"\n{name}, original " in ended.out
    assert "The mean deviation by condition, compared" in ended.out
    assert "An order needs 3 models" in ended.out
    assert (scores["spread"], scores["tolerance"]) == ("pairwise", 4)
    assert len(scores["scores"]) == 2 * 3 * 3
    assert {score["metric"] for score in scores["scores"]} == {"s_mean", "s_worst", "s_oob"}


def test_the_report_is_that_of_sensitivity(
    surefoot: Surefoot, runs: list[Path], tmp_path: Path
) -> None:
    """Title, cards, references and standard reach the page."""
    out = tmp_path / "page.html"
    given = ("--cards", 1, "--sanity", runs[0], "--standard", runs[0], "--title", "Two <models>")
    ended = surefoot("report", *runs, "--out", out, *given)
    page = out.read_text()

    assert ended.code == ExitCode.FINE
    assert page.count('<article id="card-') == 2
    assert "Surefoot sensitivity report" in page
    assert "<h1>Two &lt;models&gt;</h1>" in page
    assert 'id="sanity"' in page


def test_what_it_cannot_heed_exits_with_2(surefoot: Surefoot, runs: list[Path]) -> None:
    """A unit and a spread that nobody knows are the user's mistakes."""
    assert surefoot("score", *runs, "--unit", "click").code == ExitCode.USER_ERROR
    assert surefoot("score", *runs, "--spread", "wide").code == ExitCode.USER_ERROR
