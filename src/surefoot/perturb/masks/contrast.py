"""
A colour that stands out: far, in CIELAB, from everything that a picture shows.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from surefoot.core.cielab import Labs, lab
from surefoot.perturb.masks.ring import ring_pixels
from surefoot.perturb.pixels import PixelRegion, Pixels

__all__ = ["standout_colour"]

BITS: Final = 5  # of each channel that the histogram keeps: cells of 8 steps
STEPS: Final = np.array([0, 32, 64, 96, 128, 160, 192, 224, 255], np.uint8)
FAR_ENOUGH: Final = 25.0
# The least share of the picture that a colour must have to be kept clear of, tried in turn.
SHARES: Final = (0.0, 1e-5, 1e-4, 1e-3, 1e-2)


def standout_colour(
    pixels: Pixels, places: Sequence[PixelRegion], ring: int, masked: NDArray[np.bool_]
) -> Pixels:
    """
    Return one colour (3) for all regions, far from their rings and from all else shown.

    Of 729 candidates (nine steps a channel) it is the one whose nearest colour on the
    picture, by CIELAB distance, is farthest; what is masked does not count. Colours are
    told apart by 5 bits a channel. Where the picture is so colourful that nothing is 25
    away from all, its rarest colours are left out, up to a hundredth of the picture; those
    of the rings never are. Ties go to the first candidate by red, green and blue.

    >>> picture = np.full((40, 40, 3), 255, np.uint8)
    >>> standout_colour(picture, [PixelRegion(9, 9, 20, 20)], 4, np.zeros((40, 40), bool)).tolist()
    [0, 0, 255]
    """
    from scipy.spatial import KDTree

    codes = _codes(pixels)
    shown = np.bincount(codes, minlength=1 << 3 * BITS)
    counts = shown - np.bincount(codes[masked.ravel()], minlength=1 << 3 * BITS)
    rings = [ring_pixels(pixels, each, ring, masked) for each in places]
    around = np.zeros(len(counts), dtype=bool)
    around[_codes(np.concatenate([*rings, np.zeros((0, 3), np.uint8)]))] = True
    total = max(1, int(counts.sum()))
    best, colour = -1.0, np.array([0, 0, 255], np.uint8)
    for share in SHARES:
        kept = around | (counts > share * total)
        if not kept.any():
            break
        apart = np.asarray(KDTree(_cells()[kept]).query(_candidates()[1])[0]).round(6)
        chosen = int(np.argmax(apart))
        if apart[chosen] > best:
            best, colour = float(apart[chosen]), _candidates()[0][chosen]
        if best >= FAR_ENOUGH:
            break
    return colour


def _codes(colours: Pixels) -> NDArray[np.uint16]:
    shift = 8 - BITS
    codes = (colours[..., 0] >> shift).astype(np.uint16)
    for channel in (1, 2):
        codes <<= BITS
        codes |= colours[..., channel] >> shift
    return codes.ravel()


@functools.cache
def _cells() -> Labs:
    """Return the CIELAB colours of the middles of all cells of the histogram."""
    side = np.arange(1 << BITS, dtype=np.uint8) * 8 + 4
    return lab(np.stack(np.meshgrid(side, side, side, indexing="ij"), axis=-1))


@functools.cache
def _candidates() -> tuple[Pixels, Labs]:
    colours = np.stack(np.meshgrid(STEPS, STEPS, STEPS, indexing="ij"), axis=-1).reshape(-1, 3)
    return colours, lab(colours)
