"""
COCO's annotations with an instruction in each, as our own export writes them.

One object with ``images`` (``id``, ``file_name``, ``width``, ``height``) and
``annotations`` (``image_id``, ``bbox`` as x, y, width, height in pixels, ``instruction``),
in any order; ``attributes`` holds the rest. Ids are numbers or words, and what is null is
absent; without a size the picture tells it. Annotations without an instruction are reported.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import msgspec

from surefoot.core.errors import RecordError
from surefoot.core.scratch import scratch_database
from surefoot.datasets.dataset import Reports, ignore
from surefoot.datasets.files.boxes import BoxConvention, read_box, read_polygon, read_size
from surefoot.datasets.files.json_records import Entry, decode_record, section_records
from surefoot.datasets.files.pictures import Pictures
from surefoot.datasets.labelled import (
    Attributes,
    LabelledSet,
    Record,
    attributes_of,
    label_files,
    sift,
)

CONVENTION: Final = BoxConvention.PIXEL_XYWH
LABELS: Final = ("annotations.json", "annotations/*.json")
TWICE: Final = ""  # stands for a file's name where two images have one id
MOST_ID: Final = 200


class _Image(msgspec.Struct, frozen=True):
    id: int | float | str
    file_name: Annotated[str, msgspec.Meta(min_length=1)]
    width: int = 0
    height: int = 0


class _Annotation(msgspec.Struct, frozen=True):
    id: int | float | str
    image_id: int | float | str
    instruction: str
    bbox: list[float] = []
    polygonal: bool = False
    segmentation: list[list[float]] | dict[str, object] = []
    other_bboxes: list[list[float]] = []
    attributes: Attributes = Attributes()


_IMAGES: Final = "CREATE TABLE images (id TEXT PRIMARY KEY, name TEXT, width INT, height INT);"


class _Images:
    """Keep on disk what the images are, by their ids."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def add(self, image: _Image) -> None:
        """Note an image; of two with one id neither is known."""
        sides = [image.width, image.height]
        width, height = read_size(sides) if any(sides) else sides
        key = _spelt(image.id)
        name = image.file_name if self._row(key) is None else TWICE
        self._connection.execute(
            "INSERT OR REPLACE INTO images VALUES (?, ?, ?, ?)", (key, name, width, height)
        )

    def get(self, number: str) -> tuple[str, int, int]:
        """Return name, width and height; raises RecordError for none and for two."""
        row = self._row(number)
        if row is None:
            raise RecordError("missing-image", "an image of this id", found=f"none of {number}")
        if row[0] == TWICE:
            raise RecordError("duplicate-id", "one image of an id", found=f"two of {number}")
        return row

    def _row(self, number: str) -> tuple[str, int, int] | None:
        found = self._connection.execute(
            "SELECT name, width, height FROM images WHERE id = ?", (number,)
        ).fetchone()
        return found and (str(found[0]), int(found[1]), int(found[2]))


def read_coco(
    path: Path,
    *,
    images: Pictures | None = None,
    strict: bool = False,
    report: Reports = ignore,
) -> Iterator[Record]:
    """
    Read each annotation as a record; a file is gone through twice, first for its images.

    An image that cannot be read makes its annotations bad. Raises InvalidInputError as the
    seam says.
    """
    del images
    for file in label_files(path, LABELS):
        with scratch_database(_IMAGES) as connection:
            known = _Images(connection)
            for entry in _section(file, "images"):
                with contextlib.suppress(RecordError):
                    known.add(decode_record(entry.data, _Image))
            yield from sift(
                _section(file, "annotations"),
                lambda entry, known=known: _record(entry, known),  # type: ignore[misc]
                strict=strict,
                report=report,
            )


def _section(file: Path, name: str) -> Iterator[Entry]:
    return (record for record in section_records(file) if record.key == name)


def _record(entry: Entry, images: _Images) -> Record:
    fields = decode_record(entry.data, _Annotation)
    name, width, height = images.get(_spelt(fields.image_id))
    size = (width, height)
    boxes = [fields.bbox, *fields.other_bboxes] if fields.attributes.answerable else []
    return Record(
        id=f"{Path(entry.file).stem}/{_spelt(fields.id)}",
        image=name,
        width=width,
        height=height,
        text=fields.instruction,
        boxes=() if fields.polygonal else tuple(read_box(b, CONVENTION, size) for b in boxes),
        polygon=read_polygon(_outline(fields), size) if fields.polygonal else (),
        **attributes_of(fields.attributes),
    )


def _spelt(number: float | str) -> str:
    """Return an id as words, a number as that which it is: tables write 12 as 12.0, too."""
    text = str(int(number)) if isinstance(number, float) and number.is_integer() else str(number)
    if not 0 < len(text) <= MOST_ID:
        raise RecordError("malformed", f"an id of 1 to {MOST_ID} characters", found=text[:40])
    return text


def _outline(fields: _Annotation) -> list[float]:
    if not isinstance(fields.segmentation, list) or len(fields.segmentation) != 1:
        raise RecordError("malformed", "one polygon", found="a mask, none or several")
    return fields.segmentation[0]


COCO_SET = LabelledSet(
    name="coco",
    version=1,
    summary="COCO's annotations with an instruction in each, such as our exports",
    convention=CONVENTION,
    licence="that of the screens",
    labels=LABELS,
    pictures=("images",),
    read=read_coco,
)
