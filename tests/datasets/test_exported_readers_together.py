"""
What holds for the readers of exports: good entries read, bad ones named, hostile files.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.core.geometry import Box, Point
from surefoot.datasets.dataset import BadRecord
from surefoot.datasets.hforms import split_of
from surefoot.datasets.labelled import LABELLED, Record

Entry = dict[str, Any]
LONG = "x" * 200_000


class Form(msgspec.Struct, frozen=True):
    """
    Hold one good entry of a format about a 200 x 100 picture, its box (10, 20, 40, 60).

    ``wrap`` makes the file of the entries' bytes; ``text``, ``image`` and ``box`` are ways
    to those fields, and ``spell`` writes left, top, right, bottom as the format does.
    """

    file: str
    entry: Entry
    text: tuple[str | int, ...]
    image: tuple[str | int, ...]
    box: tuple[str | int, ...]
    spell: Callable[[tuple[float, float, float, float]], object]
    wrap: Callable[[list[bytes]], bytes]

    def changed(self, way: tuple[str | int, ...], value: object) -> Entry:
        """Return the good entry with the value at a way changed."""
        entry = copy.deepcopy(self.entry)
        inner: Any = entry
        for step in way[:-1]:
            inner = inner[step]
        inner[way[-1]] = value
        return entry

    def write(self, folder: Path, *entries: Entry | bytes) -> Path:
        """Write the file, and return the set's folder."""
        rows = [e if isinstance(e, bytes) else json.dumps(e).encode() for e in entries]
        (folder / self.file).write_bytes(self.wrap(rows))
        return folder


def _xywh(across: float, down: float) -> Callable[[tuple[float, float, float, float]], object]:
    def spell(box: tuple[float, float, float, float]) -> list[float]:
        left, top, right, bottom = box
        return [left * across, top * down, (right - left) * across, (bottom - top) * down]

    return spell


def _percent(box: tuple[float, float, float, float]) -> object:
    values = zip(("x", "y", "width", "height"), _spell_percent(box), strict=True)
    return {**dict(values), "rectanglelabels": ["a"]}


def _spell_percent(box: tuple[float, float, float, float]) -> list[float]:
    left, top, right, bottom = box
    return [left / 2, top, (right - left) / 2, bottom - top]


IMAGE = b'{"id": 7, "file_name": "a.png", "width": 200, "height": 100}'
FORMS = {
    "hforms": Form(
        "test.jsonl",
        {
            "image": "a.png",
            "image_width": 200,
            "image_height": 100,
            "statement_l": "Close it",
            "bbox": "10<SEP>20<SEP>40<SEP>60",
        },
        ("statement_l",),
        ("image",),
        ("bbox",),
        lambda box: "<SEP>".join(map(str, box)),
        lambda rows: b"\n".join(rows) + b"\n",
    ),
    "coco": Form(
        "annotations.json",
        {"id": 1, "image_id": 7, "bbox": [10, 20, 30, 40], "instruction": "Close it"},
        ("instruction",),
        ("image_id",),
        ("bbox",),
        _xywh(1, 1),
        lambda rows: (
            b'{"info": {"x": {}}, "annotations": ['
            + b",".join(rows)
            + b'], "images": ['
            + IMAGE
            + b"]}"
        ),
    ),
    "label-studio": Form(
        "tasks.json",
        {
            "data": {"image": "/data/local-files/?d=images/a.png", "instruction": "Close it"},
            "annotations": [
                {
                    "result": [
                        {
                            "type": "rectanglelabels",
                            "original_width": 200,
                            "original_height": 100,
                            "value": _percent((10, 20, 40, 60)),
                        }
                    ]
                }
            ],
        },
        ("data", "instruction"),
        ("data", "image"),
        ("annotations", 0, "result", 0, "value"),
        _percent,
        lambda rows: b"[" + b",".join(rows) + b"]",
    ),
    "fiftyone": Form(
        "samples.json",
        {
            "filepath": "data/a.png",
            "metadata": {"width": 200, "height": 100},
            "instruction": "Close it",
            "boxes": {"detections": [{"bounding_box": [0.05, 0.2, 0.15, 0.4]}]},
        },
        ("instruction",),
        ("filepath",),
        ("boxes", "detections", 0, "bounding_box"),
        _xywh(1 / 200, 1 / 100),
        lambda rows: b'{"samples": [' + b",".join(rows) + b"]}",
    ),
}


@pytest.fixture(params=sorted(FORMS))
def named(request: pytest.FixtureRequest) -> tuple[str, Form]:
    """Return each format's name and form in turn."""
    return request.param, FORMS[request.param]


Named = tuple[str, Form]


def read(name: str, path: Path) -> tuple[list[Record], list[BadRecord]]:
    """Read a set and what it reports."""
    reported: list[BadRecord] = []
    return list(LABELLED.get(name).read(path, report=reported.append)), reported


def test_a_good_entry_is_read(named: Named, tmp_path: Path) -> None:
    """Words, picture, size and box arrive in pixels, without any attributes."""
    name, form = named
    (record,), reported = read(name, form.write(tmp_path, form.entry))
    assert not reported
    assert (record.text, record.image) == ("Close it", "a.png")
    assert (record.width, record.height, record.number) == (200, 100, 1)
    (box,) = record.boxes
    assert box.as_tuple() == pytest.approx((10, 20, 40, 60))


def bad_entries(form: Form) -> Iterator[tuple[Entry, str]]:
    """Yield entries and the reason for which each is bad."""
    for text, reason in (("", "empty-text"), (None, "malformed"), (5, "malformed")):
        yield form.changed(form.text, text), reason
    yield form.changed(form.text, LONG), "long-text"
    images: list[object] = [None, {}, ["a.png"], True]
    for value in images:
        yield form.changed(form.image, value), "malformed"
    boxes: list[object] = [None, 7, "1,2,3,4", [1, 2, 3], [True] * 4, "1<SEP>2<SEP>3<SEP>nan"]
    for value in boxes:
        yield form.changed(form.box, value), "malformed"
    for sides, reason in (
        ((40, 20, 10, 60), "reversed-box"),
        ((10, 20, 10, 60), "empty-box"),
        ((10, 20, 240, 60), "outside"),
        ((-5, 20, 40, 60), "outside"),
    ):
        yield form.changed(form.box, form.spell(sides)), reason


def test_bad_entries_are_reported_with_their_place(named: Named, tmp_path: Path) -> None:
    """Each bad entry is left out with its reason, and the ones around it stay."""
    name, form = named
    bad = list(bad_entries(form))
    entries = [form.entry, *(entry for entry, _ in bad), form.entry]
    found, reported = read(name, form.write(tmp_path, *entries))
    assert [record.number for record in found] == [1, len(entries)]
    assert [record.line for record in reported] == list(range(2, len(entries)))
    assert [record.reason for record in reported] == [reason for _, reason in bad]


def test_hostile_entries_cost_themselves(named: Named, tmp_path: Path) -> None:
    """NaN, infinity, twin keys, depth, huge numbers and broken text are reported."""
    name, form = named
    good = json.dumps(form.entry)
    rows = [
        good.replace("20", "NaN").encode(),
        (good[:-1] + ", " + good[1:]).encode(),
        good.encode()[:-1] + b', "deep": ' + b"[" * 20_000 + b"]" * 20_000 + b"}",
        good.encode()[:-1] + b', "half": "\\ud800"}',
        good.encode()[:-1] + b', "bytes": "\xff\xfe"}',
        good.encode()[:-1] + b', "big": ' + b"9" * 5000 + b"}",
        b"{}",
    ]
    found, reported = read(name, form.write(tmp_path, form.entry, *rows, form.entry))
    assert len(found) == 2
    assert [record.line for record in reported] == list(range(2, len(rows) + 2))


@pytest.mark.parametrize("name", sorted(set(FORMS) - {"hforms"}))
def test_attributes_of_a_wrong_kind_are_reported(name: str, tmp_path: Path) -> None:
    """A platform that nobody knows and facts that are no words do not pass."""
    form = FORMS[name]
    place = ("data", "attributes") if name == "label-studio" else ("attributes",)
    values = [{"platform": "toaster"}, {"facts": {"a": 1}}, {"answers": "x"}, {"action": "hack"}]
    entries = [form.changed(place, value) for value in values]
    found, reported = read(name, form.write(tmp_path, *entries))
    assert not found
    assert {record.reason for record in reported} == {"malformed"}


def test_a_cut_file_is_named(named: Named, tmp_path: Path) -> None:
    """Wherever it is cut, a file without its end raises; a cut line costs that line."""
    name, form = named
    path = form.write(tmp_path, form.entry, form.entry) / form.file
    whole = path.read_bytes()
    for end in (0, 1, 5, len(whole) // 2, len(whole) - 3):
        path.write_bytes(whole[:end])
        if name == "hforms":
            found, reported = read(name, tmp_path)
            assert len(found) + len(reported) == (end > 0) + (end > whole.index(b"\n") + 1)
            continue
        with pytest.raises(InvalidInputError, match=form.file):
            read(name, tmp_path)


def test_strict_stops_at_the_first_bad_entry(named: Named, tmp_path: Path) -> None:
    """The error names file and record."""
    name, form = named
    path = form.write(tmp_path, form.entry, form.changed(form.text, ""))
    with pytest.raises(RecordError, match=rf"{form.file}, record 2"):
        list(LABELLED.get(name).read(path, strict=True))


def test_two_statements_are_two_records(tmp_path: Path) -> None:
    """A short statement of its own is a second question about the same box."""
    form = FORMS["hforms"]
    found, _ = read("hforms", form.write(tmp_path, form.changed(("statement_s",), "X")))
    assert [(record.text, record.kind) for record in found] == [
        ("Close it", "given"),
        ("X", "short"),
    ]
    assert len({record.id for record in found}) == 2
    assert {record.split for record in found} == {"test"}
    assert split_of("hforms-a%2Fb.jsonl") == "a/b"


def test_a_centre_that_is_not_the_boxs_is_reported(tmp_path: Path) -> None:
    """Where the centre contradicts the box nobody knows which is right; rounding passes."""
    form = FORMS["hforms"]
    centers = ("25<SEP>40", "25.9<SEP>39.1", "30<SEP>40", "25<SEP>40<SEP>1", "a<SEP>b")
    entries = [form.changed(("box_center",), center) for center in centers]
    found, reported = read("hforms", form.write(tmp_path, *entries))
    assert len(found) == 2
    assert [record.reason for record in reported] == ["other-center", "other-center", "malformed"]


def test_coco_images_are_known_once(tmp_path: Path) -> None:
    """An annotation of no image, of two of one id, or of a bad one is reported."""
    form = FORMS["coco"]
    images = [IMAGE, IMAGE.replace(b"7", b"8"), IMAGE.replace(b"7", b"8"), b'{"id": 9}']
    rows = [form.changed(("image_id",), number) for number in (7, 8, 9, 10, "")]
    whole = {"annotations": rows}
    text = json.dumps(whole)[:-1].encode() + b', "images": [' + b",".join(images) + b"]}"
    (tmp_path / form.file).write_bytes(text)
    found, reported = read("coco", tmp_path)
    assert [record.image for record in found] == ["a.png"]
    assert [record.reason for record in reported] == [
        "duplicate-id", "missing-image", "missing-image", "malformed",
    ]  # fmt: skip


def test_corrections_of_people_are_what_counts(tmp_path: Path) -> None:
    """A cancelled annotation and a prediction beside a valid one are passed over."""
    form = FORMS["label-studio"]
    good = form.entry["annotations"][0]
    other = json.loads(json.dumps(good))
    other["result"][0]["value"] = _percent((50, 50, 60, 60))
    entries = [
        form.entry | {"annotations": [other | {"was_cancelled": True}, good]},
        form.entry | {"annotations": [good], "predictions": [other]},
        form.entry | {"annotations": [], "predictions": [good]},
        form.changed((*form.box, "rotation"), 30),
        form.entry | {"annotations": []},
    ]
    found, reported = read("label-studio", form.write(tmp_path, *entries))
    assert [record.boxes for record in found] == [(Box(10.0, 20.0, 40.0, 60.0),)] * 3
    assert [record.reason for record in reported] == ["rotated-box", "no-place"]


def test_one_polygon_stands_alone(tmp_path: Path) -> None:
    """A polygon in shares becomes pixels; with a box beside it nobody knows what is meant."""
    form = FORMS["fiftyone"]
    lines = {"polylines": [{"points": [[[0, 0], [0.5, 0], [0.5, 1]]]}]}
    alone = form.entry | {"polygons": lines, "boxes": {}}
    path = form.write(tmp_path, alone, form.entry | {"polygons": lines})
    found, reported = read("fiftyone", path)
    assert [record.polygon for record in found] == [(Point(0, 0), Point(100, 0), Point(100, 100))]
    assert [record.reason for record in reported] == ["several-places"]
