"""
``surefoot import``: a published run becomes folders; its mistakes are told.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import ExitCode

GOOD = {
    "model": "gta1",
    "reasoning": False,
    "instruction_type": "direct",
    "variant": "original",
    "task_id": "t",
    "step_index": 1,
    "instruction": "Click on 'A'",
    "raw_prediction": "(966,546)",
    "box_xywh": [950, 530, 20, 20],
}
Surefoot = Callable[..., Any]


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """Write three published records, the last without an area."""
    changes: list[dict[str, Any]] = [
        {},
        {"variant": "style"},
        {"step_index": 2, "box_xywh": [0, 0, 0, 0]},
    ]
    path = tmp_path / "raw.jsonl"
    path.write_text("".join(json.dumps({**GOOD, **each}) + "\n" for each in changes))
    return path


def test_what_is_imported_can_be_scored_and_reported(
    surefoot: Surefoot, published: Path, tmp_path: Path
) -> None:
    """The folders that the verb writes are what score and report take."""
    ended = surefoot("import", "gui-perturbed", published, "--out", tmp_path / "out")
    run = tmp_path / "out" / "runs" / "gta1"

    assert ended.code == ExitCode.FINE
    assert "left out line 3" in ended.out
    assert "gta1, direct, style: 100.0 % (1 of 1;" in surefoot("score", run).out
    reported = surefoot("report", run, "--out", tmp_path / "page.html")
    assert reported.code == ExitCode.FINE
    assert (tmp_path / "page.html").is_file()


def test_mistakes_exit_with_2(surefoot: Surefoot, published: Path, tmp_path: Path) -> None:
    """A misspelt dataset, a missing file, and a bad record where strict are told."""
    out = ("--out", tmp_path / "out")
    misspelt = surefoot("import", "gui-pertubed", published, *out)
    missing = surefoot("import", "gui-perturbed", tmp_path / "none.jsonl", *out)
    strict = surefoot("import", "gui-perturbed", published, "--strict", *out)

    assert [each.code for each in (misspelt, missing, strict)] == [ExitCode.USER_ERROR] * 3
    assert "'gui-perturbed'" in misspelt.err
    assert "none.jsonl" in missing.err
    assert "line 3" in strict.err
