"""
``surefoot select`` and ``surefoot audit --answers``: options arrive, and rates are said.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from surefoot.core.errors import ExitCode
from surefoot.run.folders.folder import read_questions
from surefoot.view.judging import Judgements


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
    assert told.out.startswith("the sample is right: 0 of 1 (0.0 %; no interval)")
    assert "direct: 5 of 6 targets kept (83.3 %)" in kept.out
    assert "Kept is only what walker hit" in kept.out
    assert lost.code == ExitCode.USER_ERROR
    assert "--answers" in lost.err


def test_what_the_page_wrote_is_read_as_a_sheet_is(
    surefoot: Callable[..., Any], drawn: Path, tmp_path: Path
) -> None:
    """Verdicts of ``view --judge`` select and are counted, and each verb tells of a cut line."""
    first, second, *_ = read_questions(drawn)
    file = tmp_path / "ann.jsonl"
    with Judgements(file, "Ann") as kept:
        for question, said in ((first, "yes"), (first, "no"), (second, "yes")):
            kept.add("bench", question.id, question.cluster, "box_right", said)
    file.write_bytes(file.read_bytes() + b'{"bench":"be')
    told = surefoot("audit", drawn, "--answers", file)
    kept_out = surefoot("select", drawn, "--sheet", file, "--out", tmp_path / "out")
    agreed = surefoot("agreement", file, "--column", "box_right")

    assert [ended.code for ended in (told, kept_out, agreed)] == [ExitCode.FINE] * 3
    assert "the box is that of the target: 1 of 2 (50.0 %" in told.out
    assert "rejected: people: box_right" in kept_out.out
    assert "2 items: 1 no, 1 yes, by Ann" in agreed.out
    assert all("dropped line 4 of" in ended.out for ended in (told, kept_out, agreed))
