"""
From English words back to the expression: the inverse of ``realise``, which it checks.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import Action, Direction, Expression
from surefoot.refer.phrases import QUOTES
from surefoot.refer.roles import role_words

__all__ = ["Asked", "read_back"]


class Asked(msgspec.Struct, frozen=True):
    """Hold what an instruction asks for."""

    expression: Expression
    action: Action
    value: str


_ROLES: Final = {word: role for role, word in role_words("en").items()}
_WORD: Final = "|".join(sorted(map(re.escape, _ROLES), key=len, reverse=True))
_QUOTED: Final = "|".join(f"{a}[^{a}{b}]*{b}" for a, b in QUOTES)
_ACTION: Final = re.compile(
    rf"(?P<verb>Click|(?:Type|Select) (?P<value>{_QUOTED}) in) (?P<rest>.+)", re.DOTALL
)
_THING: Final = re.compile(
    rf"the (?:(?P<name>{_QUOTED}) )?(?P<role>{_WORD})(?: that begins with (?P<start>{_QUOTED}))?"
    rf"|(?P<bare>{_QUOTED})"
)
_TURN: Final = re.compile(r" directly (above|below|to the left of|to the right of) ")


def read_back(text: str) -> Asked:
    """
    Read an English instruction as ``realise`` writes it.

    Raises InvalidInputError for other words.

    >>> read_back("Click the 'Save' button").expression.name
    'Save'
    """
    match = _ACTION.fullmatch(text)
    if match is None:
        raise InvalidInputError("an instruction to click, type or select", found=f"'{text}'")
    actions: dict[str, Action] = {"C": "click", "T": "type", "S": "select"}
    value = (match["value"] or "")[1:-1]
    expression = _reference(match["rest"], top=True)
    return Asked(expression, actions[match["verb"][0]], value)


def _reference(text: str, *, top: bool) -> Expression:
    match = _THING.match(text)
    if match is None:
        raise InvalidInputError("a reference such as the 'Save' button", found=f"'{text}'")
    rest = text[match.end() :]
    if match["bare"] and not rest and not top:
        return Expression(text=match["bare"][1:-1])
    said = match["name"] or match["start"] or match["bare"] or "''"
    thing = Expression(
        role=_ROLES.get(match["role"] or "", ""),
        name=said[1:-1],
        name_cut=bool(match["start"]),
    )
    if not rest:
        return thing
    turn = _TURN.match(rest)
    if turn is None:
        raise InvalidInputError("a direction and a landmark", found=f"'{rest}'")
    directions: dict[str, Direction] = {
        "above": "above",
        "below": "below",
        "to the left of": "left of",
        "to the right of": "right of",
    }
    landmark = _reference(rest[turn.end() :], top=False)
    return msgspec.structs.replace(thing, direction=directions[turn[1]], landmark=landmark)
