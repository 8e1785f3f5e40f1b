"""
Tests of importing published runs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Point
from surefoot.core.question import Unparsed
from surefoot.run.folders.folder import read_answers
from surefoot.run.imports.published import import_published

GOOD = {
    "model": "gta1",
    "reasoning": False,
    "instruction_type": "direct",
    "variant": "original",
    "task_id": "t",
    "step_index": 1,
    "instruction": "Click on 'A'",
    "raw_prediction": "(966,546)",
    "box_xywh": [950, 530, 20, 20],
}


def _write(path: Path, *changes: Mapping[str, object]) -> Path:
    path.write_text("".join(json.dumps({**GOOD, **change}) + "\n" for change in changes))
    return path


def test_replies_are_parsed_into_the_screenshots_space(tmp_path: Path) -> None:
    """A reply in the resized picture's pixels becomes a point of the screenshot."""
    path = _write(tmp_path / "raw.jsonl", {}, {"step_index": 2, "raw_prediction": "no idea"})

    import_published("gui-perturbed", path, tmp_path / "out")

    parsed = [each.parsed for each in read_answers(tmp_path / "out/runs/gta1")]
    point = next(each for each in parsed if isinstance(each, Point))
    assert point.x == pytest.approx(966 * 1920 / 1932)
    assert point.y == pytest.approx(546 * 1080 / 1092)
    assert any(isinstance(each, Unparsed) for each in parsed)


def test_bad_records_are_named_and_left_out(tmp_path: Path) -> None:
    """A record without an area is reported by its line and not imported."""
    path = _write(tmp_path / "raw.jsonl", {}, {"step_index": 2, "box_xywh": [1, 1, 0, 5]})

    outcome = import_published("gui-perturbed", path, tmp_path / "out")

    assert outcome.lines[0].startswith("left out line 2")
    assert len(read_answers(tmp_path / "out/runs/gta1")) == 1


def test_strict_stops_at_a_bad_record(tmp_path: Path) -> None:
    """With strict reading a bad record ends the import with an error."""
    path = _write(tmp_path / "raw.jsonl", {"box_xywh": [1, 1, 0, 5]})

    with pytest.raises(InvalidInputError, match="line 1"):
        import_published("gui-perturbed", path, tmp_path / "out", strict=True)


def test_different_words_for_one_question_are_counted(tmp_path: Path) -> None:
    """Models that were asked in different words keep their own words, and it is said."""
    other = {"model": "qwen25vl", "instruction": "Click on 'B'"}
    path = _write(tmp_path / "raw.jsonl", {}, other)

    outcome = import_published("gui-perturbed", path, tmp_path / "out")

    assert outcome.lines[-1].startswith("1 questions were put")
