"""
Make an image easy to read: one polarity of text, no lines.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

__all__ = ["flattened"]

BLOCK = 16
INK = 2
FAINT = 40
LINE = 40  # pixels; no stroke of a letter is as long


def flattened(grey: Image.Image) -> Image.Image:
    """
    Turn text of any polarity into dark text on white, so that one pass reads all of it.

    The ground of each block of 16 x 16 pixels is its median brightness; what differs from
    its ground is drawn dark, in proportion. Straight lines, and the rims that blocks leave
    where two grounds meet, are taken out. Without all this, light text on a dark menu beside
    a light page is lost.
    """
    values = np.asarray(grey, dtype=np.int16)
    height, width = values.shape
    margins = ((0, -height % BLOCK), (0, -width % BLOCK))
    padded = np.pad(values, margins, mode="edge")
    tall, wide = padded.shape[0] // BLOCK, padded.shape[1] // BLOCK
    blocks = padded.reshape(tall, BLOCK, wide, BLOCK).transpose(0, 2, 1, 3)
    ground = np.median(blocks.reshape(tall, wide, -1), axis=2).astype(np.int16)
    spread = ground.repeat(BLOCK, axis=0).repeat(BLOCK, axis=1)[:height, :width]
    ink = np.minimum(np.abs(values - spread) * INK, 255)
    drawn = ink > FAINT
    ink[_long_runs(drawn) | _long_runs(drawn.T).T] = 0
    return Image.fromarray((255 - ink).astype(np.uint8))


def _long_runs(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the pixels of horizontal runs that are at least LINE long."""
    height, width = mask.shape
    padded = np.zeros((height, width + 2), dtype=np.int8)
    padded[:, 1:-1] = mask
    steps = np.diff(padded, axis=1)
    rows, starts = np.nonzero(steps == 1)
    _, ends = np.nonzero(steps == -1)
    kept = ends - starts >= LINE
    borders = np.zeros((height, width + 1), dtype=np.int8)
    borders[rows[kept], starts[kept]] = 1
    borders[rows[kept], ends[kept]] -= 1
    return np.cumsum(borders, axis=1, dtype=np.int8)[:, :width] > 0
