"""
Lines of text as they are drawn, where a source tells only the box that holds them.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from surefoot.core.geometry import Box

__all__ = ["ink_lines"]

INK: Final = 40  # of 255: a pixel that differs this much from the ground in one channel
MOST_INK: Final = 0.6  # of a box; more is a picture, not words
LEAST_HEIGHT: Final = 3  # rows; less is a rule or a border
GAP: Final = 0.15  # of the tallest run: the dot of an i is no line of its own
SHORT: Final = 0.3  # of the tallest run: less is an underline
MARGIN: Final = 0.2  # of the ink's height: room that the font keeps above and below
_COARSE: Final = 4  # bits a channel in which the ground is looked for


def ink_lines(pixels: NDArray[np.uint8], box: Box) -> tuple[Box, ...]:
    """
    Return the boxes of the lines that are drawn in a box, from the top, in image pixels.

    ``pixels`` is height x width x 3. The ground is the commonest colour in the box, and
    lines are runs of rows that differ from it, without
    what touches the box's border. The whole box comes back where most of it
    differs; nothing where nothing does.

    >>> paper = np.full((40, 60, 3), 255, np.uint8)
    >>> paper[10:20, 5:50] = 0
    >>> ink_lines(paper, Box(0, 0, 60, 40))
    (Box(left=5.0, top=8.0, right=50.0, bottom=22.0),)
    """
    height, width = pixels.shape[:2]
    left, top = max(0, round(box.left)), max(0, round(box.top))
    right, bottom = min(width, round(box.right)), min(height, round(box.bottom))
    if right <= left or bottom <= top:
        return ()
    ink = _ink(pixels[top:bottom, left:right])
    if ink.mean() > MOST_INK:
        return (Box(float(left), float(top), float(right), float(bottom)),)
    ink = _inner(ink)
    found: list[Box] = []
    for start, end in _runs(ink.sum(axis=1) > 0):
        columns = np.flatnonzero(ink[start:end].any(axis=0))
        room = round(MARGIN * (end - start))
        found.append(
            Box(
                float(left + columns[0]),
                float(max(top, top + start - room)),
                float(left + columns[-1] + 1),
                float(min(bottom, top + end + room)),
            )
        )
    return tuple(found)


def _ink(crop: NDArray[np.uint8]) -> NDArray[np.bool_]:
    coarse = (crop >> (8 - _COARSE)).astype(np.intp)
    codes = (coarse[..., 0] << 2 * _COARSE) + (coarse[..., 1] << _COARSE) + coarse[..., 2]
    commonest = np.bincount(codes.ravel()).argmax()
    ground = crop[codes == commonest].mean(axis=0)
    ink: NDArray[np.bool_] = np.abs(crop - ground).max(axis=2) > INK
    return ink


def _inner(ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Leave out what touches the box's border: frames, round corners, underlines."""
    parts, _ = ndimage.label(ink, structure=np.ones((3, 3)))
    border = np.concatenate([parts[0], parts[-1], parts[:, 0], parts[:, -1]])
    inner: NDArray[np.bool_] = ink & ~np.isin(parts, np.unique(border))
    return inner if inner.any() else ink


def _runs(rows: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return where runs of inked rows begin and end, dots joined to their letters."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], rows, [False]]).astype(np.int8)))
    raw = [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]
    tallest = max((end - start for start, end in raw), default=0)
    joined: list[tuple[int, int]] = []
    for start, end in raw:
        if joined and start - joined[-1][1] <= GAP * tallest:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    least = max(LEAST_HEIGHT, SHORT * max((end - start for start, end in joined), default=0))
    return [(start, end) for start, end in joined if end - start >= least]
