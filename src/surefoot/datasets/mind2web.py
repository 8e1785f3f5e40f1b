"""
Multimodal-Mind2Web: single steps of tasks on web sites, with the element that was acted on.

Parquet files ``train-*``, ``test_task-*``, ``test_website-*`` and ``test_domain-*``, a row a
step: ``action_uid``, ``annotation_id`` (the task), ``confirmed_task``, ``website``,
``domain``, ``subdomain``, ``operation`` (JSON: ``op``, ``original_op``, ``value``),
``pos_candidates`` (JSON objects: ``tag``, ``attributes`` (JSON again), the flags
``is_original_target`` and ``is_top_level_target``), ``target_action_reprs`` ("[button]  Find
-> CLICK") and ``screenshot``, a picture of the whole page. The attribute
``bounding_box_rect`` is "x,y,width,height" in pixels of the page, all -1 for what was not
drawn.

The set says what the task is and labels each step, but gives no command for a step. The
words here are made from the label, in one form for each operation; the task stands in the
facts. Every candidate's box is right, the one that was acted on first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import msgspec

from surefoot.core.errors import RecordError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Action
from surefoot.datasets.files.boxes import BoxConvention, read_box
from surefoot.datasets.files.json_records import decode_record
from surefoot.datasets.files.parquet_rows import Row, ShownImage, decode_row, parquet_rows
from surefoot.datasets.labelled import LabelledSet, Record, reader_of

CONVENTION: Final = BoxConvention.PIXEL_XYWH
SPLITS: Final = ("train", "test_task", "test_website", "test_domain")
LABELS: Final = tuple(
    pattern for split in SPLITS for pattern in (f"data/{split}-*.parquet", f"{split}-*.parquet")
)
_STEP: Final = re.compile(r"\[(?P<kind>[^\]]*)\]\s*(?P<words>.*?)\s*->\s*[A-Z]+.*", re.DOTALL)
_ACTIONS: Final[dict[str, Action]] = {"TYPE": "type", "SELECT": "select"}
_FORMS: Final = {
    "CLICK": "Click the {kind} '{words}'",
    "HOVER": "Point at the {kind} '{words}'",
    "ENTER": "Press Enter in the {kind} '{words}'",
    "TYPE": "Type '{value}' into the {kind} '{words}'",
    "SELECT": "Select '{value}' in the {kind} '{words}'",
}


class _Operation(msgspec.Struct, frozen=True):
    op: Literal["CLICK", "TYPE", "SELECT"]
    original_op: Literal["CLICK", "TYPE", "SELECT", "HOVER", "ENTER"] | None = None
    value: str = ""


class _Candidate(msgspec.Struct, frozen=True):
    tag: str
    attributes: str
    is_original_target: bool = False
    is_top_level_target: bool = False


class _Fields(msgspec.Struct, frozen=True):
    action_uid: str
    annotation_id: str
    confirmed_task: str
    website: str
    domain: str
    subdomain: str
    operation: str
    pos_candidates: list[str]
    target_action_reprs: str


class _Pictured(_Fields, frozen=True):
    screenshot: ShownImage


class Mind2WebCandidate(msgspec.Struct, frozen=True):
    """Hold what was recorded of an element: its tag, its attributes, its box if drawn."""

    tag: str
    attributes: dict[str, str]
    box: Box | None
    original: bool = False


class Mind2WebStep(msgspec.Struct, frozen=True):
    """
    Hold one step of a task: its words, what is done, and the elements that are right.

    ``uid`` names the step, ``task`` the task, ``kind`` and ``label`` are the element's as
    the set's own words for the step give them.
    """

    uid: str
    task: str
    text: str
    action: Action
    value: str
    kind: str
    label: str
    candidates: tuple[Mind2WebCandidate, ...]
    website: str = ""
    facts: dict[str, str] = {}


def read_step(row: Row) -> Mind2WebStep:
    """Read a row's step; raises RecordError."""
    fields = decode_row(row, _Fields)
    operation = decode_record(fields.operation.encode(), _Operation)
    done = operation.original_op or operation.op
    parts = _STEP.fullmatch(fields.target_action_reprs)
    if parts is None or not fields.action_uid or not fields.annotation_id:
        raise RecordError(
            "malformed", "a step as '[kind] words -> OPERATION'", found=fields.target_action_reprs
        )
    words, value = " ".join(parts["words"].split()), " ".join(operation.value.split())
    if not words or ("{value}" in _FORMS[done] and not value):
        raise RecordError("empty-text", "words for the element and the value", found="none")
    text = _FORMS[done].format(kind=parts["kind"] or "element", words=words, value=value)
    return Mind2WebStep(
        uid=fields.action_uid,
        task=fields.annotation_id,
        text=text,
        action=_ACTIONS.get(operation.op, "click"),
        value=value if operation.op in _ACTIONS else "",
        kind=parts["kind"],
        label=words,
        candidates=_candidates(fields.pos_candidates),
        website=fields.website,
        facts={
            "task": fields.confirmed_task,
            "step": fields.target_action_reprs,
            "domain": fields.domain,
            "subdomain": fields.subdomain,
            "operation": done,
        },
    )


def record_of(step: Mind2WebStep, file: str, image: str | bytes, boxes: tuple[Box, ...]) -> Record:
    """Return the record of a step whose places are known."""
    split = file.partition("-")[0]
    return Record(
        id=step.uid,
        image=image,
        text=step.text,
        boxes=boxes,
        kind="step",
        action=step.action,
        value=step.value,
        split=split if split in SPLITS else "",
        page=step.task,
        site=step.website,
        platform="web",
        role=step.kind,
        facts=step.facts,
    )


def _rows(file: Path) -> Iterator[Row]:
    return parquet_rows(file, _Pictured.__struct_fields__)


def _record(row: Row) -> Record:
    shown = decode_row(row, _Pictured).screenshot
    step = read_step(row)
    drawn = [candidate for candidate in step.candidates if candidate.box is not None]
    boxes = dict.fromkeys(item.box for item in sorted(drawn, key=lambda entry: not entry.original))
    return record_of(step, row.file, shown.image, tuple(box for box in boxes if box))


def _candidates(spelled: list[str]) -> tuple[Mind2WebCandidate, ...]:
    found = []
    for item in spelled:
        candidate = decode_record(item.encode(), _Candidate)
        attributes_given = decode_record(candidate.attributes.encode(), dict[str, object])
        attributes = {
            name: value for name, value in attributes_given.items() if isinstance(value, str)
        }
        box = _box(attributes.get("bounding_box_rect", ""))
        found.append(
            Mind2WebCandidate(candidate.tag, attributes, box, candidate.is_original_target)
        )
    if not found:
        raise RecordError("no-place", "a candidate that is right", found="none")
    return tuple(found)


def _box(spelled: str) -> Box | None:
    """Return the box of a candidate, None for one that was not drawn."""
    try:
        sides = [float(part) for part in spelled.split(",")]
    except ValueError as error:
        raise RecordError("malformed", "x,y,width,height", found=f"'{spelled[:80]}'") from error
    return None if sides == [-1.0] * 4 else read_box(sides, CONVENTION)


MIND2WEB = LabelledSet(
    name="multimodal-mind2web",
    repository="osunlp/Multimodal-Mind2Web",
    version=1,
    summary="steps of tasks on web sites, on pictures of whole pages",
    convention=CONVENTION,
    licence="OpenRAIL",
    labels=LABELS,
    splits=SPLITS,
    read=reader_of(LABELS, _rows, _record),
)
