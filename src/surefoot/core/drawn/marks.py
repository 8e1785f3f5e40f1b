"""
What is drawn on a picture that could be a control, whether anything was recorded there or not.

Where brightness or colour steps from a pixel to the next, something is drawn. Steps that are
close together make one mark (a word, an icon), and so does a flat area that steps enclose (a
button, a field, a swatch). Nothing is recognised: marks are enough to doubt that a list of
elements is complete.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from surefoot.core.pictures import Pixels

Boxes: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]

STEP: Final = 16  # of 255, in any channel
LETTERS: Final = 5  # pixels between two letters, and between two words, at most
LEAST_SIDE: Final = 6
SAME_PX: Final = 2
MOST_WIDTH: Final = 400
MOST_HEIGHT: Final = 160
LEAST_FILLED: Final = 0.6  # of its box, by the area that steps enclose


def drawn_marks(pixels: Pixels) -> Boxes:
    """
    Return the boxes (n x 4) of what is drawn on a picture (height x width x 3), top first.

    A box may be a pixel too wide and too high, as steps are found at the pixel after them.

    >>> picture = np.full((60, 90, 3), 255, np.uint8)
    >>> picture[10:30, 20:50] = 90
    >>> drawn_marks(picture).tolist()
    [[20.0, 10.0, 51.0, 31.0]]
    """
    steps = steps_of(pixels, STEP)
    words = ndimage.binary_closing(
        np.pad(steps, LETTERS), np.ones((1, LETTERS), dtype=bool), border_value=0
    )[LETTERS:-LETTERS, LETTERS:-LETTERS]
    found = [*_boxes(words, 0.0), *_boxes(~steps, LEAST_FILLED)]
    rows = np.array(sorted(set(found), key=lambda item: (item[1], item[0])), dtype=np.float64)
    return _distinct(rows.reshape(-1, 4))


def steps_of(pixels: Pixels, least: int) -> Mask:
    """Tell on which pixels a picture differs by more than this from the one left or above."""
    steps = np.zeros(pixels.shape[:2], dtype=bool)
    for channel in range(pixels.shape[2]):  # a channel at a time: ten times as fast as all three
        values = np.ascontiguousarray(pixels[..., channel])
        steps[:, 1:] |= _apart(values[:, 1:], values[:, :-1]) > least
        steps[1:] |= _apart(values[1:], values[:-1]) > least
    return steps


def _apart(values: NDArray[np.uint8], others: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return how far values are apart, without a negative number in between."""
    return np.maximum(values, others) - np.minimum(values, others)


def _boxes(mask: Mask, least_filled: float) -> list[tuple[float, float, float, float]]:
    corners = None if least_filled else np.ones((3, 3))  # letters touch by their corners
    labels, _ = ndimage.label(mask, corners)
    counts = np.bincount(labels.ravel())
    boxes = []
    for number, (rows, columns) in enumerate(ndimage.find_objects(labels), 1):
        width, height = columns.stop - columns.start, rows.stop - rows.start
        fits = LEAST_SIDE <= width <= MOST_WIDTH and LEAST_SIDE <= height <= MOST_HEIGHT
        whole = (width, height) == mask.shape[::-1]  # the ground of the picture
        if fits and not whole and counts[number] >= least_filled * width * height:
            boxes.append(
                (float(columns.start), float(rows.start), float(columns.stop), float(rows.stop))
            )
    return boxes


def _distinct(boxes: Boxes) -> Boxes:
    """Leave out boxes of which another one is the same, but for two pixels a side at most."""
    kept: list[int] = []
    for place, box in enumerate(boxes):
        near = np.abs(boxes[kept] - box).max(axis=1) <= SAME_PX if kept else np.zeros(0)
        if not near.any():
            kept.append(place)
    return boxes[kept]
