"""
GUI-Perturbed's evaluation set: one step of a task on four variants of a page, in two wordings.

Parquet files ``eval-*.parquet``: ``visual_variant``, ``instruction_type`` ("direct_query" or
"relational_query"), ``task_id``, ``step_index``, ``instruction``, ``gt_bbox`` (a JSON list
x, y, width, height in pixels) and ``screenshot``, the picture itself. Records of one step
share a pair; a task is a cluster.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.errors import RecordError
from surefoot.datasets.files.boxes import BoxConvention, read_box
from surefoot.datasets.files.json_records import decode_record
from surefoot.datasets.files.parquet_rows import Row, ShownImage, decode_row, parquet_rows
from surefoot.datasets.labelled import LabelledSet, Record, reader_of

CONVENTION: Final = BoxConvention.PIXEL_XYWH
LABELS: Final = ("eval-*.parquet", "data/eval-*.parquet")


class _Fields(msgspec.Struct, frozen=True):
    visual_variant: str
    instruction_type: str
    task_id: str
    step_index: int
    instruction: str
    gt_bbox: str
    screenshot: ShownImage


def _rows(file: Path) -> Iterator[Row]:
    return parquet_rows(file, _Fields.__struct_fields__)


def _record(row: Row) -> Record:
    fields = decode_row(row, _Fields)
    if not (fields.task_id and fields.visual_variant and fields.instruction_type):
        raise RecordError("malformed", "a task, a variant and a kind of words", found="none")
    step = f"{fields.task_id}:{fields.step_index}"
    sides = decode_record(fields.gt_bbox.encode(), list[float])
    return Record(
        id=f"{step}/{fields.visual_variant}/{fields.instruction_type}",
        pair=step,
        variant=fields.visual_variant,
        kind=fields.instruction_type.removesuffix("_query"),
        image=fields.screenshot.image,
        text=fields.instruction,
        boxes=(read_box(sides, CONVENTION),),
        split="eval",
        page=fields.task_id,
        platform="web",
    )


GUI_PERTURBED_HF = LabelledSet(
    name="gui-perturbed-hf",
    version=1,
    summary="steps on four variants of a page, in direct and in relational words",
    convention=CONVENTION,
    licence="not stated",
    labels=LABELS,
    splits=("eval",),
    read=reader_of(LABELS, _rows, _record),
    clusters="tasks",
)
