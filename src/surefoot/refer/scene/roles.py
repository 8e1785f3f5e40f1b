"""
Which elements can be targets, and which roles the word for one could be taken for.

The strict reading takes a role's word for that role alone; the lenient reading takes it
for every role that can look alike in a picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from surefoot.core.screen import INTERACTIVE_ROLES

TARGETS: Final = frozenset(
    {
        "button", "checkbox", "combobox", "link", "menuitem", "radio", "searchbox", "slider",
        "spinbutton", "switch", "tab", "textbox",
    }
)  # fmt: skip

# Roles that one word could stand for; a role may be in several of these.
_LOOK_ALIKE: Final = (
    frozenset({"button", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "tab"}),
    frozenset({"link", "menuitem", "option", "treeitem", "tab"}),
    frozenset({"textbox", "searchbox", "combobox", "spinbutton"}),
    frozenset({"combobox", "listbox", "button"}),
    frozenset({"checkbox", "switch", "radio", "menuitemcheckbox", "menuitemradio"}),
    frozenset({"switch", "button"}),
    frozenset({"slider", "spinbutton"}),
)
_COULD_MEAN: Final[Mapping[str, frozenset[str]]] = {
    role: frozenset({role}).union(*(item for item in _LOOK_ALIKE if role in item))
    for role in INTERACTIVE_ROLES
}
# An element of no role that was written with these tags is drawn like one that has it.
TAG_ROLES: Final[Mapping[str, str]] = {"a": "link", "button": "button"}


def could_mean(role: str) -> frozenset[str]:
    """
    Return every role that a role's word could be taken for, the role itself among them.

    >>> sorted(could_mean("checkbox"))
    ['checkbox', 'menuitemcheckbox', 'menuitemradio', 'radio', 'switch']
    """
    return _COULD_MEAN.get(role, frozenset({role}))
