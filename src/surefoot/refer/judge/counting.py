"""
Counting in rows: the ordinal, over boxes that are clearly arranged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

from surefoot.core.geometry import Box
from surefoot.core.instruction import Ordinal
from surefoot.refer.judge.ground import Ground
from surefoot.refer.judge.measure import overlap, turned

__all__ = ["counted_leniently", "counted_strictly", "rows_of"]

SAME_ROW: Final = 1 / 2
OTHER_ROW: Final = 1 / 10
BORDERS: Final = 1 / 10
LEAST: Final = 2
Rows = list[list[int]]
Thing = TypeVar("Thing")


def rows_of(boxes: Mapping[int, Box]) -> Rows | None:
    """
    Return the rows from the top, each from the left, or None where they are unclear.

    >>> rows_of({1: Box(20, 0, 30, 10), 2: Box(0, 1, 10, 11), 3: Box(0, 20, 10, 30)})
    [[2, 1], [3]]
    """
    mates: dict[int, set[int]] = {each: {each} for each in boxes}
    for one, a in boxes.items():
        for other, b in boxes.items():
            if one == other:
                continue
            sharing = overlap((a.top, a.bottom), (b.top, b.bottom))
            least = min(a.height, b.height)
            if sharing >= SAME_ROW * least:
                mates[one].add(other)
                shared = overlap((a.left, a.right), (b.left, b.right))
                if shared > BORDERS * min(a.width, b.width):
                    return None
            elif sharing > OTHER_ROW * least:
                return None
    rows: Rows = []
    for one, row in mates.items():
        if any(mates[other] != row for other in row):
            return None
        if one == min(row):
            rows.append(sorted(row, key=lambda each: boxes[each].left))
    return sorted(rows, key=lambda row: min(boxes[each].top for each in row))


def counted_strictly(ground: Ground, counted: Iterable[int], ordinal: Ordinal) -> set[int]:
    """Return what stands at the position, or nothing where that cannot be made out."""
    things = _things(ground, counted)
    boxes = {each: ground.elements[each].box for each in things}
    rows = rows_of(boxes)
    if len(boxes) < LEAST or rows is None or not _in_form(rows, boxes, ordinal):
        return set()
    return {each for one in _at_position(rows, ordinal) for each in things[one]}


def counted_leniently(
    ground: Ground, strict: Iterable[int], lenient: Iterable[int], ordinal: Ordinal
) -> set[int]:
    """Return every element that is at the position in one of the countings."""
    found = counted_strictly(ground, strict, ordinal)
    for counted, count in (
        (strict, _down_the_columns),
        (lenient, _down_the_columns),
        (lenient, _generous),
    ):
        things = _things(ground, counted)
        boxes = {each: ground.elements[each].box for each in things}
        found |= {each for one in count(boxes, ordinal) for each in things[one]}
    wrapped = {
        each for one in found for each in ground.descendants(one) if ground.one_thing(one, each)
    }
    return found | wrapped.intersection(lenient)


def _things(ground: Ground, counted: Iterable[int]) -> dict[int, list[int]]:
    """Gather what is one thing under its outermost element."""
    things: dict[int, list[int]] = {}
    for each in sorted(counted, key=lambda one: (len(ground.ancestors(one)), one)):
        same = [one for one in things if ground.one_thing(one, each)]
        things.setdefault(same[0] if same else each, []).append(each)
    return things


def _down_the_columns(boxes: Mapping[int, Box], ordinal: Ordinal) -> set[int]:
    """Return what is at a list's position where several clear columns are read in turn."""
    if ordinal.order != "list":
        return set()
    across = {each: turned(box, "left of") for each, box in boxes.items()}
    columns, rows = rows_of(across), rows_of(boxes)
    if columns is None or rows is None or min(len(columns), len(rows)) < LEAST:
        return set()
    return _at_position(columns, ordinal)


def _generous(boxes: Mapping[int, Box], ordinal: Ordinal) -> set[int]:
    """Return what one counting fits; all that it counts, where it cannot be made out."""
    if len(boxes) < LEAST:
        return set()
    rows = rows_of(boxes)
    if rows is None or not _in_form(rows, boxes, ordinal):
        return set(boxes)
    return _at_position(rows, ordinal)


def _in_form(rows: Rows, boxes: Mapping[int, Box], ordinal: Ordinal) -> bool:
    """Tell whether an arrangement is one row, one column or a grid, as the order says."""
    if ordinal.order == "row":
        return len(rows) == 1
    if ordinal.order == "grid":
        return sum(len(row) > 1 for row in rows) > 1
    if ordinal.order == "list":
        return True
    for a in boxes.values():
        for b in boxes.values():
            sharing = overlap((a.left, a.right), (b.left, b.right))
            if sharing < min(a.width, b.width) / 2:
                return False
    return all(len(row) == 1 for row in rows)


def _at_position(rows: Rows, ordinal: Ordinal) -> set[int]:
    if ordinal.order == "grid":
        row = _nth(rows, ordinal.row)
        sequence = row[0] if row else []
    else:
        sequence = [each for row in rows for each in row]
    return set(_nth(sequence, ordinal.position))


def _nth(things: list[Thing], position: int) -> list[Thing]:
    """Return the thing at a position from 1 or, negative, from the end, in a list or none."""
    at = position - 1 if position > 0 else len(things) + position
    return [things[at]] if position and 0 <= at < len(things) else []
