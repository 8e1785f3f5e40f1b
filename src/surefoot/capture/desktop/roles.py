"""
AT-SPI's roles and states in ARIA's words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from surefoot.capture.desktop.tree import AtspiNode
from surefoot.core.screen import CHECKABLE_ROLES, TYPED_ROLES

# What is not named here is drawn by its parent or by its children: it is left out.
ROLES: Final[Mapping[str, str]] = {
    "alert": "alertdialog",
    "article": "article",
    "autocomplete": "combobox",
    "block quote": "blockquote",
    "calendar": "grid",
    "canvas": "img",
    "caption": "caption",
    "chart": "img",
    "check box": "checkbox",
    "check menu item": "menuitemcheckbox",
    "color chooser": "dialog",
    "column header": "columnheader",
    "combo box": "combobox",
    "date editor": "textbox",
    "description list": "list",
    "desktop icon": "option",
    "dial": "slider",
    "dialog": "dialog",
    "directory pane": "group",
    "document email": "document",
    "document frame": "document",
    "document presentation": "document",
    "document spreadsheet": "document",
    "document text": "document",
    "document web": "document",
    "drawing area": "img",
    "editbar": "textbox",
    "entry": "textbox",
    "file chooser": "dialog",
    "font chooser": "dialog",
    "footer": "contentinfo",
    "form": "form",
    "frame": "window",
    "grouping": "group",
    "heading": "heading",
    "icon": "img",
    "image": "img",
    "image map": "img",
    "info bar": "alert",
    "label": "text",
    "landmark": "region",
    "level bar": "meter",
    "link": "link",
    "list": "list",
    "list box": "list",
    "list item": "listitem",
    "log": "log",
    "menu": "menu",
    "menu bar": "menubar",
    "menu item": "menuitem",
    "notification": "alert",
    "option pane": "dialog",
    "page": "document",
    "page tab": "tab",
    "page tab list": "tablist",
    "panel": "group",
    "paragraph": "paragraph",
    "password text": "textbox",
    "popup menu": "menu",
    "progress bar": "progressbar",
    "push button": "button",
    "push button menu": "button",
    "radio button": "radio",
    "radio menu item": "menuitemradio",
    "rating": "slider",
    "row header": "rowheader",
    "scroll bar": "scrollbar",
    "section": "group",
    "separator": "separator",
    "slider": "slider",
    "spin button": "spinbutton",
    "static": "text",
    "status bar": "status",
    "table": "grid",
    "table cell": "gridcell",
    "table column header": "columnheader",
    "table row": "row",
    "table row header": "rowheader",
    "terminal": "log",
    "text": "text",
    "title bar": "banner",
    "toggle button": "button",
    "tool bar": "toolbar",
    "tool tip": "tooltip",
    "tree": "tree",
    "tree item": "treeitem",
    "tree table": "treegrid",
    "video": "img",
    "window": "window",
}
NOTHING: Final = "none"
# Containers that say nothing unless they bear a name.
NAMED_ONLY: Final = frozenset({"panel", "grouping", "section", "directory pane", "form"})
# What only holds others, and nobody clicks; as on the web.
CONTAINERS: Final = frozenset({
    "alertdialog", "banner", "complementary", "contentinfo", "dialog", "document", "feed",
    "figure", "form", "grid", "group", "list", "listbox", "main", "menu", "menubar",
    "navigation", "radiogroup", "region", "row", "rowgroup", "search", "separator", "table",
    "tablist", "toolbar", "tooltip", "tree", "treegrid", "window",
})  # fmt: skip
# Inside these a piece of text is a part of the whole, not a thing of its own.
CLOSED: Final = frozenset({
    "button", "checkbox", "heading", "link", "menuitem", "menuitemcheckbox", "menuitemradio",
    "option", "radio", "switch", "tab", "tooltip", "gridcell", "treeitem", "columnheader",
})  # fmt: skip
EXPANDING: Final = frozenset({"button", "combobox", "menuitem", "treeitem", "gridcell", "row"})


def role_of(
    node: AtspiNode, parent: AtspiNode | None, *, selectable_children: bool = False
) -> str:
    """
    Return the ARIA role of a node, "" where nobody sees it as a thing.

    ``selectable_children`` tells that the items of a list can be chosen.

    >>> [role_of(AtspiNode(role, 0, 0, 0), None) for role in ("push button", "filler")]
    ['button', '']
    """
    above = parent.role if parent else ""
    if node.role in NAMED_ONLY and not node.name:
        return ""
    if node.role in {"list", "list box"}:
        return "listbox" if selectable_children else "list"
    role = _in_place(node, above) or ROLES.get(node.role, "")
    if role in {"listitem", "img"} and "selectable" in node.states:
        return "option"
    return role if role != NOTHING else ""


def states_of(node: AtspiNode, role: str) -> tuple[str, ...]:
    """
    Return the states of a node in the web's words, sorted.

    >>> node = AtspiNode("toggle button", 0, 0, 0, states=("checked", "enabled", "sensitive"))
    >>> states_of(node, "button")
    ('pressed',)
    """
    states = frozenset(node.states)
    found = {
        "disabled": not {"enabled", "sensitive"} & states,
        "checked": role in CHECKABLE_ROLES and "checked" in states,
        "mixed": role in CHECKABLE_ROLES and "indeterminate" in states,
        "pressed": role == "button" and bool({"checked", "pressed"} & states),
        "selected": "selected" in states,
        "expanded": role in EXPANDING and "expanded" in states,
        "collapsed": role in EXPANDING and "expandable" in states and "expanded" not in states,
        "focused": "focused" in states and role not in CONTAINERS,
        "required": "required" in states,
        "invalid": "invalid-entry" in states or "invalid" in states,
        "readonly": role in TYPED_ROLES and "editable" not in states,
    }
    return tuple(sorted(name for name, holds in found.items() if holds))


def _in_place(node: AtspiNode, above: str) -> str:
    """Return the role that a node has because of where it stands or what it allows."""
    states = frozenset(node.states)
    match node.role:
        case "menu" if above in {"menu bar", "menu", "popup menu"}:
            return "menuitem"
        case "frame" if node.parent >= 0:
            return NOTHING
        case "text" if {"editable", "focusable"} & states:
            return "textbox"
        case "table cell" if above == "tree":
            return "treeitem"
        case "check box" if "has-popup" in states:
            return "button"
        case _:
            return ""
