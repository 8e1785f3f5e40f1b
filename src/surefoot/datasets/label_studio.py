"""
Label Studio's tasks with an instruction in each, as our own export writes them.

One array of tasks: ``data`` has ``image``, ``instruction`` and ``attributes``; the places
are the rectangles or the polygon of the first annotation that was not cancelled, of the
first prediction where there is none. So a set that people corrected there comes back.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.errors import RecordError
from surefoot.core.geometry import Box, Point
from surefoot.datasets.files.boxes import BoxConvention, read_box, read_polygon, read_size
from surefoot.datasets.files.json_records import Entry, array_records, decode_record
from surefoot.datasets.labelled import Attributes, LabelledSet, Record, attributes_of, reader_of

CONVENTION: Final = BoxConvention.NORM100_XYWH
LABELS: Final = ("tasks.json",)
SERVED: Final = "/data/local-files/?d="
FOLDER: Final = "images/"
WHOLE: Final = 100
RECTANGLE: Final = "rectanglelabels"
POLYGON: Final = "polygonlabels"


class _Value(msgspec.Struct, frozen=True):
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0
    rotation: float = 0.0
    points: list[tuple[float, float]] = []


class _Result(msgspec.Struct, frozen=True):
    type: str
    value: dict[str, object] = {}
    original_width: int = 0
    original_height: int = 0


class _Annotation(msgspec.Struct, frozen=True):
    result: list[_Result]
    was_cancelled: bool = False


class _Data(msgspec.Struct, frozen=True):
    image: str
    instruction: str
    attributes: Attributes = Attributes()


class _Task(msgspec.Struct, frozen=True):
    data: _Data
    annotations: list[_Annotation] = []
    predictions: list[_Annotation] = []


def _record(entry: Entry) -> Record:
    task = decode_record(entry.data, _Task)
    results = _results(task)
    sizes = {(result.original_width, result.original_height) for result in results}
    if len(sizes) > 1:
        raise RecordError("bad-size", "one size of the picture", found=f"{sorted(sizes)}")
    width, height = read_size(sizes.pop()) if sizes else (0, 0)
    return Record(
        id=f"{Path(entry.file).stem}/{entry.number}",
        image=task.data.image.removeprefix(SERVED).removeprefix(FOLDER),
        width=width,
        height=height,
        text=task.data.instruction,
        boxes=_boxes(results, (width, height)),
        polygon=_polygon(results, (width, height)),
        **attributes_of(task.data.attributes),
    )


def _results(task: _Task) -> list[_Result]:
    """Return the places of the first annotation that counts; other results are no places."""
    valid = [
        annotation for annotation in task.annotations if not annotation.was_cancelled
    ] or task.predictions
    found = valid[0].result if valid else []
    return [result for result in found if result.type in (RECTANGLE, POLYGON)]


def _values(results: Sequence[_Result], kind: str) -> list[_Value]:
    try:
        return [msgspec.convert(result.value, _Value) for result in results if result.type == kind]
    except msgspec.ValidationError as error:
        raise RecordError("malformed", f"a value of {kind}", found=error) from error


def _boxes(results: Sequence[_Result], size: tuple[int, int]) -> tuple[Box, ...]:
    values = _values(results, RECTANGLE)
    if any(value.rotation for value in values):
        raise RecordError("rotated-box", "an upright box", found="a rotated one")
    return tuple(
        read_box([value.x, value.y, value.width, value.height], CONVENTION, size)
        for value in values
    )


def _polygon(results: Sequence[_Result], size: tuple[int, int]) -> tuple[Point, ...]:
    values = _values(results, POLYGON)
    if len(values) > 1 or (values and len(values) < len(results)):
        raise RecordError("several-places", "one polygon and nothing beside it", found="more")
    if not values:
        return ()
    width, height = size
    flat = [side for x, y in values[0].points for side in (x * width / WHOLE, y * height / WHOLE)]
    return read_polygon(flat, size)


LABEL_STUDIO_SET = LabelledSet(
    name="label-studio",
    version=2,
    summary="Label Studio's tasks with an instruction in each, such as our exports",
    convention=CONVENTION,
    licence="that of the screens",
    labels=LABELS,
    pictures=("images",),
    read=reader_of(LABELS, array_records, _record),
)
