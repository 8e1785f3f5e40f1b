"""
OSWorld-G: commands on a desktop, answered by a box, a polygon, or a refusal.

A JSON array, ``OSWorld-G.json``, and the same commands in plainer words,
``OSWorld-G_refined.json``: ``image_path``, ``image_size`` as width, height, ``instruction``,
``box_type``, ``box_coordinates`` and ``GUI_types``; the pictures are in ``images/``. A
"bbox" is x, y, width, height in pixels, a "polygon" a flat list x, y, x, y, ...; a "refusal"
asks for what the screen does not show, its coordinates say nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

import msgspec

from surefoot.core.geometry import Box, Point
from surefoot.datasets.files.boxes import BoxConvention, read_box, read_polygon, read_size
from surefoot.datasets.files.json_records import Entry, array_records, decode_record
from surefoot.datasets.labelled import LabelledSet, Record, reader_of
from surefoot.datasets.mirrors import mirrored

CONVENTION: Final = BoxConvention.PIXEL_XYWH
LABELS: Final = ("OSWorld-G.json", "OSWorld-G_refined.json")


class _Fields(msgspec.Struct, frozen=True):
    image_path: str
    image_size: list[float]
    instruction: str
    box_type: Literal["bbox", "polygon", "refusal"]
    box_coordinates: list[float]
    gui_types: list[str] = msgspec.field(default_factory=list, name="GUI_types")
    id: str = ""


def _record(entry: Entry) -> Record:
    fields = decode_record(entry.data, _Fields)
    size = read_size(fields.image_size)
    stem = Path(entry.file).stem
    boxes, polygon = _places(fields, size)
    return Record(
        id=f"{stem}/{fields.id or entry.number}",
        image=fields.image_path,
        width=size[0],
        height=size[1],
        text=fields.instruction,
        kind="refined" if stem.endswith("_refined") else "given",
        boxes=boxes,
        polygon=polygon,
        answerable=fields.box_type != "refusal",
        split="test",
        platform="desktop",
        system="linux",
        facts={"box_type": fields.box_type, "GUI_types": ", ".join(fields.gui_types)},
    )


def _places(fields: _Fields, size: tuple[int, int]) -> tuple[tuple[Box, ...], tuple[Point, ...]]:
    if fields.box_type == "bbox":
        return (read_box(fields.box_coordinates, CONVENTION, size),), ()
    if fields.box_type == "polygon":
        return (), read_polygon(fields.box_coordinates, size)
    return (), ()


OSWORLD_G = mirrored(
    LabelledSet(
        name="osworld-g",
        repository="MMInstruction/OSWorld-G",
        version=1,
        summary="commands on a Linux desktop, answered by boxes, polygons and refusals",
        convention=CONVENTION,
        licence="not stated",
        labels=LABELS,
        pictures=("images",),
        splits=("test",),
        read=reader_of(LABELS, array_records, _record),
        clusters="screens",
    ),
    BoxConvention.PIXEL_XYWH,
)
