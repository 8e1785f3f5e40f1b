"""
A smooth fill: a soap film stretched over a region, held by the colours around it.

The film is the discrete membrane, the solution of Laplace's equation on the region's pixels
(five-point stencil) with the colours along its four sides as boundary values. It is solved
exactly, up to rounding, by the discrete sine transform (type I), which makes the stencil
diagonal: n log n for n pixels.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from surefoot.core.errors import InvalidInputError
from surefoot.core.pictures import Pixels
from surefoot.perturb.pixels import PixelRegion

Floats: TypeAlias = NDArray[np.float64]
Closed: TypeAlias = tuple[Floats, Floats, Floats, Floats]
Sides: TypeAlias = tuple[Floats | None, Floats | None, Floats | None, Floats | None]

# How many pixels along a side are taken together, so that a rule or a letter that touches
# the region leaves no streak in the fill. With one pixel alone the border is even less
# findable, but each such line runs on into the fill.
WINDOW: Final = 9
TIE: Final = 6  # decimals that are kept before rounding, so that halves round alike anywhere


def film(left: Floats, top: Floats, right: Floats, bottom: Floats) -> Floats:
    """
    Stretch the membrane between four sides: left and right h x 3, top and bottom w x 3.

    The sides are the colours just outside the h x w x 3 values that are returned.

    >>> row, column = np.full((3, 3), 10.0), np.full((2, 3), 10.0)
    >>> film(column, row, column, row)[..., 0].round(9).tolist()
    [[10.0, 10.0, 10.0], [10.0, 10.0, 10.0]]
    """
    from scipy.fft import dstn, idstn

    height, width = len(left), len(top)
    load = np.zeros((height, width, 3))
    load[0] += top
    load[-1] += bottom
    load[:, 0] += left
    load[:, -1] += right
    stiffness = _eigenvalues(height)[:, None] + _eigenvalues(width)[None, :]
    modes = np.asarray(dstn(load, type=1, axes=(0, 1))) / stiffness[..., None]
    return np.asarray(idstn(modes, type=1, axes=(0, 1)))


def rounded(values: Floats) -> Pixels:
    """
    Round colours to 8 bits, halves up, also where the last digits of a solution differ.

    >>> rounded(np.array([126.4999999999, 127.5, 300.0])).tolist()
    [127, 128, 255]
    """
    whole = np.floor(np.round(values, TIE) + 0.5)
    found: Pixels = np.clip(whole, 0, 255).astype(np.uint8)
    return found


def side_colours(pixels: Pixels, region: PixelRegion, ring: int, window: int = WINDOW) -> Sides:
    """
    Return robust colours along the left, top, right and bottom side, None at the edge.

    At each place along a side it is the median, by channel, of the ``ring`` pixels outside
    it and of those next to them along the side, ``window`` pixels in all; with a window of
    0 it is that of the whole side. Raises InvalidInputError for a ring under 1.
    """
    if ring < 1:
        raise InvalidInputError("a ring of at least 1 pixel", found=str(ring))
    rows, columns = region.slices
    strips = (
        pixels[rows, max(0, region.left - ring) : region.left],
        pixels[max(0, region.top - ring) : region.top, columns].swapaxes(0, 1),
        pixels[rows, region.right : region.right + ring],
        pixels[region.bottom : region.bottom + ring, columns].swapaxes(0, 1),
    )
    left, top, right, bottom = (_along(strip, window) for strip in strips)
    return left, top, right, bottom


def close_sides(sides: Sides, size: tuple[int, int]) -> Closed | None:
    """
    Find colours for sides that are missing; ``size`` is height and width of the region.

    A missing side runs between the ends of the two next to it; where those are missing too
    it takes the colours of the one opposite. Returns None where all four are missing.
    """
    left, top, right, bottom = sides
    down, across = _pair(left, right), _pair(top, bottom)
    beside, over = _crossing(across, size[0]), _crossing(down, size[1])
    if down is None:
        down = beside
    if across is None:
        across = over
    if down is None or across is None:
        return None
    sideways, upright = beside or down, over or across
    return (
        sideways[0] if left is None else left,
        upright[0] if top is None else top,
        sideways[1] if right is None else right,
        upright[1] if bottom is None else bottom,
    )


def _pair(one: Floats | None, other: Floats | None) -> tuple[Floats, Floats] | None:
    if one is None:
        return None if other is None else (other, other)
    return one, one if other is None else other


def _crossing(pair: tuple[Floats, Floats] | None, count: int) -> tuple[Floats, Floats] | None:
    """Return colours (count x 3) on the way from one side's ends to the other's."""
    if pair is None:
        return None
    way = (np.arange(count)[:, None] + 1) / (count + 1)
    first, last = (pair[0][end] + way * (pair[1][end] - pair[0][end]) for end in (0, -1))
    return first, last


def _along(strip: Pixels, window: int) -> Floats | None:
    """Return the running median of a strip (length x depth x 3), or None for no depth."""
    length, depth = strip.shape[:2]
    if not depth:
        return None
    if window == 0 or window > length:
        whole: Floats = np.median(strip.reshape(-1, 3), axis=0)
        return np.tile(whole, (length, 1))
    reach = window // 2
    padded = np.pad(strip, ((reach, reach), (0, 0), (0, 0)), mode="symmetric")
    views = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1, axis=0)
    gathered = views.transpose(0, 2, 1, 3).reshape(length, 3, -1)
    found: Floats = np.median(gathered, axis=2)
    return found


def _eigenvalues(count: int) -> Floats:
    angles = np.pi * np.arange(1, count + 1) / (count + 1)
    found: Floats = 2.0 - 2.0 * np.cos(angles)
    return found
