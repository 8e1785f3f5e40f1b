"""
Distances and directions between boxes, as the page of expressions defines them.
"""

from __future__ import annotations

import math
from typing import Final

from surefoot.core.geometry import Box
from surefoot.core.instruction import Direction

STRICT_LINES: Final = 5.0
LENIENT_LINES: Final = 10.0
SLOPE: Final = 1.2


def overlap(one: tuple[float, float], other: tuple[float, float]) -> float:
    """
    Return the length that two spans share; negative, how far they are apart.

    >>> overlap((0, 10), (6, 20)), overlap((0, 10), (15, 20))
    (4, -5)
    """
    return min(one[1], other[1]) - max(one[0], other[0])


def apart(one: Box, other: Box) -> float:
    """
    Return the distance of the nearest points of two boxes, in pixels.

    >>> apart(Box(0, 0, 10, 10), Box(13, 14, 20, 20))
    5.0
    """
    across = -overlap((one.left, one.right), (other.left, other.right))
    down = -overlap((one.top, one.bottom), (other.top, other.bottom))
    return math.hypot(max(across, 0.0), max(down, 0.0))


def centres_apart(one: Box, other: Box) -> float:
    """Return the distance of the centres of two boxes, in pixels."""
    return one.center.distance(other.center)


def turned(box: Box, direction: Direction) -> Box:
    """
    Turn a box so that lying in the direction becomes lying above.

    >>> turned(Box(1, 2, 3, 4), "right of")
    Box(left=2, top=-3, right=4, bottom=-1)
    """
    left, top, right, bottom = box.as_tuple()
    if direction == "below":
        return Box(left, -bottom, right, -top)
    if direction == "left of":
        return Box(top, left, bottom, right)
    if direction == "right of":
        return Box(top, -right, bottom, -left)
    return box


def lies_strictly(
    box: Box, direction: Direction, anchor: Box, line: float, *, lines: float = STRICT_LINES
) -> bool:
    """Tell whether a box lies squarely in a direction of another, a few lines away at most."""
    a, b = turned(box, direction), turned(anchor, direction)
    sharing = overlap((a.left, a.right), (b.left, b.right))
    half = min(a.width, b.width) / 2
    return a.bottom <= b.top and sharing >= half and b.top - a.bottom <= lines * line


def lies_leniently(box: Box, direction: Direction, anchor: Box, line: float) -> bool:
    """Tell whether somebody could say that a box lies in a direction of another."""
    a, b = turned(box, direction), turned(anchor, direction)
    if a.top > b.top or a.bottom > b.bottom or a.center.y > b.center.y:
        return False
    sharing = overlap((a.left, a.right), (b.left, b.right)) > 0
    sideways = abs(a.center.x - b.center.x)
    steep = sideways <= SLOPE * (b.center.y - a.center.y)
    return (sharing or steep) and apart(a, b) <= LENIENT_LINES * line


def past_centre(box: Box, direction: Direction, anchor: Box) -> bool:
    """Tell whether all of a box lies past the other's centre in a direction."""
    return turned(box, direction).bottom <= turned(anchor, direction).center.y
