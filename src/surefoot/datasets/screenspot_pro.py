"""
ScreenSpot-Pro: commands on large screens of professional programs.

A JSON array for each program in ``annotations/``: ``id``, ``img_filename``, ``img_size`` as
width, height, ``bbox`` as left, top, right, bottom in pixels, ``instruction`` and
``instruction_cn``, ``application``, ``platform`` (the operating system), ``group`` and
``ui_type`` ("text" or "icon"); the pictures are in ``images/``.
"""

from __future__ import annotations

from typing import Final

import msgspec

from surefoot.datasets.files.boxes import BoxConvention, read_box, read_size
from surefoot.datasets.files.json_records import Entry, array_records, decode_record
from surefoot.datasets.labelled import LabelledSet, Record, reader_of
from surefoot.datasets.mirrors import mirrored

CONVENTION: Final = BoxConvention.PIXEL_XYXY
LABELS: Final = ("annotations/*.json",)


class _Fields(msgspec.Struct, frozen=True):
    id: str
    img_filename: str
    img_size: list[float]
    bbox: list[float]
    instruction: str
    instruction_cn: str = ""
    application: str = ""
    platform: str = ""
    group: str = ""
    ui_type: str = ""


def _record(entry: Entry) -> Record:
    fields = decode_record(entry.data, _Fields)
    width, height = size = read_size(fields.img_size)
    facts = {"group": fields.group, "ui_type": fields.ui_type}
    return Record(
        id=fields.id,
        image=fields.img_filename,
        width=width,
        height=height,
        text=fields.instruction,
        boxes=(read_box(fields.bbox, CONVENTION, size),),
        split="test",
        platform="desktop",
        system=fields.platform,
        site=fields.application,
        role=fields.ui_type,
        facts=facts | {"instruction_cn": fields.instruction_cn},
    )


SCREENSPOT_PRO = mirrored(
    LabelledSet(
        name="screenspot-pro",
        repository="likaixin/ScreenSpot-Pro",
        version=1,
        summary="commands on large screens of professional programs, in English and Chinese",
        convention=CONVENTION,
        licence="not stated",
        labels=LABELS,
        pictures=("images",),
        splits=("test",),
        read=reader_of(LABELS, array_records, _record),
        clusters="applications",
    ),
    BoxConvention.PIXEL_XYXY,
    BoxConvention.NORM1_XYXY,
)
