"""
What an explorer tries on a screen, the most different things first.
"""

from __future__ import annotations

import functools
import importlib.resources
import re
import tomllib
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from surefoot.capture.actions import Action
from surefoot.core.screen import TYPED_ROLES, Element, Screen
from surefoot.core.seeds import random_source
from surefoot.exploration.filling import fill, form_steps

CLICKED: Final = frozenset({
    "button", "checkbox", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "option",
    "radio", "switch", "tab", "treeitem",
})  # fmt: skip
# What most often opens something on the spot comes before what leads to another page.
GROUPS: Final = (
    frozenset({"button", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem"}),
    TYPED_ROLES,
    frozenset({"link"}),
    frozenset({"combobox", "listbox"}),
    CLICKED,
)
# A box that is ticked is a state of the box, not of the interface.
TICKED: Final = frozenset({"checkbox", "radio", "option", "switch", "menuitemcheckbox"})
SECRET: Final = frozenset({"password", "file", "hidden", "color"})
COLUMN_PX: Final = 8.0
WORDS_FILE: Final = "avoided.toml"


class RankedSteps(NamedTuple):
    """
    Hold what can be tried on a screen, and how late it should be.

    0 is what most often opens something. 1 is what seldom does: what was seen elsewhere, a box
    to tick, the tab that is open, a button that sends a field as it stands, words that are not
    sent, a part of a form. 2 is what looks like another control of the screen.
    """

    steps: tuple[Action, ...]
    late: int


def steps_on(screen: Screen, *, seed: int) -> tuple[tuple[Action, ...], ...]:
    """Return what can be tried on a screen, as ``candidates_on`` does where nothing is known."""
    return tuple(candidate.steps for candidate in candidates_on(screen, seed=seed))


def candidates_on(
    screen: Screen, *, seed: int, familiar: Collection[tuple[str, str]] = frozenset()
) -> tuple[RankedSteps, ...]:
    """
    Return what can be tried on a screen: an action, words typed and sent, or a form filled.

    Groups of controls take turns: buttons, fields, links, lists. Of those that stand under
    each other, as in the column of a table, one comes first and the others last. ``familiar``
    are roles and names of controls that brought nothing new before. Left out are controls that
    nothing reaches, that are disabled, that ask for secrets, and those whose names tell that
    they end the session or destroy something (``is_avoided``).
    """
    source = random_source(seed, "exploration", screen.page)
    usable = [item for item in screen.elements if _usable(item)]
    beside = {item.parent for item in usable if item.role in TYPED_ROLES} - {""}
    forms = form_steps(screen, usable, seed=seed)
    filled = {action.element for steps in forms for action in steps}
    items = [*usable]
    source.shuffle(items)
    seen: dict[tuple[str, str, int], int] = {}
    turns: dict[int, int] = {}
    ranked = [((0, at, 1), steps) for at, steps in enumerate(forms)]
    for item in sorted(items, key=_group):
        column = (item.role, item.parent, round(item.box.left / COLUMN_PX))
        rival = seen.get(column, 0)
        seen[column] = rival + 1
        place = turns.get(_group(item), 0)
        turns[_group(item)] = place + 1
        steps = _steps(item, seed)
        known = (item.role, item.name) in familiar
        sends = item.role == "button" and item.parent in beside
        if steps:
            unsent = steps[-1].kind == "type" or item.id in filled
            chosen = item.role in TICKED or "selected" in item.states
            late = 2 if rival else int(known or sends or unsent or chosen)
            ranked.append(((late, place, _group(item)), steps))
    found = sorted(ranked, key=lambda pair: pair[0])
    return tuple(RankedSteps(steps, rank[0]) for rank, steps in found)


def is_avoided(name: str) -> bool:
    """
    Tell whether a control's name says that it ends the session or destroys something.

    >>> is_avoided("Delete this ticket"), is_avoided("Undeleted"), is_avoided("削除する")
    (True, False, True)
    """
    spaced, joined = _avoided()
    return bool(spaced.search(name.casefold())) or any(word in name for word in joined)


@functools.cache
def _avoided() -> tuple[re.Pattern[str], tuple[str, ...]]:
    data = importlib.resources.files(__package__).joinpath(WORDS_FILE).read_text("utf-8")
    words: dict[str, list[str]] = tomllib.loads(data)
    spaced = [word for language in ("en", "fr", "ru") for word in words[language]]
    joined = [word for language in ("zh", "ja", "th") for word in words[language]]
    return re.compile(rf"\b(?:{_either(spaced)})\b"), tuple(joined)


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word.casefold()) for word in words)


def _usable(item: Element) -> bool:
    acted = (
        item.role in CLICKED or item.role in TYPED_ROLES or item.attributes.get("tag") == "select"
    )
    kind = item.attributes.get("type", "")
    return (
        acted
        and any(item.hits)
        and "disabled" not in item.states
        and "readonly" not in item.states
        and kind not in SECRET
        and not is_avoided(item.name or item.text)
    )


def _group(item: Element) -> int:
    # A list stays one, whatever role its page gives it.
    role = "listbox" if item.attributes.get("tag") == "select" else item.role
    return next((at for at, roles in enumerate(GROUPS) if role in roles), len(GROUPS))


def _steps(item: Element, seed: int) -> tuple[Action, ...]:
    if item.role not in TYPED_ROLES and item.attributes.get("tag") != "select":
        return (Action("click", item.id),)
    filled = fill(item, seed)
    if filled is None:
        return ()
    if filled.kind == "type" and item.attributes.get("tag") == "input":
        return (filled, Action("press", item.id, "Enter"))
    return (filled,)
