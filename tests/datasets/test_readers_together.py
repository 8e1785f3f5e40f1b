"""
What holds for every reader of a JSON array: good entries read, bad ones named, hostile files.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.core.geometry import Box
from surefoot.datasets.dataset import BadRecord
from surefoot.datasets.labelled import LABELLED, Record


class Layout(Protocol):
    """See conftest."""

    file: str
    entry: dict[str, object]
    text: str
    box: str
    image: str
    convention: str

    def write(self, folder: Path, *entries: dict[str, object]) -> Path:
        """Write entries."""

    def write_bytes(self, folder: Path, data: bytes) -> Path:
        """Write a file."""


Named = tuple[str, Layout]


def read(name: str, path: Path) -> tuple[list[Record], list[BadRecord]]:
    """Read a set and what it reports."""
    reported: list[BadRecord] = []
    return list(LABELLED.get(name).read(path, report=reported.append)), reported


def test_a_good_entry_is_read(layout: Named, tmp_path: Path) -> None:
    """Words, picture and box arrive in pixels, and the place in the file is kept."""
    name, form = layout
    (record,), reported = read(name, form.write(tmp_path, {}))
    assert not reported
    assert record.text == form.entry[form.text]
    assert record.image == "a.png"
    (box,) = record.boxes
    assert box.as_tuple() == pytest.approx(Box(10, 20, 40, 60).as_tuple())
    assert (record.file, record.number) == (Path(form.file).name, 1)
    assert record.split in LABELLED.get(name).splits


def test_one_file_alone_is_a_set(layout: Named, tmp_path: Path) -> None:
    """The path may be the label file itself, with the same records."""
    name, form = layout
    folder = form.write(tmp_path, {})
    assert read(name, folder / form.file) == read(name, folder)


def test_unknown_fields_do_no_harm(layout: Named, tmp_path: Path) -> None:
    """A field that nobody knows changes nothing."""
    name, form = layout
    plain = read(name, form.write(tmp_path / "a", {}))
    assert read(name, form.write(tmp_path / "b", {"made_up": {"deep": [1]}})) == plain


def bad_values(form: Layout) -> Iterator[tuple[dict[str, object], str]]:
    """Yield changes that make the good entry bad, and the reason to report."""
    yield {form.text: ""}, "empty-text"
    yield {form.text: " \n"}, "empty-text"
    yield {form.text: None}, "malformed"
    yield {form.text: 5}, "malformed"
    yield {form.text: ["a"]}, "malformed"
    yield {form.text: "x" * 200_000}, "long-text"
    yield {form.image: ""}, "malformed"
    yield {form.image: 7}, "malformed"
    for box in (None, "1,2,3,4", [1, 2, 3], [1, 2, 3, "4"], [1, 2, 3, None], {"x": 1}, [True] * 4):
        yield {form.box: box}, "malformed"
    yield {form.box: [1, 2, 3, 10**400]}, "malformed"
    yield {form.box: [0, 0, 0, 0]}, "empty-box"


def test_bad_entries_are_reported_with_their_place(layout: Named, tmp_path: Path) -> None:
    """Each bad entry is left out with its reason, and the ones around it stay."""
    name, form = layout
    changes = list(bad_values(form))
    entries: list[dict[str, object]] = [{}, *(change for change, _ in changes), {"id": "last"}]
    found, reported = read(name, form.write(tmp_path, *entries))
    assert [record.number for record in found] == [1, len(entries)]
    assert [record.line for record in reported] == list(range(2, len(entries)))
    assert [record.reason for record in reported] == [reason for _, reason in changes]
    assert {record.file for record in reported} == {Path(form.file).name}


def test_boxes_of_another_scale_are_reported(layout: Named, tmp_path: Path) -> None:
    """Shares in a set of pixels, and pixels in one of shares, are never converted."""
    name, form = layout
    other = [10, 20, 40, 60] if form.convention == "norm1" else [0.05, 0.2, 0.2, 0.6]
    found, reported = read(name, form.write(tmp_path, {form.box: other}))
    assert not found
    assert [record.reason for record in reported] == ["wrong-scale"]


def test_reversed_boxes_are_reported_never_swapped(layout: Named, tmp_path: Path) -> None:
    """The first corner after the second, or a negative size, is a fault of its own."""
    name, form = layout
    turned = [0.2, 0.6, 0.05, 0.2] if form.convention == "norm1" else [40, 60, -10, -20]
    found, reported = read(name, form.write(tmp_path, {form.box: turned}))
    assert not found
    assert [record.reason for record in reported] == ["reversed-box"]


def test_strict_stops_at_the_first_bad_entry(layout: Named, tmp_path: Path) -> None:
    """The error names file and record, and the record before it was read."""
    name, form = layout
    path = form.write(tmp_path, {}, {form.text: ""}, {})
    records = LABELLED.get(name).read(path, strict=True)
    next(records)
    with pytest.raises(RecordError, match=rf"{Path(form.file).name}, record 2") as caught:
        next(records)
    assert caught.value.reason == "empty-text"


def spoilt(form: Layout) -> list[bytes]:
    """Return entries that are no JSON of the known fields."""
    good = json.dumps(form.entry)
    again = json.dumps({form.text: "twice"})[1:]
    return [
        good.replace("[", "[NaN, ").encode(),
        good.replace("[", "[1e999, ").encode(),
        (good[:-1] + ", " + again).encode(),
        good.encode()[:-1] + b', "deep": ' + b"[" * 20_000 + b"]" * 20_000 + b"}",
        good.encode()[:-1] + b', "half": "\\ud800"}',
        good.encode()[:-1] + b', "bytes": "\xff\xfe"}',
        b"{}",
        b"[]",
    ]


def test_hostile_entries_cost_themselves(layout: Named, tmp_path: Path) -> None:
    """NaN, infinity, twin keys, depth and broken text are reported between good entries."""
    name, form = layout
    rows = [json.dumps(form.entry).encode(), *spoilt(form)]
    last = json.dumps(form.entry | {"id": "last"}).encode()
    path = form.write_bytes(tmp_path, b"[" + b",\n".join([*rows, last]) + b"]")
    found, reported = read(name, path)
    assert [record.number for record in found] == [1, len(rows) + 1]
    assert [record.line for record in reported] == list(range(2, len(rows) + 1))
    assert "duplicate-key" in {record.reason for record in reported}


def test_a_cut_file_is_named(layout: Named, tmp_path: Path) -> None:
    """Wherever it is cut, an array without its end raises after the whole records."""
    name, form = layout
    whole = json.dumps([form.entry, form.entry | {"id": "b"}]).encode()
    for end in (0, 1, 5, len(whole) // 2, len(whole) - 2, len(whole) - 1):
        with pytest.raises(InvalidInputError, match=Path(form.file).name):
            read(name, form.write_bytes(tmp_path, whole[:end]))


def test_a_folder_without_labels_is_the_users_mistake(layout: Named, tmp_path: Path) -> None:
    """The error says which files were looked for."""
    name, _ = layout
    with pytest.raises(InvalidInputError, match=r"\.json"):
        read(name, tmp_path)


def test_infinity_never_passes(layout: Named, tmp_path: Path) -> None:
    """Numbers that no picture has are reported, not turned into boxes."""
    name, form = layout
    huge: list[dict[str, object]] = [
        {form.box: [1, 2, 1e308, 1e308]},
        {form.box: [-1e308, 2, 1e308, 1e308]},
    ]
    found, reported = read(name, form.write(tmp_path, *huge))
    boxes = [side for record in found for box in record.boxes for side in box.as_tuple()]
    assert all(map(math.isfinite, boxes))
    assert len(found) + len(reported) == 2
