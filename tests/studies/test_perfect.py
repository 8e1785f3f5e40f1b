"""
Perfect play of the forms: that faults are found, told, and resumed from.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import ExitCode
from surefoot.forms.rendering import Rendering
from surefoot.forms.specification import LANGUAGES
from surefoot_studies.perfect import PerfectPlay, looks, perfect_lines

SIX = 6


def test_looks_are_six_in_every_language() -> None:
    """Each renderer and library of widgets is there once in each language."""
    found = looks(LANGUAGES)

    assert len(found) == len(set(found)) == SIX * len(LANGUAGES)


def test_what_was_wrong_is_counted_and_named() -> None:
    """A value that did not arrive lowers its player's count alone, and has a line."""
    look = Rendering("rjsf", "mui", language="ru")
    plays = [
        PerfectPlay("bug_report", look, {"oracle": (), "page": ("browser",), "step": ()}),
        PerfectPlay("nda_submission", look, {"oracle": (), "page": (), "step": ()}),
    ]
    _, row, named = perfect_lines(plays)

    assert [row.count("2 of 2"), row.count("1 of 2")] == [2, 1]
    assert named == "bug_report in rjsf mui ru by page: browser"


@pytest.mark.browser
@pytest.mark.long
def test_a_form_is_played_once_and_the_table_kept(
    studies: Callable[..., Any], tmp_path: Path
) -> None:
    """Every look of a form is right, the table is a file, and a second call plays nothing."""
    asked = ("perfect", "--form", "A15", "--language", "ja", "--out", tmp_path, "--workers", 1)
    first = studies(*asked)
    again = studies(*asked)

    assert (first.code, again.code) == (ExitCode.FINE, ExitCode.FINE)
    assert first.out.count("1 of 1") == SIX * 3
    assert (tmp_path / "table.md").read_text("utf-8") in again.out
