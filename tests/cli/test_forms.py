"""
``surefoot forms score`` and ``report`` at the terminal.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.ledger import Ledger
from surefoot.forms.rendering import Rendering
from surefoot.forms.scoring.episodes import EpisodeScore
from surefoot.forms.scoring.fields import FieldScore
from surefoot.forms.specification import Kind
from surefoot.run.folders.folder import export
from surefoot.run.forms.units import FormResult

Surefoot = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return a finished run of one attempt that was half right."""
    fields = tuple(
        FieldScore(name, Kind.STRING, 0, asked=True, mentioned=True, typed=hit, in_field=hit)
        for name, hit in (("name", True), ("age", False))
    )
    score = EpisodeScore("a", 0, "weak", Rendering(), fields, accepted=False, right=False)
    folder = tmp_path / "run"
    with Ledger.open(folder, {"kind": "forms", "choices": {}}):
        export(folder, "forms", {"episodes.jsonl": [FormResult("1", score, ())]})
    return folder


def test_scores_are_printed_and_written(surefoot: Surefoot, run: Path, tmp_path: Path) -> None:
    """The terminal has the table, the file every number."""
    ended = surefoot("forms", "score", run, "--json", tmp_path / "new" / "scores.json")
    assert ended.code == 0
    assert "weak   2       100.0 %    50.0 %  50.0 %        0.0 %" in ended.out
    found = json.loads((tmp_path / "new" / "scores.json").read_bytes())
    levels = {each["metric"]: each["amount"] for each in found["scores"]}
    assert (levels["mentioned"], levels["in_field"], levels["submitted"]) == (1.0, 0.5, 0.0)


def test_the_report_is_written(surefoot: Surefoot, run: Path, tmp_path: Path) -> None:
    """The page is there under its title; without pictures it says so."""
    out = tmp_path / "page.html"
    ended = surefoot("forms", "report", run, "--out", out, "--title", "Weak & weaker")
    assert ended.code == 0
    assert "<h1>Weak &amp; weaker</h1>" in out.read_text("utf-8")
    assert "No pictures at hand." in out.read_text("utf-8")


def test_a_folder_of_another_kind_is_refused(surefoot: Surefoot, tmp_path: Path) -> None:
    """A folder that no run over forms wrote is refused in one line."""
    ended = surefoot("forms", "score", tmp_path)
    assert ended.code != 0
    assert len(ended.err.strip().splitlines()) == 1


@pytest.mark.parametrize("limit", ["steps=3", "actions=few", "actions=0", "seconds=nan", "="])
def test_a_limit_that_is_none_is_refused(surefoot: Surefoot, tmp_path: Path, limit: str) -> None:
    """A limit of another name, or that is no number above 0, is refused with the usual ones."""
    out = tmp_path / "run"
    ended = surefoot("forms", "run", "--agent", "null", "--limit", limit, "--out", out)
    assert ended.code != 0
    assert "actions=500" in ended.err
    assert not out.exists()
