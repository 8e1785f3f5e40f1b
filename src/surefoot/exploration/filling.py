"""
How a form is filled, so that what it is sent to takes it: a value of its type for each field.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from surefoot.capture.actions import Action
from surefoot.core.screen import TYPED_ROLES, Element, Screen
from surefoot.core.seeds import random_source

WORDS: Final = ("north", "rope", "invoice", "order", "report")
# What the kinds of fields accept, as their values are spelt in the page.
SPELT: Final = {
    "email": "{word}@harbour.example",
    "url": "http://harbour.example/{word}",
    "tel": "+44 20 7946 00{day:02}",
    "date": "2026-02-{day:02}",
    "datetime-local": "2026-02-{day:02}T09:30",
    "month": "2026-{month:02}",
    "number": "{month}",
    "time": "09:{day:02}",
    "week": "2026-W{day:02}",
}
# What a person takes for one form, where the page does not say.
HOLDERS: Final = frozenset({
    "alertdialog", "banner", "complementary", "contentinfo", "dialog", "form", "navigation",
    "search",
})  # fmt: skip
SEPARATOR: Final = "\u001f"
SUBMIT: Final = "submit"
MOST_FIELDS: Final = 6


def fill(item: Element, seed: int) -> Action | None:
    """
    Return how a field gets a value of its type, or a list another option; None where none can.

    >>> from surefoot.core.geometry import Box
    >>> told = {"tag": "input", "type": "email", "editable": "true"}
    >>> str(fill(Element("input-1", "textbox", Box(0, 0, 9, 9), attributes=told), 0))
    'type input-1 "report@harbour.example"'
    """
    source = random_source(seed, "exploration", item.id)
    if item.attributes.get("tag") == "select":
        labels = item.attributes.get("options", "").split(SEPARATOR)
        others = [number for number, label in enumerate(labels) if label != item.text]
        return Action("choose", item.id, str(source.choice(others))) if others else None
    kind = item.attributes.get("type", "")
    if item.role not in TYPED_ROLES or item.attributes.get("editable") != "true":
        return None
    kind = "number" if item.role == "spinbutton" and kind not in SPELT else kind
    spelling = SPELT.get(kind, "{word}")
    word, month, day = source.choice(WORDS), source.randrange(2, 9), source.randrange(10, 28)
    return Action("type", item.id, spelling.format(word=word, month=month, day=day))


def form_steps(
    screen: Screen, usable: Sequence[Element], *, seed: int
) -> tuple[tuple[Action, ...], ...]:
    """
    Return, for each form of a screen, the actions that fill and send it.

    Filled are the empty fields that it requires; where it marks none and has a button of the
    type "submit", all its empty fields. A form is left out where one such field is not among
    the ``usable``, where there are more than six, and where it is one line alone, which Enter
    sends. It is sent by the button that follows, or else with Enter.
    """
    parents = {item.id: item for item in screen.elements}
    forms: dict[str, list[Element]] = {}
    for item in screen.elements:
        forms.setdefault(_holder(item, parents), []).append(item)
    can = {item.id for item in usable}
    found = []
    for items in forms.values():
        needed = _needed(items, can)
        filled = [action for item in needed if item.id in can and (action := fill(item, seed))]
        if not needed or len(filled) < len(needed) or len(needed) > MOST_FIELDS:
            continue
        last = needed[-1]
        send = _send(last, (item for item in items[items.index(last) :] if item.id in can))
        if send and (len(needed) > 1 or last.attributes.get("tag") != "input"):
            found.append((*filled, send))
    return tuple(found)


def _holder(item: Element, parents: Mapping[str, Element]) -> str:
    """Return the id of what a person takes for the form of an element, "" for the page."""
    above = parents.get(item.parent)
    while above is not None and above.role not in HOLDERS:
        above = parents.get(above.parent)
    return above.id if above else ""


def _needed(items: Sequence[Element], can: Collection[str]) -> list[Element]:
    """Return what has to be filled before a form is sent, in the page's order."""
    empty = [item for item in items if _is_empty(item)]
    required = [item for item in empty if "required" in item.states]
    if required or not any(item.attributes.get("type") == SUBMIT for item in items):
        return required
    return [item for item in empty if item.id in can]


def _is_empty(item: Element) -> bool:
    if item.role in TYPED_ROLES:
        return item.text in {"", item.attributes.get("placeholder", "")}
    is_list = item.attributes.get("tag") == "select"
    return is_list and not any(letter.isalnum() for letter in item.text)


def _send(last: Element, following: Iterable[Element]) -> Action | None:
    """Return how a form is sent whose last field this is, None where nobody can tell."""
    buttons = [
        item
        for item in following
        if item.role == "button" and item.attributes.get("tag") in {"button", "input"}
    ]
    buttons.sort(key=lambda item: item.attributes.get("type") != SUBMIT)
    if buttons:
        return Action("click", buttons[0].id)
    if last.attributes.get("tag") == "input":
        return Action("press", last.id, "Enter")
    return None
