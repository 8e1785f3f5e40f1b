"""
Texture for a masked region: a piece of the picture that continues what is around it.

The piece is the one whose surroundings are most like the region's (least squares over the
ring, by correlation) and that nowhere has a larger step than the ring does: an element's
sibling, which stands in the same surroundings, is no continuation of them. It is then
fitted in by adding the membrane between what is left of the differences along the four
sides (as in Poisson image editing, Perez et al. 2003). Where no piece continues the ring
better than its own pixels continue each other, the membrane fill stays: so it does on any
flat ground. One piece fills one region; there is no patchwork and nothing learnt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from surefoot.core.pictures import Pixels
from surefoot.perturb.masks.membrane import close_sides, film, rounded, side_colours
from surefoot.perturb.pixels import PixelRegion

Floats: TypeAlias = NDArray[np.float64]
REACH: Final = 160  # pixels around the region, at least, in which pieces are looked for
WINDOW: Final = 5  # along a side, when a piece is fitted in: texture is not to be smoothed
LEAST_RING: Final = 6  # fewer pixels around a region do not show what its texture is


def inpaint(
    filled: Pixels, places: Sequence[PixelRegion], ring: int, hidden: NDArray[np.bool_]
) -> None:
    """
    Put texture into regions that hold a membrane fill already, in place.

    ``hidden`` marks all regions of the mask; no piece is taken from under it. The ring is
    widened to 6 pixels where it is narrower.
    """
    ring = max(ring, LEAST_RING)
    original = filled.copy()
    for place in places:
        piece = _piece(original, place, ring, hidden)
        if piece is None:
            continue
        wanted, given = (side_colours(original, region, ring, WINDOW) for region in (place, piece))
        apart = tuple(
            None if item is None or other is None else item - other
            for item, other in zip(wanted, given, strict=True)
        )
        known = close_sides((apart[0], apart[1], apart[2], apart[3]), place.size)
        if known is not None:
            filled[place.slices] = rounded(original[piece.slices] + film(*known))


def _piece(
    pixels: Pixels, place: PixelRegion, ring: int, hidden: NDArray[np.bool_]
) -> PixelRegion | None:
    """Return the region to copy from, or None where none continues the ring."""
    frame = place.grown(ring, pixels.shape)
    seen = ~hidden[frame.slices]
    if not _roughness(pixels[frame.slices].astype(np.float64))[seen].any():
        return None
    field = frame.grown(max(REACH, *place.size), pixels.shape)
    shown = pixels[field.slices].astype(np.float64)
    rough = _roughness(shown)
    at = (frame.top - field.top, frame.left - field.left)
    ours = rough[at[0] : at[0] + frame.size[0], at[1] : at[1] + frame.size[1]]
    allowed = float(ours[seen].mean())
    unlike = _unlike(shown, pixels[frame.slices].astype(np.float64), seen)
    cost = unlike + np.maximum(0.0, _box_means(rough, frame.size) - allowed)
    rougher = rough > ours[seen].max()
    barred = (hidden[field.slices] | rougher).astype(np.float64)
    cost[_box_means(barred, frame.size) > 0] = np.inf
    down, across = np.unravel_index(int(np.argmin(cost)), cost.shape)
    if not cost[down, across] < allowed:
        return None
    shift = (int(down) - at[0], int(across) - at[1])
    return PixelRegion(
        place.left + shift[1],
        place.top + shift[0],
        place.right + shift[1],
        place.bottom + shift[0],
    )


def _unlike(shown: Floats, ours: Floats, seen: NDArray[np.bool_]) -> Floats:
    """Return, for each place of the frame in the field, the mean squared difference."""
    from scipy.signal import oaconvolve

    weight = seen.astype(np.float64)[::-1, ::-1]
    squares = oaconvolve((shown**2).sum(axis=2), weight, mode="valid")
    flipped = (ours * seen[..., None])[::-1, ::-1]
    products = sum(
        oaconvolve(shown[..., place], flipped[..., place], mode="valid") for place in range(3)
    )
    total = np.rint(squares - 2.0 * products + (ours[seen] ** 2).sum())
    found: Floats = np.maximum(0.0, total) / (3.0 * seen.sum())
    return found


def _roughness(shown: Floats) -> Floats:
    """Return the mean squared step to the right and the lower neighbour, by pixel."""
    found = np.zeros(shown.shape[:2])
    found[:, :-1] += (np.diff(shown, axis=1) ** 2).mean(axis=2)
    found[:-1] += (np.diff(shown, axis=0) ** 2).mean(axis=2)
    return np.round(found / 2.0, 3)


def _box_means(values: Floats, size: tuple[int, int]) -> Floats:
    """Return the mean of every box of a size that lies in an array."""
    sums = np.zeros((values.shape[0] + 1, values.shape[1] + 1))
    np.cumsum(np.cumsum(values, axis=0), axis=1, out=sums[1:, 1:])
    high, wide = size
    found = sums[high:, wide:] - sums[:-high, wide:] - sums[high:, :-wide] + sums[:-high, :-wide]
    means: Floats = np.round(found, 3) / (high * wide)
    return means
