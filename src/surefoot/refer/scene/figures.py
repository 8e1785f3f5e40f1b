"""
What stands out from its ground in a box of a picture, and which colours it has.

The ring of a box is the frame of 3 pixels around it, its ground the commonest colour in
the ring (of several the smallest by red, green, blue), its figure all pixels in the box
that differ from the ground by more than 12 in CIELAB. Sides are rounded to whole pixels,
halves up, and kept within the image.
"""

from __future__ import annotations

import math
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from surefoot.core.drawn.cielab import Labs, lab
from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels
from surefoot.refer.scene.colours import COLOURS, Codes, name_codes

RING_PX: Final = 3
LEAST_DIFFERENCE: Final = 12.0
KINDS: Final = len(COLOURS) + 1
SHADES: Final = 1 << 24
LARGE: Final = 1 << 18  # pixels


class Palette(msgspec.Struct, frozen=True, eq=False):
    """
    Hold a picture by its colours, which are sorted by red, green, blue.

    ``places`` (height x width) are places in the palette, ``labs`` its colours in CIELAB,
    ``codes`` their names as places in ``colours.COLOURS``, or ``colours.UNCLEAR``.
    """

    places: NDArray[np.int64]
    labs: Labs
    codes: Codes


class InkFigure(msgspec.Struct, frozen=True):
    """
    Measure a box of a picture.

    ``pixels`` are in the box and ``inked`` in its figure; ``colours`` and ``inks`` count
    both by ``colours.COLOURS``, the unclear ones last, and ``ring`` so counts the ring.
    ``across`` and ``along`` are the shares of the box's width and height that the figure
    spans.
    """

    pixels: int
    inked: int
    colours: tuple[int, ...]
    inks: tuple[int, ...]
    ring: tuple[int, ...]
    across: float
    along: float


def palette_of(pixels: Pixels) -> Palette:
    """Sort a picture (height x width x 3, 0 to 255) into its colours."""
    red, green, blue = (pixels[..., place].astype(np.int64) for place in range(3))
    shades = red << 16 | green << 8 | blue
    if shades.size < LARGE:
        known, places = np.unique(shades, return_inverse=True)
    else:  # a table of all shades takes a tenth of the time that sorting a screenshot takes
        seen = np.zeros(SHADES, dtype=bool)
        seen[shades] = True
        known = np.flatnonzero(seen)
        table = np.empty(SHADES, dtype=np.int32)
        table[known] = np.arange(len(known))
        places = table[shades].astype(np.int64)
    parts = [known >> 16 & 255, known >> 8 & 255, known & 255]
    labs = lab(np.stack(parts, axis=1).astype(np.uint8))
    return Palette(places.reshape(pixels.shape[:2]), labs, name_codes(labs))


def figure_in(palette: Palette, box: Box) -> InkFigure:
    """
    Measure the figure in a box; without a ring in the picture nothing stands out.

    >>> picture = np.full((40, 40, 3), 255, np.uint8)
    >>> picture[10:20, 10:30] = 0
    >>> found = figure_in(palette_of(picture), Box(5, 5, 35, 25))
    >>> found.pixels, found.inked, found.inks[COLOURS.index("black")], found.along
    (600, 200, 200, 0.5)
    """
    left, top, right, bottom = (math.floor(side + 0.5) for side in box.as_tuple())
    inside = _cut(palette, left, top, right, bottom)
    if not inside.size:
        return InkFigure(0, 0, (0,) * KINDS, (0,) * KINDS, (0,) * KINDS, 0.0, 0.0)
    around = _around(palette, left, top, right, bottom)
    ground = _ground(palette, around, inside)
    names = palette.codes[inside]
    if ground is None:
        stands = np.zeros(inside.shape, dtype=bool)
    else:
        apart = np.linalg.norm(palette.labs - palette.labs[ground], axis=1)
        stands = (apart > LEAST_DIFFERENCE)[inside]
    return InkFigure(
        inside.size,
        int(stands.sum()),
        _counts(names),
        _counts(names[stands]),
        tuple(
            whole - own
            for whole, own in zip(_counts(palette.codes[around]), _counts(names), strict=True)
        ),
        _spanned(np.any(stands, axis=0)),
        _spanned(np.any(stands, axis=1)),
    )


def ground_around(palette: Palette, left: int, top: int, right: int, bottom: int) -> int | None:
    """Return the place in the palette of the ground of a box, None without a ring."""
    inside = _cut(palette, left, top, right, bottom)
    return _ground(palette, _around(palette, left, top, right, bottom), inside)


def _around(palette: Palette, left: int, top: int, right: int, bottom: int) -> NDArray[np.int64]:
    return _cut(palette, left - RING_PX, top - RING_PX, right + RING_PX, bottom + RING_PX)


def _cut(palette: Palette, left: int, top: int, right: int, bottom: int) -> NDArray[np.int64]:
    rows, columns = slice(max(0, top), max(0, bottom)), slice(max(0, left), max(0, right))
    return palette.places[rows, columns]


def _ground(palette: Palette, around: NDArray[np.int64], inside: NDArray[np.int64]) -> int | None:
    size = len(palette.labs)
    ring = np.bincount(around.ravel(), minlength=size)
    ring -= np.bincount(inside.ravel(), minlength=size)
    commonest = int(ring.argmax())
    return commonest if ring[commonest] > 0 else None


def _counts(names: Codes) -> tuple[int, ...]:
    return tuple(int(item) for item in np.bincount(names.ravel(), minlength=KINDS))


def _spanned(lines: NDArray[np.bool_]) -> float:
    found = np.flatnonzero(lines)
    return float((found[-1] - found[0] + 1) / lines.size) if found.size else 0.0
