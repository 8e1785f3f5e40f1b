"""
A run whose replies were not read: its report and its scores say so first, and claim nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.question import Parsed, Question, Unparsed
from surefoot.run.folders.folder import read_questions

Surefoot = Callable[..., Any]
CLICK = "Action: click(start_box='(12,9)') <b>"


@pytest.mark.parametrize(("unread", "lost"), [(7, False), (8, True), (36, True)])
def test_no_effect_is_claimed_of_what_was_not_read(
    surefoot: Surefoot,
    drawn: Path,
    write_run: Callable[..., Path],
    tmp_path: Path,
    unread: int,
    lost: bool,
) -> None:
    """Over a fifth unread: raw replies, the format that reads them, a flag, and no verdict."""
    broken = {question.id for question in read_questions(drawn)[:unread]}

    def reply(question: Question) -> Parsed:
        return Unparsed("no numbers") if question.id in broken else question.truth.center

    run = write_run(drawn, tmp_path / "run", reply, raw=CLICK)
    page, numbers = tmp_path / "page.html", tmp_path / "scores.json"
    said = surefoot("report", run, "--out", page)
    scored = surefoot("score", run, "--json", numbers)
    first_screen = page.read_text().partition('<details class="chapter"')[0]

    for told in (said.out, scored.out):
        assert (f"walker: no result. {unread} of 36 replies could not be read" in told) is lost
    assert ("This is no result" in first_screen) is lost
    assert ("&lt;b&gt;" in first_screen) is lost
    assert "<b>" not in first_screen
    assert ("--format ui-tars-1.5" in first_screen) is lost
    assert ("too few to say" in first_screen) is not lost  # six elements
    assert ("what is compared" in scored.out) is not lost
    flag = {"model": "walker", "asked": 36, "unparsed": unread, "failed": 0}
    assert json.loads(numbers.read_text())["details"].get("lost") == ([flag] if lost else None)
