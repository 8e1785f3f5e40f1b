"""
The table of planted faults: it is written between its marks, from what was found.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot_studies.planted_table import phi, planted_rows, write_planted


@pytest.mark.parametrize(("more", "own"), [(None, ""), (Path("others/fourth.py"), " fourth")])
def test_the_table_stands_between_its_marks(tmp_path: Path, more: Path | None, own: str) -> None:
    """What is around the marks and between others is kept, and writing twice changes nothing."""
    page = tmp_path / "page.md"
    begin, end = (
        f"<!-- measured by surefoot-studies planted{own} -->",
        "<!-- end of what is measured -->",
    )
    other = f"<!-- measured by surefoot-studies planted other -->\nkept\n{end}"
    page.write_text(f"{other}\nbefore\n{begin}\nold\n{end}\nafter\n", "utf-8")

    write_planted(page, planted_rows(tmp_path), more)
    once = page.read_text("utf-8")
    write_planted(page, (), more)

    assert once.startswith(f"{other}\nbefore\n{begin}\n")
    assert once.endswith(f"{end}\nafter\n")
    assert "old" not in once
    assert "0 of 0 planted faults" in once
    assert page.read_text("utf-8") == once


def test_a_page_without_marks_is_refused(tmp_path: Path) -> None:
    """A page that has no place for the table is named, and left as it is."""
    page = tmp_path / "page.md"
    page.write_text("nothing", "utf-8")

    with pytest.raises(InvalidInputError, match="measured by"):
        write_planted(page, ())


def test_agreement_is_that_of_a_fourfold_table() -> None:
    """The coefficient is (ad - bc) over the root of the four sums' product, and None of all."""
    one = np.array([True] * 12 + [False] * 28)
    other = np.array([True] * 9 + [False] * 3 + [True] * 5 + [False] * 23)

    assert phi(one, other) == pytest.approx((9 * 23 - 3 * 5) / (12 * 28 * 14 * 26) ** 0.5)
    assert phi(one, np.ones(40, dtype=bool)) is None


def test_faults_of_a_file_are_diagnosed_once(
    studies: Callable[..., Any], drawn: Path, tmp_path: Path
) -> None:
    """The verb diagnoses what a file plants alone, and leaves what is finished as it is."""
    file, out = tmp_path / "more.py", tmp_path / "out"
    file.write_text(
        "from surefoot_studies.planted import Fault\n"
        "FAULTS = {'all': Fault('all', frozenset(), lambda told: True, None, 1.0, 0.0)}\n",
        "utf-8",
    )

    first = studies("planted", drawn, "--faults", file, "--out", out)
    assert "0 of 1 planted faults" in first.out
    assert "| `all` | all | no |" in first.out
    (out / "all" / "ledger.sqlite").unlink()  # what is finished needs it no more
    again = studies("planted", drawn, "--faults", file, "--out", out)

    assert again.out == first.out
    assert not (out / "all" / "ledger.sqlite").exists()
    assert not (out / "perfect").exists()
