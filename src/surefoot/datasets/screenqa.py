"""
ScreenQA: questions about screens of phones, answered in words and by the elements that say so.

``answers_and_bboxes/{train,validation,test}.json`` are JSON arrays: ``image_id``,
``image_width``, ``image_height``, ``question`` and ``ground_truth``, one answer for each
annotator: ``full_answer`` and ``ui_elements``, each with ``text``, ``bounds`` as left, top,
right, bottom in pixels, and ``vh_index``. The answer "<no answer>" has no elements. The
pictures are RICO's, ``<image_id>.jpg``.

The place of an answer is the box around its elements; that of the first annotator who gave
elements is the truth, those of the others are as right. Where nobody gave any, the
question cannot be answered.

``short_answers/{train,validation,test}.json`` are JSON arrays too: ``image_id``,
``question`` and ``ground_truth``, the short answers that are right. They have no places, and
no sizes of pictures. Where "<no answer>" is all there is, the question cannot be answered;
where it is one of several, it is left off.

As statements the same records are read otherwise: the long answer (``full_answer``) of the first
annotator who gave elements takes the question's place, as in Hidden Forms, and the short answer
to the same question, where ``short_answers/`` lies beside, is kept as the fact ``statement_s``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.errors import RecordError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element
from surefoot.datasets.files.boxes import BoxConvention, read_box, read_size
from surefoot.datasets.files.json_records import Entry, array_records, decode_record
from surefoot.datasets.labelled import LabelledSet, Record, reader_of

CONVENTION: Final = BoxConvention.PIXEL_XYXY
SPLITS: Final = ("train", "validation", "test")
LABELS: Final = tuple(f"answers_and_bboxes/{split}.json" for split in SPLITS)
SHORT_LABELS: Final = tuple(f"short_answers/{split}.json" for split in SPLITS)
NO_ANSWER: Final = "<no answer>"
STATEMENT_S: Final = "statement_s"  # a fact: the short statement


class _Piece(msgspec.Struct, frozen=True):
    bounds: list[float]
    text: str = ""
    vh_index: int = -1


class _Truth(msgspec.Struct, frozen=True):
    full_answer: str
    ui_elements: list[_Piece] = []


class _Fields(msgspec.Struct, frozen=True):
    image_id: int
    image_width: float
    image_height: float
    question: str
    ground_truth: list[_Truth]


class _ShortFields(msgspec.Struct, frozen=True):
    image_id: int
    question: str
    ground_truth: list[str]


def _short_record(entry: Entry) -> Record:
    fields = decode_record(entry.data, _ShortFields)
    if not all(map(str.strip, fields.ground_truth)) or not fields.ground_truth:
        raise RecordError("empty-text", "an answer, and words in each", found="none")
    answers = dict.fromkeys(item for item in fields.ground_truth if item != NO_ANSWER)
    stem = Path(entry.file).stem
    split = stem.rpartition("_")[2]
    return Record(
        id=f"{stem}/{entry.number}",
        image=f"{fields.image_id}.jpg",
        text=fields.question,
        kind="question",
        answerable=bool(answers),
        asks="words",
        answers=tuple(answers),
        split=split if split in SPLITS else "",
        page=str(fields.image_id),
        platform="mobile",
        system="android",
    )


def _record(entry: Entry) -> Record:
    fields = decode_record(entry.data, _Fields)
    width, height = size = read_size([fields.image_width, fields.image_height])
    places: dict[Box, None] = {}
    pieces: dict[Box, _Piece] = {}
    for truth in fields.ground_truth:
        boxes = [read_box(piece.bounds, CONVENTION, size) for piece in truth.ui_elements]
        pieces |= dict(zip(boxes, truth.ui_elements, strict=True))
        if boxes:
            places.setdefault(Box.around(boxes))
    texts = (truth.full_answer for truth in fields.ground_truth)
    split = Path(entry.file).stem
    return Record(
        id=f"{split}/{entry.number}",
        image=f"{fields.image_id}.jpg",
        width=width,
        height=height,
        text=fields.question,
        kind="question",
        boxes=tuple(places),
        answerable=bool(places),
        answers=tuple(dict.fromkeys(item for item in texts if item and item != NO_ANSWER)),
        split=split if split in SPLITS else "",
        page=str(fields.image_id),
        platform="mobile",
        system="android",
        elements=tuple(
            Element(f"{number}", "", box, text=piece.text, attributes={"vh": f"{piece.vh_index}"})
            for number, (box, piece) in enumerate(pieces.items())
        ),
    )


def _with_short(file: Path) -> Iterator[Entry]:
    """Yield the records of a file, each with its short answer as its key, "" without one."""
    beside = file.parent.parent / "short_answers" / file.name
    shorts: dict[tuple[int, str], str] = {}
    for entry in array_records(beside) if beside.is_file() else ():
        with contextlib.suppress(RecordError):
            fields = decode_record(entry.data, _ShortFields)
            texts = (item for item in fields.ground_truth if item != NO_ANSWER)
            shorts.setdefault((fields.image_id, fields.question), next(texts, ""))
    for entry in array_records(file):
        key = ""
        with contextlib.suppress(RecordError):
            asked = decode_record(entry.data, _Fields)
            key = shorts.get((asked.image_id, asked.question), "")
        yield msgspec.structs.replace(entry, key=key)


def _statement(entry: Entry) -> Record:
    """Turn a record into what its long answer states; one without elements states nothing."""
    record, fields = _record(entry), decode_record(entry.data, _Fields)
    statement = next((truth.full_answer for truth in fields.ground_truth if truth.ui_elements), "")
    if not statement.strip():
        raise RecordError("empty-text", "an answer with elements", found="none")
    facts = {STATEMENT_S: entry.key} if entry.key else {}
    return msgspec.structs.replace(
        record, text=statement, kind="statement", answers=(), facts={**record.facts, **facts}
    )


SCREENQA = LabelledSet(
    name="screenqa",
    version=1,
    summary="questions about screens of phones, answered by words and by elements",
    convention=CONVENTION,
    licence="CC BY 4.0",
    labels=LABELS,
    splits=SPLITS,
    read=reader_of(LABELS, array_records, _record),
    clusters="screens",
)

SCREENQA_SHORT = LabelledSet(
    name="screenqa-short",
    version=2,
    summary="questions about screens of phones, answered by a few words",
    convention=CONVENTION,
    licence="CC BY 4.0",
    labels=SHORT_LABELS,
    splits=SPLITS,
    read=reader_of(SHORT_LABELS, array_records, _short_record),
    seen="the validation split, 8,614 questions",
    clusters="screens",
)

SCREENQA_STATEMENTS = LabelledSet(
    name="screenqa-statements",
    version=1,
    summary="long answers about screens of phones, for the elements that they tell of",
    convention=CONVENTION,
    licence="CC BY 4.0",
    labels=LABELS,
    splits=SPLITS,
    read=reader_of(LABELS, _with_short, _statement),
    clusters="screens",
)
