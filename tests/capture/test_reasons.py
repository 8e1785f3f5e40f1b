"""
Every reason that a capture can give has a remedy, and every error names what was captured.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

import pytest

import surefoot
from surefoot.capture.reasons import REMEDIES, explained, told_of
from surefoot.core.errors import CaptureError

SOURCES: Final = sorted(Path(surefoot.__file__).parent.joinpath("capture").rglob("*.py"))
RAISERS: Final = {"CaptureError", "bad", "_failure", "break_off", "trip", "_trip", "_kill", "_bad"}


def reasons() -> set[str]:
    """Return the first literal with a hyphen or of the known words that each raiser is given."""
    found = set()
    for file in SOURCES:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                given = [item.value for item in node.args if isinstance(item, ast.Constant)]
                if name in RAISERS and given and isinstance(given[0], str):
                    found.add(given[0])
    return found


def test_each_reason_has_a_remedy() -> None:
    """What the code can raise is in the table."""
    assert {"popup", "timeout", "bad-box", "truncated-archive", "resource-failed"} <= reasons()
    assert reasons() - set(REMEDIES) == set()


def test_no_remedy_is_for_a_reason_that_nothing_gives() -> None:
    """What is in the table is somewhere in the code."""
    folder = Path(surefoot.__file__).parent
    text = "\n".join(
        file.read_text("utf-8") for file in folder.rglob("*.py") if file.name != "reasons.py"
    )
    assert [reason for reason in REMEDIES if f'"{reason}"' not in text] == []


@pytest.mark.parametrize("reason", sorted(REMEDIES))
def test_each_error_names_its_page_and_says_what_to_do(reason: str) -> None:
    """The address is told once, and a remedy that an error brings along stays."""
    error = CaptureError(reason, expected="a page", found="none")
    with pytest.raises(CaptureError) as raised, told_of("folder:site#a.html"):
        raise error
    assert "folder:site#a.html" in str(raised.value)
    assert raised.value.remedy == REMEDIES[reason]
    assert explained(raised.value, "folder:site#a.html") is raised.value
    kept = CaptureError(reason, expected="a page", found="a.html is none", remedy="see there")
    assert explained(kept, "folder:site#a.html", "a.html") is kept
