"""
Controls found again: whatever moved, nothing is paired with what it is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.parallel.versions import Control
from surefoot.run.gates.baseline import (
    BaselineHead,
    GateBaseline,
    GatedPage,
    GatedQuestion,
)
from surefoot.run.gates.matching import SharedControls, pair_releases

HEAD: Final = BaselineHead("surefoot-baseline@1", "m", "m", "b")
MAIN: Final = ("main",)


def release(pages: dict[str, Sequence[Control]]) -> GateBaseline:
    """Return a run with one question a control, each hit as often as it was asked."""
    questions = tuple(
        GatedQuestion(page, at, "original", "direct", f"Click {one.name}", 10, 10, f"{page} {at}")
        for page, controls in pages.items()
        for at, one in enumerate(controls)
    )
    held = {page: GatedPage(page, tuple(controls)) for page, controls in pages.items()}
    return GateBaseline(HEAD, held, questions)


def paired_names(
    found: SharedControls, old: GateBaseline, new: GateBaseline
) -> list[tuple[str, str]]:
    """Return the names of the controls that were paired."""
    return [
        (
            old.pages[before.page].controls[before.control].name,
            new.pages[after.page].controls[after.control].name,
        )
        for before, after in found.questions
    ]


def buttons(*names: str) -> list[Control]:
    """Return buttons with these names."""
    return [Control("button", name, MAIN) for name in names]


NAMES: Final = st.lists(st.text("abcdefgh", min_size=2, max_size=6), min_size=4, unique=True)


@given(NAMES, st.randoms(use_true_random=False), st.integers(0, 3))
def test_named_controls_are_found_wherever_they_went(
    names: list[str], source: object, added: int
) -> None:
    """Shuffled, with others between them, on another port and path, each finds its own name."""
    moved = [*names, *(f"new {at}" for at in range(added))]
    source.shuffle(moved)  # type: ignore[attr-defined]
    old = release({"127.0.0.1:8000/orders": buttons(*names)})
    new = release({"127.0.0.1:9000/app/v2/orders": buttons(*moved)})

    found = pair_releases(old, new)

    assert sorted(paired_names(found, old, new)) == sorted((name, name) for name in names)
    assert (found.renamed, found.gone, len(found.new)) == ((), (), added)


@given(NAMES, st.data())
def test_one_new_name_between_two_neighbours_is_a_rename(
    names: list[str], data: st.DataObject
) -> None:
    """The one control whose name is another one is paired by its place, and listed."""
    at = data.draw(st.integers(0, len(names) - 1))
    changed = [*names[:at], "Renamed", *names[at + 1 :]]
    old, new = release({"p": buttons(*names)}), release({"p": buttons(*changed)})

    found = pair_releases(old, new)

    assert (names[at], "Renamed") in paired_names(found, old, new)
    assert [name for _, name in found.renamed] == ["Renamed"]
    assert len(found.questions) == len(names)


def test_what_came_beside_what_went_elsewhere_is_no_rename() -> None:
    """A name that still stands on the page is not called renamed where another takes its place."""
    old = release({"p": [*buttons("Home", "Email", "Name"), Control("link", "VAT", MAIN)]})
    new = release({"p": [*buttons("Home", "Total", "Name"), Control("textbox", "Email", MAIN)]})
    found = pair_releases(old, new)
    assert ("Email", "Total") not in paired_names(found, old, new)
    assert found.renamed == ()


def test_rows_of_equal_buttons_are_paired_in_their_order() -> None:
    """Three rows with Edit and Delete each keep theirs while a banner appears above them."""
    rows = buttons(*(name for _ in range(3) for name in ("Edit", "Delete")))
    old = release({"p": [*buttons("Top"), *rows, *buttons("End")]})
    new = release({"p": [*buttons("News", "Top"), *rows, *buttons("End")]})
    found = pair_releases(old, new)
    pairs = {(one.control, other.control) for one, other in found.questions}
    assert pairs == {(at, at + 1) for at in range(8)}
    assert found.new == ("button 'News' on p",)


def test_rows_that_are_not_the_same_are_not_guessed() -> None:
    """Where a row of equal buttons went, none of them is paired with one that it may not be."""
    old = release({"p": buttons("Top", "Edit", "Edit", "Edit", "End")})
    new = release({"p": buttons("Top", "Edit", "Edit", "End")})
    assert paired_names(pair_releases(old, new), old, new) == [("Top", "Top"), ("End", "End")]


def test_pages_are_paired_by_what_they_hold() -> None:
    """A page with another address keeps its controls; a page with others is no such page."""
    old = release({"a:1/x": buttons("A", "B", "C"), "a:1/y": buttons("D", "E", "F")})
    new = release({"b:2/z": buttons("D", "E", "F", "G"), "b:2/x": buttons("Q", "R")})
    found = pair_releases(old, new)
    assert paired_names(found, old, new) == [("D", "D"), ("E", "E"), ("F", "F")]
    assert found.gone == tuple(f"button '{name}' on a:1/x" for name in "ABC")
