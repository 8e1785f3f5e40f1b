"""
MMBench-GUI, level 2: element grounding on six operating systems and the web.

A JSON array, ``L2_annotations.json``: ``platform``, ``image_path``, ``image_size`` as width,
height, ``instruction``, ``bbox`` as left, top, right, bottom in shares of the sides from 0
to 1, ``grounding_type`` ("basic" or "advanced"), ``data_type`` and ``app_name``; the
pictures are in ``offline_images/``. A box in pixels, which the set's own scorer would also
take, is reported: no number here is read in two ways.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from surefoot.datasets.files.boxes import BoxConvention, read_box, read_size
from surefoot.datasets.files.json_records import Entry, array_records, decode_record
from surefoot.datasets.labelled import LabelledSet, Platform, Record, reader_of
from surefoot.datasets.mirrors import mirrored

CONVENTION: Final = BoxConvention.NORM1_XYXY
LABELS: Final = ("L2_annotations.json",)
PLATFORMS: Final[dict[str, Platform]] = {
    "windows": "desktop",
    "mac": "desktop",
    "macos": "desktop",
    "linux": "desktop",
    "ios": "mobile",
    "android": "mobile",
    "web": "web",
}


class _Fields(msgspec.Struct, frozen=True):
    image_path: str
    image_size: list[float]
    instruction: str
    bbox: list[float]
    platform: str = ""
    grounding_type: str = "given"
    data_type: str = ""
    app_name: str = ""


def _record(entry: Entry) -> Record:
    fields = decode_record(entry.data, _Fields)
    width, height = size = read_size(fields.image_size)
    system = fields.platform.lower().removeprefix("os_")
    platform = PLATFORMS.get(system, "")
    return Record(
        id=f"{Path(entry.file).stem}/{entry.number}",
        image=fields.image_path,
        width=width,
        height=height,
        text=fields.instruction,
        kind=fields.grounding_type,
        boxes=(read_box(fields.bbox, CONVENTION, size),),
        split="test",
        platform=platform,
        system="" if platform == "web" else system,
        site=fields.app_name,
        role=fields.data_type,
        facts={"platform": fields.platform, "data_type": fields.data_type},
    )


MMBENCH_GUI_L2 = mirrored(
    LabelledSet(
        name="mmbench-gui-l2",
        version=2,
        summary="element grounding on six operating systems and the web, basic and advanced",
        convention=CONVENTION,
        licence="not stated",
        labels=LABELS,
        pictures=("offline_images", "MMBench-GUI-OfflineImages/offline_images"),
        splits=("test",),
        read=reader_of(LABELS, array_records, _record),
        clusters="applications",
    ),
    BoxConvention.NORM1_XYXY,
    BoxConvention.PIXEL_XYXY,
)
