"""
VenusBench-GD: element grounding on phones, desktops and the web, in six kinds of words.

A JSON array for each kind in ``instruction/`` (``element_grounding.json``, ...):
``img_filename`` (its first folder is the platform, its second the program), ``instruction``,
``bbox`` as left, top, right, bottom in pixels, ``category``, ``label`` and ``data_type``; the
pictures are in ``images/``. Records of a refusal ask for what the screen does not show.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec

from surefoot.datasets.dataset import Reports, ignore
from surefoot.datasets.files.boxes import BoxConvention, read_box
from surefoot.datasets.files.json_records import Entry, array_records, decode_record
from surefoot.datasets.files.pictures import Pictures
from surefoot.datasets.labelled import LabelledSet, Platform, Record, label_files, sift
from surefoot.datasets.mirrors import mirrored

CONVENTION: Final = BoxConvention.PIXEL_XYXY
LABELS: Final = ("instruction/*.json",)
PLATFORMS: Final[tuple[Platform, ...]] = ("mobile", "desktop", "web")


class _Fields(msgspec.Struct, frozen=True):
    img_filename: str
    instruction: str
    bbox: list[float] = []
    category: str = ""
    label: str = ""
    data_type: str = ""


def _read(
    path: Path,
    *,
    images: Pictures | None = None,
    strict: bool = False,
    report: Reports = ignore,
) -> Iterator[Record]:
    entries = (record for file in label_files(path, LABELS) for record in array_records(file))
    make = functools.partial(_record, images=images)
    return sift(entries, make, strict=strict, report=report)


def _record(entry: Entry, images: Pictures | None) -> Record:
    fields = decode_record(entry.data, _Fields)
    kind = Path(entry.file).stem
    width, height = size = images.size(fields.img_filename) if images else (0, 0)
    place, *below = PurePosixPath(fields.img_filename).parts
    refuses = kind.startswith("refusal")
    return Record(
        id=f"{kind}/{entry.number}",
        image=fields.img_filename,
        width=width,
        height=height,
        text=fields.instruction,
        kind=kind,
        boxes=() if refuses else (read_box(fields.bbox, CONVENTION, size),),
        answerable=not refuses,
        split="test",
        platform=next((platform for platform in PLATFORMS if platform == place), ""),
        site=below[0] if len(below) > 1 else "",
        role=fields.label,
        facts={"category": fields.category, "data_type": fields.data_type},
    )


VENUSBENCH_GD = mirrored(
    LabelledSet(
        name="venusbench-gd",
        repository="inclusionAI/VenusBench-GD",
        version=1,
        summary="element grounding on phones, desktops and the web, with refusals",
        convention=CONVENTION,
        licence="MIT by its card",
        labels=LABELS,
        pictures=("images",),
        splits=("test",),
        read=_read,
        clusters="applications",
    ),
    CONVENTION,
    BoxConvention.NORM1_XYXY,
)
