"""
Published replies, parsed anew.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from surefoot.core.errors import UnknownNameError
from surefoot.core.geometry import Point
from surefoot.core.question import Unparsed
from surefoot.models.spaces import IMAGE_PIXELS
from surefoot.run.imports.replies import read_published

RECORD = {
    "model": "uitars15",
    "reasoning": False,
    "instruction_type": "direct",
    "variant": "original",
    "task_id": "task",
    "step_index": 0,
    "instruction": "Click",
    "box_xywh": [1, 2, 3, 4],
}


def written(folder: Path, *replies: str) -> Path:
    """Write one record for each reply."""
    path = folder / "replies.jsonl"
    records = [RECORD | {"step_index": n, "raw_prediction": raw} for n, raw in enumerate(replies)]
    path.write_text("\n".join(json.dumps(record) for record in records))
    return path


def test_replies_are_read_in_the_space_that_the_model_saw(tmp_path: Path) -> None:
    """Coordinates are converted from 1932 x 1092 to the 1920 x 1080 screenshot."""
    path = written(tmp_path, "Action: click(start_box='(1932,546)')")
    ((model, question, answer),) = read_published("gui-perturbed", path)
    assert answer is not None
    assert (model, answer.question) == ("uitars15", question.id)
    assert answer.parsed == Point(1920.0, 540.0)


def test_replies_are_read_in_another_space_exactly(tmp_path: Path) -> None:
    """As pixels of the screenshot, every whole coordinate stays what was said."""
    said = range(1, 1932)
    path = written(tmp_path, *(f"click({x},{x})" for x in said))
    records = read_published("gui-perturbed", path, space=IMAGE_PIXELS)
    assert [answer.parsed for _, _, answer in records if answer] == [Point(x, x) for x in said]


def test_a_reply_without_a_place_stays_unparsed(tmp_path: Path) -> None:
    """Words without coordinates are kept as unparsed, beside a readable one."""
    path = written(tmp_path, "I cannot see it.", "Action: click(start_box='(1,1)')")
    answers = [answer for _, _, answer in read_published("gui-perturbed", path)]
    assert [isinstance(each.parsed, Unparsed) for each in answers if each] == [True, False]


def test_an_unknown_run_is_refused(tmp_path: Path) -> None:
    """A name that no dataset bears raises with the nearest one."""
    with pytest.raises(UnknownNameError, match="gui-perturbed"):
        list(read_published("gui-perturb", tmp_path))
