"""
``surefoot reanalyse`` writes the page of the documentation.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import ExitCode

ROOT = Path(__file__).parents[2]


def test_the_page_in_the_docs_is_written(surefoot: Callable[..., Any], tmp_path: Path) -> None:
    """From the published replies the verb writes the committed page, byte for byte."""
    folder = Path(os.environ.get("SUREFOOT_SHARED_DATA", ROOT.parent / "shared" / "data"))
    replies = folder / "gui_perturbed" / "predictions.jsonl.gz"
    if not replies.exists():
        pytest.skip("the published files are absent; set SUREFOOT_SHARED_DATA to their folder")
    page = tmp_path / "new" / "page.md"
    ended = surefoot("reanalyse", replies, "--out", page)

    assert (ended.code, ended.out) == (ExitCode.FINE, f"wrote {page}\n")
    assert page.read_bytes() == (ROOT / "docs" / "reanalysis.md").read_bytes()


def test_missing_replies_are_named(surefoot: Callable[..., Any], tmp_path: Path) -> None:
    """A file that is not there is the user's mistake."""
    ended = surefoot("reanalyse", tmp_path / "none.jsonl.gz", "--out", tmp_path / "page.md")

    assert ended.code == ExitCode.USER_ERROR
    assert "none.jsonl.gz" in ended.err
    assert not (tmp_path / "page.md").exists()
