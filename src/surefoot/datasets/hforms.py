"""
Hidden Forms: statements about elements that are masked, as JSON Lines.

A line has ``image``, ``image_width``, ``image_height``, ``statement_l`` and ``statement_s``
(the long and the short statement), ``bbox`` as x1<SEP>y1<SEP>x2<SEP>y2 in pixels of the
image, and ``box_center`` as cx<SEP>cy, which must be the box's. A short statement that
differs from the long one is a record of its own. The file's name tells the split.
"""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.errors import RecordError
from surefoot.core.geometry import Box
from surefoot.datasets.files.boxes import BoxConvention, read_box, read_size
from surefoot.datasets.files.json_records import Entry, decode_record, line_records
from surefoot.datasets.labelled import LabelledSet, Record, reader_of

CONVENTION: Final = BoxConvention.PIXEL_XYXY
LABELS: Final = ("*.jsonl",)
SEPARATOR: Final = "<SEP>"
SHORT: Final = "short"
MOST_DIGITS: Final = 400
NEAR: Final = 1.0  # pixels by which a centre of whole numbers may be off
_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?")


class _Fields(msgspec.Struct, frozen=True):
    image: str
    image_width: int
    image_height: int
    statement_l: str
    bbox: str
    statement_s: str = ""
    box_center: str = ""


def split_of(file: str) -> str:
    """
    Return the split that a file's name tells.

    >>> split_of("hforms-train.jsonl"), split_of("test.jsonl"), split_of("hforms.jsonl")
    ('train', 'test', '')
    """
    stem = file.removesuffix(".jsonl")
    return "" if stem == "hforms" else urllib.parse.unquote(stem.removeprefix("hforms-"))


def _statements(file: Path) -> Iterator[Entry]:
    for entry in line_records(file):
        yield entry
        if _has_short(entry):
            yield msgspec.structs.replace(entry, key=SHORT)


def _has_short(entry: Entry) -> bool:
    try:
        fields = decode_record(entry.data, _Fields)
    except RecordError:
        return False
    return fields.statement_s.strip() not in ("", fields.statement_l.strip())


def _record(entry: Entry) -> Record:
    fields = decode_record(entry.data, _Fields)
    size = read_size([fields.image_width, fields.image_height])
    box = read_box(_numbers(fields.bbox), CONVENTION, size)
    _check_center(fields.box_center, box)
    short = entry.key == SHORT
    return Record(
        id=f"{entry.file.removesuffix('.jsonl')}/{entry.number}{'/short' if short else ''}",
        image=fields.image,
        width=size[0],
        height=size[1],
        text=fields.statement_s if short else fields.statement_l,
        boxes=(box,),
        kind=SHORT if short else "given",
        split=split_of(entry.file),
    )


def _numbers(text: str) -> list[float]:
    parts = text.split(SEPARATOR) if len(text) <= MOST_DIGITS else []
    if not parts or not all(_NUMBER.fullmatch(part.strip()) for part in parts):
        raise RecordError(
            "malformed", f"numbers with {SEPARATOR} between them", found=f"'{text[:80]}'"
        )
    return [float(part) for part in parts]


def _check_center(text: str, box: Box) -> None:
    """Refuse a centre that is not the box's: one of the two is wrong, nobody knows which."""
    if not text:
        return
    numbers, (x, y) = _numbers(text), (box.center.x, box.center.y)
    if len(numbers) != len((x, y)) or abs(numbers[0] - x) > NEAR or abs(numbers[1] - y) > NEAR:
        raise RecordError("other-center", f"a centre at {x:g}, {y:g}", found=f"'{text[:80]}'")


HFORMS = LabelledSet(
    name="hforms",
    version=1,
    summary="Hidden Forms: statements about masked elements, and our exports",
    convention=CONVENTION,
    licence="that of the screens",
    labels=LABELS,
    pictures=("images", "image_files"),
    splits=("train", "validation", "test"),
    read=reader_of(LABELS, _statements, _record),
)
