"""
Colours as people name them: CIELAB, and the names of the XKCD colour survey.

The survey's names and values are in the public domain (CC0); ``refer/xkcd.tsv`` has them.
"""

from __future__ import annotations

import functools
import math
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["UNCLEAR", "Names", "basic_term", "lab", "pale_term"]

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
        unknown = sorted({each for each in colours if each not in self._known})
        terms, places = _survey()
        for start in range(0, len(unknown), 1024):
            some = unknown[start : start + 1024]
            points = lab(np.array(some, dtype=np.uint8))
            gaps = ((points[:, None, :] - places[None, :, :]) ** 2).sum(axis=2)
            for colour, point, nearest in zip(some, points, gaps.argmin(axis=1), strict=True):
                self._known[colour] = pale_term(point) or terms[int(nearest)]
        return [self._known[each] for each in colours]
