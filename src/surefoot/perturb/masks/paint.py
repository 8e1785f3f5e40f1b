"""
Masks on pictures: every kind of fill, for any boxes, without a browser.

A mask depends on the picture and the edit alone. Boxes that overlap are masked as their
union; what one of them hides is not seen by the fill of another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from surefoot.core.edit import Mask, MaskKind
from surefoot.core.screen import Screen
from surefoot.perturb.cover import cover
from surefoot.perturb.masks.contrast import standout_colour
from surefoot.perturb.masks.findable import JUST_NOTICEABLE, lines_beyond
from surefoot.perturb.masks.inpaint import inpaint
from surefoot.perturb.masks.membrane import (
    WINDOW,
    Sides,
    close_sides,
    film,
    rounded,
    side_colours,
)
from surefoot.perturb.masks.ring import flat_colour
from surefoot.perturb.pixels import PixelRegion, Pixels, regions

__all__ = ["LOW_CONTRAST", "MASKS", "mask", "masked", "paint"]

LOW_CONTRAST: Final[MaskKind] = "membrane"
# The three masks of Hidden Forms under its names.
MASKS: Final[dict[str, MaskKind]] = {
    "static": "static",
    "high-contrast": "high-contrast",
    "low-contrast": LOW_CONTRAST,
}
WHITE: Final = np.full(3, 255, np.uint8)
SWEEPS: Final = 2
LEAST_LINE: Final = 2 * JUST_NOTICEABLE


def mask(screen: Screen, pixels: Pixels, edit: Mask) -> tuple[Screen, Pixels]:
    """
    Mask boxes on a screen's picture; what lies under them is neither seen nor hit.

    Raises InvalidInputError for a ring under 1.
    """
    return cover(screen, edit.boxes), paint(pixels, edit)


def paint(pixels: Pixels, edit: Mask) -> Pixels:
    """
    Return a copy of a picture (height x width x 3) on which the boxes are masked.

    Boxes are rounded outwards to whole pixels and clipped to the picture. Raises
    InvalidInputError for a ring under 1.

    >>> from surefoot.core.geometry import Box
    >>> picture = np.zeros((4, 4, 3), np.uint8)
    >>> paint(picture, Mask((Box(1, 1, 3, 2),), "static"))[..., 0].tolist()
    [[0, 0, 0, 0], [0, 255, 255, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    """
    places = regions(edit.boxes, pixels.shape)
    filled = pixels.copy()
    if not places:
        return filled
    hidden = masked(places, pixels.shape)
    match edit.kind:
        case "static":
            _fill(filled, places, WHITE)
        case "high-contrast":
            _fill(filled, places, standout_colour(pixels, places, edit.ring, hidden))
        case "median" | "mode":
            for place in places:
                filled[place.slices] = flat_colour(pixels, place, edit.ring, hidden, edit.kind)
        case "membrane" | "sides":
            _stretch(filled, places, edit.ring, hidden, WINDOW if edit.kind == "membrane" else 0)
        case "inpaint":
            _stretch(filled, places, edit.ring, hidden, WINDOW)
            inpaint(filled, places, edit.ring, hidden)
    return filled


def masked(places: Sequence[PixelRegion], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return which pixels (height x width) lie in any of the regions."""
    found = np.zeros(shape[:2], dtype=bool)
    for place in places:
        found[place.slices] = True
    return found


def _fill(filled: Pixels, places: Sequence[PixelRegion], colour: Pixels) -> None:
    for place in places:
        filled[place.slices] = colour


def _stretch(
    filled: Pixels,
    places: Sequence[PixelRegion],
    ring: int,
    hidden: NDArray[np.bool_],
    window: int,
) -> None:
    """
    Fill each region by the membrane between its sides, in place.

    Where regions come near each other, each first takes its ring's median; then they are
    stretched in turn, twice (Schwarz's alternating method), each seeing the others' fill.
    """
    original = filled.copy()
    for place in places:
        filled[place.slices] = flat_colour(original, place, ring, hidden, "median")
    lines = [lines_beyond(original, place, hidden) for place in places]
    apart = hidden.sum() == sum(np.prod(place.size) for place in places)
    alone = apart and all(_alone(place, ring, hidden) for place in places)
    for _ in range(1 if alone else SWEEPS):
        for place, steps in zip(places, lines, strict=True):
            sides = _held(side_colours(filled, place, ring, window), steps)
            known = close_sides(sides, place.size)
            if known is not None:
                filled[place.slices] = rounded(film(*known))


def _held(sides: Sides, lines: Sequence[float]) -> Sides:
    """
    Let go of the sides on which a line of the page lies; the faintest is kept, if all do.

    Beyond such a line is another ground than the one that the element stands on.
    """
    there = [line for side, line in zip(sides, lines, strict=True) if side is not None]
    most = max(LEAST_LINE, min(there, default=0.0))
    left, top, right, bottom = (
        None if line > most else side for side, line in zip(sides, lines, strict=True)
    )
    return left, top, right, bottom


def _alone(place: PixelRegion, ring: int, hidden: NDArray[np.bool_]) -> bool:
    around = place.grown(ring, hidden.shape)
    return int(hidden[around.slices].sum()) == int(np.prod(place.size))
