"""
AT-SPI's roles and states become ARIA's.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from surefoot.capture.desktop.roles import CONTAINERS, ROLES, role_of, states_of
from surefoot.capture.desktop.tree import AtspiNode
from surefoot.core.screen import INTERACTIVE_ROLES

MakeNode = Callable[..., AtspiNode]
ARIA = INTERACTIVE_ROLES | CONTAINERS | frozenset({
    "alert", "article", "blockquote", "caption", "columnheader", "gridcell", "heading", "img",
    "listitem", "log", "meter", "paragraph", "progressbar", "rowheader", "scrollbar", "status",
    "text",
})  # fmt: skip


def test_every_role_is_one_that_the_web_knows() -> None:
    """The table maps to ARIA roles and to the capture's own "text" and "window" alone."""
    assert set(ROLES.values()) <= ARIA


@pytest.mark.parametrize(
    ("said", "above", "states", "role"),
    [
        ("push button", "panel", (), "button"),
        ("toggle button", "panel", (), "button"),
        ("check box", "panel", (), "checkbox"),
        ("check box", "frame", ("has-popup",), "button"),
        ("menu", "menu bar", (), "menuitem"),
        ("menu", "menu", (), "menuitem"),
        ("menu", "window", (), "menu"),
        ("popup menu", "menu item", (), "menu"),
        ("radio menu item", "menu", (), "menuitemradio"),
        ("text", "panel", ("editable", "focusable"), "textbox"),
        ("text", "panel", (), "text"),
        ("table cell", "tree", (), "treeitem"),
        ("table cell", "table", (), "gridcell"),
        ("icon", "layered pane", ("selectable",), "option"),
        ("icon", "panel", (), "img"),
        ("list item", "list", (), "listitem"),
        ("list item", "list", ("selectable",), "option"),
        ("frame", "filler", (), ""),
        ("panel", "frame", (), ""),
        ("filler", "frame", (), ""),
        ("something new", "frame", (), ""),
    ],
)
def test_role_in_its_place(
    node: MakeNode, said: str, above: str, states: tuple[str, ...], role: str
) -> None:
    """A role is told by AT-SPI's role, the parent's role and what the node allows."""
    assert role_of(node(said, 0, None, *states), node(above)) == role


def test_window_frame_is_a_window(node: MakeNode) -> None:
    """A frame without a parent is a window, and a list whose items can be chosen a listbox."""
    assert role_of(node("frame"), None) == "window"
    assert role_of(node("list", 0), node("panel"), selectable_children=True) == "listbox"
    assert role_of(node("list", 0), node("panel")) == "list"


def test_named_panel_is_a_group(node: MakeNode) -> None:
    """A panel counts as a group where it has a name."""
    assert role_of(node("panel", 0, name="History"), node("tool bar")) == "group"


@pytest.mark.parametrize(
    ("role", "said", "states"),
    [
        ("checkbox", ("checked",), ("checked",)),
        ("checkbox", ("indeterminate",), ("mixed",)),
        ("button", ("checked",), ("pressed",)),
        ("combobox", ("expandable",), ("collapsed",)),
        ("combobox", ("expandable", "expanded"), ("expanded",)),
        ("option", ("selected", "focused"), ("focused", "selected")),
        ("textbox", (), ("readonly",)),
        ("textbox", ("editable", "required", "invalid-entry"), ("invalid", "required")),
        ("toolbar", ("focused", "expandable"), ()),
    ],
)
def test_states_in_the_words_of_the_web(
    node: MakeNode, role: str, said: tuple[str, ...], states: tuple[str, ...]
) -> None:
    """States bear the web's names, sorted, and only where the role has them."""
    assert states_of(node("x", 0, None, *said), role) == states


def test_what_is_not_sensitive_is_disabled() -> None:
    """A node that is neither enabled nor sensitive is disabled."""
    assert states_of(AtspiNode("push button", 0, 0, 0, states=("visible",)), "button") == (
        "disabled",
    )
