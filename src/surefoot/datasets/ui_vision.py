"""
UI-Vision: element grounding in desktop programs, in three kinds of words.

JSON arrays in ``annotations/element_grounding/``, whose names end in ``_basic``,
``_functional`` or ``_spatial``: ``image_path``, ``image_size`` as width, height,
``prompt_to_evaluate``, ``bbox`` as left, top, right, bottom in pixels, ``platform`` (the
program) and ``element_type``; the pictures are in ``images/``. Some boxes are known to be
reversed; the set's own scorer swaps them, here they are reported.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from surefoot.datasets.files.boxes import BoxConvention, read_box, read_size
from surefoot.datasets.files.json_records import Entry, array_records, decode_record
from surefoot.datasets.labelled import LabelledSet, Record, reader_of
from surefoot.datasets.mirrors import mirrored

CONVENTION: Final = BoxConvention.PIXEL_XYXY
KINDS: Final = ("basic", "functional", "spatial")
LABELS: Final = tuple(f"annotations/element_grounding/*_{kind}.json" for kind in KINDS)


class _Fields(msgspec.Struct, frozen=True):
    image_path: str
    image_size: list[float]
    prompt_to_evaluate: str
    bbox: list[float]
    platform: str = ""
    element_type: str = ""


def _record(entry: Entry) -> Record:
    fields = decode_record(entry.data, _Fields)
    width, height = size = read_size(fields.image_size)
    stem = Path(entry.file).stem
    return Record(
        id=f"{stem}/{entry.number}",
        image=fields.image_path,
        width=width,
        height=height,
        text=fields.prompt_to_evaluate,
        kind=next((kind for kind in KINDS if stem.endswith(kind)), "given"),
        boxes=(read_box(fields.bbox, CONVENTION, size),),
        split="test",
        platform="desktop",
        site=fields.platform,
        role=fields.element_type,
        facts={"element_type": fields.element_type},
    )


UI_VISION = mirrored(
    LabelledSet(
        name="ui-vision",
        repository="ServiceNow/ui-vision",
        version=1,
        summary="element grounding in desktop programs: basic, functional and spatial words",
        convention=CONVENTION,
        licence="stated as permissive, none named",
        labels=LABELS,
        pictures=("images",),
        splits=("test",),
        read=reader_of(LABELS, array_records, _record),
        clusters="applications",
    ),
    BoxConvention.PIXEL_XYXY,
    BoxConvention.NORM1_XYXY,
)
