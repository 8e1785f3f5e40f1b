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

from surefoot.core.drawn.cielab import Labs, lab
from surefoot.core.instruction import Colour

Codes: TypeAlias = NDArray[np.int8]

COLOURS: Final[tuple[Colour, ...]] = tuple(argument for argument in get_args(Colour) if argument)
UNCLEAR: Final = len(COLOURS)
SURVEY: Final = Path(__file__).with_name("xkcd.tsv")
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


def basic_term(name: str) -> Colour:
    """
    Bring a survey's name to its basic term, or "" where it is unclear.

    >>> basic_term("light navy blue"), basic_term("teal"), basic_term("greeny blue")
    ('blue', '', '')
    """
    *others, last = name.split(" ")
    if any(word.startswith(HUES) for word in others):
        return ""
    return next((colour for colour in COLOURS if colour == last), "")


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
    apart, which = (np.asarray(item) for item in KDTree(known).query(labs, k=2))
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
        found[inside] = [colour == name for colour in COLOURS].index(True)
    return found


@functools.cache
def _survey() -> tuple[Labs, Codes]:
    lines = SURVEY.read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    colours = np.array([list(bytes.fromhex(spelled[1:])) for _, spelled in rows], dtype=np.uint8)
    terms = [basic_term(name) for name, _ in rows]
    codes = [COLOURS.index(term) if term else UNCLEAR for term in terms]
    return lab(colours), np.array(codes, dtype=np.int8)
