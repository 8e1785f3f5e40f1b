"""
Find drawn rectangles (fields, buttons, check boxes) by their straight edges.

An edge is a step of brightness. A rectangle is two horizontal edges of the same reach, one
under the other, joined by vertical edges on both sides. Round corners may shorten the
edges, as far as half the height; boxes drawn by a shadow alone are not found.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from surefoot.core.geometry import Box

__all__ = ["find_rectangles"]

Mask: TypeAlias = NDArray[np.bool_]
Run: TypeAlias = tuple[int, int, int]  # row, first column, column after the last

STEP = 4  # of 255: the faintest edge that fields are drawn with
SHORTEST = 9  # pixels of a side; a check box is 13
TALLEST = 240
SLACK = 4
MOST_RUNS = 6_000
CORNER = 9  # pixels beyond the edges that a round corner may reach; a pill half its height
SHARE = 0.7
LINE = 3  # pixels that a drawn border is thick at most


def find_rectangles(image: Image.Image) -> list[Box]:
    """
    Return the rectangles of an image in grey, in its pixels, top first.

    >>> from PIL import ImageDraw
    >>> image = Image.new("L", (100, 60), 255)
    >>> ImageDraw.Draw(image).rectangle((20, 10, 79, 39), outline=120)
    >>> find_rectangles(image)
    [Box(left=20.0, top=10.0, right=80.0, bottom=40.0)]
    """
    grey = np.asarray(image.convert("L"), dtype=np.int16)
    if min(grey.shape) <= SHORTEST:
        return []
    down = np.abs(np.diff(grey, axis=0)) > STEP
    across = np.abs(np.diff(grey, axis=1)) > STEP
    found: list[Box] = []
    runs = _runs(down)
    below: defaultdict[int, list[Run]] = defaultdict(list)
    for run in runs:
        below[run[1] // SLACK].append(run)
    for top in runs:
        bottom = _partner(top, below)
        if bottom is not None and _joined(across, top, bottom):
            found.append(_box(top, bottom))
    return _distinct(found)


def _runs(mask: Mask) -> list[Run]:
    """Return the horizontal runs of at least SHORTEST pixels, by row, then column."""
    padded = np.zeros((mask.shape[0], mask.shape[1] + 2), dtype=np.int8)
    padded[:, 1:-1] = mask
    steps = np.diff(padded, axis=1)
    rows, starts = np.nonzero(steps == 1)
    _, ends = np.nonzero(steps == -1)
    lengths = ends - starts
    kept = np.nonzero(lengths >= SHORTEST)[0]
    if len(kept) > MOST_RUNS:
        longest = np.argsort(-lengths[kept], kind="stable")[:MOST_RUNS]
        kept = np.sort(kept[longest])
    return [(int(rows[i]) + 1, int(starts[i]), int(ends[i])) for i in kept]


def _partner(top: Run, below: defaultdict[int, list[Run]]) -> Run | None:
    """Return the outer edge of the nearest line under ``top`` that reaches as far."""
    row, first, last = top
    bucket = first // SLACK
    near = [
        run
        for key in (bucket - 1, bucket, bucket + 1)
        for run in below.get(key, ())
        if SHORTEST <= run[0] - row <= TALLEST
        and abs(run[1] - first) <= SLACK
        and abs(run[2] - last) <= SLACK
    ]
    if not near:
        return None
    nearest = min(near)[0]
    return max(run for run in near if run[0] <= nearest + LINE)


def _joined(across: Mask, top: Run, bottom: Run) -> bool:
    rows = slice(top[0] + 2, bottom[0] - 2)
    sides = (min(top[1], bottom[1]), max(top[2], bottom[2]))
    corner = max(CORNER, (bottom[0] - top[0]) // 2 + 2)
    for side, reach in zip(sides, ((corner, 3), (3, corner)), strict=True):
        strip = across[rows, max(0, side - reach[0]) : side + reach[1]]
        if strip.size == 0 or float(strip.any(axis=1).mean()) < SHARE:
            return False
    return True


def _box(top: Run, bottom: Run) -> Box:
    left, right = min(top[1], bottom[1]), max(top[2], bottom[2])
    return Box(float(left), float(top[0]), float(right), float(bottom[0]))


def _distinct(boxes: list[Box]) -> list[Box]:
    """Keep the outermost of boxes whose sides all lie within a few pixels."""
    kept: defaultdict[tuple[int, int], list[Box]] = defaultdict(list)
    for box in sorted(boxes, key=lambda each: (-each.area, each.as_tuple())):
        column, row = int(box.left) // SLACK, int(box.top) // SLACK
        around = ((column + across, row + down) for across in (-1, 0, 1) for down in (-1, 0, 1))
        if not any(_same(box, other) for cell in around for other in kept.get(cell, ())):
            kept[column, row].append(box)
    found = [box for cell in kept.values() for box in cell]
    return sorted(found, key=lambda each: (each.top, each.left, each.bottom, each.right))


def _same(one: Box, other: Box) -> bool:
    pairs = zip(one.as_tuple(), other.as_tuple(), strict=True)
    return all(abs(a - b) <= SLACK for a, b in pairs)
