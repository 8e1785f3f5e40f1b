"""
The box conventions of public data sets, each by its name, and what makes a box bad.

A set declares one convention and is read by it alone: nothing here looks at numbers to
guess how they were meant, and nothing is swapped, clipped or rescaled to make them fit.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from typing import Final

from surefoot.core.errors import RecordError
from surefoot.core.geometry import Box, Point, rescaled

__all__ = ["BoxConvention", "check_inside", "read_box", "read_polygon", "read_size"]

Size = tuple[int, int]

UNKNOWN: Final[Size] = (0, 0)
SIDES: Final = 4
MOST_SIDE: Final = 100_000
SLACK: Final = 1e-6  # of a side: what rounding may add to a box that ends on the border
FAR: Final = 1.5  # beyond so many whole sides a normalised number is on another scale
LEAST_CORNERS: Final = 3


class BoxConvention(enum.StrEnum):
    """
    Name how a data set spells a box: its unit, and whether it gives corners or a size.

    "pixel" are pixels of the image; "norm1", "norm100" and "norm1000" are shares of its
    sides, from 0 to 1, 100 or 1000. "xyxy" is left, top, right, bottom; "xywh" is left,
    top, width, height.
    """

    PIXEL_XYXY = "pixel xyxy"
    PIXEL_XYWH = "pixel xywh"
    NORM1_XYXY = "norm1 xyxy"
    NORM1_XYWH = "norm1 xywh"
    NORM100_XYWH = "norm100 xywh"
    NORM1000_XYXY = "norm1000 xyxy"

    @property
    def whole(self) -> int:
        """Return the number that stands for a whole side of the image, 0 for pixels."""
        unit, _ = self.value.split()
        return int(unit.removeprefix("norm")) if unit != "pixel" else 0

    @property
    def sized(self) -> bool:
        """Tell whether the last two numbers are a width and a height."""
        return self.value.endswith("xywh")


def read_box(values: Sequence[float], convention: BoxConvention, size: Size = UNKNOWN) -> Box:
    """
    Convert four numbers of a data set into a box in pixels of the image.

    ``size`` is the image's width and height. Where it is not known, (0, 0), whether a box of
    pixels lies in the image is not checked, and a normalised one stays in the unit square,
    that is, in pixels of an image of 1 x 1. Raises RecordError "malformed", "reversed-box",
    "empty-box", "wrong-scale" or "outside".

    >>> read_box([0.5, 0.25, 0.75, 0.5], BoxConvention.NORM1_XYXY, (200, 100))
    Box(left=100.0, top=25.0, right=150.0, bottom=50.0)
    >>> read_box([10, 20, 30, 40], BoxConvention.PIXEL_XYWH, (200, 100)).bottom
    60
    """
    left, top, right, bottom = _corners(values, convention)
    found = f"{list(values)} as {convention}"
    if right < left or bottom < top:
        raise RecordError("reversed-box", "left <= right and top <= bottom", found=found)
    if right == left or bottom == top:
        raise RecordError("empty-box", "a box with an area", found=found)
    _check_scale((left, top, right, bottom), convention, found)
    width, height = size if size != UNKNOWN or not convention.whole else (1, 1)
    if whole := convention.whole:
        sides = zip(values, (width, height, width, height), strict=True)
        values = [rescaled(number, side, whole) for number, side in sides]
    box = Box(*_corners(values, convention))
    if (width, height) != UNKNOWN:
        check_inside(box, (width, height), found)
    return box


def read_polygon(values: Sequence[float], size: Size = UNKNOWN) -> tuple[Point, ...]:
    """
    Convert a flat list x, y, x, y, ... in pixels into corners.

    Raises RecordError "malformed", "empty-box", "wrong-scale" or "outside", as for a box.

    >>> read_polygon([0, 0, 4, 0, 0, 3])
    (Point(x=0, y=0), Point(x=4, y=0), Point(x=0, y=3))
    """
    found = f"a polygon of {len(values)} numbers"
    if len(values) % 2 or len(values) < 2 * LEAST_CORNERS or not all(map(math.isfinite, values)):
        raise RecordError("malformed", "finite x, y of three corners or more", found=found)
    xs, ys = values[::2], values[1::2]
    if _doubled_area(xs, ys) == 0:
        raise RecordError("empty-box", "a polygon with an area", found=found)
    around = (min(xs), min(ys), max(xs), max(ys))
    _check_scale(around, BoxConvention.PIXEL_XYXY, found)
    if size != UNKNOWN:
        check_inside(Box(*around), size, found)
    return tuple(Point(x, y) for x, y in zip(xs, ys, strict=True))


def read_size(values: Sequence[float]) -> Size:
    """
    Convert a declared width and height; raises RecordError "bad-size".

    >>> read_size([1920, 1080.0])
    (1920, 1080)
    """
    whole = len(values) == len(UNKNOWN) and all(
        0 < value <= MOST_SIDE and value == int(value) for value in values
    )
    if not whole:
        raise RecordError(
            "bad-size", f"a width and a height from 1 to {MOST_SIDE}", found=f"{list(values)}"
        )
    return int(values[0]), int(values[1])


def _corners(
    values: Sequence[float], convention: BoxConvention
) -> tuple[float, float, float, float]:
    if len(values) != SIDES or not all(map(math.isfinite, values)):
        raise RecordError("malformed", "four finite numbers of a box", found=f"{list(values)}")
    x, y, third, fourth = values
    if not convention.sized:
        return x, y, third, fourth
    if not (math.isfinite(x + third) and math.isfinite(y + fourth)):
        raise RecordError("malformed", "four finite numbers of a box", found=f"{list(values)}")
    return x, y, x + third, y + fourth


def _check_scale(
    corners: tuple[float, float, float, float], convention: BoxConvention, found: str
) -> None:
    """Refuse shares in a set of pixels, and pixels (or larger shares) in one of shares."""
    whole, reach = convention.whole, max(corners)
    if whole != 1 and reach <= 1:
        raise RecordError("wrong-scale", f"a box in {convention}", found=f"{found}, 1 at most")
    if whole and reach > FAR * whole:
        raise RecordError(
            "wrong-scale", f"a box in {convention}", found=f"{found}, beyond {whole}"
        )


def check_inside(box: Box, size: Size, found: str) -> None:
    """Raise RecordError "outside" for a box that ends beyond an image; rounding may pass."""
    width, height = size
    across, down = width * SLACK, height * SLACK
    if (
        box.left < -across
        or box.top < -down
        or box.right > width + across
        or box.bottom > height + down
    ):
        raise RecordError("outside", f"a box inside the image of {width} x {height}", found=found)


def _doubled_area(xs: Sequence[float], ys: Sequence[float]) -> float:
    following = zip((*xs[1:], xs[0]), (*ys[1:], ys[0]), strict=True)
    return sum(x * v - u * y for x, y, (u, v) in zip(xs, ys, following, strict=True))
