"""
FiftyOne's samples with an instruction in each, as our own export writes them.

``samples.json`` is one object with the array ``samples``: ``filepath``, ``metadata`` with
the picture's size, ``instruction``, ``boxes`` (detections, as shares of the sides),
``polygons`` (polylines) and ``attributes``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.errors import RecordError
from surefoot.core.geometry import Point
from surefoot.datasets.files.boxes import BoxConvention, read_box, read_polygon, read_size
from surefoot.datasets.files.json_records import Entry, decode_record, section_records
from surefoot.datasets.labelled import Attributes, LabelledSet, Record, attributes_of, reader_of

CONVENTION: Final = BoxConvention.NORM1_XYWH
LABELS: Final = ("samples.json",)
FOLDER: Final = "data/"


class _Detection(msgspec.Struct, frozen=True):
    bounding_box: list[float]


class _Polyline(msgspec.Struct, frozen=True):
    points: list[list[tuple[float, float]]]


class _Detections(msgspec.Struct, frozen=True):
    detections: list[_Detection] = []


class _Polylines(msgspec.Struct, frozen=True):
    polylines: list[_Polyline] = []


class _Metadata(msgspec.Struct, frozen=True):
    width: int
    height: int


class _Sample(msgspec.Struct, frozen=True):
    filepath: str
    metadata: _Metadata
    instruction: str
    boxes: _Detections = _Detections()
    polygons: _Polylines = _Polylines()
    attributes: Attributes = Attributes()


def _samples(file: Path) -> Iterator[Entry]:
    return (record for record in section_records(file) if record.key == "samples")


def _record(entry: Entry) -> Record:
    sample = decode_record(entry.data, _Sample)
    size = read_size([sample.metadata.width, sample.metadata.height])
    return Record(
        id=f"{Path(entry.file).stem}/{entry.number}",
        image=sample.filepath.removeprefix(FOLDER),
        width=size[0],
        height=size[1],
        text=sample.instruction,
        boxes=tuple(
            read_box(detection.bounding_box, CONVENTION, size)
            for detection in sample.boxes.detections
        ),
        polygon=_polygon(sample, size),
        **attributes_of(sample.attributes),
    )


def _polygon(sample: _Sample, size: tuple[int, int]) -> tuple[Point, ...]:
    outlines = [points for polyline in sample.polygons.polylines for points in polyline.points]
    if not outlines:
        return ()
    if len(outlines) > 1 or sample.boxes.detections:
        raise RecordError("several-places", "one polygon and nothing beside it", found="more")
    flat = [side for x, y in outlines[0] for side in (x * size[0], y * size[1])]
    return read_polygon(flat, size)


FIFTYONE_SET = LabelledSet(
    name="fiftyone",
    version=2,
    summary="FiftyOne's samples with an instruction in each, such as our exports",
    convention=CONVENTION,
    licence="that of the screens",
    labels=LABELS,
    pictures=("data",),
    read=reader_of(LABELS, _samples, _record),
)
