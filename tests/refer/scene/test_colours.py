"""
Names of colours against what people call them.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.drawn.cielab import lab
from surefoot.refer.scene.colours import COLOURS, SURVEY, UNCLEAR, basic_term, name_codes

CHANNEL = st.integers(0, 255)


def rgb(spelled: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return a hex colour as one row."""
    return np.array([list(bytes.fromhex(spelled))], dtype=np.uint8)


def name(spelled: str) -> str:
    """Return the name of a hex colour, "" where it is unclear."""
    code = int(name_codes(lab(rgb(spelled)))[0])
    return "" if code == UNCLEAR else COLOURS[code]


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
    alone = [int(name_codes(lab(np.array([colour], np.uint8)))[0]) for colour in colours]
    assert together.tolist() == alone
