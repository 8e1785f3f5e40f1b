"""
What an element is and what it says: the parts role, name, text and label.
"""

from __future__ import annotations

from typing import Final

from surefoot.core.instruction import Direction, Expression
from surefoot.core.screen import INTERACTIVE_ROLES
from surefoot.refer.judge.ground import (
    Ground,
    Reading,
    line_height,
    name_said,
    seen_boxes,
    text_said,
)
from surefoot.refer.judge.measure import apart, lies_leniently
from surefoot.refer.judge.words import alike, begins_with, same_spelling, words_of

__all__ = ["FIELDS", "is_label", "is_name", "is_role", "is_text"]

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
        return any(alike(each, expression.name) for each in shown)
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
