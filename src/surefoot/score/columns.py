"""
Answers as columns of numbers, for questions about one box: no reply is held as an object.

What such a question needs of a reply is its kind and, of a point or a box, its place.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Final

import msgspec
import numpy as np

from surefoot.core.geometry import FARTHEST, Box, Point
from surefoot.core.question import Answer
from surefoot.score.stats.arrays import Ints

POINT, BOX, REFUSAL, UNPARSED, FAILED = range(5)  # as Status; ints are faster
# The place of a question among those of a block, the kind of the reply, and where it points.
RECORD: Final = np.dtype([("at", "<i4"), ("status", "i1"), ("x", "<f8"), ("y", "<f8")])


class _PointReply(msgspec.Struct, array_like=True, tag="point", gc=False):
    x: float
    y: float


class _BoxReply(msgspec.Struct, array_like=True, tag="box", gc=False):
    left: float
    top: float
    right: float
    bottom: float


class _ChoiceReply(msgspec.Struct, array_like=True, tag="choice", gc=False):
    label: str


class _TextReply(msgspec.Struct, array_like=True, tag="text", gc=False):
    text: str


class _RefusalReply(msgspec.Struct, array_like=True, tag="refusal", gc=False):
    reason: str


class _UnparsedReply(msgspec.Struct, array_like=True, tag="unparsed", gc=False):
    why: str


_Reply = _PointReply | _BoxReply | _ChoiceReply | _TextReply | _RefusalReply | _UnparsedReply


_STATUS: Final[dict[type, int]] = {
    _PointReply: POINT,
    _BoxReply: BOX,
    _ChoiceReply: UNPARSED,
    _TextReply: UNPARSED,
    _RefusalReply: REFUSAL,
    _UnparsedReply: UNPARSED,
}


class PlacedAnswer(msgspec.Struct, gc=False):
    """Read of an answer the id of its question and what it parsed to, unchecked."""

    question: str
    parsed: _Reply


class QuestionIds:
    """Hold the ids of questions in the order that ``RECORD.at`` counts."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = ids
        self._rows: tuple[Ints, Ints, Ints] | None = None

    def rows(self, places: Mapping[str, tuple[int, ...]]) -> tuple[Ints, Ints, Ints]:
        """
        Return the rows of all questions one after the other, where each begins, and its count.

        ``places`` has the rows of each id; it is the same at every call.
        """
        if self._rows is None:
            found = [places[name] for name in self.ids]
            counts = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
            flat = np.fromiter(
                (row for rows in found for row in rows), dtype=np.int64, count=int(counts.sum())
            )
            self._rows = flat, np.cumsum(counts) - counts, counts
        return self._rows


class AnswerColumns(msgspec.Struct, frozen=True, eq=False):
    """
    Hold the answers of one run to questions of a block.

    ``records`` are (answers,) of ``RECORD`` to questions about one box; ``others`` are answers to
    all other questions.
    """

    questions: QuestionIds
    records: np.ndarray
    others: Iterable[Answer]


def columns_of(answers: Sequence[PlacedAnswer]) -> np.ndarray:
    """
    Return (answers,) of ``RECORD``, but for the places of their questions.

    Raises InvalidInputError for a point or a box that cannot be.
    """
    parsed = [answer.parsed for answer in answers]
    found = np.empty(len(parsed), dtype=RECORD)
    status = np.fromiter(map(_STATUS.__getitem__, map(type, parsed)), np.int8, len(parsed))
    across, down = np.full((2, len(parsed)), math.nan)
    at = status == POINT
    points = [reply for reply in parsed if type(reply) is _PointReply]
    across[at], down[at] = (
        np.fromiter(map(attrgetter(side), points), np.float64, len(points)) for side in "xy"
    )
    for place in np.flatnonzero(status == BOX).tolist():
        middle = Box(*msgspec.structs.astuple(parsed[place])).center
        across[place], down[place] = middle.x, middle.y
    far = (np.abs(across) > FARTHEST) | (np.abs(down) > FARTHEST)
    for place in np.flatnonzero(far).tolist():
        Point(float(across[place]), float(down[place]))  # raises
    found["status"], found["x"], found["y"] = status, across, down
    return found
