"""
ScreenSpot: short commands on screens of phones, desktops and web sites; and ScreenSpot-v2.

One JSON array for each platform, ``screenspot_{mobile,desktop,web}.json``: ``img_filename``,
``bbox`` as x, y, width, height in pixels, ``instruction``, ``data_type`` ("text" or "icon")
and ``data_source`` (the operating system, or what kind of site). Only the pictures tell
their sizes. ScreenSpot-v2 has the same layout with its labels corrected, in
``screenspot_{mobile,desktop,web}_v2.json``; mirrors that rename the fields are other layouts.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from surefoot.datasets.dataset import Reports, ignore
from surefoot.datasets.files.boxes import BoxConvention, read_box
from surefoot.datasets.files.json_records import Entry, array_records, decode_record
from surefoot.datasets.files.pictures import Pictures
from surefoot.datasets.labelled import LabelledSet, Platform, Record, label_files, sift
from surefoot.datasets.mirrors import mirrored

CONVENTION: Final = BoxConvention.PIXEL_XYWH
LABELS: Final = ("screenspot_mobile.json", "screenspot_desktop.json", "screenspot_web.json")
LABELS_V2: Final = (
    "screenspot_mobile_v2.json",
    "screenspot_desktop_v2.json",
    "screenspot_web_v2.json",
)
PLATFORMS: Final[tuple[Platform, ...]] = ("mobile", "desktop", "web")
SYSTEMS: Final = ("ios", "android", "windows", "macos")


class _Fields(msgspec.Struct, frozen=True):
    img_filename: str
    bbox: list[float]
    instruction: str
    data_type: str = ""
    data_source: str = ""


def read_screenspot(
    path: Path,
    *,
    images: Pictures | None = None,
    strict: bool = False,
    report: Reports = ignore,
    labels: Iterable[str] = LABELS,
) -> Iterator[Record]:
    """
    Read the three files, or one of them; raises InvalidInputError as the seam says.
    """
    entries = (record for file in label_files(path, labels) for record in array_records(file))
    return sift(
        entries, lambda entry: screenspot_record(entry, images), strict=strict, report=report
    )


def screenspot_record(entry: Entry, images: Pictures | None) -> Record:
    """Turn one entry into a record; the file's name tells the platform."""
    fields = decode_record(entry.data, _Fields)
    width, height = images.size(fields.img_filename) if images else (0, 0)
    system = fields.data_source if fields.data_source in SYSTEMS else ""
    return Record(
        id=f"{Path(entry.file).stem}/{entry.number}",
        image=fields.img_filename,
        width=width,
        height=height,
        text=fields.instruction,
        boxes=(read_box(fields.bbox, CONVENTION, (width, height)),),
        split="test",
        platform=next((platform for platform in PLATFORMS if platform in entry.file), ""),
        system=system,
        site="" if system else fields.data_source,
        role=fields.data_type,
        facts={"data_type": fields.data_type, "data_source": fields.data_source},
    )


SCREENSPOT = mirrored(
    LabelledSet(
        name="screenspot",
        repository="rootsautomation/ScreenSpot",
        version=1,
        summary="1,272 commands on screens of phones, desktops and web sites",
        convention=CONVENTION,
        licence="not stated for the data",
        labels=LABELS,
        pictures=("screenspot_imgs", "images"),
        splits=("test",),
        read=read_screenspot,
    ),
    BoxConvention.NORM1_XYXY,
    BoxConvention.PIXEL_XYWH,
)

SCREENSPOT_V2 = mirrored(
    LabelledSet(
        name="screenspot-v2",
        repository="lmms-lab/ScreenSpot-v2",
        version=1,
        summary="ScreenSpot with its labels corrected",
        convention=CONVENTION,
        licence="not stated",
        labels=LABELS_V2,
        pictures=("screenspotv2_image",),
        splits=("test",),
        read=functools.partial(read_screenspot, labels=LABELS_V2),
    ),
    BoxConvention.PIXEL_XYWH,
    BoxConvention.NORM1_XYXY,
)
