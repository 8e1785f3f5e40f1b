"""
Drawn rectangles that may be frames of controls, and how each is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from surefoot.core.drawn.areas import enclosed_areas
from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels

TALLEST_PX: Final = 240.0
STACKED_PX: Final = 4.0
SAME_FRAME: Final = 0.75  # intersection over union
SIDE_PX: Final = 2
OUTSIDE_PX: Final = (2, 6)  # from and to
STEP: Final = 4  # of 255, as of the faintest edges
INNER_PX: Final = 3
ROUND: Final = 0.17  # of the side; a circle leaves more of a diagonal, a round corner less
FAINT: Final = 16.0  # of 255
LIKE_GROUND: Final = 30.0
WHITE: Final = 235.0
CLOSED: Final = 0.7  # of the rows in the middle of a frame
SAME_GROUND: Final = 8.0  # of 255
OWN_COLOUR: Final = 8.0
GREYISH: Final = 12.0
LEAST_CHECK: Final = 0.9  # heights of a line
TALLEST_CHECK: Final = 2.0  # heights of a line
SQUARE: Final = 1.15  # the longer side by the shorter
SQUARE_PX: Final = 2.0


class Frame(msgspec.Struct, frozen=True):
    """
    Hold a drawn rectangle.

    ``plain`` tells whether its inside is white or about as the ground around it, ``bordered``
    whether a line is drawn around it, ``empty`` whether nothing is drawn inside, ``round``
    whether nothing is drawn in its corners.
    """

    box: Box
    plain: bool = True
    bordered: bool = True
    empty: bool = False
    round: bool = False


def find_frames(pixels: Pixels, boxes: Sequence[Box]) -> Iterator[Frame]:
    """Yield what is closed, is no cell of a table or row of a list, and lies on one ground."""
    closed = [box for box in boxes if _is_closed(pixels, box)]
    closed += [
        area
        for area in enclosed_areas(pixels)
        if not any(area.iou(box) >= SAME_FRAME for box in closed)
    ]
    for box in closed:
        # What is higher is no frame of a control, but may be the card below a head.
        if box.height <= TALLEST_PX and not any(_is_below(box, other) for other in closed):
            yield from _on_one_ground(pixels, box)


def _is_closed(pixels: Pixels, box: Box) -> bool:
    """Tell whether both sides are drawn; the gap between two fields has none."""
    left, top, right, bottom = _rounded(box)
    middle = slice(top + (bottom - top) // 3, bottom - (bottom - top) // 3)
    steps = np.abs(np.diff(pixels[middle].astype(np.int16), axis=1)).max(axis=2) > STEP
    near = [steps[:, max(0, side - SIDE_PX) : side + SIDE_PX] for side in (left, right)]
    return all(part.size and part.any(axis=1).mean() >= CLOSED for part in near)


def _is_below(one: Box, other: Box) -> bool:
    """Tell whether boxes are of one column, and one ends where the other begins."""
    column = max(abs(one.left - other.left), abs(one.right - other.right)) <= STACKED_PX
    return column and min(abs(one.top - other.bottom), abs(one.bottom - other.top)) <= STACKED_PX


def _on_one_ground(pixels: Pixels, box: Box) -> Iterator[Frame]:
    """Yield a rectangle as a frame where two sides that face each other lie on one ground."""
    left, top, right, bottom = _rounded(box)
    near, far = OUTSIDE_PX
    strips = (
        (pixels[max(0, top - far) : max(0, top - near), left:right],
         pixels[bottom + near : bottom + far, left:right]),
        (pixels[top:bottom, max(0, left - far) : max(0, left - near)],
         pixels[top:bottom, right + near : right + far]),
    )  # fmt: skip
    for strip in strips:
        if not all(part.size for part in strip):
            continue
        ground, other = (np.median(part.reshape(-1, 3), axis=0) for part in strip)
        if np.abs(ground - other).max() <= SAME_GROUND:
            yield _frame_on(pixels, box, ground)
            return


def _frame_on(pixels: Pixels, box: Box, ground: NDArray[np.float64]) -> Frame:
    left, top, right, bottom = _rounded(box)
    inner = pixels[top + INNER_PX : bottom - INNER_PX, left + INNER_PX : right - INNER_PX]
    cells = inner.reshape(-1, 3)
    inside = np.median(cells, axis=0) if len(cells) else ground
    alike = np.abs(inside - ground).max() <= LIKE_GROUND or inside.min() >= WHITE
    return Frame(
        box,
        plain=bool(alike and np.ptp(inside) <= GREYISH),
        bordered=all(
            _is_line(pixels[max(0, side - 2) : side + 2, left:right], inside, ground)
            for side in (top, bottom)
        ),
        empty=bool((np.abs(cells - inside).max(axis=1, initial=0) <= FAINT).all()),
        round=_is_round(pixels, box, ground),
    )


def _is_line(rows: Pixels, inside: NDArray[np.float64], ground: NDArray[np.float64]) -> bool:
    """Tell whether any of the rows at an edge has a colour of its own."""
    colours = np.median(rows, axis=1)
    off = np.minimum(*(np.abs(colours - other).max(axis=1) for other in (inside, ground)))
    return bool(off.max(initial=0) > OWN_COLOUR)


def _is_round(pixels: Pixels, box: Box, ground: NDArray[np.float64]) -> bool:
    """Tell whether all diagonals from just outside the corners meet nothing for a while."""
    left, top, right, bottom = _rounded(box)
    height, width = pixels.shape[:2]
    # The diagonals of a wide frame may leave the picture, and then go on along its edge.
    diagonals = (
        (
            min(max(0, row + down * step), height - 1),
            min(max(0, column + across * step), width - 1),
        )
        for row, down in ((top - 1, 1), (bottom, -1))
        for column, across in ((left - 1, 1), (right, -1))
        for step in range(int(ROUND * (right - left)) + 1)
        if row < height and column < width
    )
    return all(np.abs(pixels[at] - ground).max() <= FAINT for at in diagonals)


def _rounded(box: Box) -> tuple[int, int, int, int]:
    left, top, right, bottom = (round(side) for side in box.as_tuple())
    return left, top, right, bottom


def is_small(box: Box, unit: float, slack: float = 1.0) -> bool:
    """Tell whether a box is square, but for some pixels, and no larger than a check box."""
    small, large = sorted((box.width, box.height))
    square = large <= max(SQUARE * small, small + slack)
    return square and LEAST_CHECK * unit <= small + slack and large <= TALLEST_CHECK * unit


def holds(outer: Box, inner: Box) -> bool:
    """Tell whether a box holds the centre of another one that is no wider."""
    return outer.contains(inner.center) and outer.width >= inner.width and outer != inner
