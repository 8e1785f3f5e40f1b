"""
The seam: label files in their order, places of errors, and sets found by their names.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError, RecordError, UnknownNameError
from surefoot.core.geometry import Box
from surefoot.datasets.dataset import DATASETS, BadRecord
from surefoot.datasets.files.json_records import Entry
from surefoot.datasets.labelled import LABELLED, Record, label_files, placed, sift

ENTRIES = [Entry(b"", "set.json", number) for number in (1, 2, 3)]


def test_every_set_is_found_and_declares_itself() -> None:
    """Names, patterns, licence and convention are there, and no name is a published run's."""
    wanted = {"screenspot", "screenspot-v2", "screenspot-pro", "osworld-g", "omniact"}
    assert set(LABELLED.entries) >= wanted | {"mmbench-gui-l2", "ui-vision", "screenqa"}
    assert not set(LABELLED.entries) & set(DATASETS.entries)
    for name, entry in LABELLED.entries.items():
        assert entry.name == name
        assert entry.labels
        assert entry.licence
        assert entry.summary
    with pytest.raises(UnknownNameError, match="'screenspot'"):
        LABELLED.get("screenspt")


def test_label_files_come_in_the_order_of_the_patterns(tmp_path: Path) -> None:
    """Splits keep their order, files of one pattern are sorted, and none comes twice."""
    for name in ("test.json", "train.json", "b.json", "a.json"):
        (tmp_path / name).write_text("[]")
    (tmp_path / "folder.json").mkdir()
    found = label_files(tmp_path, ("train.json", "test.json", "*.json"))
    assert [path.name for path in found] == ["train.json", "test.json", "a.json", "b.json"]
    assert label_files(tmp_path / "b.json", ("train.json",)) == (tmp_path / "b.json",)
    with pytest.raises(InvalidInputError, match=r"none\.json or absent"):
        label_files(tmp_path, ("none.json", "absent*.json"))


def make(entry: Entry) -> Record:
    """Make a good record of the first entry, and fail for the others in two ways."""
    if entry.number == 2:
        raise InvalidInputError("a thing", found="none")
    if entry.number == 3:
        raise RecordError("odd", "an even thing", found="3")
    return Record(id="a", image="a.png", text="Click", boxes=(Box(0, 0, 1, 1),))


def test_what_fails_is_reported_with_reason_and_place() -> None:
    """Errors with a reason keep it, others are malformed; good records know their place."""
    reported: list[BadRecord] = []
    (record,) = sift(ENTRIES, make, report=reported.append)
    assert (record.file, record.number) == ("set.json", 1)
    assert [(item.place, item.reason) for item in reported] == [
        ("set.json, record 2", "malformed"),
        ("set.json, record 3", "odd"),
    ]
    with pytest.raises(RecordError, match=r"a thing in set\.json, record 2"):
        list(sift(ENTRIES, make, strict=True))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"text": "\t "}, "empty-text"),
        ({"id": ""}, "malformed"),
        ({"image": ""}, "malformed"),
        ({"image": b""}, "malformed"),
        ({"boxes": ()}, "no-place"),
    ],
)
def test_a_record_needs_words_a_picture_and_a_place(
    changes: dict[str, object], reason: str
) -> None:
    """What every set must have is checked for every set."""
    good = {"id": "a", "image": "a.png", "text": "Click", "boxes": (Box(0, 0, 1, 1),)}
    reported: list[BadRecord] = []
    made = Record(**good | changes)  # type: ignore[arg-type]
    assert not list(sift(ENTRIES[:1], lambda _: made, report=reported.append))
    assert [record.reason for record in reported] == [reason]


def test_words_or_a_refusal_need_no_place() -> None:
    """An answer in words, and what cannot be answered, are whole without a box."""
    spoken = Record(id="a", image="a.png", text="Which?", answers=("128",))
    refused = Record(id="a", image="a.png", text="Which?", answerable=False)
    assert len(list(sift(ENTRIES[:1], lambda _: spoken))) == 1
    assert len(list(sift(ENTRIES[:1], lambda _: refused))) == 1


def test_a_placed_error_keeps_what_was_found() -> None:
    """The message names the place, and how to go on."""
    error = placed(RecordError("odd", "an even thing", found="3"), "set.json", 7)
    assert str(error).startswith("Expected an even thing in set.json, record 7, found 3.")
    assert "--strict" in str(error)


def test_every_set_stands_in_the_documents() -> None:
    """docs/datasets.md names each set with the box convention that its reader declares."""
    page = (Path(__file__).parents[2] / "docs" / "datasets.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([\w-]+)` \| (.*) \|$", page, re.MULTILINE))
    for name, entry in LABELLED.entries.items():
        assert rows[name].startswith(entry.convention), name
