"""
Points and boxes in float pixels of a screen's image, origin top left.

Every other convention (x-y-width-height, 0-1, 0-1000, a model's resized pixels) is
converted where data enters or leaves, by the function that bears its name.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

import msgspec

from surefoot.core.errors import InvalidInputError

# These records and all that are made of them hold values alone and never each other in a ring, so
# that the garbage collector need not walk them: tables are read in a quarter of the time.
_LEAST_CORNERS: Final = 3
# No screen reaches so far in any convention, and areas and distances of such stay finite.
FARTHEST: Final = 1e12
_EXPECTED: Final = f"finite coordinates of at most {FARTHEST:.0e} pixels"


class Point(msgspec.Struct, frozen=True, array_like=True, tag="point", gc=False):
    """
    Hold a position in float pixels of the screen's image.

    >>> Point(3.0, 4.0).distance(Point(0.0, 0.0))
    5.0
    """

    x: float
    y: float

    def __post_init__(self) -> None:
        if not (abs(self.x) <= FARTHEST and abs(self.y) <= FARTHEST):
            raise InvalidInputError(_EXPECTED, found=f"({self.x}, {self.y})")

    def distance(self, other: Point) -> float:
        """Return the Euclidean distance in pixels."""
        return math.hypot(self.x - other.x, self.y - other.y)


class Box(msgspec.Struct, frozen=True, array_like=True, tag="box", gc=False):
    """
    Hold a rectangle in float pixels of the screen's image; sides may have length zero.

    >>> Box.from_xywh(10, 20, 30, 40)
    Box(left=10, top=20, right=40, bottom=60)
    """

    left: float
    top: float
    right: float
    bottom: float

    def __post_init__(self) -> None:
        # Spelled out, since millions of boxes are read.
        if (
            -FARTHEST <= self.left <= self.right <= FARTHEST
            and -FARTHEST <= self.top <= self.bottom <= FARTHEST
        ):
            return
        sides = (self.left, self.top, self.right, self.bottom)
        if not all(abs(side) <= FARTHEST for side in sides):
            raise InvalidInputError(_EXPECTED, found=str(sides))
        raise InvalidInputError("left <= right and top <= bottom", found=str(sides))

    @classmethod
    def from_xywh(cls, x: float, y: float, width: float, height: float) -> Box:
        """Build a box from its corner and its size, in pixels."""
        return cls(x, y, x + width, y + height)

    @classmethod
    def around(cls, boxes: Iterable[Box]) -> Box:
        """
        Return the smallest box that holds all the boxes.

        >>> Box.around([Box(0, 0, 1, 1), Box(5, 2, 6, 3)])
        Box(left=0, top=0, right=6, bottom=3)
        """
        members = list(boxes)
        if not members:
            raise InvalidInputError("at least one box", found="none")
        return cls(
            min(box.left for box in members),
            min(box.top for box in members),
            max(box.right for box in members),
            max(box.bottom for box in members),
        )

    @property
    def width(self) -> float:
        """Return the horizontal side in pixels."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Return the vertical side in pixels."""
        return self.bottom - self.top

    @property
    def area(self) -> float:
        """Return the area in square pixels."""
        return self.width * self.height

    @property
    def diagonal(self) -> float:
        """Return the length of the diagonal in pixels."""
        return math.hypot(self.width, self.height)

    @property
    def center(self) -> Point:
        """Return the middle of the box."""
        return Point((self.left + self.right) / 2, (self.top + self.bottom) / 2)

    def contains(self, point: Point, *, tolerance: float = 0.0) -> bool:
        """
        Tell whether the point lies in the box, its border counted in.

        The tolerance, in pixels, is the total growth of each side's length: the box grows
        by half of it in each direction.

        >>> Box(0, 0, 10, 10).contains(Point(12, 5), tolerance=4)
        True
        """
        margin = tolerance / 2
        return (
            self.left - margin <= point.x <= self.right + margin
            and self.top - margin <= point.y <= self.bottom + margin
        )

    def intersection(self, other: Box) -> Box | None:
        """Return the common part, or None where it has no area."""
        left, top = max(self.left, other.left), max(self.top, other.top)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Box(left, top, right, bottom) if left < right and top < bottom else None

    def iou(self, other: Box) -> float:
        """
        Return the intersection over union, 0 where the union has no area.

        >>> Box(0, 0, 2, 1).iou(Box(1, 0, 3, 1))
        0.3333333333333333
        """
        common = self.intersection(other)
        shared = common.area if common else 0.0
        union = self.area + other.area - shared
        return shared / union if union > 0 else 0.0

    def scaled(self, x: float, y: float | None = None) -> Box:
        """Multiply all coordinates; both factors must be positive."""
        factor = x if y is None else y
        return Box(self.left * x, self.top * factor, self.right * x, self.bottom * factor)

    def moved(self, x: float, y: float) -> Box:
        """Shift the box by pixels to the right and down."""
        return Box(self.left + x, self.top + y, self.right + x, self.bottom + y)

    def as_tuple(self) -> tuple[float, float, float, float]:
        """Return left, top, right, bottom."""
        return self.left, self.top, self.right, self.bottom


def rescaled(number: float, target: int, source: int) -> float:
    """
    Return number * target / source, computed as fractions and rounded once, at the end.

    The number is the decimal that it is written as. So a place that lies on a border in
    one coordinate space lies on it in every other, which products of floats do not grant.
    A number that is not finite stays as it is.

    >>> rescaled(0.07, 100, 1), 0.07 * 100
    (7.0, 7.000000000000001)
    """
    if not math.isfinite(number):
        return number
    return float(Fraction(str(number)) * target / source)


def distance_to_polygon(point: Point, corners: Sequence[Point]) -> float:
    """
    Return how far a point lies outside a polygon, in pixels; 0 in it and on its border.

    The corners go round the polygon once; where its sides cross, the even-odd rule says
    what is inside. Raises InvalidInputError for fewer than three corners.

    >>> square = [Point(0, 0), Point(4, 0), Point(4, 4), Point(0, 4)]
    >>> distance_to_polygon(Point(2, 2), square), distance_to_polygon(Point(7, 8), square)
    (0.0, 5.0)
    """
    if len(corners) < _LEAST_CORNERS:
        raise InvalidInputError("three corners or more", found=str(len(corners)))
    sides = list(zip(corners, (*corners[1:], corners[0]), strict=True))
    if sum(_crosses(point, start, end) for start, end in sides) % 2:
        return 0.0
    return min(_distance_to_side(point, start, end) for start, end in sides)


def inside_of_polygon(corners: Sequence[Point]) -> Point:
    """
    Return a point well inside a polygon: the middle of its longest level chord tried.

    One level is tried between each two neighbouring heights of corners. Raises
    InvalidInputError for corners on one level.

    >>> hook = [Point(0, 0), Point(9, 0), Point(9, 2), Point(2, 2), Point(2, 9), Point(0, 9)]
    >>> inside_of_polygon(hook)
    Point(x=4.5, y=1.0)
    """
    heights = sorted({corner.y for corner in corners})
    sides = list(zip(corners, (*corners[1:], corners[0]), strict=True))
    chords = [
        (right - left, Point((left + right) / 2, level))
        for level in ((low + high) / 2 for low, high in itertools.pairwise(heights))
        for left, right in _chords(sides, level)
    ]
    if not chords:
        raise InvalidInputError("a polygon with an area", found=f"{len(corners)} corners")
    return max(chords, key=lambda chord: chord[0])[1]


def window_around(
    around: Box,
    whole: Box,
    *,
    least: tuple[float, float],
    margin: float,
    proportioned: bool = False,
) -> Box:
    """
    Return whole pixels around a box with a margin, at least so large, moved into the picture.

    A ``proportioned`` window has the proportions of ``least`` where the picture has room.

    >>> window_around(Box(100, 100, 120, 110), Box(0, 0, 800, 600), least=(384, 240), margin=40)
    Box(left=0.0, top=0.0, right=384.0, bottom=240.0)
    """
    wide, tall = around.width + 2 * margin, around.height + 2 * margin
    if proportioned:
        wide = max(least[0], wide, tall * least[0] / least[1])
        tall = max(least[1], tall, wide * least[1] / least[0])
    left, right = _span(around.center.x, max(least[0], wide), whole.right)
    top, bottom = _span(around.center.y, max(least[1], tall), whole.bottom)
    return Box(left, top, right, bottom)


def _span(middle: float, length: float, end: float) -> tuple[float, float]:
    length = min(float(round(length)), end)
    start = min(max(0.0, float(round(middle - length / 2))), end - length)
    return start, start + length


def _crosses(point: Point, start: Point, end: Point) -> bool:
    """Tell whether a ray to the right of the point crosses the side."""
    across = _crossing(start, end, point.y)
    return across is not None and point.x < across


def _crossing(start: Point, end: Point, level: float) -> float | None:
    """Return where a side crosses a height, None where it does not."""
    if (start.y > level) == (end.y > level):
        return None
    return start.x + (end.x - start.x) * (level - start.y) / (end.y - start.y)


def _chords(sides: Sequence[tuple[Point, Point]], level: float) -> list[tuple[float, float]]:
    """Return where a height runs inside, by the even-odd rule."""
    crossings = (_crossing(start, end, level) for start, end in sides)
    found = sorted(crossing for crossing in crossings if crossing is not None)
    return list(zip(found[::2], found[1::2], strict=True))


def _distance_to_side(point: Point, start: Point, end: Point) -> float:
    x, y = end.x - start.x, end.y - start.y
    length = x * x + y * y
    along = ((point.x - start.x) * x + (point.y - start.y) * y) / length if length else 0.0
    along = min(1.0, max(0.0, along))
    return math.hypot(point.x - start.x - along * x, point.y - start.y - along * y)
