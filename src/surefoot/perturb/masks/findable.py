"""
How findable a mask is: the step in colour along its border, against the page's own steps.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from surefoot.core.cielab import lab
from surefoot.perturb.pixels import PixelRegion, Pixels

__all__ = ["JUST_NOTICEABLE", "NEARBY", "findability", "lines_beyond"]

Floats = NDArray[np.float64]
JUST_NOTICEABLE: Final = 2.3  # CIELAB distance that half of all people notice (Mahy et al. 1994)
NEARBY: Final = 24


def findability(
    pixels: Pixels, region: PixelRegion, masked: NDArray[np.bool_], *, nearby: int = NEARBY
) -> float:
    """
    Return b / (b + n + 2.3): 0 where the border shows nothing new, near 1 where only it does.

    A step is the CIELAB distance (CIE 1976) of two neighbouring pixels. b is the mean, over
    the pairs across the region's border, of how far the step is from what the page shows
    on the same line beyond the side's ends (``lines_beyond``): a new edge gives the mask
    away, and so does an edge of the page that stops there. n is the mean of all steps
    within ``nearby`` pixels of the region, and 2.3 a just noticeable difference. Pairs with
    a pixel that ``masked`` (height x width) marks outside the region count for nothing, nor
    do sides at the edge of the picture; a region without a border has 0.

    >>> picture = np.full((60, 60, 3), 255, np.uint8)
    >>> where, masked = PixelRegion(20, 20, 40, 40), np.zeros((60, 60), bool)
    >>> findability(picture, where, masked)
    0.0
    >>> picture[where.slices] = 0
    >>> round(findability(picture, where, masked), 2)
    0.98
    """
    hidden = masked.copy()
    hidden[region.slices] = False
    wanted = lines_beyond(pixels, region, masked, nearby=nearby)
    steps = (_side(pixels, region, hidden, side) for side in range(4))
    border = [np.abs(found - line) for found, line in zip(steps, wanted, strict=True)]
    found = _mean(np.concatenate(border))
    return found / (found + _around(pixels, region, hidden, nearby) + JUST_NOTICEABLE)


def lines_beyond(
    pixels: Pixels, region: PixelRegion, masked: NDArray[np.bool_], *, nearby: int = NEARBY
) -> tuple[float, float, float, float]:
    """
    Return the page's steps on the lines of the left, top, right and bottom side.

    Each is the median step across the side's line within ``nearby`` pixels beyond both of
    its ends, where the line of a panel or a rule goes on; 0 where nothing is seen there.

    >>> picture = np.full((60, 60, 3), 255, np.uint8)
    >>> picture[:, :40] = 0
    >>> lines_beyond(picture, PixelRegion(20, 20, 40, 40), np.zeros((60, 60), bool))
    (0.0, 0.0, 100.0, 0.0)
    """
    left, top, right, bottom = region.left, region.top, region.right, region.bottom
    high, wide = pixels.shape[:2]
    above, below = (
        PixelRegion(left, max(0, top - nearby), right, top),
        PixelRegion(left, bottom, right, min(high, bottom + nearby)),
    )
    before, after = (
        PixelRegion(max(0, left - nearby), top, left, bottom),
        PixelRegion(right, top, min(wide, right + nearby), bottom),
    )
    found = []
    for side, ends in enumerate(((above, below), (before, after)) * 2):
        steps = np.concatenate([_side(pixels, end, masked, side) for end in ends])
        found.append(round(float(np.median(steps)), 6) if len(steps) else 0.0)
    return found[0], found[1], found[2], found[3]


def _side(pixels: Pixels, region: PixelRegion, hidden: NDArray[np.bool_], side: int) -> Floats:
    """Return the steps across the left (0), top, right or bottom side of a region."""
    at = (region.left, region.top, region.right, region.bottom)[side]
    axis = 1 - side % 2
    span = slice(region.top, region.bottom) if axis else slice(region.left, region.right)
    if not 0 < at < pixels.shape[axis] or span.stop <= span.start:
        return np.zeros(0)
    places = [(span, each) if axis else (each, span) for each in (at - 1, at)]
    seen = ~(hidden[places[0]] | hidden[places[1]])
    one, other = (lab(pixels[place][seen]) for place in places)
    found: Floats = np.linalg.norm(one - other, axis=1)
    return found


def _around(pixels: Pixels, region: PixelRegion, hidden: NDArray[np.bool_], nearby: int) -> float:
    """Return the mean step of neighbours near a region, of which neither is inside it."""
    near = region.grown(nearby, pixels.shape)
    shown = pixels[near.slices]
    lost = hidden[near.slices].copy()
    top, left = region.top - near.top, region.left - near.left
    lost[top : top + region.size[0], left : left + region.size[1]] = True
    labs = lab(shown).reshape(*shown.shape[:2], 3)
    across = np.linalg.norm(np.diff(labs, axis=1), axis=-1)[~(lost[:, 1:] | lost[:, :-1])]
    down = np.linalg.norm(np.diff(labs, axis=0), axis=-1)[~(lost[1:] | lost[:-1])]
    return _mean(np.concatenate([across, down]))


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else 0.0
