"""
ScreenQA: several annotators, several elements, and questions without an answer.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.core.geometry import Box
from surefoot.datasets.dataset import BadRecord
from surefoot.datasets.labelled import LABELLED, Record
from surefoot.datasets.screenqa import SCREENQA, SCREENQA_SHORT, SCREENQA_STATEMENTS

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
    return list(SCREENQA.read(folder, report=reported.append)), reported


def test_each_annotators_place_is_right(tmp_path: Path) -> None:
    """The place is the box around one annotator's elements; equal ones come once."""
    (record,), reported = read(tmp_path, ENTRY)
    assert not reported
    assert record.boxes == (Box(10, 20, 40, 60), Box(10, 20, 90, 70))
    assert record.answers == ("4.3", "4.3 stars")
    assert [(element.text, element.attributes["vh"]) for element in record.elements] == [
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
    assert [record.number for record in found] == [2]
    assert [(record.line, record.reason) for record in reported] == [(1, reason)]


def test_a_cut_file_is_named(tmp_path: Path) -> None:
    """A file without its end raises."""
    read(tmp_path, ENTRY)
    path = tmp_path / "answers_and_bboxes" / "test.json"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(InvalidInputError, match=r"test\.json"):
        list(SCREENQA.read(tmp_path))


SHORT = {
    "image_id": 31,
    "question": "How many stars?",
    "ground_truth": ["4.3", "4.3 stars", "4.3"],
}


def read_short(folder: Path, *rows: object) -> tuple[list[Record], list[BadRecord]]:
    """Write rows as the train split of the short answers, and read them."""
    path = folder / "short_answers" / "train.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(rows))
    reported: list[BadRecord] = []
    return list(SCREENQA_SHORT.read(folder, report=reported.append)), reported


def test_short_answers_are_the_right_words(tmp_path: Path) -> None:
    """Each answer comes once; "<no answer>" beside others is left off, alone it refuses."""
    rows = [
        SHORT,
        SHORT | {"ground_truth": ["<no answer>", "4.3"]},
        SHORT | {"ground_truth": ["<no answer>"]},
    ]
    found, reported = read_short(tmp_path, *rows)
    assert not reported
    assert [record.answers for record in found] == [("4.3", "4.3 stars"), ("4.3",), ()]
    assert [record.answerable for record in found] == [True, True, False]
    assert {record.asks for record in found} == {"words"}
    assert {(record.image, record.split, record.boxes) for record in found} == {
        ("31.jpg", "train", ())
    }
    assert [record.id for record in found] == ["train/1", "train/2", "train/3"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"question": "\n"}, "empty-text"),
        ({"ground_truth": []}, "empty-text"),
        ({"ground_truth": ["4.3", " "]}, "empty-text"),
        ({"ground_truth": "4.3"}, "malformed"),
        ({"ground_truth": [4.3]}, "malformed"),
        ({"image_id": None}, "malformed"),
        ({"image_id": 3.5}, "malformed"),
    ],
)
def test_bad_short_answers_are_reported(
    tmp_path: Path, changes: dict[str, object], reason: str
) -> None:
    """One bad field leaves the record out, and the next is read; strict stops."""
    found, reported = read_short(tmp_path, SHORT | changes, SHORT)
    assert [record.number for record in found] == [2]
    assert [(record.line, record.reason) for record in reported] == [(1, reason)]
    with pytest.raises(RecordError, match=r"train\.json, record 1"):
        list(SCREENQA_SHORT.read(tmp_path, strict=True))


def test_the_real_short_answers_are_read_whole() -> None:
    """All 8,614 questions of the validation split; 705 of them have no answer."""
    beside = Path(__file__).parents[2].parent / "shared" / "data"
    folder = Path(os.environ.get("SUREFOOT_SHARED_DATA", beside))
    file = folder / "screenqa" / "short_answers_validation.json"
    if not file.exists():
        pytest.skip("ScreenQA's answers are absent; set SUREFOOT_SHARED_DATA to their folder")
    found = list(LABELLED.get("screenqa-short").read(file, strict=True))
    rows = json.loads(file.read_text())
    assert len(found) == len(rows) == 8_614
    assert [record.text for record in found] == [row["question"] for row in rows]
    assert sum(not record.answerable for record in found) == 705
    assert len({record.image for record in found}) == 3_485
    assert {record.split for record in found} == {"validation"}


def test_long_answers_are_statements(tmp_path: Path) -> None:
    """The first annotator's long answer with elements is the text, the short one a fact."""
    path = tmp_path / "answers_and_bboxes" / "test.json"
    path.parent.mkdir()
    other = ENTRY | {"question": "Who?"}
    path.write_text(json.dumps([ENTRY, other, ENTRY | {"ground_truth": [NOBODY]}]))
    short = tmp_path / "short_answers" / "test.json"
    short.parent.mkdir()
    said = {"image_id": 31, "question": ENTRY["question"], "ground_truth": ["<no answer>", "4.3"]}
    short.write_text(json.dumps([said, said | {"image_id": 32, "question": "Who?"}]))
    reported: list[BadRecord] = []
    records = list(SCREENQA_STATEMENTS.read(tmp_path, report=reported.append))

    assert [record.text for record in records] == ["4.3", "4.3"]
    assert [record.facts.get("statement_s") for record in records] == ["4.3", None]
    assert records[0].boxes == (Box(10, 20, 40, 60), Box(10, 20, 90, 70))
    assert [item.reason for item in reported] == ["empty-text"]
    assert LABELLED.get("screenqa-statements") is SCREENQA_STATEMENTS
