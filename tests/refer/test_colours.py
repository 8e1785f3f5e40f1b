"""
Colours: CIELAB against published values, and names against what people call them.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.refer.colours import COLOURS, SURVEY, UNCLEAR, basic_term, lab, name_codes

CHANNEL = st.integers(0, 255)


def rgb(spelled: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return a hex colour as one row."""
    return np.array([list(bytes.fromhex(spelled))], dtype=np.uint8)


def name(spelled: str) -> str:
    """Return the name of a hex colour, "" where it is unclear."""
    code = int(name_codes(lab(rgb(spelled)))[0])
    return "" if code == UNCLEAR else COLOURS[code]


def textbook(red: int, green: int, blue: int) -> tuple[float, float, float]:
    """Convert one colour by the formulas as they stand in the standards."""

    def linear(value: float) -> float:
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    r, g, b = (linear(each / 255) for each in (red, green, blue))
    xyz = (
        (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047,
        0.2126729 * r + 0.7151522 * g + 0.0721750 * b,
        (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883,
    )
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@given(CHANNEL, CHANNEL, CHANNEL)
def test_lab_is_that_of_the_textbook(red: int, green: int, blue: int) -> None:
    """Every sRGB colour has the CIELAB values of the published formulas."""
    found = lab(np.array([[red, green, blue]], np.uint8))[0]
    assert found == pytest.approx(textbook(red, green, blue), abs=0.01)


@pytest.mark.parametrize(
    ("spelled", "expected"),
    [
        ("ffffff", (100.0, 0.0, 0.0)),
        ("000000", (0.0, 0.0, 0.0)),
        ("ff0000", (53.24, 80.09, 67.20)),
        ("00ff00", (87.73, -86.18, 83.18)),
        ("0000ff", (32.30, 79.19, -107.86)),
        ("808080", (53.59, 0.0, 0.0)),
    ],
)
def test_lab_of_well_known_colours(spelled: str, expected: tuple[float, ...]) -> None:
    """The primaries, white, black and middle grey have the CIELAB values commonly listed."""
    assert lab(rgb(spelled))[0] == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize(
    ("spelled", "expected"),
    [
        ("000000", "black"),
        ("212529", "black"),
        ("ffffff", "white"),
        ("eeeeee", "white"),
        ("808080", "grey"),
        ("6c757d", "grey"),
        ("ff0000", "red"),
        ("d9534f", "red"),
        ("ffa500", "orange"),
        ("ff5722", "orange"),
        ("ffff00", "yellow"),
        ("00ff00", "green"),
        ("28a745", "green"),
        ("0000ff", "blue"),
        ("0d6efd", "blue"),
        ("1a73e8", "blue"),
        ("800080", "purple"),
        ("ec4899", "pink"),
        ("653700", "brown"),
        ("333333", ""),
        ("009688", ""),
        ("1abb9c", ""),
        ("f5f5dc", ""),
        ("e6f4f1", "white"),
        ("d5f0ea", ""),
    ],
)
def test_colours_have_the_names_that_people_give(spelled: str, expected: str) -> None:
    """Well-known colours bear their basic term, and those between two bear none."""
    assert name(spelled) == expected


def test_the_survey_is_whole() -> None:
    """The table holds 949 names, no name twice, each with one colour."""
    rows = [line.split("\t") for line in SURVEY.read_text("utf-8").splitlines()]
    assert len(rows) == len({name for name, _ in rows}) == 949
    assert all(len(bytes.fromhex(spelled[1:])) == 3 for _, spelled in rows)
    terms = {basic_term(name) for name, _ in rows}
    assert terms == {"", *COLOURS}


@given(st.lists(st.tuples(CHANNEL, CHANNEL, CHANNEL), max_size=6))
def test_each_colour_is_named_by_itself(colours: list[tuple[int, int, int]]) -> None:
    """A colour's name does not hang on the colours that are asked for with it."""
    together = name_codes(lab(np.array(colours, np.uint8).reshape(-1, 3)))
    alone = [int(name_codes(lab(np.array([each], np.uint8)))[0]) for each in colours]
    assert together.tolist() == alone
