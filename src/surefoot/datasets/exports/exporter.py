"""
The seam of an export: samples go in, the files of one format come out.

What a format cannot hold is declared, not found out: each ``Part`` that a sample has is
either held, lost (the question goes on without it), or the reason to leave the question out.

JSON files of any size are written piece by piece, and boxes in the spellings of the formats.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import BinaryIO, Final, Protocol

import msgspec

from surefoot.core.canonical import canonical_json
from surefoot.core.geometry import Box
from surefoot.core.question import Question
from surefoot.core.registry import Registry
from surefoot.datasets.labelled import Attributes, Platform


def plain_number(value: float) -> str:
    """
    Spell a number exactly, without an exponent and without a fraction that is zero.

    >>> plain_number(12.0), plain_number(0.1), plain_number(1e-7)
    ('12', '0.1', '0.0000001')
    """
    number = float(value)
    return str(int(number)) if number.is_integer() else format(Decimal(repr(number)), "f")


class Part(enum.StrEnum):
    """Name what a question may have that not every format can hold, as messages call it."""

    REFUSAL = "questions that only a refusal answers"
    PLACELESS = "questions that words answer, without a place"
    PICTURES = "questions about several pictures"
    UNSIZED = "questions on a picture of unknown size"
    PLATFORMLESS = "questions of no known platform"
    POLYGON = "questions with a polygon"
    SEVERAL = "questions with several right boxes"
    ANSWERS = "questions with answers in words"
    SPLIT = "questions of a split that is not the test split"
    VARIANT = "questions on a changed screen"
    REASONING = "questions to be reasoned about"
    LANGUAGE = "questions in another language than English"
    ACTION = "questions of typing or selecting"


LOST: Final = {
    Part.POLYGON: "only the box around it is kept",
    Part.SEVERAL: "only the first is kept",
    Part.ANSWERS: "they are not kept",
    Part.SPLIT: "the name of the split is not kept",
    Part.VARIANT: "the name of the change is not kept",
    Part.REASONING: "that is not kept",
    Part.LANGUAGE: "the name of the language is not kept",
    Part.ACTION: "the action and the value are not kept",
}
PLACES: Final = frozenset({Part.REFUSAL, Part.PLACELESS})


class Sample(msgspec.Struct, frozen=True):
    """
    Hold one question and what its screen says of it.

    ``picture`` is the name of the picture's file, without a folder.
    """

    question: Question
    picture: str
    platform: Platform = ""
    site: str = ""
    locale: str = ""


class Writes(Protocol):
    """Write the label files of one format."""

    def __call__(self, samples: Iterable[Sample], out: Path) -> None:
        """
        Write into an empty folder.

        ``samples`` may be gone through more than once; the questions of one screen follow
        on each other. Memory must not grow with their number.
        """


class Exporter(msgspec.Struct, frozen=True, kw_only=True):
    """
    Describe one format: the folder of its pictures, what it drops and what it loses.

    ``dataset`` is the name under which ``surefoot import`` reads it. A sample names one
    picture, so that questions about several are dropped as well.
    """

    name: str
    version: int
    summary: str
    dataset: str
    write: Writes
    pictures: str = "images"
    drops: frozenset[Part] = frozenset()
    loses: frozenset[Part] = frozenset()

    @property
    def dropped(self) -> frozenset[Part]:
        """Return all that leaves a question out."""
        return self.drops | {Part.PICTURES}


EXPORTS = Registry(Exporter, "surefoot.datasets.exports", what="export format")


def parts_of(sample: Sample) -> frozenset[Part]:
    """Return which parts a sample has."""
    return frozenset(_parts(sample))


def _parts(sample: Sample) -> Iterator[Part]:
    question = sample.question
    instruction, cell = question.instruction, question.cell
    placeless = question.answerable and question.truth.area == 0 and not question.polygon
    found = {
        Part.REFUSAL: not question.answerable,
        Part.PLACELESS: placeless,
        Part.PICTURES: bool(question.further),
        Part.UNSIZED: not (question.width and question.height),
        Part.PLATFORMLESS: not sample.platform,
        Part.POLYGON: bool(question.polygon),
        Part.SEVERAL: bool(question.boxes),
        Part.ANSWERS: bool(question.answers),
        Part.SPLIT: question.split != "test",
        Part.VARIANT: cell.variant != "original",
        Part.REASONING: cell.reasoning,
        Part.LANGUAGE: instruction.language != "en",
        Part.ACTION: instruction.action != "click",
    }
    return (part for part, has in found.items() if has)


def attributes_from(sample: Sample) -> Attributes:
    """Return what a format with room for attributes keeps; a change's name is a fact."""
    question, instruction = sample.question, sample.question.instruction
    changed = question.cell.variant != "original"
    return Attributes(
        kind=question.cell.instruction,
        language=instruction.language,
        action=instruction.action,
        value=instruction.value,
        answerable=question.answerable,
        answers=question.answers,
        split=question.split,
        page=question.page_name,
        site=sample.site,
        platform=sample.platform,
        system=question.system,
        locale=sample.locale,
        role=question.role,
        target=instruction.target,
        facts=question.facts | ({"variant": question.cell.variant} if changed else {}),
        asks=question.asks,
        options=question.options,
    )


def xywh(box: Box, across: float = 1.0, down: float = 1.0) -> list[float]:
    """
    Return left, top, width and height, each multiplied by the factor of its direction.

    >>> xywh(Box(10, 20, 40, 60), 0.5, 1)
    [5.0, 20, 15.0, 40]
    """
    return [box.left * across, box.top * down, box.width * across, box.height * down]


def places(question: Question) -> tuple[Box, ...]:
    """Return all boxes that are right, the first the truth; none beside a polygon or without."""
    if question.polygon or not question.answerable or question.truth.area == 0:
        return ()
    return (question.truth, *question.boxes)


def write_array(stream: BinaryIO, items: Iterable[object]) -> None:
    """Write an array, one item a line."""
    stream.write(b"[")
    for number, item in enumerate(items):
        stream.write(b",\n" if number else b"\n")
        stream.write(canonical_json(item))
    stream.write(b"\n]")


def write_members(stream: BinaryIO, members: dict[str, Iterable[object]]) -> None:
    """Write an object of arrays, each gone through when its turn comes."""
    for number, (name, items) in enumerate(members.items()):
        stream.write(b",\n" if number else b"{\n")
        stream.write(canonical_json(name) + b": ")
        write_array(stream, items)
    stream.write(b"\n}\n")
