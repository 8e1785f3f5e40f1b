"""
What is done on a page before it is captured, spelt in the address of the state that it leads to.

``app:trac/report >> click a-7f00c2 >> type input-91ab04 "rope"`` is the state that these two
actions lead to from that page. An element's id is its place in the structure, so one path is the
same in every language.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError

ActionKind: TypeAlias = Literal["click", "type", "choose", "press"]
ARROW: Final = " >> "
STEP: Final = re.compile(
    r"(click|type|choose|press) (\S{1,80})(?: (\".*\"|\$[A-Za-z_]\w{0,80}))?", re.DOTALL
)
LONGEST: Final = 500


class Action(msgspec.Struct, frozen=True, order=True, omit_defaults=True):
    """
    Name one thing that a person does to an element, by real mouse or keys.

    "click" is a click of the mouse; "type" clicks a field and replaces what it holds by
    ``text``; "choose" sets a drop-down list to the option whose number, from 0, is ``text``;
    "press" gives the focus to the element and presses the key that ``text`` names. What is typed
    may be the value that a ``variable`` of the environment has then, which is kept as its name.
    """

    kind: ActionKind
    element: str
    text: str = ""
    variable: str = ""

    def __str__(self) -> str:
        """
        Spell it.

        >>> str(Action("click", "button-1")), str(Action("type", "input-2", "rope"))
        ('click button-1', 'type input-2 "rope"')
        """
        if self.kind == "click":
            return f"click {self.element}"
        if self.variable:
            return f"{self.kind} {self.element} ${self.variable}"
        # No text holds the arrow between two steps.
        text = json.dumps(self.text, ensure_ascii=False).replace(">", "\\u003e")
        return f"{self.kind} {self.element} {text}"


def spell_actions(spec: str, actions: Sequence[Action]) -> str:
    """Return the specification of the state that actions lead to from a page."""
    return ARROW.join((spec, *map(str, actions)))


def parse_actions(spec: str) -> tuple[str, tuple[Action, ...]]:
    """
    Return the page that a specification begins from, and what is done there.

    Raises InvalidInputError for a step that is none.

    >>> parse_actions("page.html >> click a-1")
    ('page.html', (Action(kind='click', element='a-1', text='', variable=''),))
    """
    page, *steps = re.split(r" >> (?=(?:click|type|choose|press) )", spec)
    return page, tuple(map(_action, steps))


def _action(step: str) -> Action:
    match = STEP.fullmatch(step)
    has_target = match is not None and (match[3] is not None) == (match[1] != "click")
    named = match is not None and (match[3] or "").startswith("$")
    if match is None or not has_target or (named and match[1] != "type") or len(step) > LONGEST:
        # What is typed may be a password that the shell has put in the place of its variable.
        raise InvalidInputError(
            "click ID, type ID TEXT, choose ID NUMBER or press ID KEY, text in double quotes",
            found=f"type {step.split()[1]} ..."
            if step[5:].strip() and step[:5] == "type "
            else step[:80],
            remedy="write type ID $VARIABLE, in single quotes, for a secret",
        )
    if named:
        return Action("type", match[2], variable=match[3][1:])
    try:
        text = str(json.loads(match[3])) if match[3] else ""
    except ValueError as error:
        raise InvalidInputError("text in double quotes", found=step[:80]) from error
    return Action(match[1], match[2], text)  # type: ignore[arg-type]
