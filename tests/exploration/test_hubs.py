"""
Where effects are compared: states with most to try that can be said, and how it goes on there.
"""

from __future__ import annotations

from surefoot.capture.actions import Action
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.exploration.hubs import chosen_hubs, onward_from, second_steps, shared_links
from surefoot.exploration.records import ActionEffect


def _item(number: int, role: str, name: str, *, left: float | None = None) -> Element:
    box = Box.from_xywh(20.0 * number if left is None else left, 10, 15, 15)
    return Element(
        f"{role}-{number}",
        role,
        box,
        name=name,
        hits=(True,) * 5,
        visible_fraction=1.0,
        name_boxes=(box,),
    )


def _screen(page: str, *elements: Element) -> Screen:
    return Screen(page, page, page, "", 800, 600, 1.0, "web", "en", elements, site="s")


def _buttons(*names: str) -> list[Element]:
    return [_item(number, "button", name) for number, name in enumerate(names)]


def test_the_state_with_most_to_try_is_chosen_and_what_was_tried_is_not_again() -> None:
    """Of two pages with one toolbar the second is chosen only for what is its own."""
    tools = ("Bold", "Italic", "Undo", "Redo")
    screens = {
        "small": _screen("small", *_buttons(*tools)),
        "large": _screen("large", *_buttons(*tools, "Insert")),
        "other": _screen("other", *_buttons("Sort", "Share", "Align", "Rename", "Bold")),
        "poor": _screen("poor", *_buttons("Open", "Save", "Find")),
    }

    hubs = chosen_hubs(screens, 5, seed=1)

    assert set(hubs) == {"large", "other"}
    assert len(hubs["large"]) + len(hubs["other"]) == 10
    assert hubs == chosen_hubs(screens, 5, seed=1)
    assert len(chosen_hubs(screens, 1, seed=1)) == 1
    without = chosen_hubs(screens, 5, unfit={("button", "Share")}, seed=1)
    assert "other" not in without


def test_only_what_can_be_said_is_tried() -> None:
    """Two of one name, a name that is not drawn, an icon, and rows after the second are left."""
    hidden = Element(
        "button-20",
        "button",
        Box(700, 0, 709, 9),
        name="Fold",
        hits=(True,) * 5,
        visible_fraction=1.0,
    )
    rows = [_item(30 + row, "link", f"Order {row}", left=300.0) for row in range(5)]
    own = _buttons("Open", "Close", "Add", "add", "Sort", "+")
    hubs = chosen_hubs({"p": _screen("p", *own, hidden, *rows)}, 1, seed=1)
    tried = [steps[0].element for steps in hubs["p"]]
    assert {*tried[:3]} == {"button-0", "button-1", "button-4"}
    assert len([name for name in tried if name.startswith("link")]) == 2
    assert len(tried) == 5


def test_one_goes_on_from_what_opened_something() -> None:
    """A dialog, a menu and a page are gone on from, kinds in turn; a switch never is."""
    kinds = ("page", "page", "page", "switch", "menu", "dialog", "hides")
    tried = [
        ((Action("click", f"button-{number}"),), ActionEffect(kind))  # type: ignore[arg-type]
        for number, kind in enumerate(kinds)
    ]
    names = [steps[0].element for steps in onward_from(tried)]
    assert names == ["button-5", "button-4", "button-0", "button-1"]


def test_what_most_states_link_to_is_tried_once() -> None:
    """A link of four states is tried in one, unless it is unfit; one of three is not."""
    menu = [_item(at, "link", name) for at, name in enumerate(("Journal", "Stock", "▾"))]
    pages = {f"p{at}": _screen(f"p{at}", menu[0], menu[2], *_buttons("Add")) for at in range(4)}
    pages |= {f"q{at}": _screen(f"q{at}", menu[1]) for at in range(3)}

    ((page, steps),) = shared_links(pages, seed=1)

    assert page.startswith("p")
    assert steps == (Action("click", "link-0"),)
    assert not shared_links(pages, unfit={("link", "Journal")}, seed=1)


def test_what_came_is_tried_before_what_was_there() -> None:
    """After a menu its items come first, and the control that opened it not at all."""
    hub = _screen("hub", *_buttons("Menu", "Help", "Search"))
    items = [_item(10 + at, "menuitem", name) for at, name in enumerate(("Copy", "Move"))]
    opened = _screen("opened", *hub.elements, *items)
    tried = second_steps(hub, opened, "button-0", seed=1)
    assert {steps[0].element for steps in tried[:2]} == {"menuitem-10", "menuitem-11"}
    assert tried[2][0].element in {"button-1", "button-2"}
