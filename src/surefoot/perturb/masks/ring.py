"""
The ring of pixels around a masked region, and one flat colour taken from it.
"""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from surefoot.core.errors import InvalidInputError
from surefoot.perturb.pixels import PixelRegion, Pixels

__all__ = ["flat_colour", "ring_pixels"]

GREY: Final = 128  # where a picture has no pixel that is not masked


def ring_pixels(
    pixels: Pixels, region: PixelRegion, ring: int, masked: NDArray[np.bool_]
) -> Pixels:
    """
    Return the pixels (n x 3) at most ``ring`` away from a region that nothing masks.

    ``masked`` (height x width) marks all regions of a mask, this one among them. Where the
    ring holds no pixel it is doubled until it does; none are returned where every pixel of
    the picture is masked. Raises InvalidInputError for a ring under 1.
    """
    if ring < 1:
        raise InvalidInputError("a ring of at least 1 pixel", found=str(ring))
    width = ring
    while True:
        around = region.grown(width, pixels.shape).slices
        found = pixels[around][~masked[around]]
        if len(found) or width > max(pixels.shape[:2]):
            return found
        width *= 2


def flat_colour(
    pixels: Pixels,
    region: PixelRegion,
    ring: int,
    masked: NDArray[np.bool_],
    statistic: Literal["median", "mode"],
) -> Pixels:
    """
    Return one colour (3) for a region: the ring's median by channel, or commonest colour.

    Of equally common colours the darkest wins, by red, then green, then blue. The median of
    an even number of pixels is the lower one, so that it is a value that is there.

    >>> picture = np.full((9, 9, 3), 200, np.uint8)
    >>> where = PixelRegion(3, 3, 6, 6)
    >>> flat_colour(picture, where, 2, np.zeros((9, 9), bool), "mode").tolist()
    [200, 200, 200]
    """
    found = ring_pixels(pixels, region, ring, masked)
    if not len(found):
        return np.full(3, GREY, np.uint8)
    if statistic == "median":
        middle: Pixels = np.percentile(found, 50, axis=0, method="lower").astype(np.uint8)
        return middle
    codes = found.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    values, counts = np.unique(codes, return_counts=True)
    commonest = int(values[np.argmax(counts)])
    return np.array([commonest >> 16, commonest >> 8 & 255, commonest & 255], np.uint8)
