"""
Above, below, left of, right of: when a box lies in a direction of a landmark.

All boxes are rows of left, top, right, bottom in pixels of one image. ``unit`` is the
height of a line of the landmark's text, in the same pixels: what people see as near or
far grows with the size of the writing. With A the element and B the landmark, and all
directions turned so that the question is whether A is above B:

strict
    A ends where B begins or before; along the other axis they share at least half of the
    shorter side; the gap between them is at most 5 units.
lenient
    A does not reach further than B at either end, and its centre is not beyond B's; along
    the other axis they share something, or the line between their centres is at most 50
    degrees (a slope of 1.2) off the direction; their distance is at most 10 units.

What is strictly so is leniently so. Mirroring the picture swaps left and right; moving or
scaling it changes nothing.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from surefoot.core.instruction import Direction

Boxes: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]
Reading: TypeAlias = Literal["strict", "lenient"]

DIRECTIONS: Final[tuple[Direction, ...]] = ("above", "below", "left of", "right of")
STRICT_UNITS: Final = 5.0
LENIENT_UNITS: Final = 10.0
SHARED_SIDE: Final = 0.5
CONE_SLOPE: Final = 1.2


def lies(
    direction: Direction, boxes: Boxes, landmark: Boxes, unit: float, reading: Reading
) -> Mask:
    """
    Tell for each box (n x 4) whether it lies in a direction of the landmark (4).

    >>> rows = np.array([[0.0, 0.0, 40.0, 20.0], [0.0, 200.0, 40.0, 220.0]])
    >>> lies("above", rows, np.array([0.0, 30.0, 60.0, 50.0]), 20.0, "strict").tolist()
    [True, False]
    """
    turned, anchor = _turned(direction, boxes), _turned(direction, landmark)
    if reading == "strict":
        return _strictly_above(turned, anchor, unit)
    return _leniently_above(turned, anchor, unit)


def beyond(direction: Direction, boxes: Boxes, landmark: Boxes) -> Mask:
    """
    Tell for each box (n x 4) whether all of it is past the landmark's centre that way.

    >>> rows = np.array([[500.0, 0.0, 540.0, 20.0]])
    >>> beyond("above", rows, np.array([0.0, 15.0, 60.0, 35.0])).tolist()
    [True]
    """
    anchor = _turned(direction, landmark)
    past: Mask = _turned(direction, boxes)[:, 3] <= (anchor[1] + anchor[3]) / 2
    return past


def past(direction: Direction, boxes: Boxes, landmark: Boxes) -> Mask:
    """
    Tell for each box (n x 4) whether it is strictly that way, however far the landmark is.

    >>> past("above", np.array([[0.0, 0.0, 40.0, 9.0]]), np.array([9.0, 999.0, 60.0, 1000.0]))
    array([ True])
    """
    turned, anchor = _turned(direction, boxes), _turned(direction, landmark)
    that_way: Mask = _facing(turned, anchor) & (turned[:, 3] <= anchor[1])
    return that_way


def shares(direction: Direction, boxes: Boxes, landmark: Boxes) -> Mask:
    """
    Tell for each box (n x 4) whether it shares half of the shorter side across that way.

    >>> shares("above", np.array([[0.0, 0.0, 40.0, 9.0]]), np.array([20.0, 0.0, 90.0, 9.0]))
    array([ True])
    """
    return _facing(_turned(direction, boxes), _turned(direction, landmark))


def distances(boxes: Boxes, landmark: Boxes) -> Boxes:
    """
    Return the distance of each box (n x 4) from the landmark (4), 0 where they touch.

    >>> distances(np.array([[0.0, 0.0, 10.0, 10.0]]), np.array([13.0, 14.0, 20.0, 20.0])).tolist()
    [5.0]
    """
    across = np.maximum(landmark[0] - boxes[:, 2], boxes[:, 0] - landmark[2])
    along = np.maximum(landmark[1] - boxes[:, 3], boxes[:, 1] - landmark[3])
    apart: Boxes = np.hypot(np.maximum(across, 0.0), np.maximum(along, 0.0))
    return apart


def _turned(direction: Direction, boxes: Boxes) -> Boxes:
    """Turn and mirror boxes so that the direction becomes "above"."""
    left, top, right, bottom = np.moveaxis(boxes, -1, 0)
    match direction:
        case "above":
            sides = (left, top, right, bottom)
        case "below":
            sides = (left, -bottom, right, -top)
        case "left of":
            sides = (top, left, bottom, right)
        case "right of":
            sides = (top, -right, bottom, -left)
    turned: Boxes = np.stack(sides, axis=-1)
    return turned


def _shared(boxes: Boxes, anchor: Boxes) -> Boxes:
    """Return the length that boxes share with the anchor across; negative for a gap."""
    shared: Boxes = np.minimum(boxes[:, 2], anchor[2]) - np.maximum(boxes[:, 0], anchor[0])
    return shared


def _facing(boxes: Boxes, anchor: Boxes) -> Mask:
    shorter = np.minimum(boxes[:, 2] - boxes[:, 0], anchor[2] - anchor[0])
    shared = _shared(boxes, anchor)
    facing: Mask = (shared > 0) & (shared >= SHARED_SIDE * shorter)
    return facing


def _strictly_above(boxes: Boxes, anchor: Boxes, unit: float) -> Mask:
    gap = anchor[1] - boxes[:, 3]
    near: Mask = (gap >= 0) & (gap <= STRICT_UNITS * unit)
    return near & _facing(boxes, anchor)


def _leniently_above(boxes: Boxes, anchor: Boxes, unit: float) -> Mask:
    rise = (anchor[1] + anchor[3]) - (boxes[:, 1] + boxes[:, 3])
    drift = np.abs((anchor[0] + anchor[2]) - (boxes[:, 0] + boxes[:, 2]))
    shared = _shared(boxes, anchor)
    gap = np.maximum(anchor[1] - boxes[:, 3], 0.0)
    distance = np.hypot(gap, np.maximum(-shared, 0.0))
    ends: Mask = (boxes[:, 1] <= anchor[1]) & (boxes[:, 3] <= anchor[3]) & (rise >= 0)
    beside: Mask = (shared > 0) | (drift <= CONE_SLOPE * rise)
    near: Mask = distance <= LENIENT_UNITS * unit
    return ends & beside & near
