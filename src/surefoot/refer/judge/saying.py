"""
What an element is, says and does: the parts role, name, text, label, state and function.
"""

from __future__ import annotations

from typing import Final

from surefoot.core.instruction import Direction, Expression
from surefoot.core.screen import INTERACTIVE_ROLES, Element
from surefoot.refer.judge.ground import (
    Ground,
    Reading,
    line_height,
    name_said,
    seen_boxes,
    text_said,
)
from surefoot.refer.judge.measure import apart, lies_leniently
from surefoot.refer.judge.words import alike, begins_with, has_words, same_spelling, words_of

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
TARGETS: Final = frozenset({
    "button", "checkbox", "combobox", "link", "menuitem", "radio", "searchbox", "slider",
    "spinbutton", "switch", "tab", "textbox",
})  # fmt: skip
# Rows of roles that look alike; a role may stand in several.
LOOK_ALIKES: Final = (
    "button link menuitem menuitemcheckbox menuitemradio tab",
    "link menuitem option treeitem tab",
    "textbox searchbox combobox spinbutton",
    "combobox listbox button",
    "checkbox switch radio menuitemcheckbox menuitemradio",
    "switch button",
    "slider spinbutton",
)
DRAWN_LIKE: Final = {"a": "link", "button": "button"}
FIELDS: Final = frozenset({
    "textbox", "searchbox", "combobox", "spinbutton", "slider", "listbox", "checkbox", "radio",
    "switch",
})  # fmt: skip
LABEL_LINES: Final = 2.0
WAYS: Final[tuple[Direction, ...]] = ("above", "below", "left of", "right of")


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
    return sign or words_of(name)[:1] in {(item,) for item in CLOSING}


def _taken_for(role: str) -> set[str]:
    taken = {role}
    for row in LOOK_ALIKES:
        if role in row.split():
            taken.update(row.split())
    return taken


def is_role(ground: Ground, at: int, expression: Expression, reading: Reading) -> bool:
    """Tell whether an element has the role said, or one that the word is taken for."""
    element, role = ground.elements[at], expression.role
    if reading == "strict":
        return element.role in TARGETS if role == "control" else element.role == role
    looks = {element.role, DRAWN_LIKE.get(element.attributes.get("tag", ""), element.role)}
    if not looks.isdisjoint(INTERACTIVE_ROLES if role == "control" else _taken_for(role)):
        return True
    if role == "control":
        return False
    bare = role == "link" and element.role == "text"
    return bare and words_of(text_said(element)) == words_of(expression.name) != ()


def is_name(ground: Ground, at: int, expression: Expression, reading: Reading) -> bool:
    """Tell whether an element is called so."""
    element = ground.elements[at]
    if reading == "lenient":
        placeholder = element.attributes.get("placeholder", "")
        shown = (element.name, name_said(element), text_said(element), placeholder)
        return any(alike(item, expression.name) for item in shown)
    cut = expression.name_cut and begins_with(name_said(element), expression.name)
    return cut or same_spelling(name_said(element), expression.name)


def is_text(ground: Ground, at: int, expression: Expression, reading: Reading) -> bool:
    """Tell whether an element that shows text shows these words, or is called by them."""
    element, text = ground.elements[at], expression.text
    if not text_said(element):
        return False
    if reading == "lenient":
        return alike(text_said(element), text) or alike(name_said(element), text)
    return same_spelling(text_said(element), text) or same_spelling(name_said(element), text)


def is_label(ground: Ground, at: int, expression: Expression, reading: Reading) -> bool:
    """Tell whether an element is the field that these words label."""
    element, label = ground.elements[at], expression.label
    if element.role not in FIELDS:
        return False
    if reading == "strict":
        labelled = element.name_from in {"label", "aria-labelledby"}
        return labelled and same_spelling(name_said(element), label)
    placeholder = element.attributes.get("placeholder", "")
    return (
        alike(name_said(element), label) or alike(placeholder, label) or _beside(ground, at, label)
    )


def _beside(ground: Ground, at: int, label: str) -> bool:
    """Tell whether a text like the label stands in some direction of a field, near it."""
    for other, text in enumerate(ground.elements):
        meant = ground.visible(other, "lenient") and alike(text_said(text), label)
        if not meant or ground.kin(at, other):
            continue
        line = line_height(text)
        pairs = [
            (box, anchor) for box in seen_boxes(ground, at) for anchor in seen_boxes(ground, other)
        ]
        near = min(apart(*pair) for pair in pairs) <= LABEL_LINES * line
        if near and any(lies_leniently(a, way, b, line) for a, b in pairs for way in WAYS):
            return True
    return False
