"""
What an action did: the difference of two screens of one interface.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from surefoot.core.canonical import digest
from surefoot.core.screen import INTERACTIVE_ROLES, TYPED_ROLES, Element, Screen
from surefoot.exploration.records import ActionEffect, EffectKind

DIALOGS: Final = frozenset({"dialog", "alertdialog"})
MENUS: Final = frozenset({"menu", "listbox", "tree"})
ITEMS: Final = frozenset({"menuitem", "menuitemcheckbox", "menuitemradio", "option"})
NAMED: Final = INTERACTIVE_ROLES | DIALOGS | MENUS | {"heading", "tabpanel", "alert"}
# The focus goes with every click; what was typed is not yet a state of the interface.
FLEETING: Final = frozenset({"focused"})
# An application tells when it last saved, or what time it is, by its own clock.
TIME: Final = re.compile(r"\b\d{1,2}:\d{2}(?::\d{2})?\b")
FEW_ITEMS: Final = 2
KEPT: Final = 0.5  # the least share of elements that stay on a page that is still the same


def state_digest(screen: Screen) -> str:
    """
    Return what tells a state from others: structure, states, and names of what can be acted on.

    Running text and what stands in fields is left out, as is the focus.
    """
    return digest(
        [
            (item.id, item.role, item.name if item.role in NAMED else "", *_states(item))
            for item in screen.elements
            if item.visible_fraction > 0
        ]
    )[:16]


def effect_of(before: Screen, after: Screen, target: str) -> ActionEffect:
    """Return what was done to a screen by acting on the element of the id ``target``."""
    old, new = seen_on(before), seen_on(after)
    appeared = [item for key, item in new.items() if key not in old]
    vanished = [item for key, item in old.items() if key not in new]
    was, now = before.element(target), after.element(target)
    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    if was is not None and now is not None:
        gained = tuple(sorted(set(_states(now)) - set(_states(was))))
        lost = tuple(sorted(set(_states(was)) - set(_states(now))))
    kind, title = _kind(before, after, appeared, vanished)
    if kind == "nothing" and (gained or lost):
        kind = "switch"
    return ActionEffect(kind, title, _names(appeared), _names(vanished), gained, lost)


def _kind(
    before: Screen, after: Screen, appeared: list[Element], vanished: list[Element]
) -> tuple[EffectKind, str]:
    left = len(seen_on(before)) - len(vanished)
    if after.title != before.title or left < KEPT * len(seen_on(before)):
        return "page", after.title or _heading(after.elements)
    dialogs = [item for item in appeared if item.role in DIALOGS]
    if dialogs:
        inside = [item for item in appeared if item.parent]
        return "dialog", dialogs[0].name or _heading(tuple(inside))
    items = [item for item in appeared if item.role in ITEMS]
    if len(items) >= FEW_ITEMS or any(item.role in MENUS for item in appeared):
        heading = _heading(before.elements)
        if heading and heading in {item.name for item in vanished if item.role == "heading"}:
            return "page", _heading(after.elements)  # a menu leaves the heading of the page
        return "menu", ""
    if not appeared and not vanished:
        return ("nothing", "") if _order(before) == _order(after) else ("reorders", "")
    if Counter(map(_label, appeared)) == Counter(map(_label, vanished)):
        return "reorders", ""
    if not vanished:
        return "shows", ""
    return ("hides", "") if not appeared else ("changes", "")


def seen_on(screen: Screen) -> dict[tuple[str, str, str], Element]:
    """Return what can be seen on a screen, but for fields, by id, role and words."""
    return {
        (item.id, item.role, _timeless(item.name or item.text)): item
        for item in screen.elements
        if item.visible_fraction > 0 and item.role not in TYPED_ROLES
    }


def _order(screen: Screen) -> list[str]:
    placed = sorted(seen_on(screen).values(), key=lambda item: (item.box.top, item.box.left))
    return [item.id for item in placed]


def _label(item: Element) -> tuple[str, str]:
    return item.role, _timeless(item.name or item.text)


def _timeless(words: str) -> str:
    return TIME.sub("0:00", words)


def _names(items: list[Element]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item.name for item in items if item.role in NAMED and item.name))


def _heading(items: tuple[Element, ...]) -> str:
    return next((item.name for item in items if item.role == "heading" and item.name), "")


def _states(item: Element) -> tuple[str, ...]:
    return tuple(state for state in item.states if state not in FLEETING)
