"""
Names of colours as people give them, by the nearest answer of a survey.

A colour's name is that of the nearest of the 949 colours that the XKCD colour survey
(2010, CC0; ``xkcd.tsv``) found a name for, in CIELAB, brought to one of the eleven basic
colour terms of Berlin and Kay: the last word of the survey's name. A name that ends
otherwise, or that speaks of two hues ("greeny blue"), is unclear. The survey asked for
colours on a screen one by one and knows too many pale and dark "pinks" and "greens" to
tell grey from them: a colour of hardly any chroma is named by its lightness alone.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Final, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from surefoot.core.instruction import Colour

__all__ = ["COLOURS", "UNCLEAR", "Codes", "Labs", "basic_term", "lab", "name_codes"]

Labs: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.int8]

COLOURS: Final[tuple[Colour, ...]] = tuple(each for each in get_args(Colour) if each)
UNCLEAR: Final = len(COLOURS)
SURVEY: Final = Path(__file__).with_name("xkcd.tsv")
# IEC 61966-2-1: linear sRGB to XYZ, relative to the white D65; and CIE 15: XYZ to CIELAB.
_TO_XYZ: Final = np.array([
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
])  # fmt: skip
_WHITE: Final = _TO_XYZ.sum(axis=1)
# Second words that pull a name over to another hue, by their beginnings; that a red or a
# yellow leans to orange changes nobody's name for it.
HUES: Final = (
    "black", "white", "grey", "gray", "green", "blu", "purpl", "pink", "brown", "aqua", "cyan",
    "indigo", "lavender", "lilac", "magenta", "periwinkle", "teal", "turquoise", "violet",
)  # fmt: skip
LEAST_CHROMA: Final = 6.0
# A tint so pale may be seen as its hue or as white.
PALE_FROM, PALE_CHROMA = 85.0, 15.0
# The lightness of what has no hue: black up to, grey from and up to, white from.
BLACK_TO, GREY_FROM, GREY_TO, WHITE_FROM = 18.0, 30.0, 85.0, 92.0
_CUBE: Final = (6 / 29) ** 3
_SLOPE: Final = (29 / 6) ** 2 / 3
SRGB_KNEE: Final = 0.04045


def lab(colours: NDArray[np.uint8]) -> Labs:
    """
    Convert sRGB colours (n x 3, 0 to 255) to CIELAB (n x 3; CIE 1976, white D65).

    >>> lab(np.array([[255, 255, 255], [255, 0, 0]], np.uint8)).round(1).tolist()
    [[100.0, 0.0, 0.0], [53.2, 80.1, 67.2]]
    """
    share = colours.reshape(-1, 3) / 255.0
    linear = np.where(share <= SRGB_KNEE, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    ratio = linear @ _TO_XYZ.T / _WHITE
    root = np.where(ratio > _CUBE, np.cbrt(ratio), ratio * _SLOPE + 4 / 29)
    x, y, z = root.T
    found: Labs = np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)
    return found


def basic_term(name: str) -> Colour:
    """
    Bring a survey's name to its basic term, or "" where it is unclear.

    >>> basic_term("light navy blue"), basic_term("teal"), basic_term("greeny blue")
    ('blue', '', '')
    """
    *others, last = name.split(" ")
    if any(word.startswith(HUES) for word in others):
        return ""
    return next((each for each in COLOURS if each == last), "")


def name_codes(labs: Labs) -> Codes:
    """
    Return for each CIELAB colour (n x 3) its place in ``COLOURS``, or ``UNCLEAR``.

    >>> COLOURS[name_codes(lab(np.array([[0, 0, 255]], np.uint8)))[0]]
    'blue'
    """
    from scipy.spatial import KDTree

    known, codes = _survey()
    if not len(labs):
        return np.zeros(0, dtype=np.int8)
    apart, which = (np.asarray(each) for each in KDTree(known).query(labs, k=2))
    first = np.where(apart[:, 0] == apart[:, 1], which.min(axis=1), which[:, 0])
    chroma = np.hypot(labs[:, 1], labs[:, 2])
    pale = (labs[:, 0] >= PALE_FROM) & (chroma < PALE_CHROMA)
    hues = np.where(pale, np.int8(UNCLEAR), codes[first])
    named: Codes = np.where(chroma < LEAST_CHROMA, _greys(labs), hues)
    return named


def _greys(labs: Labs) -> Codes:
    lightness = labs[:, 0]
    ranges = {
        "black": lightness <= BLACK_TO,
        "grey": (lightness >= GREY_FROM) & (lightness <= GREY_TO),
        "white": lightness >= WHITE_FROM,
    }
    found = np.full(len(labs), UNCLEAR, dtype=np.int8)
    for name, inside in ranges.items():
        found[inside] = [each == name for each in COLOURS].index(True)
    return found


@functools.cache
def _survey() -> tuple[Labs, Codes]:
    lines = SURVEY.read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    colours = np.array([list(bytes.fromhex(spelled[1:])) for _, spelled in rows], dtype=np.uint8)
    terms = [basic_term(name) for name, _ in rows]
    codes = [COLOURS.index(term) if term else UNCLEAR for term in terms]
    return lab(colours), np.array(codes, dtype=np.int8)
