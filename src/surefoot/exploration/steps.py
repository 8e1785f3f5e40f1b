"""
What an explorer tries on a screen, the most different things first.
"""

from __future__ import annotations

import functools
import importlib.resources
import re
import tomllib
from collections.abc import Iterable
from typing import Final

from surefoot.capture.actions import Action
from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import random_source

__all__ = ["is_avoided", "steps_on"]

CLICKED: Final = frozenset({
    "button", "checkbox", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "option",
    "radio", "switch", "tab", "treeitem",
})  # fmt: skip
TYPED: Final = frozenset({"textbox", "searchbox", "spinbutton"})
# What most often opens something on the spot comes before what leads to another page.
GROUPS: Final = (
    frozenset({"button", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem"}),
    TYPED,
    frozenset({"link"}),
    frozenset({"combobox", "listbox"}),
    CLICKED,
)
SECRET: Final = frozenset({"password", "file", "hidden", "color"})
DATES: Final = frozenset({"date", "time", "datetime-local", "month", "week"})
WORDS: Final = ("north", "rope", "invoice", "order", "report")
SEPARATOR: Final = "\u001f"
COLUMN_PX: Final = 8.0
WORDS_FILE: Final = "avoided.toml"


def steps_on(screen: Screen, *, seed: int) -> tuple[tuple[Action, ...], ...]:
    """
    Return what can be tried on a screen; each is one action, or words typed and sent off.

    Groups of controls take turns: buttons, fields, links, lists. Of those that stand under
    each other, as in the column of a table, one comes first and the others last. Left out are
    controls that nothing reaches, that are disabled, that ask for secrets, and those whose
    names tell that they end the session or destroy something (``is_avoided``).
    """
    source = random_source(seed, "exploration", screen.page)
    items = [item for item in screen.elements if _usable(item)]
    source.shuffle(items)
    seen: dict[tuple[str, str, int], int] = {}
    turns: dict[int, int] = {}
    ranked = []
    for item in sorted(items, key=_group):
        column = (item.role, item.parent, round(item.box.left / COLUMN_PX))
        rival = seen.get(column, 0)
        seen[column] = rival + 1
        place = turns.get(_group(item), 0)
        turns[_group(item)] = place + 1
        steps = _steps(item, seed)
        if steps:
            ranked.append(((rival > 0, place, _group(item)), steps))
    return tuple(steps for _, steps in sorted(ranked, key=lambda pair: pair[0]))


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
    acted = item.role in CLICKED or item.role in TYPED or item.attributes.get("tag") == "select"
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
    return next(number for number, roles in enumerate(GROUPS) if item.role in roles)


def _steps(item: Element, seed: int) -> tuple[Action, ...]:
    source = random_source(seed, "exploration", item.id)
    if item.attributes.get("tag") == "select":
        labels = item.attributes.get("options", "").split(SEPARATOR)
        others = [number for number, label in enumerate(labels) if label != item.text]
        return (Action("choose", item.id, str(source.choice(others))),) if others else ()
    if item.role not in TYPED:
        return (Action("click", item.id),)
    kind = item.attributes.get("type", "")
    if kind in DATES or item.attributes.get("editable") != "true":
        return ()
    number = item.role == "spinbutton" or kind == "number"
    text = str(source.randrange(2, 9)) if number else source.choice(WORDS)
    typed = Action("type", item.id, text)
    if item.attributes.get("tag") == "input":
        return (typed, Action("press", item.id, "Enter"))
    return (typed,)
