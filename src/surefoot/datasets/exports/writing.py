"""
JSON files of any size, written piece by piece, and boxes in the spellings of the formats.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import BinaryIO

from surefoot.core.canonical import canonical_json
from surefoot.core.geometry import Box
from surefoot.core.question import Question

__all__ = ["places", "plain_number", "write_array", "write_members", "xywh"]


def plain_number(value: float) -> str:
    """
    Spell a number exactly, without an exponent and without a fraction that is zero.

    >>> plain_number(12.0), plain_number(0.1), plain_number(1e-7)
    ('12', '0.1', '0.0000001')
    """
    number = float(value)
    return str(int(number)) if number.is_integer() else format(Decimal(repr(number)), "f")


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
