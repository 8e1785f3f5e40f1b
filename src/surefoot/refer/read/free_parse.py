"""
From English as people write it to the expression that it means, or to nothing.

Where ``read_back`` knows the one way in which ``realise`` says something, this knows the
other words for a role, an action or a side, and parts in another order. It never guesses:
a word that is not explained, a part that is said twice, or one that could belong to either
of two things makes it give up.
"""

from __future__ import annotations

import re
from typing import Any, Final, TypeAlias

from surefoot.core.errors import UserError
from surefoot.core.instruction import Action, Expression
from surefoot.refer.languages.synonyms import CLICKS
from surefoot.refer.read.heard import Heard
from surefoot.refer.read.heard_clauses import take_clause, take_front
from surefoot.refer.read.heard_thing import take_thing
from surefoot.refer.read.read_back import InstructionReading
from surefoot.refer.resolve.wellformed import require_wellformed

__all__ = ["free_parse"]

Parts: TypeAlias = dict[str, Any]
_TYPE: Final = re.compile(r"(?:type|enter|input|write) <(?P<said>\d+)> (?:into|in|in to)\b")
_SELECT: Final = re.compile(r"(?:select|choose|pick) <(?P<said>\d+)> (?:from|in)\b")
_CLICK: Final = re.compile(rf"(?:{'|'.join(CLICKS)})(?: on)?\b")
_LISTS: Final = frozenset({"combobox", "listbox"})
_FIELDS: Final = frozenset({"", "combobox", "control", "searchbox", "spinbutton", "textbox"})


def free_parse(text: str) -> InstructionReading | None:
    """
    Read an English instruction in anybody's words, or return None where in doubt.

    >>> free_parse("In the 'Clipboard' section, press the 3rd item").expression.ordinal
    Ordinal(position=3, order='list', row=0)
    >>> free_parse("Click the button next to 'Total'") is None
    True
    """
    try:
        return _asked(Heard(text))
    except UserError:
        return None


def _asked(heard: Heard) -> InstructionReading:
    parts: Parts = {}
    while take_front(heard, parts):
        pass
    action, value = _action(heard)
    parts = heard.joined(parts, take_thing(heard))
    while take_clause(heard, parts):
        pass
    heard.end()
    expression = Expression(**{key: each for key, each in parts.items() if key != "placed"})
    require_wellformed(expression)
    roles = {"type": _FIELDS, "select": _LISTS}.get(action)
    if roles is not None and expression.role not in roles:
        heard.doubt("a field to type in, or a list to select from")
    return InstructionReading(expression, action, value)


def _action(heard: Heard) -> tuple[Action, str]:
    typed = heard.take(_TYPE)
    if typed is not None:
        return "type", heard.quoted(typed["said"])
    selected = heard.take(_SELECT)
    if selected is not None:
        return "select", heard.quoted(selected["said"])
    heard.need(_CLICK, "a verb")
    return "click", ""
