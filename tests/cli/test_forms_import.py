"""
``surefoot forms import``: what it prints, and what it refuses.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from surefoot.core.errors import ExitCode
from surefoot.run.folders.folder import read_manifest


def test_it_says_what_could_not_be_taken(surefoot: Callable[..., Any], tmp_path: Path) -> None:
    """The summary ends with the folder, which holds the two tables."""
    (tmp_path / "NDA.json").write_text(json.dumps([{"Party Type": "Robot"}]), encoding="utf-8")
    ended = surefoot("forms", "import", tmp_path, "--out", tmp_path / "out")

    assert ended.code == 0
    assert "nda_submission, party_type: not-an-option, such as 'Robot'" in ended.out
    assert ended.out.splitlines()[-1] == f"wrote {tmp_path / 'out'}"
    files = read_manifest(tmp_path / "out", "form-import").files
    assert {name: each.count for name, each in files.items()} == {
        "records.jsonl": 1,
        "impossible.jsonl": 1,
        "counts.json": 1,
    }


def test_another_folder_exits_with_2(surefoot: Callable[..., Any], tmp_path: Path) -> None:
    """A folder without their files, and one that is not there, are refused in a line."""
    for folder in (tmp_path, tmp_path / "none"):
        ended = surefoot("forms", "import", folder, "--out", tmp_path / "out")
        assert ended.code == ExitCode.USER_ERROR
        assert "data1" in ended.err
    assert not (tmp_path / "out").exists()
