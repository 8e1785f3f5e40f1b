"""
What an element looks like in the pixels: the parts colour, shape and content.

Colours are named as people do: in CIELAB, by the names of the XKCD colour survey, which are in
the public domain (CC0); ``refer/xkcd.tsv`` has them.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from importlib.resources import files
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression
from surefoot.core.pictures import Pixels
from surefoot.refer.judge.detail import (
    is_ink,
    is_lined,
    is_round,
    is_unnamed,
    shows_icon,
    stroke_terms,
)
from surefoot.refer.judge.ground import Ground, Reading, text_said
from surefoot.refer.judge.shape import is_shaped
from surefoot.refer.judge.words import has_words

BASIC: Final = frozenset({
    "black", "white", "grey", "red", "orange", "yellow", "green", "blue", "purple", "pink",
    "brown",
})  # fmt: skip
# Hues that, in another word of a name, pull a colour over: "greeny blue".
PULLING: Final = (
    "black", "white", "grey", "gray", "green", "blu", "purpl", "pink", "brown", "aqua", "cyan",
    "indigo", "lavender", "lilac", "magenta", "periwinkle", "teal", "turquoise", "violet",
)  # fmt: skip
UNCLEAR: Final = "unclear"
# Chroma below which lightness alone names a colour, and below which a light one has no name.
GREYISH: Final = 6.0
PALE: Final = 15.0
BLACK: Final = 18.0
DARK_GREY: Final = 30.0
LIGHT_GREY: Final = 85.0
WHITISH: Final = 92.0
# IEC 61966-2-1 (sRGB) to CIE XYZ with white D65, then CIE 15 (CIELAB).
TO_XYZ: Final = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE: Final = (0.95047, 1.0, 1.08883)
KNEE: Final = 6 / 29
RING_PX: Final = 3
DIFFERENCE: Final = 12.0
LEAST_FIGURE: Final = 1 / 50
LEAST_FILLED_FIGURE: Final = 1 / 2
FIELDS: Final = {"textbox", "searchbox", "combobox", "spinbutton", "listbox"}
ABOUT: Final = 9 / 10  # as far as the nearest shape
MOST_OF_FIGURE: Final = 6 / 10
OTHER_COLOUR: Final = 2 / 10
LENIENT_COLOUR: Final = 15 / 100
SPAN: Final = 0.8
SQUARE: Final[dict[Reading, tuple[float, float]]] = {
    "strict": (0.87, 1.15),
    "lenient": (0.67, 1.5),
}
LONGER: Final[dict[Reading, float]] = {"strict": 3.0, "lenient": 2.0}
ICON_PX: Final[dict[Reading, float]] = {"strict": 96.0, "lenient": 128.0}
ICON_ROLES: Final = {"button", "link", "menuitem", "tab"}
ICON_LETTERS: Final = 2
Colours = Counter[tuple[int, int, int]]


def lab(colours: NDArray[np.uint8]) -> NDArray[np.float64]:
    """
    Return the CIELAB coordinates of rows of red, green and blue (n x 3, 0 to 255).

    >>> lab(np.array([[255, 255, 255]], dtype=np.uint8)).round().tolist()[0][0]
    100.0
    """
    share = colours / 255.0
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)  # noqa: PLR2004
    relative = linear @ np.array(TO_XYZ).T / np.array(WHITE)
    bent = relative / (3 * KNEE**2) + 4 / 29
    root = np.where(relative > KNEE**3, np.cbrt(relative), bent)
    x, y, z = root[:, 0], root[:, 1], root[:, 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)


def basic_term(name: str) -> str:
    """
    Return the basic colour term that a survey's name ends in, or "unclear".

    >>> basic_term("sky blue"), basic_term("greeny blue"), basic_term("teal")
    ('blue', 'unclear', 'unclear')
    """
    *others, last = name.split(" ")
    pulled = any(word.startswith(PULLING) for word in others)
    last = last.replace("gray", "grey")
    return last if last in BASIC and not pulled else UNCLEAR


def pale_term(point: NDArray[np.float64]) -> str:
    """
    Return the name of a colour that is almost grey or pale (L*, a*, b*), "" for others.

    >>> pale_term(np.array([97.0, 1.0, -2.0])), pale_term(np.array([50.0, 60.0, 0.0]))
    ('white', '')
    """
    lightness, chroma = float(point[0]), math.hypot(float(point[1]), float(point[2]))
    if chroma >= GREYISH:
        return UNCLEAR if chroma < PALE and lightness >= LIGHT_GREY else ""
    if DARK_GREY <= lightness <= LIGHT_GREY:
        return "grey"
    if lightness <= BLACK:
        return "black"
    return "white" if lightness >= WHITISH else UNCLEAR


@functools.cache
def _survey() -> tuple[tuple[str, ...], NDArray[np.float64]]:
    table = files("surefoot.refer.scene").joinpath("xkcd.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in table.splitlines()]
    values = [list(bytes.fromhex(value.lstrip("#"))) for _, value in rows]
    terms = tuple(basic_term(name) for name, _ in rows)
    return terms, lab(np.array(values, dtype=np.uint8))


class Names:
    """
    Name colours, and remember those that were named.

    >>> Names().of([(0, 0, 255), (255, 255, 255)])
    ['blue', 'white']
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, int, int], str] = {}

    def of(self, colours: list[tuple[int, int, int]]) -> list[str]:
        """Return the basic term of each colour (red, green, blue), or "unclear"."""
        unknown = sorted({item for item in colours if item not in self._known})
        terms, places = _survey()
        for start in range(0, len(unknown), 1024):
            some = unknown[start : start + 1024]
            points = lab(np.array(some, dtype=np.uint8))
            gaps = ((points[:, None, :] - places[None, :, :]) ** 2).sum(axis=2)
            for colour, point, nearest in zip(some, points, gaps.argmin(axis=1), strict=True):
                self._known[colour] = pale_term(point) or terms[int(nearest)]
        return [self._known[item] for item in colours]


class SeenFigure(msgspec.Struct, frozen=True):
    """
    Hold what is drawn in a box: colours of the box and of the figure, by count of pixels.

    ``width`` and ``height`` are the box's in whole pixels of the image; ``spans`` are the
    figure's, 0 without a figure.
    """

    width: int
    height: int
    box: Colours
    figure: Colours
    spans: tuple[int, int]


class Looks:
    """
    Look at the elements of a screen, each once.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._names = Names()
        self._figures: dict[int, SeenFigure] = {}
        self._strokes: dict[int, tuple[Counter[str], bool]] = {}

    def fits(self, at: int, expression: Expression, reading: Reading) -> bool:
        """Tell whether an element looks as is said."""
        item = expression
        looks = (item.colour, item.shape, item.content, item.ink, item.outline, item.icon)
        if not any(looks):
            return True
        if self._ground.pixels is None:
            return False
        return (
            (not expression.content or self._content(at, expression.content, reading))
            and (not expression.shape or self._shape(at, expression.shape, reading))
            and (not expression.colour or self._colour(at, expression.colour, reading))
            and (not item.icon or self._icon(at, item.icon, reading))
            and (not item.ink or self._ink(at, item.ink, reading))
            and (not item.outline or self._outline(at, item.outline, reading))
        )

    def figure(self, at: int) -> SeenFigure:
        """Return what is drawn in an element's box; raises ValueError without pixels."""
        if self._ground.pixels is None:
            raise ValueError("no pixels")
        if at not in self._figures:
            self._figures[at] = _figure(self._ground.pixels, self._ground.elements[at].box)
        return self._figures[at]

    def _colour(self, at: int, colour: str, reading: Reading) -> bool:
        seen = self.figure(at)
        total = seen.figure.total()
        terms = self._terms(seen.figure)
        if reading == "lenient":
            whole = self._terms(seen.box)
            return any(
                pixels > 0 and counter[colour] + counter[UNCLEAR] >= LENIENT_COLOUR * pixels
                for counter, pixels in ((terms, total), (whole, seen.box.total()))
            )
        element = self._ground.elements[at]
        filled = element.role in FIELDS or text_said(element)
        least = LEAST_FILLED_FIGURE if filled else LEAST_FIGURE
        others = [count for term, count in terms.items() if term not in {colour, UNCLEAR}]
        return (
            total > 0
            and total >= least * seen.box.total()
            and terms[colour] >= MOST_OF_FIGURE * total
            and max(others, default=0) <= OTHER_COLOUR * total
        )

    def _icon(self, at: int, icon: str, reading: Reading) -> bool:
        element = self._ground.elements[at]
        if reading == "lenient" and "icons" not in element.attributes:
            return self._content(at, "icon", reading)
        pixels, names = self._ground.pixels, element.attributes.get("icons", "").split()
        if pixels is not None and len(names) == 1 and is_unnamed(names[0]):
            parts = [self._ground.elements[item] for item in (at, *self._ground.descendants(at))]
            lines = [line for part in parts for line in part.text_boxes]
            about = ABOUT if reading == "strict" else 1.0
            return is_shaped(pixels, element.box, lines, icon, about=about)
        drawn = reading == "lenient" or bool(self.figure(at).figure)
        return drawn and shows_icon(element, icon, reading)

    def _ink(self, at: int, colour: str, reading: Reading) -> bool:
        if at not in self._strokes:
            parts = [self._ground.elements[item] for item in (at, *self._ground.descendants(at))]
            boxes = {line for part in parts for line in part.text_boxes}
            lines = [self._cut(line) for line in boxes]
            self._strokes[at] = stroke_terms(lines, lab, self._named)
        return is_ink(*self._strokes[at], colour, reading)

    def _outline(self, at: int, colour: str, reading: Reading) -> bool:
        box = self._ground.elements[at].box
        inside, figure = self._cut(box), self._figured(at)
        if figure is None:
            return False
        names = np.array(self._named(inside.reshape(-1, 3))).reshape(figure.shape)
        return is_lined(names, figure, colour, reading)

    def _cut(self, box: Box) -> Pixels:
        pixels = self._ground.pixels
        if pixels is None:
            raise ValueError("no pixels")
        left, top, right, bottom = _rounded(box, pixels)
        return pixels[top:bottom, left:right, :3]

    def _named(self, rows: NDArray[np.uint8]) -> list[str]:
        return self._names.of([(row[0], row[1], row[2]) for row in rows.tolist()])

    def _figured(self, at: int) -> NDArray[np.bool_] | None:
        """Return where the figure is in an element's box, None where it leaves the picture."""
        pixels, box = self._ground.pixels, self._ground.elements[at].box
        if pixels is None:
            return None
        sides = _rounded(box, pixels)
        whole = [math.floor(side + 0.5) for side in box.as_tuple()]
        ground = _ground_colour(pixels, sides)
        if list(sides) != whole or ground is None:
            return None
        point = lab(np.array([ground], dtype=np.uint8))[0]
        inside = self._cut(box)
        gaps = np.sqrt(((lab(inside.reshape(-1, 3)) - point) ** 2).sum(axis=1))
        return (gaps > DIFFERENCE).reshape(inside.shape[:2]) if inside.size else None

    def _terms(self, colours: Colours) -> Counter[str]:
        terms: Counter[str] = Counter()
        for term, count in zip(self._names.of(list(colours)), colours.values(), strict=True):
            terms[term] += count
        return terms

    def _shape(self, at: int, shape: str, reading: Reading) -> bool:
        seen = self.figure(at)
        width, height = seen.width, seen.height
        if not width or not height:
            return False
        if shape == "round":
            least, most = SQUARE[reading]
            figure = self._figured(at) if least <= width / height <= most else None
            return figure is not None and is_round(figure, reading)
        across, down = seen.spans
        if reading == "strict" and not (across >= SPAN * width and down >= SPAN * height):
            return False
        if shape == "square":
            return SQUARE[reading][0] <= width / height <= SQUARE[reading][1]
        longer = width / height if shape == "wide" else height / width
        return longer >= LONGER[reading]

    def _content(self, at: int, content: str, reading: Reading) -> bool:
        ground, element = self._ground, self._ground.elements[at]
        text, below = text_said(element), ground.descendants(at)
        if content == "text":
            pictured = any(ground.elements[place].role == "img" for place in below)
            if reading == "strict":
                return has_words(text) and not pictured
            texts = [text, *(text_said(ground.elements[place]) for place in below)]
            return any(has_words(item) for item in texts)
        most = ICON_PX[reading]
        small = element.box.width <= most and element.box.height <= most
        if element.role not in ICON_ROLES or not small:
            return False
        if reading == "lenient":
            return sum(item.isalnum() for item in text) <= ICON_LETTERS
        return not text and not ground.words_below(at) and bool(self.figure(at).figure)


def _rounded(box: Box, pixels: Pixels) -> tuple[int, int, int, int]:
    """Return a box's sides as whole pixels within the image."""
    height, width = pixels.shape[:2]
    left, right = (min(max(math.floor(value + 0.5), 0), width) for value in (box.left, box.right))
    top, bottom = (min(max(math.floor(value + 0.5), 0), height) for value in (box.top, box.bottom))
    return left, top, right, bottom


def _ground_colour(
    pixels: Pixels, sides: tuple[int, int, int, int]
) -> tuple[int, int, int] | None:
    """Return the commonest colour in the ring around a box, the darkest first of several."""
    left, top, right, bottom = sides
    outer_left, outer_top = max(left - RING_PX, 0), max(top - RING_PX, 0)
    around = pixels[outer_top : bottom + RING_PX, outer_left : right + RING_PX, :3]
    ring = np.ones(around.shape[:2], dtype=bool)
    ring[top - outer_top : bottom - outer_top, left - outer_left : right - outer_left] = False
    counted = _count(around[ring])
    if not counted:
        return None
    most = max(counted.values())
    return min(item for item, count in counted.items() if count == most)


def _count(rows: Pixels) -> Colours:
    """Count the colours of an array whose last axis is red, green, blue."""
    found, counts = np.unique(rows.reshape(-1, 3), axis=0, return_counts=True)
    counted: Colours = Counter()
    for (red, green, blue), count in zip(found.tolist(), counts.tolist(), strict=True):
        counted[red, green, blue] = count
    return counted


def _figure(pixels: Pixels, box: Box) -> SeenFigure:
    """Tell the figure in a box from the ground that lies around it."""
    sides = left, top, right, bottom = _rounded(box, pixels)
    inside = pixels[top:bottom, left:right, :3]
    whole = _count(inside)
    ground = _ground_colour(pixels, sides)
    if ground is None or not whole:
        return SeenFigure(right - left, bottom - top, whole, Counter(), (0, 0))
    point = lab(np.array([ground], dtype=np.uint8))[0]
    gaps = np.sqrt(((lab(inside.reshape(-1, 3)) - point) ** 2).sum(axis=1))
    differs = (gaps > DIFFERENCE).reshape(inside.shape[:2])
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    spans = (0, 0)
    if rows.size:
        spans = (int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1)
    return SeenFigure(right - left, bottom - top, whole, _count(inside[differs]), spans)
