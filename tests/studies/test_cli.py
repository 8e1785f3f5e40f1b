"""
The studies from their command line.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import ExitCode, MissingComponentError
from surefoot_studies.miniwob import pages_folder

ROOT = Path(__file__).parents[2]

try:
    pages_folder()
    MISSING = ""
except MissingComponentError as error:
    MISSING = str(error)


@pytest.mark.long
def test_the_page_in_the_docs_is_written(
    studies: Callable[..., Any], published_folder: Path, tmp_path: Path
) -> None:
    """From the published replies the verb writes the committed page, byte for byte."""
    page = tmp_path / "new" / "page.md"
    ended = studies("reanalyse", published_folder / "predictions.jsonl.gz", "--out", page)

    assert (ended.code, ended.out) == (ExitCode.FINE, f"wrote {page}\n")
    assert page.read_bytes() == (ROOT / "studies" / "docs" / "reanalysis.md").read_bytes()


def test_missing_replies_are_named(studies: Callable[..., Any], tmp_path: Path) -> None:
    """A file that is not there is the user's mistake."""
    ended = studies("reanalyse", tmp_path / "none.jsonl.gz", "--out", tmp_path / "page.md")

    assert ended.code == ExitCode.USER_ERROR
    assert ended.err.startswith("surefoot-studies: ")
    assert "none.jsonl.gz" in ended.err
    assert not (tmp_path / "page.md").exists()


@pytest.mark.browser
def test_agreement_is_printed_and_a_page_that_fails_told(
    studies: Callable[..., Any], tmp_path: Path
) -> None:
    """A page has its row, each disagreement its line, and a page that cannot be loaded too."""
    (tmp_path / "page.html").write_text("<!doctype html><pre contenteditable>code</pre>")
    ended = studies("agreement", tmp_path / "page.html", "http://127.0.0.1:9/")

    assert ended.code == ExitCode.SOME_UNITS_FAILED
    assert "page.html | 1 | 0.0 % | 100.0 % |" in ended.out
    assert "ours 'textbox', Chromium's 'generic'" in ended.out
    assert "- failed: " in ended.out


@pytest.mark.browser
@pytest.mark.skipif(bool(MISSING), reason=MISSING or "there")
def test_a_task_is_played_and_its_reward_written(
    studies: Callable[..., Any], tmp_path: Path
) -> None:
    """A task's own reward is printed and written."""
    ended = studies("miniwob", "--task", "focus-text", "--json", tmp_path / "o.json")

    assert ended.code == ExitCode.FINE
    assert "1 of 1 with reward 1" in ended.out
    (outcome,) = json.loads((tmp_path / "o.json").read_text("utf-8"))
    assert (outcome["task"], outcome["reward"], outcome["done"]) == ("focus-text", 1.0, True)


@pytest.mark.browser
def test_an_unknown_task_is_named(studies: Callable[..., Any]) -> None:
    """A misspelt task is the user's mistake, and the nearest is offered."""
    ended = studies("miniwob", "--task", "focus-txt")

    assert ended.code == ExitCode.USER_ERROR
    assert "focus-text" in ended.err


def test_the_package_runs_as_a_module() -> None:
    """``python -m surefoot_studies`` is the same program."""
    command = [sys.executable, "-m", "surefoot_studies", "--help"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout

    assert "reanalyse" in said
