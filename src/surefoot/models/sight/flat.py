"""
Find masks by what gives them away: a flat rectangle in a colour that nothing else has.
"""

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from surefoot.core.drawn.cielab import lab
from surefoot.core.geometry import Box

SHORTEST: Final = 6  # pixels of a side
FAR: Final = 25.0  # CIELAB distance at which a colour stands out from all others
WHITE: Final = 0xFFFFFF
BITS: Final = 5  # of each channel that the picture's other colours are told apart by
Codes = NDArray[np.int64]


class _Group(msgspec.Struct, frozen=True):
    """Hold the rectangles of one colour, and whether all of the colour lies in them."""

    colour: int
    boxes: tuple[Box, ...]
    alone: bool


def likely_masks(pixels: NDArray[np.uint8]) -> list[Box]:
    """
    Return the rectangles of a picture (height x width x 3) that look like masks, top first.

    These are all flat rectangles of one colour: of those whose colour occurs nowhere else,
    the one farthest in CIELAB from every other colour of the picture, if it is 25 away at
    least; else white. None where there is neither.

    >>> picture = np.full((40, 60, 3), 230, np.uint8)
    >>> picture[10:20, 5:35] = (255, 0, 255)
    >>> likely_masks(picture)
    [Box(left=5.0, top=10.0, right=35.0, bottom=20.0)]
    """
    groups = _groups(pixels)
    shown = _Shown(pixels)
    alone = [(shown.distance(group.colour), group) for group in groups if group.alone]
    best = max(alone, key=lambda pair: (pair[0], pair[1].colour), default=None)
    if best is not None and best[0] >= FAR:
        return list(best[1].boxes)
    return next((list(group.boxes) for group in groups if group.colour == WHITE), [])


def flat_rectangles(pixels: NDArray[np.uint8]) -> list[tuple[int, Box]]:
    """
    Return every rectangle of exactly one colour that touches no more of it, with its colour.

    Both sides are 6 pixels at least. Colours are 24-bit numbers, red first; rectangles come
    from the top, then from the left.
    """
    codes = _codes(pixels)
    found: list[tuple[int, Box]] = []
    for colour, left, right, top, bottom in _stacks(codes):
        above = codes[top - 1, left:right] if top else codes[:0, 0]
        below = codes[bottom, left:right] if bottom < len(codes) else codes[:0, 0]
        if not ((above == colour).any() or (below == colour).any()):
            found.append((colour, Box(float(left), float(top), float(right), float(bottom))))
    return sorted(found, key=lambda item: (item[1].top, item[1].left))


def _groups(pixels: NDArray[np.uint8]) -> list[_Group]:
    by_colour: dict[int, list[Box]] = {}
    for colour, box in flat_rectangles(pixels):
        by_colour.setdefault(colour, []).append(box)
    colours, shown = np.unique(_codes(pixels), return_counts=True)
    counts = dict(zip(colours.tolist(), shown.tolist(), strict=True))
    return [
        _Group(colour, tuple(boxes), counts[colour] == sum(int(box.area) for box in boxes))
        for colour, boxes in by_colour.items()
    ]


def _stacks(codes: Codes) -> list[tuple[int, int, int, int, int]]:
    """Return (colour, left, right, top, bottom) of equal runs that lie under one another."""
    if codes.size == 0:
        return []
    height, width = codes.shape
    ends = np.ones((height, width), dtype=bool)
    ends[:, :-1] = codes[:, 1:] != codes[:, :-1]
    rows, last = np.nonzero(ends)
    first = np.where(np.r_[True, rows[1:] != rows[:-1]], 0, np.r_[0, last[:-1] + 1])
    long = last + 1 - first >= SHORTEST
    rows, first, last = rows[long], first[long], last[long] + 1
    if not len(rows):
        return []
    colours = codes[rows, first]
    order = np.lexsort((rows, colours, last, first))
    runs = np.stack([colours, first, last, rows], axis=1)[order]
    new = np.ones(len(runs), dtype=bool)
    new[1:] = (runs[1:, :3] != runs[:-1, :3]).any(axis=1) | (runs[1:, 3] != runs[:-1, 3] + 1)
    starts = np.flatnonzero(new)
    heights = np.diff(np.r_[starts, len(runs)])
    return [
        (int(colour), int(left), int(right), int(top), int(top) + int(tall))
        for (colour, left, right, top), tall in zip(runs[starts], heights, strict=True)
        if tall >= SHORTEST
    ]


def _codes(pixels: NDArray[np.uint8]) -> Codes:
    red, green, blue = (pixels[..., channel].astype(np.int64) for channel in range(3))
    found: Codes = red << 16 | green << 8 | blue
    return found


class _Shown:
    """Hold the colours of a picture, told apart by 5 bits a channel."""

    def __init__(self, pixels: NDArray[np.uint8]) -> None:
        shift = 8 - BITS
        cells = np.flatnonzero(np.bincount(_cell(_codes(pixels).ravel())))
        middles = [(cells >> place & (1 << BITS) - 1) << shift for place in (2 * BITS, BITS, 0)]
        self._cells = cells
        self._labs = lab((np.stack(middles, axis=1) + (1 << shift - 1)).astype(np.uint8))

    def distance(self, colour: int) -> float:
        """Return how far, in CIELAB, a colour is from all others; 0 where it is alone."""
        code = np.array([colour])
        others = self._labs[self._cells != _cell(code)]
        own = lab((code[:, None] >> np.array([16, 8, 0]) & 255).astype(np.uint8))
        return float(np.linalg.norm(others - own, axis=1).min()) if len(others) else 0.0


def _cell(codes: Codes) -> Codes:
    """Return the cell of each colour: the highest bits of its channels."""
    low, mask = 8 - BITS, (1 << BITS) - 1
    red, green, blue = (codes >> shift + low & mask for shift in (16, 8, 0))
    found: Codes = red << 2 * BITS | green << BITS | blue
    return found
