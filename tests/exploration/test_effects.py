"""
Effects of actions and the difference of states, on screens made by hand.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.exploration.effects import effect_of, state_digest

ScreenMaker = Callable[..., Screen]


def _item(number: int, role: str, name: str, *states: str) -> Element:
    return Element(
        f"{role}-{number}",
        role,
        Box.from_xywh(10, 30.0 * number, 80, 20),
        name=name,
        states=states,
        visible_fraction=1.0,
        hits=(True,) * 5,
    )


BEFORE = (
    _item(1, "heading", "Orders"),
    _item(2, "button", "More"),
    _item(3, "checkbox", "Urgent"),
    _item(4, "link", "Rope"),
    _item(5, "link", "Lantern"),
    _item(6, "text", "12 orders"),
)
SWAPPED = (_item(4, "link", "Lantern"), _item(5, "link", "Rope"))
OPENED = (_item(7, "dialog", "New"), _item(8, "button", "Save"))
UNFOLDED = (_item(7, "menuitem", "Cut"), _item(8, "menuitem", "Put"))
MORE = BEFORE[1].id


def _screen(*elements: Element, title: str = "Stock") -> Screen:
    return Screen("s", "p", "x", "", 400, 300, 1.0, "web", "en", elements, title=title)


@pytest.mark.parametrize(
    ("after", "kind", "appeared"),
    [
        (BEFORE, "nothing", ()),
        ((*BEFORE, *OPENED), "dialog", ("New", "Save")),
        ((*BEFORE, *UNFOLDED), "menu", ("Cut", "Put")),
        ((*BEFORE, _item(7, "link", "Anchor")), "shows", ("Anchor",)),
        (BEFORE[:-2], "hides", ()),
        ((*BEFORE[:3], *SWAPPED, BEFORE[5]), "reorders", ("Lantern", "Rope")),
        ((*BEFORE[:3], _item(4, "link", "Sail"), *BEFORE[4:]), "changes", ("Sail",)),
        ((_item(9, "link", "Ship"), _item(10, "link", "Quay")), "page", ("Ship", "Quay")),
    ],
    ids=["nothing", "dialog", "menu", "shows", "hides", "reorders", "changes", "page"],
)  # fmt: skip
def test_an_effect_is_named_by_what_can_be_seen(
    after: tuple[Element, ...], kind: str, appeared: tuple[str, ...]
) -> None:
    """Each kind of difference has its name, and tells what came."""
    effect = effect_of(_screen(*BEFORE), _screen(*after), MORE)
    assert (effect.kind, effect.appeared) == (kind, appeared)


def test_another_title_is_another_page() -> None:
    """A page is told by its title even where it looks alike."""
    effect = effect_of(_screen(*BEFORE), _screen(*BEFORE, title="Archive"), MORE)
    assert (effect.kind, effect.title) == ("page", "Archive")


def test_a_switch_changes_what_was_acted_on_alone() -> None:
    """A box that is ticked gains a state; the focus it takes is none."""
    ticked = _item(3, "checkbox", "Urgent", "checked", "focused")
    after = (*BEFORE[:2], ticked, *BEFORE[3:])
    effect = effect_of(_screen(*BEFORE), _screen(*after), ticked.id)
    assert (effect.kind, effect.gained, effect.lost) == ("switch", ("checked",), ())
    undone = effect_of(_screen(*after), _screen(*BEFORE), ticked.id)
    assert (undone.kind, undone.gained, undone.lost) == ("switch", (), ("checked",))


def test_states_differ_by_what_can_be_acted_on() -> None:
    """Running text and the focus make no state; names, states and structure do."""
    known = state_digest(_screen(*BEFORE))
    counted = msgspec.structs.replace(BEFORE[5], name="13 orders")
    focused = _item(2, "button", "More", "focused")
    assert state_digest(_screen(BEFORE[0], focused, *BEFORE[2:5], counted)) == known
    others = (
        BEFORE[:-1],
        (*BEFORE[:1], _item(2, "button", "Less"), *BEFORE[2:]),
        (*BEFORE[:2], _item(3, "checkbox", "Urgent", "checked"), *BEFORE[3:]),
    )
    assert len({known, *(state_digest(_screen(*items)) for items in others)}) == 4


def test_another_heading_above_a_tree_is_another_page() -> None:
    """A tree that comes while the page's heading goes is part of a page, and no menu."""
    files = (_item(9, "heading", "Files"), _item(7, "tree", "Folders"), *BEFORE[1:])
    effect = effect_of(_screen(*BEFORE), _screen(*files), MORE)
    assert (effect.kind, effect.title) == ("page", "Files")


def test_a_clock_that_went_on_is_no_effect() -> None:
    """An application tells the time of its last draft: a minute later the click did no more."""
    saved = [_item(9, "text", f"Draft saved on 2026/11/23 {time}") for time in ("13:22", "13:26")]
    ticked = msgspec.structs.replace(BEFORE[2], states=("checked",))
    after = _screen(*BEFORE[:2], ticked, *BEFORE[3:], saved[1])
    effect = effect_of(_screen(*BEFORE, saved[0]), after, BEFORE[2].id)
    assert (effect.kind, effect.gained) == ("switch", ("checked",))
