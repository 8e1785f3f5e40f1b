"""
The box conventions of public data sets, each by its name, and what makes a box bad.

A set declares one convention and is read by it alone: nothing is swapped, clipped or rescaled
to make numbers fit. ``Fitting`` tells afterwards which convention they would have fitted.
"""

from __future__ import annotations

import enum
import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.core.geometry import Box, Point, rescaled

Size = tuple[int, int]

UNKNOWN: Final[Size] = (0, 0)
SIDES: Final = 4
MOST_SIDE: Final = 100_000
SLACK: Final = 1e-6  # of a side: what rounding may add to a box that ends on the border
FITTING: Final = 0.98  # of the boxes fit a convention that they may be of
SHARE: Final = 0.1  # of the boxes are bad where another convention is asked about
FEW: Final = 2  # bad boxes are no accident
WHOLES: Final = (100, 1000)  # of shares that may pass for pixels
FAR_FROM_CHANCE: Final = 20  # boxes, half of which would reach beyond
SURELY: Final = 10  # boxes that all read as corners are corners
FAR: Final = 1.5  # beyond so many whole sides a normalised number is on another scale
LEAST_CORNERS: Final = 3


class BoxConvention(enum.StrEnum):
    """
    Name how a data set spells a box: its unit, and whether it gives corners or a size.

    "pixel" are pixels of the image; "norm1", "norm100" and "norm1000" are shares of its
    sides, from 0 to 1, 100 or 1000. "xyxy" is left, top, right, bottom; "xywh" is left,
    top, width, height; "yxyx" is top, left, bottom, right; "cxcywh" is the centre and the
    size.
    """

    PIXEL_XYXY = "pixel xyxy"
    PIXEL_XYWH = "pixel xywh"
    NORM1_XYXY = "norm1 xyxy"
    NORM1_XYWH = "norm1 xywh"
    NORM100_XYWH = "norm100 xywh"
    NORM1000_XYXY = "norm1000 xyxy"
    # No set that is read here has these; they are what its numbers may turn out to be.
    PIXEL_YXYX = "pixel yxyx"
    PIXEL_CXCYWH = "pixel cxcywh"
    NORM1_YXYX = "norm1 yxyx"
    NORM1_CXCYWH = "norm1 cxcywh"
    NORM100_XYXY = "norm100 xyxy"
    NORM1000_XYWH = "norm1000 xywh"
    NORM1000_YXYX = "norm1000 yxyx"
    NORM1000_CXCYWH = "norm1000 cxcywh"

    @property
    def whole(self) -> int:
        """Return the number that stands for a whole side of the image, 0 for pixels."""
        unit, _ = self.value.split()
        return int(unit.removeprefix("norm")) if unit != "pixel" else 0

    @property
    def order(self) -> str:
        """Return what the four numbers are: "xyxy", "xywh", "yxyx" or "cxcywh"."""
        return self.value.split()[1]


class BoxError(RecordError):
    """Say that four numbers are no box by a convention, in an image of a size."""

    def __init__(
        self, error: RecordError, values: Sequence[float], convention: BoxConvention, size: Size
    ) -> None:
        super().__init__(error.reason, error.expected, found=error.found, remedy=error.remedy)
        self.values, self.convention, self.size = tuple(values), convention, size


class Fitting:
    """
    Count how many boxes of a file are none by its convention, and which other they fit.

    >>> fitting = Fitting(BoxConvention.PIXEL_XYWH)
    >>> for left in (20, 120, 90, 100):
    ...     fitting.add((left, 60, left + 60, 90), (200, 100))
    >>> fitting.bad, fitting.others()[0]
    (4, <BoxConvention.PIXEL_XYXY: 'pixel xyxy'>)
    """

    def __init__(self, convention: BoxConvention) -> None:
        self.convention = convention
        self.boxes = 0
        self._fit: Counter[BoxConvention] = Counter()
        self._large: Counter[int] = Counter()
        self._near: Counter[int] = Counter()

    def add(self, values: Sequence[float], size: Size) -> None:
        """Note four numbers, and the size of their image."""
        if len(values) != SIDES or not all(map(math.isfinite, values)):
            return
        self.boxes += 1
        self._fit.update(other for other in BoxConvention if _fits(values, other, size))
        for whole in WHOLES:
            if max(size) > FAR * whole:
                self._large[whole] += 1
                self._near[whole] += max(values) <= whole

    @property
    def bad(self) -> int:
        """Return how many boxes are none by the convention."""
        return self.boxes - self._fit[self.convention]

    def doubt(self) -> str:
        """
        Return what is odd of boxes that all fit, "" for nothing.

        Shares of 100 or 1000 lie inside of larger pictures, in their upper left corner.
        """
        for whole in () if self.convention.whole else WHOLES:
            if self._large[whole] == self._near[whole] >= FAR_FROM_CHANCE:
                return (
                    f"no number of {self._near[whole]:,} boxes is over {whole:,}, on pictures "
                    f"far larger than that: see whether they are shares of {whole:,}"
                )
        return ""

    def others(self) -> list[BoxConvention]:
        """
        Return the other conventions that hardly any box is bad by, the likeliest first.

        That is those that most fit, and of them those in the set's own unit, then in pixels.
        """
        whole = self.convention.whole
        fitting = [
            other
            for other in BoxConvention
            if other is not self.convention and self._fit[other] >= FITTING * self.boxes
        ]
        return sorted(
            fitting, key=lambda other: (-self._fit[other], other.whole != whole, other.whole)
        )

    def check(self, place: str) -> None:
        """
        Raise InvalidInputError where the boxes of a file are of another convention.

        That is where a tenth or more, and two at least, are bad and another convention fits
        nearly all; where more than half are bad; or where ten or more are all corners in a set
        of sizes, though they lie in their pictures.
        """
        others, bad = self.others(), self.bad
        corners = self.convention.order == "xywh" and any(
            (other.order, other.whole) == ("xyxy", self.convention.whole)
            and self._fit[other] == self.boxes >= SURELY
            for other in others
        )
        if bad >= FEW and (bad > self.boxes / 2 or (others and bad >= SHARE * self.boxes)):
            found = f"{bad:,} of {self.boxes:,} that are none by it"
        elif corners:
            found = f"all {self.boxes:,} as left, top, right, bottom, as sizes hardly ever read"
        else:
            return
        raise InvalidInputError(
            f"boxes in {self.convention} in {place}",
            found=found,
            remedy=f"they fit {' or '.join(others)}: convert them, or find the set's own files"
            if others
            else "see whether the pictures are those that the boxes were drawn on",
        )


def numbers_of(box: Box, convention: BoxConvention, size: Size = UNKNOWN) -> list[float]:
    """
    Return the numbers by which a set of a convention spells a box in pixels of an image.

    >>> numbers_of(Box(100, 25, 150, 50), BoxConvention.NORM1_XYWH, (200, 100))
    [0.5, 0.25, 0.25, 0.25]
    """
    width, height = size if size != UNKNOWN else (1, 1)
    whole = convention.whole
    across, down = (whole / width, whole / height) if whole else (1, 1)
    left, right = box.left * across, box.right * across
    top, bottom = box.top * down, box.bottom * down
    wide, high = right - left, bottom - top
    return {
        "xyxy": [left, top, right, bottom],
        "xywh": [left, top, wide, high],
        "yxyx": [top, left, bottom, right],
        "cxcywh": [left + wide / 2, top + high / 2, wide, high],
    }[convention.order]


def _fits(values: Sequence[float], convention: BoxConvention, size: Size) -> bool:
    try:
        read_box(values, convention, size)
    except RecordError:
        return False
    return True


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
    try:
        return _read_box(values, convention, size)
    except RecordError as error:
        raise BoxError(error, values, convention, size) from error


def _read_box(values: Sequence[float], convention: BoxConvention, size: Size) -> Box:
    left, top, right, bottom = _corners(values, convention)
    found = f"{list(values)} as {convention}"
    if right < left or bottom < top:
        raise RecordError("reversed-box", "left <= right and top <= bottom", found=found)
    if right == left or bottom == top:
        raise RecordError("empty-box", "a box with an area", found=found)
    _check_scale((left, top, right, bottom), convention, found)
    width, height = size if size != UNKNOWN or not convention.whole else (1, 1)
    if whole := convention.whole:
        across = (height, width) if convention.order == "yxyx" else (width, height)
        sides = zip(values, across * 2, strict=True)
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
    if convention.order == "xyxy":
        return x, y, third, fourth
    if convention.order == "yxyx":
        return y, x, fourth, third
    if convention.order == "cxcywh":
        x, y = x - third / 2, y - fourth / 2
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
