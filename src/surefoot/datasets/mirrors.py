"""
Public sets as mirrors on the Hub hold them: parquet, with the picture in each row.

The columns are those that lmms-eval and others read: ``image``; ``instruction``; ``bbox``, or
``box_type`` with ``box_coordinates``; a size as ``img_size``, ``image_size`` or ``image_width``
with ``image_height``, lists also as words; and what else a set says, under its own names.
Mirrors of one set differ in the unit of their boxes. A file is in one of those that are declared
for its set: shares where no number of its first rows is over 1, else pixels.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.core.geometry import Box, Point
from surefoot.core.pictures import size_of
from surefoot.datasets.dataset import Reports, ignore
from surefoot.datasets.files.boxes import BoxConvention, read_box, read_polygon, read_size
from surefoot.datasets.files.json_records import decode_record
from surefoot.datasets.files.parquet_rows import Row, ShownImage, decode_row, parquet_rows
from surefoot.datasets.files.pictures import Pictures
from surefoot.datasets.labelled import LabelledSet, Platform, Record, label_files, sift

PARQUET: Final = ("*.parquet", "*/*.parquet")
PEEKED: Final = 16  # rows by which a file's unit is known
REFUSAL: Final = "refus"  # what kinds of questions have in their names that ask for nothing
PLATFORMS: Final[dict[str, Platform]] = {
    "ios": "mobile", "android": "mobile", "mobile": "mobile", "web": "web",
    "windows": "desktop", "macos": "desktop", "mac": "desktop", "linux": "desktop",
    "desktop": "desktop",
}  # fmt: skip


class _Fields(msgspec.Struct, frozen=True):
    image: ShownImage
    instruction: str = ""
    prompt_to_evaluate: str = ""
    bbox: list[float] | str = []
    box_type: str = ""
    box_coordinates: list[float] | str = []
    img_size: list[float] | str = []
    image_size: list[float] | str = []
    image_width: int = 0
    image_height: int = 0
    id: int | str = ""
    platform: str = ""
    application: str = ""
    app_name: str = ""
    data_source: str = ""
    data_type: str = ""
    ui_type: str = ""
    element_type: str = ""
    grounding_type: str = ""
    task_type: str = ""
    category: str = ""
    group: str = ""
    label: str = ""
    instruction_cn: str = ""
    file_name: str = ""
    img_filename: str = ""
    image_path: str = ""


COLUMNS: Final = tuple(name for name in _Fields.__struct_fields__ if name != "image")
FACTS: Final = (
    "data_type", "data_source", "ui_type", "element_type", "box_type", "group", "category",
    "task_type", "label", "instruction_cn", "file_name", "img_filename", "image_path",
)  # fmt: skip


class _PeekedRow(msgspec.Struct, frozen=True):
    """Hold a row, and the convention that its file is in."""

    row: Row
    convention: BoxConvention

    @property
    def file(self) -> str:
        """Return the file's name."""
        return self.row.file

    @property
    def number(self) -> int:
        """Return the row's number in the file."""
        return self.row.number


def mirrored(about: LabelledSet, *conventions: BoxConvention) -> LabelledSet:
    """
    Return a set that is read from parquet too, where its folder has none of its own labels.

    ``conventions`` are those in which mirrors spell its boxes, the likeliest first.
    """

    def read(
        path: Path,
        *,
        images: Pictures | None = None,
        strict: bool = False,
        report: Reports = ignore,
    ) -> Iterator[Record]:
        files = label_files(path, (*about.labels, *PARQUET))
        if any(file.suffix != ".parquet" for file in files):
            return about.read(path, images=images, strict=strict, report=report)
        rows = (row for file in files for row in _rows(file, conventions))
        return sift(rows, _record, strict=strict, report=report)

    return msgspec.structs.replace(about, labels=(*about.labels, *PARQUET), read=read)


def _rows(file: Path, conventions: tuple[BoxConvention, ...]) -> Iterator[_PeekedRow]:
    rows = parquet_rows(file, ("image",), optional=COLUMNS)
    first = list(itertools.islice(rows, PEEKED))
    convention = _convention(first, conventions)
    yield from (_PeekedRow(row, convention) for row in itertools.chain(first, rows))


def _convention(rows: Iterable[Row], known: tuple[BoxConvention, ...]) -> BoxConvention:
    numbers: list[float] = []
    for row in rows:
        try:
            fields = decode_row(row, _Fields)
            numbers += _listed(fields.bbox or fields.box_coordinates)
        except InvalidInputError:
            continue
    shares = max(numbers, default=0) <= 1
    fitting = [item for item in known if (item.whole == 1) == shares]
    return (fitting or list(known))[0]


def _record(peeked: _PeekedRow) -> Record:
    row, convention = peeked.row, peeked.convention
    fields = decode_row(row, _Fields)
    image = fields.image.image
    size = _size(fields, image)
    kind = fields.grounding_type or fields.task_type or fields.category
    refuses = REFUSAL in f"{fields.box_type} {kind} {row.file}".casefold()
    boxes, polygon = ((), ()) if refuses else _places(fields, convention, size)
    system_name = (fields.platform or fields.data_source).casefold().removeprefix("os_")
    platform = PLATFORMS.get(system_name, "")
    return Record(
        id=f"{Path(row.file).stem}/{fields.id or row.number}",
        image=image,
        width=size[0],
        height=size[1],
        text=fields.instruction or fields.prompt_to_evaluate,
        kind=kind or "given",
        boxes=boxes,
        polygon=polygon,
        answerable=not refuses,
        split="test",
        platform=platform,
        system="" if system_name in {"web", "mobile", "desktop"} or not platform else system_name,
        site=fields.application or fields.app_name or ("" if platform else system_name),
        role=fields.ui_type or fields.data_type or fields.element_type,
        facts={name: system_name for name in FACTS if (system_name := str(getattr(fields, name)))},
        convention=convention,
    )


def _places(
    fields: _Fields, convention: BoxConvention, size: tuple[int, int]
) -> tuple[tuple[Box, ...], tuple[Point, ...]]:
    numbers = _listed(fields.bbox or fields.box_coordinates)
    if fields.box_type == "polygon":
        return (), read_polygon(numbers, size)
    return (read_box(numbers, convention, size),), ()


def _size(fields: _Fields, image: bytes | str) -> tuple[int, int]:
    """Return the size that a row declares, or else that of the picture in it."""
    if sides := _listed(fields.img_size or fields.image_size):
        return read_size(sides)
    if fields.image_width and fields.image_height:
        return read_size([fields.image_width, fields.image_height])
    if isinstance(image, str):
        return 0, 0
    try:
        return size_of(image)
    except (OSError, ValueError, SyntaxError) as error:
        raise RecordError("bad-picture", "a picture in the row", found=error) from error


def _listed(value: list[float] | str) -> list[float]:
    """Return numbers that stand as a list, or as the words of one."""
    if isinstance(value, list):
        return value
    spelt = value.strip()
    if spelt.startswith("("):
        spelt = f"[{spelt[1:-1]}]"
    return decode_record(spelt.encode(), list[float]) if spelt else []
