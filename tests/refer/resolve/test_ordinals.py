"""
Ranks: positions among those that all other parts fit, and the largest and smallest.
"""

from __future__ import annotations

from typing import Any

import pytest

from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Ordinal, Size
from surefoot.core.screen import Element, Screen
from surefoot.refer.resolve.resolve import prove, resolve
from surefoot.refer.scene.scene import Scene

LINK = "link"


def element(id_: str, box: Box, role: str = LINK, **more: object) -> Element:
    """Return a link that is whole and hit."""
    parts: dict[str, Any] = {"visible_fraction": 1.0, "hits": (True,) * 5, **more}
    return Element(id_, role, box, **parts)


def scene(*elements: Element) -> Scene:
    """Return a scene of 900 x 600 pixels."""
    return Scene(Screen("s", "p", "x", "", 900, 600, 1.0, "web", "en", elements))


def fitting(expression: Expression, *elements: Element) -> tuple[str, str]:
    """Return the ids that an expression fits strictly, and leniently."""
    shown = scene(*elements)
    strict, lenient = (
        " ".join(item.id for item in resolve(expression, shown, reading))
        for reading in ("strict", "lenient")
    )
    return strict, lenient


def nth(position: int) -> Expression:
    """Say the so-manieth link of a list."""
    return Expression(role=LINK, ordinal=Ordinal(position, "list"))


ROW = [element(item, Box(60 * place, 0, 60 * place + 50, 20)) for place, item in enumerate("abc")]


def test_a_row_is_counted_from_the_left() -> None:
    """Both readings agree where all counted are sure."""
    second = Expression(role=LINK, ordinal=Ordinal(2, "row"))
    assert fitting(second, *ROW) == ("b", "b")
    assert fitting(nth(-1), *ROW) == ("c", "c")
    assert fitting(nth(4), *ROW) == ("", "")
    assert fitting(nth(1), ROW[0]) == ("", "")


def test_what_might_count_moves_the_position_leniently() -> None:
    """A button before the links may be counted as one, and then each is one further."""
    before = element("o", Box(-60, 0, -10, 20), "button")
    assert fitting(nth(2), before, *ROW) == ("b", "a b")
    assert fitting(nth(-1), before, *ROW) == ("c", "c")


def test_what_cannot_be_ordered_is_all_possible() -> None:
    """One that might count and stands askew makes every position possible."""
    askew = element("o", Box(200, 14, 250, 34), "button")
    assert fitting(nth(2), *ROW, askew) == ("b", "a b c o")
    two_rows = element("o", Box(0, 40, 50, 60), "button")
    assert fitting(nth(2), *ROW, two_rows)[0] == "b"
    row = Expression(role=LINK, ordinal=Ordinal(2, "row"))
    assert fitting(row, *ROW, two_rows) == ("b", "a b c o")


def test_a_grid_may_be_read_by_columns() -> None:
    """The second of a list of two columns is beside or below the first; a grid is clear."""
    grid = [
        element(f"{x}{y}", Box(60 * x, 30 * y, 60 * x + 50, 30 * y + 20))
        for y in range(2)
        for x in range(2)
    ]
    assert fitting(nth(2), *grid) == ("10", "10 01")
    cell = Expression(role=LINK, ordinal=Ordinal(2, "grid", row=1))
    assert fitting(cell, *grid) == ("10", "10")


def test_what_is_one_thing_is_counted_once() -> None:
    """A wrapper and its content take one position, and both stand there."""
    outer = element("w", Box(0, 0, 50, 20))
    inner = element("a", Box(1, 1, 49, 19), parent="w")
    assert fitting(nth(1), outer, inner, *ROW[1:]) == ("w a", "w a")
    assert fitting(nth(2), outer, inner, *ROW[1:]) == ("b", "b")
    shown = scene(outer, inner, *ROW[1:])
    assert prove(shown, nth(1), 1) is None


@pytest.mark.parametrize(
    ("size", "width", "strict", "lenient"),
    [
        ("largest", 100, "o", "o"),
        ("largest", 62, "o", "a o"),
        ("largest", 50, "a o", "a o"),
        ("largest", 40, "a", "a o"),
        ("largest", 39, "a", "a"),
        ("smallest", 40, "o", "a o"),
        ("smallest", 39, "o", "o"),
    ],
)
def test_sizes(size: Size, width: int, strict: str, lenient: str) -> None:
    """The extreme one is meant strictly, and those within a quarter of it leniently."""
    other = element("o", Box(0, 100, width, 120))
    assert fitting(Expression(role=LINK, size=size), ROW[0], other) == (strict, lenient)


def test_one_thing_has_no_size_among_its_own() -> None:
    """A single element, or a wrapper and its content, is not the largest of anything."""
    outer, inner = element("w", Box(0, 0, 50, 20)), element("a", Box(1, 1, 49, 19), parent="w")
    assert fitting(Expression(role=LINK, size="largest"), outer, inner)[0] == ""
    assert fitting(Expression(role=LINK, size="largest"), ROW[0])[0] == ""


def test_a_lookalike_may_be_the_largest() -> None:
    """A button as large as the largest link is leniently a rival."""
    button = element("o", Box(0, 100, 70, 120), "button")
    said = Expression(role=LINK, size="largest")
    wide = element("w", Box(0, 200, 80, 220))
    assert fitting(said, ROW[0], wide, button) == ("w", "w o")
