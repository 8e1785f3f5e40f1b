"""
GUI-Perturbed's published raw replies: one JSON object a line, or a table, gzipped or not.

A record holds a model, a cell, the step that it was asked about, the instruction, the
model's raw reply, and the target's box as x, y, width, height in pixels of a 1920 x 1080
screenshot. The names of the fields are ours or those of the evaluator in the GUI-DR
repository, which spells a box as a string of JSON and kinds of instruction with "_query".
A table is CSV with those names in its first row, in which all is spelt as Python prints it.
The pictures are not part of it. Reading a reply is not this module's business, and in
which format it is written is told by nothing but the model's name.
"""

from __future__ import annotations

import csv
import gzip
import itertools
import re
import zlib
from collections.abc import Iterable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import Annotated, Final, Literal, get_args

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Direction, Expression, Instruction
from surefoot.core.question import Cell, Question
from surefoot.datasets.dataset import BadRecord, Dataset, RecordedReply, Reports, ignore

# GUI-DR's names of fields, and ours.
NAMES: Final = {
    "use_reasoning": "reasoning",
    "query_type": "instruction_type",
    "ground_truth_bbox": "box_xywh",
}
SIZE = (1920, 1080)
QUOTED = re.compile(r"\"[^\"]*\"|\u201c[^\u201d]*\u201d|\u2018[^\u2019]*\u2019|(?<!\w)'.*?'(?!\w)")
WAYS = {"above": "above", "below": "below", "left": "left of", "right": "right of"}
TRUTH: Final = {"True": True, "False": False, "true": True, "false": False}
TOLD: Final = "raw_prediction"  # the column that every table of replies has
MARK: Final = b"\xef\xbb\xbf"
GZIP = b"\x1f\x8b"


class ReadLimits(msgspec.Struct, frozen=True):
    """Bound what a file may unfold to: bytes of one line, bytes in all."""

    line: int = 1 << 20
    total: int = 1 << 30


LIMITS = ReadLimits()


class _Line(msgspec.Struct, frozen=True):
    model: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    reasoning: bool
    instruction_type: Literal["direct", "relational"]
    variant: Literal["original", "precision", "style", "text_shrink"]
    task_id: str
    step_index: int
    instruction: str
    raw_prediction: str
    box_xywh: tuple[float, float, float, float]


def read_replies(
    path: Path, *, strict: bool = False, report: Reports = ignore, limits: ReadLimits = LIMITS
) -> Iterator[RecordedReply]:
    """
    Read published replies one after the other; bad records are reported and left out.

    A record is bad where it is no JSON of the known fields, where its box is empty, or
    where the same reply was recorded before. Raises InvalidInputError for a file that
    cannot be read, unfolds to more than the limits, or (``strict``) has a bad record.
    """
    seen: set[tuple[str, str]] = set()
    for number, line in _lines(path, limits):
        try:
            recorded = _recorded(line)
            _once(recorded, seen)
        except (InvalidInputError, msgspec.MsgspecError, ValueError, RecursionError) as error:
            if strict:
                raise InvalidInputError(
                    f"a published reply in line {number} of {path.name}", found=error
                ) from error
            report(BadRecord(number, str(error)))
            continue
        yield recorded


def direction_in(text: str) -> Direction | None:
    """
    Read the direction out of a relational instruction, None where none or several are named.

    Words between quotation marks are names and do not count.

    >>> direction_in("Click on the link to the left of 'Go right'")
    'left of'
    """
    bare = QUOTED.sub(" ", text)
    found = {WAYS[word] for word in re.findall(r"[a-z]+", bare.lower()) if word in WAYS}
    return next((way for way in get_args(Direction) if found == {way}), None)


def _decoded(line: bytes) -> _Line:
    fields = msgspec.json.decode(line, type=dict[str, object])
    fields = {name: value for name, value in fields.items() if value is not None}
    fields = {NAMES.get(name, name): value for name, value in fields.items()}
    kind, box = fields.get("instruction_type"), fields.get("box_xywh")
    if isinstance(kind, str):
        fields["instruction_type"] = kind.removesuffix("_query")
    if isinstance(box, str):
        fields["box_xywh"] = msgspec.json.decode(box.replace("(", "[").replace(")", "]"))
    return msgspec.convert(fields, _Line)


def _recorded(line: bytes) -> RecordedReply:
    record = _decoded(line)
    x, y, width, height = record.box_xywh
    if width <= 0 or height <= 0:
        raise InvalidInputError("a box with an area", found=f"{width} x {height}")
    pair = f"{record.task_id}:{record.step_index}"
    cell = Cell(record.variant, record.instruction_type, record.reasoning)
    relational = record.instruction_type == "relational"
    direction = direction_in(record.instruction) if relational else None
    question = Question(
        id="/".join((pair, cell.variant, cell.instruction, "reasoning" * cell.reasoning)),
        pair=pair,
        cluster=record.task_id,
        cell=cell,
        screen=f"{pair}/{cell.variant}",
        image="",
        width=SIZE[0],
        height=SIZE[1],
        instruction=Instruction(
            text=record.instruction,
            language="en",
            kind=record.instruction_type,
            specificity="high",
            expression=Expression(direction=direction),
            target=pair,
        ),
        truth=Box.from_xywh(x, y, width, height),
    )
    return RecordedReply(question, record.model, "", record.raw_prediction)


def _once(recorded: RecordedReply, seen: set[tuple[str, str]]) -> None:
    key = (recorded.model, recorded.question.id)
    if key in seen:
        raise InvalidInputError("each reply once", found=f"{' '.join(key)} again")
    seen.add(key)


def _lines(path: Path, limits: ReadLimits) -> Iterator[tuple[int, bytes]]:
    total = number = 0
    try:
        with _opened(path) as stream:
            while line := stream.readline(limits.line + 1):
                total, number = total + len(line), number + 1
                if len(line) > limits.line or total > limits.total:
                    raise _too_long(path, limits)
                if number == 1:
                    line = line.removeprefix(MARK)
                    if not line.lstrip().startswith(b"{") and TOLD.encode() in line:
                        rest = _bounded(stream, limits, path)
                        yield from _rows(itertools.chain([line], rest))
                        return
                if line.strip():
                    yield number, line
    except (OSError, EOFError, UnicodeError, csv.Error, zlib.error) as error:
        raise InvalidInputError(f"a readable file at {path}", found=error) from error


def _too_long(path: Path, limits: ReadLimits) -> InvalidInputError:
    return InvalidInputError(
        f"lines of at most {limits.line:,} bytes, {limits.total:,} in all",
        found=f"more in {path.name}",
        remedy="check that this is the published file",
    )


def _bounded(
    stream: BufferedReader | gzip.GzipFile, limits: ReadLimits, path: Path
) -> Iterator[bytes]:
    total = 0
    while line := stream.readline(limits.line + 1):
        total += len(line)
        if len(line) > limits.line or total > limits.total:
            raise _too_long(path, limits)
        yield line


def _rows(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the rows of a table, from the second on, as the lines of JSON that they stand for."""
    text = (line.decode() for line in lines)
    for number, row in enumerate(csv.DictReader(text, strict=True), start=2):
        fields_of_row = {
            name: _value(name, cell) for name, cell in row.items() if name and cell is not None
        }
        yield number, msgspec.json.encode(fields_of_row)


def _value(name: str, field: str) -> object:
    """Return a cell as what it spells: truth and numbers are words in a table."""
    if name == "step_index" and field.removesuffix(".0").isdecimal():
        return int(field.removesuffix(".0"))
    return TRUTH.get(field, field) if name in {"use_reasoning", "reasoning"} else field


def _opened(path: Path) -> BufferedReader | gzip.GzipFile:
    with path.open("rb") as stream:
        packed = stream.read(len(GZIP)) == GZIP
    return gzip.open(path, "rb") if packed else path.open("rb")


GUI_PERTURBED = Dataset(
    name="gui-perturbed",
    version=3,
    summary="raw replies to perturbed screens of 429 steps, as published or as GUI-DR writes them",
    read=read_replies,
    clusters="tasks",
)
