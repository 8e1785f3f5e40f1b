"""
What people say on sheets: rates that can be counted by hand, and cells that are no verdict.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.run.ratings import RatingLines, read_lines
from surefoot.run.verdicts import failed_columns, people_verdicts

HEAD = "item,site,rating,box_right,note\n"


def sheet(folder: Path, name: str, *lines: str) -> Path:
    """Write what one person filled in."""
    path = folder / f"{name}.csv"
    path.write_text(HEAD + "".join(f"{line}\n" for line in lines))
    return path


@pytest.fixture
def sheets(tmp_path: Path) -> RatingLines:
    """Return the sheets of two people who differ on one item, and say little of another."""
    ann = sheet(tmp_path, "ann", "q1,a,Yes,yes,", "q2,a,no,yes,", "q3,b,right,,", "q4,b,,,")
    bob = sheet(tmp_path, "bob", "q1,a,y,no,", "q2,a,yes,yes,", "q3,b,unclear,,", "q4,b,yes,,x")
    return read_lines([ann, bob])


def test_an_item_passes_by_more_than_half(sheets: RatingLines) -> None:
    """A tie fails, an empty cell says nothing, and each column has a rate of its own."""
    whole, box = people_verdicts(sheets)

    assert (whole.criterion, whole.people, whole.items, whole.passed) == ("rating", 2, 4, 2)
    assert (box.criterion, box.people, box.items, box.passed) == ("box_right", 2, 2, 1)
    assert whole.rate == 0.5
    assert whole.interval is not None
    assert (whole.interval.over, whole.interval.clusters) == ("sites", 2)
    assert failed_columns(sheets) == {
        "q1": ("box_right",), "q2": ("rating",), "q3": ("rating",), "q4": (),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "found"), [("q1,a,maybe,,", "'maybe'"), ("q1,a,,,", "none"), ("q1,a,1,,", "'1'")]
)
def test_what_is_no_verdict_is_refused(tmp_path: Path, line: str, found: str) -> None:
    """A cell of other words is never taken for a yes or a no, and an empty sheet is none."""
    with pytest.raises(InvalidInputError, match=found):
        people_verdicts(read_lines([sheet(tmp_path, "ann", line)]))
