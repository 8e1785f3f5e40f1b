"""
From words back to the expression: the inverse of ``realise``, which it checks.

English parts are read in their order, each at most once; the text is gone over once. Other
languages are read by their tables (``read_table``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, get_args

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import (
    Action,
    Colour,
    Content,
    Direction,
    Expression,
    Function,
    Ordinal,
    Region,
    Shape,
    Size,
    State,
)
from surefoot.refer.languages.english import ENGLISH
from surefoot.refer.read.read_table import read_table
from surefoot.refer.read.reader import (
    COUNT,
    QUOTED,
    SHOWN,
    SIDES,
    InstructionReading,
    Reader,
    either,
    number,
    unquoted,
)
from surefoot.refer.resolve.wellformed import MOST_NESTED
from surefoot.refer.say.realise import language_of, realise

__all__ = ["read_back"]


_NUMBER: Final = rf"(?:{COUNT})-to-last|last|{COUNT}"
_NOUNS: Final[Mapping[str, str]] = {
    word: role
    for role, noun in ENGLISH.nouns.items()
    for word in (*noun.forms.values(), *noun.counted.values())
}
_NOUN: Final = rf"(?:{either(_NOUNS)})(?![\w-])"
_CONTAINER: Final = (
    rf"the (?:(?P<name>{QUOTED}) (?P<named>{_NOUN})|(?P<role>{_NOUN}) with (?P<text>{QUOTED}))"
)
_FRONTED: Final = re.compile(f"In {_CONTAINER}, ")
_ACTION: Final = re.compile(
    rf"(?P<click>[Cc]lick) |(?:(?P<type>[Tt]ype)|[Ss]elect) (?P<value>{QUOTED}) in "
)
_HEAD: Final = re.compile(
    rf"the (?:(?P<nth>{_NUMBER}) )?(?:(?P<size>{either(get_args(Size)[1:])}) )?"
    rf"(?:(?P<state>{either(get_args(State)[1:])}) )?"
    rf"(?:(?P<colour>{either(get_args(Colour)[1:])}) )?"
    rf"(?:(?P<shape>{either(get_args(Shape)[1:])}) )?(?:(?P<name>{QUOTED}) )?"
    rf"(?:(?P<content>{either(get_args(Content)[1:])}) )?(?P<noun>{_NOUN})"
)
_BARE: Final = re.compile(QUOTED)
_CLAUSES: Final = {
    "start": re.compile(f" that begins with (?P<said>{QUOTED})"),
    "text": re.compile(f" with (?P<said>{QUOTED})"),
    "label": re.compile(f" labelled (?P<said>{QUOTED})"),
}
_FUNCTIONS: Final[Mapping[Function, re.Pattern[str]]] = {
    function: re.compile(" " + template.replace("{name}", f"(?P<said>{QUOTED})"))
    for function, template in ENGLISH.functions.items()
}
_COUNTING: Final = re.compile(
    rf" from the (?P<side>left|right|top|bottom)| in the (?P<row>{_NUMBER}) row"
)
_WITHIN: Final = re.compile(f" (?:in|of) {_CONTAINER}")
_REGIONS: Final = {
    said: Region(place, of) for place, by in ENGLISH.places.items() for of, said in by.items()
}
_REGION: Final = re.compile(f" ({either(_REGIONS)})")
_TURN: Final = re.compile(
    r" (?:directly (above|below|to the left of|to the right of)|(nearest) to|between) "
)
_AND: Final = re.compile(" and ")
_DIRECTIONS: Final[Mapping[str, Direction]] = {
    "above": "above",
    "below": "below",
    "to the left of": "left of",
    "to the right of": "right of",
}


def read_back(text: str, language: str = "en") -> InstructionReading:
    """
    Read an instruction as ``realise`` writes it in a language: saying it again gives the text.

    Raises InvalidInputError for other words, and for those that can be read in two ways.

    >>> read_back("Click the 'Save' button").expression.name
    'Save'
    """
    if language != "en":
        return read_table(text, language_of(language))
    reader = Reader(text)
    fronted = reader.take(_FRONTED)
    verb = reader.need(_ACTION, "an instruction to click, type or select")
    expression = _reference(reader, 0)
    if fronted:
        expression = msgspec.structs.replace(expression, container=_container(fronted))
    action: Action = "click" if verb["click"] else "type" if verb["type"] else "select"
    asked = InstructionReading(expression, action, unquoted(verb["value"]))
    said = realise(expression, action, asked.value)
    if said != text:
        raise InvalidInputError(f"'{said}'", found=f"'{text[:SHOWN]}'")
    return asked


def _reference(reader: Reader, depth: int) -> Expression:
    if depth > MOST_NESTED:
        raise InvalidInputError(f"landmarks nested {MOST_NESTED} deep", found="deeper ones")
    head = reader.take(_HEAD)
    if head is None:
        bare = unquoted(reader.need(_BARE, "the 'Save' button, or the like")[0])
        expression = _around(reader, {"name": bare}, depth)
        alone = depth and expression == Expression(name=bare)
        return Expression(text=bare) if alone else expression
    parts = {**_described(head), **_clauses(reader)}
    function = next(
        (literal for literal, how in _FUNCTIONS.items() if _acts(reader, how, parts)), ""
    )
    return _around(reader, {**parts, "function": function, **_counted(reader, head["nth"])}, depth)


def _described(head: re.Match[str]) -> dict[str, Any]:
    parts: dict[str, Any] = {
        literal: head[literal] or "" for literal in ("size", "state", "colour", "shape", "content")
    }
    role = _NOUNS[head["noun"]]
    if role == "icon":
        parts["content"] = parts["content"] or "icon"
    return {**parts, "role": "control" if role == "icon" else role, "name": unquoted(head["name"])}


def _clauses(reader: Reader) -> dict[str, Any]:
    said = {
        part: unquoted(found["said"])
        for part, how in _CLAUSES.items()
        if (found := reader.take(how))
    }
    start = said.pop("start", "")
    return {**said, "name": start, "name_cut": True} if start else said


def _acts(reader: Reader, how: re.Pattern[str], parts: dict[str, Any]) -> bool:
    """Read what acting does, and put what it is done to into the parts as the name."""
    found = reader.take(how)
    if found is not None and "said" in how.groupindex:
        parts["name"] = unquoted(found["said"])
    return found is not None


def _counted(reader: Reader, count: str | None) -> dict[str, Any]:
    if not count:
        return {}
    position = number(count) or reader.doubt("a number such as 2nd")
    found = reader.take(_COUNTING)
    if found is None:
        return {"ordinal": Ordinal(position, "list")}
    if found["row"]:
        return {"ordinal": Ordinal(position, "grid", number(found["row"]))}
    order, sign = SIDES[found["side"]]
    return {"ordinal": Ordinal(sign * position, order)}


def _around(reader: Reader, parts: dict[str, Any], depth: int) -> Expression:
    within = reader.take(_WITHIN)
    if within is not None:
        parts["container"] = _container(within)
    place = reader.take(_REGION)
    if place is not None:
        parts["region"] = _REGIONS[place[1]]
    return Expression(**parts, **_related(reader, depth))


def _container(found: re.Match[str]) -> Expression:
    role = _NOUNS[found["role"] or found["named"]]
    return Expression(role=role, name=unquoted(found["name"]), text=unquoted(found["text"]))


def _related(reader: Reader, depth: int) -> dict[str, Any]:
    turn = reader.take(_TURN)
    if turn is None:
        return {}
    landmark = _reference(reader, depth + 1)
    if turn[1]:
        return {"direction": _DIRECTIONS[turn[1]], "landmark": landmark}
    if turn[2]:
        return {"relation": "nearest", "landmark": landmark}
    reader.need(_AND, "and a second landmark")
    second = _reference(reader, depth + 1)
    return {"relation": "between", "landmark": landmark, "second": second}
