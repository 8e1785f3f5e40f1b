"""
The table of elements chosen freely: searches both ways, and the page that it stands in.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.intervals import Interval
from surefoot_studies import freely
from surefoot_studies.freely import FreelyRow, freely_lines, search_freely, write_freely


def test_both_searches_are_counted_and_kept(
    drawn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where all controls are asked about there are more; what is finished is read again."""
    few = msgspec.structs.replace(freely.CHOSEN, explore=8, rare=4, budget=20, most=4)
    monkeypatch.setattr(freely, "CHOSEN", few)

    rows = search_freely(drawn, tmp_path, ["center"])
    times = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("found.json")}

    assert [(row.model, row.freely) for row in rows] == [("center", False), ("center", True)]
    for row in rows:
        assert row.random[1] == 8
        assert 0 < row.planned[1] <= 12
        assert row.planned[0] <= row.planned[1]
    assert search_freely(drawn, tmp_path, ["center"]) == rows
    assert {file: file.stat().st_mtime_ns for file in tmp_path.rglob("found.json")} == times


def test_the_table_stands_between_its_marks(tmp_path: Path) -> None:
    """A row has its counts and the interval; a page without marks is refused."""
    row = FreelyRow(
        model="icons", freely=True, plan="p", elements=7, planned=(6, 10), random=(2, 20),
        ratio=6.0, interval=Interval(2, 9, ""),
    )  # fmt: skip
    page = tmp_path / "page.md"
    page.write_text(f"before\n{freely.BEGIN}\nold\n{freely.END}\nafter\n", "utf-8")

    write_freely(page, [row])

    (*_, line) = freely_lines([row])
    assert line == "| `icons` | all controls | 7 | 6 of 10 | 2 of 20 | 6.00 (2.00 to 9.00) |"
    lines = page.read_text("utf-8").splitlines()
    assert "old" not in lines
    assert (lines[0], lines[-1]) == ("before", "after")
    assert line in lines
    page.write_text("nothing", "utf-8")
    with pytest.raises(InvalidInputError, match="not both"):
        write_freely(page, [row])
