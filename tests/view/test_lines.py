"""
Any record of a table is read by its line.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Question
from surefoot.run.folders.folder import read_questions
from surefoot.view.lines import TableLines


def test_lines_are_the_records(opened: Path) -> None:
    """Each line read by itself is the record that reading the whole table gives."""
    lines = TableLines(opened / "bench" / "questions.jsonl", Question)
    whole = read_questions(opened / "bench")

    assert [lines.read(line) for line in range(len(lines))] == list(whole)
    assert lines.ids() == [question.id for question in whole]


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    """A line that is no record is named by its number, and an empty table has none."""
    path = tmp_path / "questions.jsonl"
    path.write_bytes(b'{"id": "a"}\nnonsense\n')
    lines = TableLines(path, Question)

    with pytest.raises(InvalidInputError, match="line 2,"):
        lines.read(1)
    with pytest.raises(InvalidInputError, match="records with ids"):
        lines.ids()
    path.write_bytes(b"")
    assert len(TableLines(path, Question)) == 0
