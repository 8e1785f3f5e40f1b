"""
``surefoot audit``: names its sheets, refuses what cannot be drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from surefoot import audit, open_bench
from surefoot.core.errors import ExitCode


def test_sheets_are_named(surefoot: Callable[..., Any], drawn: Path, tmp_path: Path) -> None:
    """Each sheet that was written is one line, and so is the table beside them."""
    given = ("--count", 4, "--per-sheet", 2, "--seed", 1)
    ended = surefoot("audit", drawn, "--out", tmp_path, *given)

    assert ended.code == ExitCode.FINE
    names = ("sheet-01.png", "sheet-02.png", "ratings.csv")
    assert ended.out.splitlines() == [f"wrote {tmp_path / name}" for name in names]


@pytest.mark.parametrize("given", [("--count", "0"), ("--per-sheet", "0")])
def test_empty_sheets_are_refused(
    surefoot: Callable[..., Any], drawn: Path, tmp_path: Path, given: tuple[str, ...]
) -> None:
    """No samples, or none on a sheet, is a mistake and no crash."""
    assert surefoot("audit", drawn, "--out", tmp_path, *given).code == ExitCode.USER_ERROR


def test_sheets_are_drawn_and_named(drawn: Path, tmp_path: Path) -> None:
    """Each sheet of an audit is a picture at the path that is returned."""
    sheets = audit(open_bench(drawn), out=tmp_path / "sheets", count=8)

    pictures = [path for path in sheets if path.suffix == ".png"]
    assert len(pictures) == 2
    for path in pictures:
        with Image.open(path) as sheet:
            assert sheet.width > 0
