"""
How boxes are arranged: rows, columns, and the order in which people read them.

Two boxes are in one row where they share at least half of the smaller height, and in
different rows where they share at most a tenth of it. The arrangement is clear where any
two are one or the other, being in a row is transitive, and no two of one row share more
than a tenth of the smaller width.
"""

from __future__ import annotations

from typing import Final, TypeAlias, TypeVar

import msgspec
import numpy as np

from surefoot.core.instruction import Ordinal
from surefoot.refer.scene.geometry import Boxes, Mask

SAME_LINE: Final = 0.5
OTHER_LINE: Final = 0.1

_T = TypeVar("_T")
Rows: TypeAlias = tuple[tuple[int, ...], ...]


class Arrangement(msgspec.Struct, frozen=True):
    """
    Hold boxes, by their places, in rows from the top, each row from the left.

    ``columns`` are from the left, each from the top. Either is None where unclear.
    ``stacked`` tells that any two boxes share half of the smaller width.
    """

    places: tuple[int, ...]
    rows: Rows | None
    columns: Rows | None
    stacked: bool


def arranged(boxes: Boxes, places: tuple[int, ...]) -> Arrangement:
    """
    Arrange boxes (n x 4) that stand for these places.

    >>> boxes = np.array([[50.0, 0, 90, 20], [0.0, 0, 40, 20], [0.0, 30, 40, 50]])
    >>> arranged(boxes, (7, 8, 9)).rows
    ((8, 7), (9,))
    """
    turned = boxes[:, [1, 0, 3, 2]]
    across, smaller = _shared(boxes)
    return Arrangement(
        places,
        _lines(boxes, places),
        _lines(turned, places),
        stacked=bool((across >= SAME_LINE * smaller).all()),
    )


def in_order(arrangement: Arrangement, ordinal: Ordinal) -> tuple[int, ...] | None:
    """
    Return the place at a position, () where there is no such position.

    None tells that the arrangement is unclear, or not in the form of the order.
    """
    rows = arrangement.rows
    if rows is None:
        return None
    match ordinal.order:
        case "row":
            formed = len(rows) == 1
        case "column":
            formed = arrangement.stacked and all(len(row) == 1 for row in rows)
        case "grid":
            formed = sum(len(row) > 1 for row in rows) > 1
        case "list":
            formed = True
    if not formed:
        return None
    if ordinal.order != "grid":
        return _at(sum(rows, ()), ordinal.position)
    return next((_at(row, ordinal.position) for row in _at(rows, ordinal.row)), ())


def by_columns(arrangement: Arrangement, ordinal: Ordinal) -> tuple[int, ...]:
    """Return the place at a position of a list that is read column by column, or ()."""
    rows, columns = arrangement.rows, arrangement.columns
    if ordinal.order != "list" or rows is None or columns is None:
        return ()
    if len(rows) < 2 or len(columns) < 2:  # noqa: PLR2004 - more than one
        return ()
    return _at(sum(columns, ()), ordinal.position)


def _at(counted: tuple[_T, ...], position: int) -> tuple[_T, ...]:
    index = position - 1 if position > 0 else position
    return counted[index:][:1] if -len(counted) <= index < len(counted) else ()


def _lines(boxes: Boxes, places: tuple[int, ...]) -> Rows | None:
    """Sort boxes into lines from the top, each from the left, or return None."""
    along, height = _shared(boxes[:, [1, 0, 3, 2]])
    across, width = _shared(boxes)
    same: Mask = along >= SAME_LINE * height
    apart = np.eye(len(boxes), dtype=bool) | ~same | (across <= OTHER_LINE * width)
    clear = same | (along <= OTHER_LINE * height)
    linked = same.astype(np.float32)
    transitive = ((linked @ linked > 0) == same).all()
    if not (clear.all() and apart.all() and transitive):
        return None
    lines = {tuple(np.flatnonzero(row)) for row in same}
    ordered = sorted(lines, key=lambda line: (boxes[list(line), 1].min(), line))
    return tuple(
        tuple(places[place] for place in sorted(line, key=lambda item: (boxes[item, 0], item)))
        for line in ordered
    )


def _shared(boxes: Boxes) -> tuple[Boxes, Boxes]:
    """Return for any two boxes the width that they share, and the smaller width."""
    left, right = boxes[:, 0], boxes[:, 2]
    common = np.minimum.outer(right, right) - np.maximum.outer(left, left)
    smaller: Boxes = np.minimum.outer(right - left, right - left)
    return common, smaller
