"""
ScreenQA: several annotators, several elements, and questions without an answer.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.datasets.dataset import BadRecord
from surefoot.datasets.labelled import Record
from surefoot.datasets.screenqa import read_screenqa

PIECE = {"text": "4.3", "bounds": [10, 20, 40, 60], "vh_index": 7}
OTHER = {"text": "stars", "bounds": [50, 20, 90, 70], "vh_index": 8}
NOBODY = {"full_answer": "<no answer>", "ui_elements": []}
ENTRY = {
    "image_id": 31,
    "image_width": 1080,
    "image_height": 1920,
    "question": "What is the rating?",
    "ground_truth": [
        NOBODY,
        {"full_answer": "4.3", "ui_elements": [PIECE]},
        {"full_answer": "4.3 stars", "ui_elements": [PIECE, OTHER]},
        {"full_answer": "4.3", "ui_elements": [PIECE]},
    ],
}


def read(folder: Path, *rows: object) -> tuple[list[Record], list[BadRecord]]:
    """Write rows as the test split, and read them."""
    path = folder / "answers_and_bboxes" / "test.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(rows))
    reported: list[BadRecord] = []
    return list(read_screenqa(folder, report=reported.append)), reported


def test_each_annotators_place_is_right(tmp_path: Path) -> None:
    """The place is the box around one annotator's elements; equal ones come once."""
    (record,), reported = read(tmp_path, ENTRY)
    assert not reported
    assert record.boxes == (Box(10, 20, 40, 60), Box(10, 20, 90, 70))
    assert record.answers == ("4.3", "4.3 stars")
    assert [(each.text, each.attributes["vh"]) for each in record.elements] == [
        ("4.3", "7"),
        ("stars", "8"),
    ]
    assert (record.image, record.split, record.platform) == ("31.jpg", "test", "mobile")
    assert record.answerable


def test_no_answer_is_a_refusal(tmp_path: Path) -> None:
    """Where no annotator gave elements, nothing is to be found."""
    (record,), _ = read(tmp_path, ENTRY | {"ground_truth": [NOBODY, NOBODY]})
    assert (record.answerable, record.boxes, record.answers) == (False, (), ())


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"question": " "}, "empty-text"),
        ({"image_id": "31"}, "malformed"),
        ({"image_width": 0}, "bad-size"),
        ({"ground_truth": {}}, "malformed"),
        (
            {"ground_truth": [{"full_answer": "a", "ui_elements": [{"bounds": [1, 2, 3]}]}]},
            "malformed",
        ),
        (
            {"ground_truth": [{"full_answer": "a", "ui_elements": [{"bounds": [9, 2, 3, 5]}]}]},
            "reversed-box",
        ),
        ({"image_width": 30}, "outside"),
    ],
)
def test_bad_records_are_reported(tmp_path: Path, changes: dict[str, object], reason: str) -> None:
    """One bad element, size or field leaves the record out, and the next is read."""
    found, reported = read(tmp_path, ENTRY | changes, ENTRY)
    assert [each.number for each in found] == [2]
    assert [(each.line, each.reason) for each in reported] == [(1, reason)]


def test_a_cut_file_is_named(tmp_path: Path) -> None:
    """A file without its end raises."""
    read(tmp_path, ENTRY)
    path = tmp_path / "answers_and_bboxes" / "test.json"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(InvalidInputError, match=r"test\.json"):
        list(read_screenqa(tmp_path))
