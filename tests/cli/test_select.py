"""
``surefoot select`` and ``surefoot audit --answers``: options arrive, and rates are said.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from surefoot.core.errors import ExitCode
from surefoot.run.folders.folder import read_questions


def test_people_and_a_teacher_select(
    surefoot: Callable[..., Any],
    drawn: Path,
    write_run: Callable[..., Path],
    stumble: Callable[..., object],
    tmp_path: Path,
) -> None:
    """The sheet's rate is printed with its interval, and both reasons are counted."""
    run = write_run(drawn, tmp_path / "run", stumble)
    first = read_questions(drawn)[0]
    sheet = tmp_path / "ann.csv"
    sheet.write_text(f"item,site,rating\n{first.id},{first.cluster},no\n")
    told = surefoot("audit", drawn, "--answers", sheet)
    kept = surefoot("select", drawn, "--teacher", run, "--sheet", sheet, "--out", tmp_path / "out")
    lost = surefoot("audit", drawn)

    assert (told.code, kept.code) == (ExitCode.FINE, ExitCode.FINE)
    assert told.out.startswith("the sample is right: 0 of 1 (0.0%; 95 % interval ")
    assert "direct: 5 of 6 targets kept (83.3%)" in kept.out
    assert "Kept is only what walker hit" in kept.out
    assert lost.code == ExitCode.USER_ERROR
    assert "--answers" in lost.err
