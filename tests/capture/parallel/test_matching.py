"""
Elements of two languages are matched by structure: rightly, or not at all.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.parallel.matching import match_screens
from surefoot.capture.parallel.structure import Structure
from surefoot.core.canonical import digest
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen

ROLES: Final = ("list", "listitem", "link", "button", "paragraph")
BOX: Final = Box(0.0, 0.0, 9.0, 9.0)


class Node(msgspec.Struct):
    """Hold a thing of a page, which is the same thing in every language by its number."""

    number: int
    role: str
    key: str = ""
    children: list[Node] = []


def page(nodes: Sequence[Node], locale: str) -> tuple[Screen, Structure, dict[str, int]]:
    """Spell a page as capture does: ids by position, words of its own; return what is what."""
    elements: list[Element] = []
    keys: dict[str, str] = {}
    surroundings: dict[str, str] = {}
    things: dict[str, int] = {}

    def spell(below: Sequence[Node], parent: str, above: str) -> None:
        around = digest([above, [node.role for node in below]])
        counts: dict[str, int] = {}
        for node in below:
            counts[node.role] = counts.get(node.role, 0) + 1
            name = f"{parent}/{node.role}:{counts[node.role]}"
            attributes = {"tag": node.role}
            words = f"{locale} {node.number}"
            elements.append(
                Element(
                    name,
                    node.role,
                    BOX,
                    words,
                    parent=parent,
                    visible_fraction=1.0,
                    attributes=attributes,
                )
            )
            things[name], surroundings[name] = node.number, around
            if node.key:
                keys[name] = node.key
            spell(node.children, name, around)

    spell(nodes, "", "")
    screen = Screen(locale, "p", "s", "", 9, 9, 1.0, "web", locale, tuple(elements))
    return screen, Structure(locale, keys, surroundings), things


@st.composite
def trees(draw: st.DrawFn) -> list[Node]:
    """Draw a page of up to four levels, in which a third of the things have keys of their own."""
    source = random.Random(draw(st.integers(0, 2**32)))  # noqa: S311 - reproducible, not secret
    count = 0

    def grow(depth: int) -> list[Node]:
        nonlocal count
        found = []
        for _ in range(source.randint(1, 4)):
            count += 1
            key = f"/{count}" if source.random() < 1 / 3 else ""
            inside = grow(depth - 1) if depth and source.random() < 0.6 else []
            found.append(Node(count, source.choice(ROLES), key, inside))
        return found

    return grow(3)


def lists(nodes: Sequence[Node]) -> list[list[Node]]:
    """Return every list of siblings below and at a level."""
    found = [list(nodes)]
    for node in nodes:
        found += lists(node.children)
    return found


def changed(nodes: list[Node], seed: int) -> list[Node]:
    """Sort lists of things with keys anew, and add one thing somewhere, as a language may."""
    source = random.Random(seed)  # noqa: S311 - reproducible, not secret
    copied: list[Node] = msgspec.convert(msgspec.to_builtins(nodes), list[Node])

    def shuffle(below: list[Node]) -> None:
        if below and all(node.key for node in below):
            source.shuffle(below)
        for node in below:
            shuffle(node.children)

    shuffle(copied)
    if source.random() < 0.5:
        target = copied
        while target and source.random() < 0.6:
            target = source.choice(target).children
        target.insert(source.randint(0, len(target)), Node(10_000, source.choice(ROLES)))
    return copied


@given(trees(), st.integers(0, 2**32))
def test_no_pair_is_wrong_whatever_a_language_adds_or_sorts(nodes: list[Node], seed: int) -> None:
    """Every pair names one thing; where nothing was added or sorted, all are paired."""
    first, structure, things = page(nodes, "en")
    other = changed(nodes, seed)
    second, second_structure, second_things = page(other, "fr")

    found = match_screens(first, second, structure, second_structure)

    wrong = [pair for pair in found.pairs.items() if things[pair[0]] != second_things[pair[1]]]
    assert wrong == []
    if other == nodes:
        assert (len(found.pairs), found.share) == (len(things), 1.0)
    lost = sum(found.unmatched.values())
    assert lost == len(things) - len(found.pairs)


@pytest.mark.parametrize(("keyed", "paired"), [(True, 9), (False, 1)], ids=["keys", "none"])
def test_a_list_that_each_language_sorts_is_matched_by_what_its_entries_lead_to(
    keyed: bool,
    paired: int,
) -> None:
    """With links all entries are found again; without, unchanged names tell that it was sorted."""
    countries = [Node(at, "listitem", f"/country/{at}" if keyed else "") for at in range(2, 10)]
    first, structure, things = page([Node(1, "list", "", countries)], "en")
    second, second_structure, others = page([Node(1, "list", "", countries[::-1])], "en")

    found = match_screens(first, second, structure, second_structure)

    assert len(found.pairs) == paired
    assert all(things[one] == others[other] for one, other in found.pairs.items())
    assert found.unmatched == ({} if keyed else {"other order": 8})


def test_what_nothing_tells_apart_is_left_out_with_the_reason() -> None:
    """One of three buttons gone, and a sentence in another order: neither is guessed at."""
    buttons = [Node(at, "button") for at in (2, 3, 4)]
    words = [Node(6, "text"), Node(7, "code"), Node(8, "text")]
    first, structure, _ = page([Node(1, "list", "", buttons), Node(5, "region", "", words)], "en")
    fewer = [buttons[0], buttons[2]]
    turned = [words[1], words[2], words[0], Node(9, "strong")]
    second, second_structure, _ = page(
        [Node(1, "list", "", fewer), Node(5, "region", "", turned)], "ru"
    )

    found = match_screens(first, second, structure, second_structure)

    assert sorted(found.pairs) == ["/list:1", "/region:1"]
    assert found.unmatched == {"other number": 3, "other sentence": 3}
    assert found.share == pytest.approx(2 / 8)
