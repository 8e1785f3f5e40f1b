"""
Controls over two versions of a page: names first, then what stands beside, never a neighbour.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.parallel.versions import as_version, match_versions
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen

Row = tuple[str, str, str, str]  # id, role, name, parent


def screen(name: str, rows: Sequence[Row]) -> Screen:
    """Return a page of elements, all of them seen."""
    elements = tuple(
        Element(key, role, Box.from_xywh(10, 30 * at, 90, 24), called, parent=parent,
                visible_fraction=1.0, hits=(True,) * 5)
        for at, (key, role, called, parent) in enumerate(rows)
    )  # fmt: skip
    return Screen(name, f"{name}/index.html", "x", name, 400, 900, 1.0, "web", "en", elements,
                  site="shop")  # fmt: skip


NEW = screen("new", [
    ("n", "navigation", "Main", ""), ("n1", "link", "Home", "n"), ("n2", "link", "Orders", "n"),
    ("n3", "link", "Reports", "n"), ("m", "main", "", ""), ("m1", "button", "Save", "m"),
    ("m2", "button", "", "m"), ("m3", "link", "Orders", "m"), ("m4", "link", "Help", "m"),
])  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param(
            [("b", "main", "", ""), ("a", "navigation", "Main", ""), ("1", "link", "Orders", "a"),
             ("2", "link", "Home", "a"), ("3", "link", "Orders", "b"), ("4", "link", "Help", "b")],
            {"n1": "2", "n2": "1", "m3": "3", "m4": "4"},
            id="moved and reordered, two of one name apart by their landmark",
        ),
        pytest.param(
            [("a", "navigation", "Main", ""), ("1", "link", "Home", "a"),
             ("2", "link", "Shipping", "a"), ("3", "link", "Reports", "a")],
            {"n1": "1", "n2": "2", "n3": "3"},
            id="renamed between two that are known",
        ),
        pytest.param(
            [("a", "navigation", "Main", ""), ("0", "link", "News", "a"),
             ("1", "link", "Start", "a"), ("2", "link", "Orders", "a"),
             ("3", "link", "Reports", "a")],
            {"n2": "2", "n3": "3"},
            id="one inserted before: nothing is taken for what was renamed",
        ),
    ],
)  # fmt: skip
def test_each_is_itself(rows: list[Row], expected: dict[str, str]) -> None:
    """Controls are paired with themselves alone, wherever and however they stand now."""
    pairs = match_versions(NEW, screen("old", rows))

    assert {one: other for one, other in pairs.items() if one[1:]} == expected


def test_nameless_icons_are_known_by_where_they_stand() -> None:
    """A button without a name is the one button without a name in the same place."""
    old = [("a", "main", "", ""), ("1", "button", "Save", "a"), ("2", "button", "", "a"),
           ("3", "link", "Orders", "a"), ("4", "link", "Help", "a")]  # fmt: skip
    pairs = match_versions(NEW, screen("old", old))

    assert pairs["m2"] == "2"


def test_a_version_is_a_variant() -> None:
    """It has the page and the ids of the first, other ids for what is its own, and no twins."""
    old = [("n1", "main", "", ""), ("m1", "link", "Help", "n1"), ("x", "button", "Old", "n1")]
    made = as_version(NEW, screen("old", old), "version")
    by_name = {one.name: one for one in made.elements}

    assert (made.page, made.variant, made.image) == ("new/index.html", "version", "old")
    assert by_name["Help"].id == "m4"
    assert by_name["Help"].parent == by_name[""].id
    assert by_name["Old"].id not in {one.id for one in NEW.elements}
    assert len({one.id for one in made.elements}) == len(old)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 6)), max_size=9), st.randoms())
def test_pairs_are_one_to_one(names: list[tuple[str, int]], random: object) -> None:
    """Whatever two pages hold, no element has two partners, and a page is its own version."""
    rows: list[Row] = [
        (f"e{at}", "button", name, f"e{parent}" if parent < at else "")
        for at, (name, parent) in enumerate(names)
    ]
    one, mixed = screen("one", rows), [*rows]
    random.shuffle(mixed)  # type: ignore[attr-defined]
    other = screen("other", mixed)
    pairs = match_versions(one, other)
    own = {element.id: element.name for element in other.elements}

    assert len({*pairs.values()}) == len(pairs)
    assert {*pairs} <= {element.id for element in one.elements}
    assert {*pairs.values()} <= {*own}
    same = match_versions(one, msgspec.structs.replace(one, id="again"))
    assert all(first == second for first, second in same.items())
