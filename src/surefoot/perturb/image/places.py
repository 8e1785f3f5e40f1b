"""
Where on a screen there is room: the place of a size that covers the fewest controls.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.screen import INTERACTIVE_ROLES, Screen
from surefoot.core.seeds import random_source

__all__ = ["freest_place"]

STEPS: Final = 24  # places along each axis that are tried


def freest_place(screen: Screen, size: tuple[int, int], seed: int, *, edges: bool = False) -> Box:
    """
    Return a place of a width and height, in whole pixels, over as few controls as possible.

    Places lie on a grid of 24 by 24 over the picture; with ``edges`` only those at
    its top and bottom are tried. What counts is the number of controls (what can be acted on,
    and takes a click) that a place touches, then how many elements with words;
    ``seed`` draws among equals. Raises InvalidInputError for a size that does not fit.
    """
    width, height = size
    if not (0 < width <= screen.width and 0 < height <= screen.height):
        raise InvalidInputError(
            f"a size that fits {screen.width} x {screen.height}", found=f"{width} x {height}"
        )
    lefts = np.unique(np.linspace(0, screen.width - width, STEPS).round())
    tops = np.unique(np.linspace(0, screen.height - height, STEPS).round())
    tops = tops[[0, -1]] if edges else tops
    corners = np.stack(np.meshgrid(lefts, tops), axis=-1).reshape(-1, 2)
    touched = _touched(screen, corners, size, controls=True)
    worded = _touched(screen, corners, size, controls=False)
    rank = touched * (1 + len(screen.elements)) + worded
    free = np.flatnonzero(rank == rank.min()).tolist()
    left, top = corners[random_source(seed, "place").choice(free)]
    return Box.from_xywh(float(left), float(top), float(width), float(height))


def _touched(
    screen: Screen, corners: np.ndarray, size: tuple[int, int], *, controls: bool
) -> np.ndarray:
    """Count, for each corner of a place (n x 2), the elements that it touches."""
    boxes = [
        each.box.as_tuple()
        for each in screen.elements
        if each.visible_fraction > 0
        and (each.role in INTERACTIVE_ROLES and each.hit if controls else bool(each.text_boxes))
    ]
    sides = np.array(boxes).reshape(-1, 4)
    first, last = corners[:, None, :], corners[:, None, :] + np.array(size)
    apart = (last <= sides[:, :2]) | (first >= sides[:, 2:])
    found: np.ndarray = (~apart.any(axis=2)).sum(axis=1)
    return found
