"""
The table of planted faults: it is written between its marks, from what was found.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot_studies.planted_table import planted_rows, write_planted


def test_the_table_stands_between_its_marks(tmp_path: Path) -> None:
    """What stands around the marks is kept, and writing twice is writing once."""
    page = tmp_path / "page.md"
    begin, end = (
        "<!-- measured by surefoot-studies planted -->",
        "<!-- end of what is measured -->",
    )
    page.write_text(f"before\n{begin}\nold\n{end}\nafter\n", "utf-8")

    write_planted(page, planted_rows(tmp_path))
    once = page.read_text("utf-8")
    write_planted(page, ())

    assert once.startswith(f"before\n{begin}\n")
    assert once.endswith(f"{end}\nafter\n")
    assert "old" not in once
    assert "Of 0 planted faults 0" in once
    assert page.read_text("utf-8") == once


def test_a_page_without_marks_is_refused(tmp_path: Path) -> None:
    """A page that has no place for the table is named, and left as it is."""
    page = tmp_path / "page.md"
    page.write_text("nothing", "utf-8")

    with pytest.raises(InvalidInputError, match="measured by"):
        write_planted(page, ())
