"""
What state an element is in, and what acting on it does: the parts state and function.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from surefoot.core.instruction import Function, State
from surefoot.core.screen import INTERACTIVE_ROLES, TYPED_ROLES
from surefoot.refer.scene.geometry import Mask, Reading
from surefoot.refer.scene.names import key_of, sayable, spoken
from surefoot.refer.scene.scene import Scene

_BOXES: Final = frozenset({"checkbox", "switch"})
_SWITCHABLE: Final = _BOXES | {"radio", "menuitemcheckbox", "menuitemradio", "button"}
_STRICT: Final[Mapping[Function, frozenset[str]]] = {
    "turn on": _BOXES,
    "turn off": _BOXES,
    "enter": TYPED_ROLES,
    "choose": frozenset({"combobox", "listbox"}),
    "open": frozenset({"button", "combobox", "menuitem"}),
    "go to": frozenset({"link"}),
    "show": frozenset({"tab"}),
    "adjust": frozenset({"slider", "spinbutton"}),
    "close": frozenset({"button"}),
    "search": frozenset({"button", "searchbox"}),
}
_LENIENT: Final[Mapping[Function, frozenset[str]]] = {
    "turn on": _SWITCHABLE,
    "turn off": _SWITCHABLE,
    "enter": TYPED_ROLES | {"combobox"},
    "choose": frozenset({
        "combobox", "listbox", "option", "radio", "radiogroup", "spinbutton", "textbox",
    }),
    "open": frozenset({"button", "combobox", "link", "menuitem", "tab"}),
    "go to": frozenset({"button", "link", "menuitem", "option", "tab", "treeitem"}),
    "show": frozenset({"button", "link", "menuitem", "tab"}),
    "adjust": frozenset({"scrollbar", "slider", "spinbutton", "textbox"}),
    "close": frozenset({"button", "link", "menuitem"}),
    "search": INTERACTIVE_ROLES,
}  # fmt: skip
_CLOSING: Final = frozenset({"close", "dismiss"})
_LEAVING: Final = _CLOSING | {"cancel", "exit", "quit"}
_SEEKING: Final = frozenset({"search", "find"})
CHECKABLE: Final = frozenset({
    "checkbox", "menuitemcheckbox", "menuitemradio", "radio", "switch",
})  # fmt: skip
# What looks chosen may be called selected or pressed, whichever of these it is.
CHOSEN: Final = frozenset({"checked", "pressed", "selected"})


def of_function(scene: Scene, function: Function, reading: Reading) -> Mask:
    """Tell for which elements acting on them does this."""
    key = ("function", function, reading)
    if key not in scene.masks:
        does = _does if reading == "strict" else _could_do
        roles = (_STRICT if reading == "strict" else _LENIENT)[function]
        found = [
            element.role in roles and does(scene, place, function)
            for place, element in enumerate(scene.elements)
        ]
        scene.masks[key] = np.array(found, dtype=bool)
    return scene.masks[key]


def _does(scene: Scene, place: int, function: Function) -> bool:
    element = scene.elements[place]
    match function:
        case "turn on" | "turn off":
            state: State = "unchecked" if function == "turn on" else "checked"
            return is_in_state(scene, place, state, "strict")
        case "enter":
            return element.attributes.get("editable") == "true"
        case "open":
            return "collapsed" in element.states
        case "close":
            return scene.names[place].casefold() in _CLOSING
        case "search":
            return element.role == "searchbox" or scene.names[place].casefold() == "search"
        case _:
            return True


def _could_do(scene: Scene, place: int, function: Function) -> bool:
    name = scene.names[place]
    if function == "close":
        first = key_of(name).words[:1]
        return (bool(name) and not sayable(name)) or bool(_LEAVING & set(first))
    if function == "search":
        placeholder = spoken(scene.elements[place].attributes.get("placeholder", ""))
        words = {*key_of(name).words, *key_of(placeholder).words}
        return scene.elements[place].role == "searchbox" or bool(_SEEKING & words)
    return True


def in_state(scene: Scene, state: State, reading: Reading) -> Mask:
    """Tell which elements are in a state."""
    key = ("state", state, reading)
    if key not in scene.masks:
        places = range(len(scene.elements))
        found = [is_in_state(scene, place, state, reading) for place in places]
        scene.masks[key] = np.array(found, dtype=bool)
    return scene.masks[key]


def is_in_state(scene: Scene, place: int, state: State, reading: Reading) -> bool:
    """Tell whether one element (by its place) is in a state."""
    role, states = scene.elements[place].role, set(scene.elements[place].states)
    lenient = reading == "lenient"
    match state:
        case "checked":
            wanted = {"checked", "mixed"} if lenient else {"checked"}
            return role in CHECKABLE and bool(states & wanted)
        case "unchecked":
            unwanted = {"checked"} if lenient else {"checked", "mixed"}
            return role in CHECKABLE and not states & unwanted
        case "empty":
            return role in TYPED_ROLES and _is_empty(scene, place, reading)
        case "selected" | "pressed" if lenient:
            return bool(states & CHOSEN)
        case _:
            return state in states


def _is_empty(scene: Scene, place: int, reading: Reading) -> bool:
    attributes = scene.elements[place].attributes
    text = scene.texts[place]
    if reading == "lenient":
        return text in ("", spoken(attributes.get("placeholder", "")))
    # What is typed into a password field is drawn as dots and recorded as nothing.
    hidden = attributes.get("type") == "password"
    return not hidden and not any(scene.texts[item] for item in (place, *scene.below(place)))
