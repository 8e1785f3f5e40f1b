"""
Looks of a box in detail: the ink of words, a line around it, a round form, and icons.

Written from the page of expressions alone, as everything of the judge.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from surefoot.core.pictures import Pixels
from surefoot.core.screen import Element
from surefoot.refer.judge.ground import Reading

Terms = Counter[str]
Namer = Callable[[NDArray[np.uint8]], list[str]]
UNCLEAR: Final = "unclear"
SOFT: Final = 7 / 10
FAINT: Final = 25.0
GREY_FROM: Final = 45.0
EDGE: Final = 3
LEAST_LINED: Final = 12
MOSTLY: Final = 8 / 10
LENIENT_LINE: Final = 8 / 100
LEAST_ROUND: Final = 20
SECTORS: Final = 24


def stroke_terms(
    lines: Sequence[Pixels], lab: Callable[[NDArray[np.uint8]], NDArray[np.float64]], name: Namer
) -> tuple[Terms, bool]:
    """Count the names of what stands out most in each line, and tell whether all does."""
    terms: Terms = Counter()
    clear = True
    for line in lines:
        flat = line.reshape(-1, 3)
        if not len(flat):
            continue
        colours, counts = np.unique(flat, axis=0, return_counts=True)
        points = lab(colours)
        gaps = np.sqrt(((points - points[int(np.argmax(counts))]) ** 2).sum(axis=1))
        farthest = float(gaps.max())
        clear = clear and farthest > FAINT
        inked = [at for at in range(len(colours)) if gaps[at] > SOFT * farthest]
        for at, term in zip(inked, name(colours[inked]), strict=True):
            dark = term == "grey" and points[at][0] < GREY_FROM
            terms[UNCLEAR if dark else term] += int(counts[at])
    return terms, clear


def is_ink(terms: Terms, clear: bool, colour: str, reading: Reading) -> bool:  # noqa: FBT001
    """Tell whether words are of a colour, by the counts of their strokes."""
    total = terms.total()
    if reading == "lenient":
        return total > 0 and terms[colour] + terms[UNCLEAR] >= 15 / 100 * total
    others = [count for term, count in terms.items() if term not in {colour, UNCLEAR}]
    mostly = total > 0 and terms[colour] >= 6 / 10 * total
    return clear and mostly and max(others, default=0) <= 2 / 10 * total


def is_lined(
    names: NDArray[np.str_], figure: NDArray[np.bool_], colour: str, reading: Reading
) -> bool:
    """Tell whether a line of a colour runs around a box, by its pixels' names and its figure."""
    height, width = figure.shape
    if reading == "lenient":
        down, across = np.indices(figure.shape)
        edge = (down < EDGE) | (down >= height - EDGE) | (across < EDGE) | (across >= width - EDGE)
        meant = np.isin(names[edge], (colour, UNCLEAR))
        return bool(meant.size) and float(meant.mean()) >= LENIENT_LINE
    if min(height, width) < LEAST_LINED:
        return False
    hollow = []
    for look, mask in (
        (names, figure),
        (names[::-1], figure[::-1]),
        (names.T, figure.T),
        (names.T[::-1], figure.T[::-1]),
    ):
        third = look.shape[1] // 3
        rest = look.shape[1] - third
        line = (look[:EDGE, third:rest] == colour) & mask[:EDGE, third:rest]
        if line.any(axis=0).mean() < MOSTLY:
            return False
        hollow += mask[EDGE : 2 * EDGE, third:rest].ravel().tolist()
    return sum(hollow) <= (1 - MOSTLY) * len(hollow)


def is_round(figure: NDArray[np.bool_], reading: Reading) -> bool:
    """Tell whether the figure in a box is a disk: empty corners, a rim, a filled middle."""
    height, width = figure.shape
    if min(height, width) < LEAST_ROUND:
        return False
    corner, within, rims = [], [], set()
    for row in range(height):
        y = (row + 0.5) / (height / 2) - 1
        for column in range(width):
            x = (column + 0.5) / (width / 2) - 1
            radius, drawn = math.hypot(x, y), bool(figure[row, column])
            if radius > 1.08:  # noqa: PLR2004
                corner.append(drawn)
            if radius < 0.95:  # noqa: PLR2004
                within.append(drawn)
            if drawn and 0.8 <= radius <= 1.05:  # noqa: PLR2004
                angle = math.atan2(y, x) + math.pi
                rims.add(math.floor(angle / (2 * math.pi) * SECTORS) % SECTORS)
    outside, inside = sum(corner) / len(corner), sum(within) / len(within)
    if reading == "lenient":
        return outside <= 1 / 2 and len(rims) >= SECTORS / 2
    return outside <= 1 / 20 and len(rims) >= 9 / 10 * SECTORS and inside >= 6 / 10


def shows_icon(element: Element, icon: str, reading: Reading) -> bool:
    """Tell whether a picture of a control is named as an icon, or could be one, by its names."""
    table, styles = _icons()
    for name in element.attributes.get("icons", "").split():
        bare = name.removeprefix("file:")
        found = table.get("-".join(part for part in bare.split("-") if part not in styles))
        if found == icon:
            return True
        if reading == "lenient":
            unknown = name == "?" or (found is None and bare != name)
            words = {part for key in table if table[key] == icon for part in key.split("-")}
            if unknown or not words.isdisjoint(bare.split("-")):
                return True
    return False


def is_unnamed(name: str) -> bool:
    """Tell whether what a picture is called leaves open what it shows."""
    table, styles = _icons()
    bare = name.removeprefix("file:")
    parts = "-".join(part for part in bare.split("-") if part not in styles)
    return name == "?" or (bare != name and parts not in table)


@functools.cache
def _icons() -> tuple[dict[str, str], set[str]]:
    table: dict[str, str] = {}
    styles: set[str] = set()
    text = files("surefoot.refer.scene").joinpath("icons.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        icon, names = line.split("\t")
        if icon:
            table |= dict.fromkeys(names.split(), icon)
        else:
            styles |= set(names.split())
    return table, styles
