"""
What is said first is the same in the report, the terminal, the viewer, JSON and Python.
"""

from __future__ import annotations

import json
import re
import tarfile
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import surefoot
from surefoot.cli.main import main
from surefoot.view.application import view_application
from surefoot.view.looking import LookedAt
from surefoot.view.opening import open_folders
from tests.view.asking import TOKEN, Asker

ANSWERS = Path(__file__).parents[1] / "golden" / "inputs.tar.xz"


@pytest.mark.parametrize(
    "names", [("hits-ocr", "hits-careful"), ("words-careful",), ("hidden-hasty",)]
)
def test_the_same_is_said_everywhere(
    names: tuple[str, ...],
    command_line: Callable[..., Any],
    tmp_path: Path,
) -> None:
    """On real answers of three kinds, sentences and the effects behind them are equal."""
    with tarfile.open(ANSWERS) as archive:
        archive.extractall(tmp_path, filter="data")
    runs = [tmp_path / name for name in names]
    scores = surefoot.score(runs)
    written = command_line(main, "score", *runs, "--json", tmp_path / "scores.json")
    found = json.loads((tmp_path / "scores.json").read_text())
    report = surefoot.report(runs, out=tmp_path / "page.html", cards=0)
    first_screen = unescape((tmp_path / "page.html").read_text()).partition("chapter-")[0]
    overview = unescape(Asker(view_application(LookedAt(open_folders(runs)), TOKEN)).get("/").text)

    sentences = list(scores.sentences)
    assert len(sentences) > 1
    assert list(report.sentences) == found["sentences"] == sentences
    assert written.out.splitlines()[: len(sentences)] == sentences
    paragraphs = r'<p class="(?:said|also)">(.*?)</p>'
    assert re.findall(paragraphs, first_screen, re.DOTALL) == sentences
    assert re.findall(r'<p class="sentence">(.*?)</p>', overview, re.DOTALL) == sentences
    kept = [(one["factor"], one["value"], one["change"], one["p"]) for one in found["effects"]]
    assert kept == [(one.factor, one.value, one.change, one.p) for one in scores.summary.effects]
    assert len(scores.effects) == len(kept)


def test_runs_on_several_benchmarks_are_said_one_by_one(tmp_path: Path) -> None:
    """What cannot be compared stands below each other, as each has it alone."""
    with tarfile.open(ANSWERS) as archive:
        archive.extractall(tmp_path, filter="data")
    runs = [tmp_path / name for name in ("hits-careful", "words-hasty")]
    looked_at = LookedAt(open_folders(runs))

    assert looked_at.sentences == [
        sentence for run in runs for sentence in surefoot.score(run).sentences
    ]
