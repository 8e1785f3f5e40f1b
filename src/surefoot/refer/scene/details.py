"""
What is drawn in a box in detail: the strokes of its words, a line around it, a round form.

``docs/expressions.md`` defines each; sides are rounded to whole pixels, halves up.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from surefoot.core.geometry import Box
from surefoot.refer.scene.colours import COLOURS, UNCLEAR
from surefoot.refer.scene.figures import KINDS, LEAST_DIFFERENCE, Palette, ground_around

STROKE_SHARE: Final = 0.7  # of the farthest colour of a line: less is an edge between both
FAINT: Final = 25.0
GREY: Final = COLOURS.index("grey")
GREY_INK_FROM: Final = 45.0  # thin letters of a darker grey are black to most
LINE_PX: Final = 3
LEAST_LINED_PX: Final = 12
LEAST_ROUND_PX: Final = 20
CORNERS_FROM: Final = 1.08  # in radii
RIM: Final = (0.8, 1.05)
WITHIN: Final = 0.95
DIRECTIONS: Final = 24


class DrawnDetails(msgspec.Struct, frozen=True):
    """
    Measure what is drawn in a box, by places in ``colours.COLOURS``, the unclear last.

    ``strokes`` count the pixels of words, ``clear`` tells whether all of them stand out.
    ``lined`` has for each colour the least share of a side that a line of it runs along,
    ``hollow`` the share of the pixels behind it that are ground, ``frame`` counts all pixels
    of the line. ``corners`` is the share of figure outside of the circle in the box, ``rim``
    that of the directions in which its rim is drawn, ``filled`` that of figure in it.
    """

    strokes: tuple[int, ...]
    clear: bool
    lined: tuple[float, ...]
    hollow: float
    frame: tuple[int, ...]
    corners: float
    rim: float
    filled: float


def details_in(palette: Palette, box: Box, lines: Iterable[Box]) -> DrawnDetails:
    """Measure what is drawn in a box of a picture, with words in these lines."""
    strokes, clear = _strokes(palette, lines)
    left, top, right, bottom = (math.floor(side + 0.5) for side in box.as_tuple())
    height, width = palette.places.shape
    whole = 0 <= left < right <= width and 0 <= top < bottom <= height
    ground = ground_around(palette, left, top, right, bottom) if whole else None
    inside = palette.places[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
    if ground is None or not inside.size:
        nothing = (0,) * KINDS
        return DrawnDetails(strokes, clear, (0.0,) * KINDS, 0.0, nothing, 1.0, 0.0, 0.0)
    apart = np.linalg.norm(palette.labs - palette.labs[ground], axis=1) > LEAST_DIFFERENCE
    codes, figure = palette.codes[inside], apart[inside]
    lined, hollow, frame = _line(codes, figure)
    return DrawnDetails(strokes, clear, lined, hollow, frame, *_round(figure))


def _strokes(palette: Palette, lines: Iterable[Box]) -> tuple[tuple[int, ...], bool]:
    """Count the names of the pixels that are words, ground and softened edges left out."""
    counted = np.zeros(KINDS)
    clear = True
    for line in lines:
        left, top, right, bottom = (max(0, math.floor(side + 0.5)) for side in line.as_tuple())
        known, counts = np.unique(palette.places[top:bottom, left:right], return_counts=True)
        if not known.size:
            continue
        ground = palette.labs[known[counts.argmax()]]
        apart = np.linalg.norm(palette.labs[known] - ground, axis=1)
        clear = clear and bool(apart.max() > FAINT)
        strokes = apart > STROKE_SHARE * apart.max()
        names = palette.codes[known[strokes]]
        grey = (names == GREY) & (palette.labs[known[strokes], 0] < GREY_INK_FROM)
        names = np.where(grey, np.int8(UNCLEAR), names)
        counted += np.bincount(names, weights=counts[strokes], minlength=KINDS)
    return tuple(int(count) for count in counted), clear


def _line(
    codes: NDArray[np.int8], figure: NDArray[np.bool_]
) -> tuple[tuple[float, ...], float, tuple[int, ...]]:
    """Return how far a line of each colour runs, what is hollow behind it, and its colours."""
    frame = np.ones(codes.shape, dtype=bool)
    frame[LINE_PX:-LINE_PX, LINE_PX:-LINE_PX] = False
    counts = tuple(int(item) for item in np.bincount(codes[frame], minlength=KINDS))
    if min(codes.shape) < LEAST_LINED_PX:
        return (0.0,) * KINDS, 0.0, counts
    shares, behind = [], []
    for turns in range(4):
        names, drawn = np.rot90(codes, turns), np.rot90(figure, turns)
        third = names.shape[1] // 3
        middle = slice(third, names.shape[1] - third)
        names, drawn = names[: 2 * LINE_PX, middle], drawn[: 2 * LINE_PX, middle]
        behind.append(drawn[LINE_PX:].ravel())
        shares.append([
            ((names == kind) & drawn)[:LINE_PX].any(axis=0).mean() for kind in range(KINDS)
        ])  # fmt: skip
    lined = tuple(float(item) for item in np.min(shares, axis=0))
    return lined, float(1 - np.concatenate(behind).mean()), counts


def _round(figure: NDArray[np.bool_]) -> tuple[float, float, float]:
    """Return the shares of figure outside of a circle, of its rim, and of figure in it."""
    if min(figure.shape) < LEAST_ROUND_PX:
        return 1.0, 0.0, 0.0
    height, width = figure.shape
    down, across = np.indices(figure.shape) + 0.5
    across, down = across / (width / 2) - 1, down / (height / 2) - 1
    away = np.hypot(across, down)
    turn = (np.arctan2(down, across) + math.pi) / (2 * math.pi) * DIRECTIONS
    rim = figure & (away >= RIM[0]) & (away <= RIM[1])
    turned = len(np.unique(np.floor(turn[rim]) % DIRECTIONS)) / DIRECTIONS
    return float(figure[away > CORNERS_FROM].mean()), turned, float(figure[away < WITHIN].mean())
