"""
What state an element is in and what acting on it does: the parts state and function.
"""

from __future__ import annotations

from typing import Final

from surefoot.core.instruction import Expression
from surefoot.core.screen import Element
from surefoot.refer.judge.ground import Ground, Reading, name_said, text_said
from surefoot.refer.judge.words import has_words, same_spelling, words_of

__all__ = ["does", "is_in_state"]

CHECKABLE: Final = {"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"}
TYPED: Final = {"textbox", "searchbox", "spinbutton"}
LENIENT_ROLES: Final = {
    "turn on": CHECKABLE | {"button"},
    "turn off": CHECKABLE | {"button"},
    "enter": TYPED | {"combobox"},
    "choose": {
        "combobox", "listbox", "radio", "radiogroup", "option", "spinbutton", "textbox",
    },
    "open": {"button", "link", "combobox", "menuitem", "tab"},
    "go to": {"link", "button", "menuitem", "tab", "treeitem", "option"},
    "show": {"tab", "link", "button", "menuitem"},
    "adjust": {"slider", "spinbutton", "textbox", "scrollbar"},
}  # fmt: skip
CLOSING: Final = {"close", "dismiss", "cancel", "exit", "quit"}


def is_in_state(ground: Ground, at: int, expression: Expression, reading: Reading) -> bool:
    """Tell whether an element is in the state said."""
    element, state = ground.elements[at], expression.state
    if state in {"checked", "unchecked"}:
        return _is_checked(element, state, reading)
    if state == "empty":
        return _is_empty(ground, at, reading)
    if reading == "lenient" and state in {"selected", "pressed"}:
        return not {"checked", "selected", "pressed"}.isdisjoint(element.states)
    return state in element.states


def _is_checked(element: Element, state: str, reading: Reading) -> bool:
    checked, mixed = "checked" in element.states, "mixed" in element.states
    if element.role not in CHECKABLE:
        return False
    if state == "checked":
        return checked or (mixed and reading == "lenient")
    return not checked and (not mixed or reading == "lenient")


def _is_empty(ground: Ground, at: int, reading: Reading) -> bool:
    element = ground.elements[at]
    if element.role not in TYPED:
        return False
    shown = text_said(element)
    if reading == "strict":
        secret = element.attributes.get("type") == "password"
        return not (shown or secret or ground.words_below(at))
    return not shown or same_spelling(shown, element.attributes.get("placeholder", ""))


def does(ground: Ground, at: int, expression: Expression, reading: Reading) -> bool:
    """Tell whether acting on an element does what is said."""
    element, function = ground.elements[at], expression.function
    if reading == "strict":
        return _does_strictly(element, function)
    if function == "close":
        return _may_close(element)
    if function == "search":
        found = words_of(name_said(element)) + words_of(element.attributes.get("placeholder", ""))
        return ground.control(at) and not {"search", "find"}.isdisjoint(found)
    return element.role in LENIENT_ROLES[function]


def _does_strictly(element: Element, function: str) -> bool:
    role, name = element.role, name_said(element).casefold()
    switchable = role in {"checkbox", "switch"}
    verdicts = {
        "turn on": switchable and _is_checked(element, "unchecked", "strict"),
        "turn off": switchable and _is_checked(element, "checked", "strict"),
        "enter": role in TYPED and element.attributes.get("editable") == "true",
        "choose": role in {"combobox", "listbox"},
        "open": role in {"button", "combobox", "menuitem"} and "collapsed" in element.states,
        "go to": role == "link",
        "show": role == "tab",
        "adjust": role in {"slider", "spinbutton"},
        "close": role == "button" and name in {"close", "dismiss"},
        "search": role == "searchbox" or (role == "button" and name == "search"),
    }
    return verdicts[function]


def _may_close(element: Element) -> bool:
    if element.role not in {"button", "link", "menuitem"}:
        return False
    name = name_said(element)
    sign = name != "" and not has_words(name)
    return sign or words_of(name)[:1] in {(each,) for each in CLOSING}
