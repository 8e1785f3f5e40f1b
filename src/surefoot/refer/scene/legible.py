"""
Whether words can be read in a picture, measured from its pixels.

Contrast is that of WCAG 2.2 (success criterion 1.4.3, relative luminance of sRGB). Inside
each line's box the background is the commonest luminance and the text the one that stands
out most from it; the weakest line counts. Size is the font size that the line's height
stands for, in pixels of the image: what a model receives, not what a style sheet says.

A box in which words were promised may show none of them (a cover, a blend, a colour equal to
the ground), while something else in it has contrast. Words fill their line from end to end,
with no gap wider than between words, and leave most of it empty; what does not is doubted.
On 726 lines of 13 real pages the widest margin was 0.33 of the line's height, the widest gap
0.71, and ink covered 0.10 to 0.43 of the line.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels

MINIMUM_CONTRAST: Final = 3.0  # WCAG's floor for large text; below it words fade away
MINIMUM_PX: Final = 8.0  # a capital letter is then under 6 px high
LINE_PER_FONT: Final = 1.15  # height of a line's box over its font size, for common fonts
OUTSIDE_PX: Final = 1.0
BINS: Final = 64
SRGB_KNEE: Final = 0.04045
INK_SHARE: Final = 0.01  # of a line's pixels that may stand out by accident
INK_DEPTH: Final = 0.35  # of the greatest difference from the ground, from which on it is ink
WIDEST_MARGIN: Final = 1.0  # of the line's height, without ink at either end
WIDEST_GAP: Final = 2.0  # of the line's height, without ink in between
MOST_INK: Final = 0.6  # of a line's pixels; more is a picture, or a block of colour
_WEIGHTS: Final = np.array([0.2126, 0.7152, 0.0722], dtype=np.float32)


def _linear() -> NDArray[np.float32]:
    share = np.arange(256) / 255
    curve = np.where(share <= SRGB_KNEE, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return curve.astype(np.float32)


_LINEAR: Final = _linear()


class Legibility(msgspec.Struct, frozen=True):
    """
    Hold the measures of a text.

    The weakest line's contrast ratio (1 to 21), the smallest line's font size in image
    pixels, whether every line lies in the picture, and whether every line looks like words.
    """

    contrast: float
    size: float
    whole: bool
    worded: bool = True

    @property
    def readable(self) -> bool:
        """Tell whether contrast is at least 3, size at least 8 px, and all words are there."""
        seen = self.whole and self.worded
        return seen and self.contrast >= MINIMUM_CONTRAST and self.size >= MINIMUM_PX


def legible(pixels: Pixels, boxes: Iterable[Box], font_px: float = 0.0) -> Legibility:
    """
    Measure the text in line boxes on a picture (height x width x 3, 0 to 255).

    ``font_px`` is an upper bound of the font size where it is known, else 0. No boxes, or
    none in the picture, is illegible.

    >>> black_on_white = np.full((20, 40, 3), 255, np.uint8)
    >>> black_on_white[5:15, 10:30] = 0
    >>> legible(black_on_white, [Box(0, 0, 40, 20)])
    Legibility(contrast=21.0, size=17.4, whole=True, worded=True)
    """
    height, width = pixels.shape[:2]
    contrast, size, whole, count = 21.0, font_px or float("inf"), True, 0
    worded = True
    for count, box in enumerate(boxes, 1):  # noqa: B007 - counted to tell none from some
        left, top, right, bottom = box.as_tuple()
        whole = whole and min(left, top) >= -OUTSIDE_PX
        whole = whole and right <= width + OUTSIDE_PX and bottom <= height + OUTSIDE_PX
        rows = slice(max(0, round(top)), max(0, round(bottom)))
        columns = slice(max(0, round(left)), max(0, round(right)))
        found, filled = _line(pixels[rows, columns])
        contrast, worded = min(contrast, found), worded and filled
        size = min(size, (bottom - top) / LINE_PER_FONT)
    if not count:
        return Legibility(1.0, 0.0, whole=False, worded=False)
    return Legibility(round(contrast, 2), round(size, 1), whole, worded)


def contrast_in(crop: Pixels) -> float:
    """
    Return the contrast of what stands out most in a part of a picture with its ground.

    >>> contrast_in(np.full((9, 9, 3), 128, np.uint8))
    1.0
    """
    return round(_line(crop)[0], 2)


def _line(crop: Pixels) -> tuple[float, bool]:
    """Return a line's contrast, and whether what stands out in it is spread as words are."""
    if crop.size == 0:
        return 1.0, False
    luminance = _LINEAR[crop].reshape(-1, 3) @ _WEIGHTS
    steps = (np.sqrt(luminance) * (BINS - 1) + 0.5).astype(np.intp)
    commonest = np.bincount(steps, minlength=BINS).argmax()
    background = float(luminance[steps == commonest].mean())
    spare = int(luminance.size * INK_SHARE)
    ordered = np.partition(luminance, (spare, luminance.size - 1 - spare))
    darkest, lightest = float(ordered[spare]), float(ordered[-1 - spare])
    contrast = max((lightest + 0.05) / (background + 0.05), (background + 0.05) / (darkest + 0.05))
    apart = np.abs(np.sqrt(luminance) - np.sqrt(background)).reshape(crop.shape[:2])
    return contrast, _worded(apart > INK_DEPTH * apart.max())


def _worded(ink: NDArray[np.bool_]) -> bool:
    height, width = ink.shape
    inked = np.flatnonzero(ink.any(axis=0))
    if not inked.size or ink.mean() > MOST_INK:
        return False
    margin = max(int(inked[0]), width - 1 - int(inked[-1]))
    gap = int(np.diff(inked).max(initial=0))
    return bool(margin <= WIDEST_MARGIN * height and gap <= WIDEST_GAP * height)
