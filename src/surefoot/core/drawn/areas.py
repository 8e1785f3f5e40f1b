"""
Areas that edges enclose, and compact pieces of ink: what frames and icons are drawn as.

Both are connected components. An area is one of pixels between which brightness and colour
hardly step: the inside of a border, or a ground of its own, whatever the corners look like.
A piece of ink is one of pixels at steps, after words that are known are taken out; strokes
that stand closer than a gap are one piece.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from scipy import ndimage

from surefoot.core.drawn.marks import STEP, Mask, steps_of
from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels

FAINT_STEP: Final = 4  # of 255: the faintest border of a field
LEAST_SIDE: Final = 8  # pixels of an area
LEAST_FILLED: Final = 0.75  # of its box, holes counted in; a disc fills 0.79
BORDER_PX: Final = 3
CORNERS: Final = np.ones((3, 3))  # pixels that touch by a corner are connected


def enclosed_areas(pixels: Pixels) -> list[Box]:
    """
    Return the boxes of areas that edges enclose in a picture (height x width x 3), top first.

    An area fills three quarters of its box at least, what is drawn inside counted in. A box
    may be a pixel short of the border that encloses it.

    >>> picture = np.full((60, 90, 3), 255, np.uint8)
    >>> picture[10:30, 20:50] = 90
    >>> enclosed_areas(picture)
    [Box(left=20.0, top=10.0, right=50.0, bottom=30.0)]
    """
    labels, _ = ndimage.label(~steps_of(pixels, FAINT_STEP))
    found: list[Box] = []
    for number, (rows, columns) in enumerate(ndimage.find_objects(labels), 1):
        height, width = rows.stop - rows.start, columns.stop - columns.start
        whole = (height, width) == labels.shape
        if whole or min(height, width) < LEAST_SIDE:
            continue
        filled = ndimage.binary_fill_holes(labels[rows, columns] == number)
        if filled.mean() >= LEAST_FILLED:
            left, top = max(0, columns.start - 1), max(0, rows.start - 1)
            found.append(Box(float(left), float(top), float(columns.stop), float(rows.stop)))
    return sorted(found, key=lambda box: (box.top, box.left))


def compact_ink(
    pixels: Pixels, covered: Iterable[Box], borders: Iterable[Box], gap: int
) -> list[Box]:
    """
    Return the boxes of pieces of ink that are in no covered box and on no border, top first.

    Strokes less than ``gap`` pixels apart are one piece.

    >>> picture = np.full((40, 90, 3), 255, np.uint8)
    >>> picture[10:20, 20:24] = picture[10:20, 26:30] = picture[10:20, 60:80] = 0
    >>> compact_ink(picture, [Box(55, 5, 85, 25)], [], 4)
    [Box(left=20.0, top=10.0, right=30.0, bottom=20.0)]
    """
    ink = steps_of(pixels, STEP)
    for box in covered:
        left, top, right, bottom = (max(0, round(side)) for side in box.as_tuple())
        ink[top : bottom + 1, left : right + 1] = False
    for box in borders:
        _without_border(ink, box)
    near = ndimage.binary_dilation(ink, np.ones((gap, gap), dtype=bool))
    labels, _ = ndimage.label(near, CORNERS)
    labels[~ink] = 0
    found = [
        Box(
            float(columns.start),
            float(rows.start),
            float(max(columns.start + 1, columns.stop - 1)),
            float(max(rows.start + 1, rows.stop - 1)),
        )
        for rows, columns in filter(None, ndimage.find_objects(labels))
    ]
    return sorted(found, key=lambda box: (box.top, box.left))


def _without_border(ink: Mask, box: Box) -> None:
    """Take the steps within three pixels of the sides of a box away."""
    left, top, right, bottom = (max(0, round(side)) for side in box.as_tuple())
    for side in (top, bottom):
        ink[max(0, side - BORDER_PX) : side + BORDER_PX, left : right + 1] = False
    for side in (left, right):
        ink[top : bottom + 1, max(0, side - BORDER_PX) : side + BORDER_PX] = False
