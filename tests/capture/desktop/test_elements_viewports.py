"""
What lies in a scrolled viewport is found where it is painted, and nowhere else.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.capture.desktop.observe import observe
from surefoot.capture.desktop.record import JudgedRecord, judge
from surefoot.capture.desktop.steps import recipe_of_command
from surefoot.capture.settings import Settings
from surefoot.core.screen import Element

pytestmark = pytest.mark.desktop
PROGRAM = Path(__file__).parent / "programs" / "viewports_qt.py"
KINDS = (
    "Still", "Down", "Across", "Inner", "Plain", "Single", "Framed", "Second", "Page",
    "Drawer", "West", "East",
)  # fmt: skip
FIELDS = ("Street", "Town", "Country", "Phone")


@pytest.fixture(scope="module")
def seen() -> JudgedRecord:
    """Capture a program that shows buttons through every kind of viewport that Qt has."""
    return judge(observe(recipe_of_command(f"/usr/bin/python3 {PROGRAM}"), Settings()), Settings())


def controls(seen: JudgedRecord, kind: str) -> list[Element]:
    """Return all controls of a kind that the program claims, wherever they are."""
    found = [draft.element for draft in seen.seen.drafts if kind in draft.element.name.split()]
    return [element for element in found if element.role in {"button", "checkbox"}]


def hit(seen: JudgedRecord) -> set[str]:
    """Return the names of what a click reaches."""
    return {element.name for element in seen.elements if element.hit}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_wholly_painted_is_reached_and_what_is_not_is_not(
    seen: JudgedRecord, kind: str
) -> None:
    """The capture agrees with what Qt itself says of what it paints, in each kind of viewport."""
    names = {element.name for element in controls(seen, kind)}
    whole = {name for name in names if name.split()[0] == kind}
    away = {name for name in names if name.startswith("Away")}

    assert whole
    assert whole <= hit(seen)
    assert not away & hit(seen)


def test_fields_in_a_scroll_area_bear_their_labels(seen: JudgedRecord) -> None:
    """A form in a scroll area has its fields, though only their labels can be spelled."""
    fields = {element.name for element in seen.elements if element.role == "textbox"}

    assert set(FIELDS) <= fields & hit(seen)


def test_pages_and_drawers_that_are_closed_are_not_there(seen: JudgedRecord) -> None:
    """Nothing of a tab or a drawer that is not shown can be hit."""
    names = hit(seen)

    assert not [name for name in names if {"Hidden", "Closed"} & set(name.split())]
