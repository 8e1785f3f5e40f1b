"""
Masks on pictures: every kind of fill, for any boxes, without a browser.

A mask depends on the picture and the edit alone. Boxes that overlap are masked as their
union; what one of them hides is not seen by the fill of another.

A conspicuous fill is a colour far, in CIELAB, from everything that the picture shows. How
findable a mask is, is the step in colour along its border against the page's own steps.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from surefoot.core.drawn.cielab import Labs, lab
from surefoot.core.edit import Mask, MaskKind
from surefoot.core.errors import InvalidInputError
from surefoot.core.pictures import Pixels
from surefoot.core.screen import Screen
from surefoot.perturb.cover import cover
from surefoot.perturb.masks.inpaint import inpaint
from surefoot.perturb.masks.membrane import (
    WINDOW,
    Sides,
    close_sides,
    film,
    rounded,
    side_colours,
)
from surefoot.perturb.pixels import PixelRegion, regions

GREY: Final = 128  # where a picture has no pixel that is not masked
BITS: Final = 5  # of each channel that the histogram keeps: cells of 8 steps
STEPS: Final = np.array([0, 32, 64, 96, 128, 160, 192, 224, 255], np.uint8)
FAR_ENOUGH: Final = 25.0
# The least share of the picture that a colour must have to be kept clear of, tried in turn.
SHARES: Final = (0.0, 1e-5, 1e-4, 1e-3, 1e-2)
Floats = NDArray[np.float64]
JUST_NOTICEABLE: Final = 2.3  # CIELAB distance that half of all people notice (Mahy et al. 1994)
NEARBY: Final = 24
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
    rings = [ring_pixels(pixels, place, ring, masked) for place in places]
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
    places = [(span, item) if axis else (item, span) for item in (at - 1, at)]
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
