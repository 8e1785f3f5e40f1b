"""
From English as people write it to the expression that it means, or to nothing.

Where ``read_back`` knows the one way in which ``realise`` says something, this knows the
other words for a role, an action or a side, and parts in another order. It never guesses:
a word that is not explained, a part that is said twice, or one that could belong to either
of two things makes it give up.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec

from surefoot.core.errors import UserError
from surefoot.core.instruction import Action, Expression, Ordinal, Region
from surefoot.refer.languages.synonyms import (
    ADJECTIVES,
    CLICKS,
    DIRECTIONS,
    FUNCTIONS,
    NOUNS,
    PLACES,
)
from surefoot.refer.languages.tables import ENGLISH
from surefoot.refer.read.read_back import InstructionReading
from surefoot.refer.read.reader import COUNT, SIDES, EnglishSentence, either, number
from surefoot.refer.resolve.wellformed import LABELLED, require_wellformed
from surefoot.refer.scene.roles import TARGETS

NOUN: Final = rf"(?:{either(NOUNS)})(?![\w-])"
NUMBER: Final = rf"(?:(?:{COUNT})[ -](?:to[ -])?last|last|{COUNT})(?![\w-])"
_ARTICLE: Final = re.compile(r"the\b")
_NUMBER: Final = re.compile(NUMBER)
_MOST: Final = re.compile(r"(?:leftmost|rightmost|topmost|bottommost)\b")
_ADJECTIVE: Final = re.compile(rf"(?:{'|'.join(ADJECTIVES)})\b")
_NAME: Final = re.compile(r"<(\d+)>")
_CONTENT: Final = re.compile(rf"(icon|text)(?= {NOUN})")
_NOUN: Final = re.compile(NOUN)
_ENDS: Final = {
    "leftmost": Ordinal(1, "row"),
    "rightmost": Ordinal(-1, "row"),
    "topmost": Ordinal(1, "column"),
    "bottommost": Ordinal(-1, "column"),
}
Parts: TypeAlias = dict[str, Any]
_SAID: Final = r"<\d+>"
_BEGINS: Final = re.compile(
    rf"(?:(?:that|which) (?:begins|starts)|beginning|starting) with {_SAID}"
)
_TEXT: Final = re.compile(rf"with {_SAID}")
_LABEL: Final = re.compile(rf"labell?ed {_SAID}")
_CALLED: Final = re.compile(rf"(?:called|named|titled|marked) {_SAID}")
_COLOURS: Final = {
    form: colour for colour, forms in ENGLISH.colours.items() for form in forms.values()
}
_ICONS: Final = {words.lower(): icon for icon, words in ENGLISH.icons.items()}
_COLOUR: Final = rf"(?P<colour>{either(_COLOURS)})"
_DRAWN: Final = {
    "ink": re.compile(rf"(?:with|in) {_COLOUR} (?:text|letters|writing)(?![\w-])"),
    "outline": re.compile(rf"outlined in {_COLOUR}(?![\w-])"),
    "icon": re.compile(rf"(?:that shows|showing) (?P<icon>{either(_ICONS)})(?![\w-])"),
}
_FUNCTIONS: Final = {
    function: re.compile(rf"(?:{pattern.replace('Q', _SAID)})(?![\w-])")
    for function, pattern in FUNCTIONS.items()
}
_COUNTED: Final = re.compile(r"(?:counting )?from the (left|right|top|bottom)(?![\w-])")
_ROW: Final = re.compile(rf"in the (?P<row>{NUMBER}) row(?![\w-])(?! with)")
_WITHIN: Final = re.compile(
    rf"(?:in|inside|within|of|on|from) the (?:(?P<name>{_SAID}) (?P<named>{NOUN})"
    rf"|(?P<role>{NOUN}) (?:with|containing|that contains) (?P<text>{_SAID})"
    rf"|(?P<called>{NOUN}) (?:called|named|titled|labell?ed) (?P<calls>{_SAID}))"
)
_REGIONS: Final = {
    place: re.compile(
        rf"{pattern}(?:(?= ?,)|(?= (?!of))|$| of the (?:screen|page|display|(?P<window>window)))"
    )
    for place, pattern in PLACES.items()
}
_TURNS: Final = {
    direction: re.compile(rf"(?:(?:directly|immediately|just) )?{pattern}(?= )")
    for direction, pattern in DIRECTIONS.items()
}
_NEAREST: Final = re.compile(r"(?:that is )?(?:nearest|closest)(?: to)?(?= )")
_BETWEEN: Final = re.compile(r"(?:that is )?between(?= )")
_AND: Final = re.compile("and(?= )")
_CONTROLS: Final = TARGETS | LABELLED
_TYPE: Final = re.compile(r"(?:type|enter|input|write) <(?P<said>\d+)> (?:into|in|in to)\b")
_SELECT: Final = re.compile(r"(?:select|choose|pick) <(?P<said>\d+)> (?:from|in)\b")
_CLICK: Final = re.compile(rf"(?:{'|'.join(CLICKS)})(?: on)?\b")
_LISTS: Final = frozenset({"combobox", "listbox"})
_FIELDS: Final = frozenset({"", "combobox", "control", "searchbox", "spinbutton", "textbox"})


def _thing(sentence: EnglishSentence) -> dict[str, Any]:
    """
    Read a head and return its parts; a bare name has no role.

    Raises InvalidInputError where there is none, or a part is said twice.
    """
    article = sentence.take(_ARTICLE)
    parts: dict[str, Any] = {}
    noun = None
    while noun is None:
        one = _modifier(sentence)
        parts = sentence.joined(parts, one)
        content = sentence.take(_CONTENT)
        if content is not None:
            parts = sentence.joined(parts, {"content": content[1]})
        noun = sentence.take(_NOUN)
        if noun is None and not one and content is None:
            break
    if noun is None:
        return parts if not article and parts.keys() == {"name"} else sentence.doubt("a noun")
    role = NOUNS[noun[0]]
    if role == "icon":
        return sentence.joined(parts, {"role": "control", "content": "icon"})
    return sentence.joined(parts, {"role": role})


def _modifier(sentence: EnglishSentence) -> dict[str, Any]:
    """Read one word before the noun, {} where the next is none."""
    end = sentence.take(_MOST)
    if end is not None:
        return {"ordinal": _ENDS[end[0]]}
    count = sentence.take(_NUMBER)
    if count is not None:
        place = number(count[0]) or sentence.doubt("a number such as 2nd")
        return {"ordinal": Ordinal(place, "list")}
    looks = sentence.take(_ADJECTIVE)
    if looks is not None:
        part, value = ADJECTIVES[looks[0]]
        return {part: value}
    name = sentence.take(_NAME)
    return {} if name is None else {"name": sentence.quoted(name[1])}


def _front(sentence: EnglishSentence, parts: Parts) -> bool:
    """
    Read where the target is before the verb, up to a comma, into the parts.

    Returns whether there was such a clause. Raises InvalidInputError where it is unclear.
    """
    for read in (_within, _region, _relation):
        found = read(sentence, {})
        if found:
            if not sentence.comma():
                sentence.doubt("a comma before the verb")
            parts.update(sentence.joined(parts, found))
            return True
    return False


def _clause(sentence: EnglishSentence, parts: Parts) -> bool:
    """
    Read one clause after the head into the parts, and return whether there was one.

    Nothing may follow a landmark, and no place a container: it could belong to that.
    Raises InvalidInputError where a part is said twice.
    """
    readers: tuple[Callable[[EnglishSentence, Parts], Parts], ...] = (
        _own, _function, _counting, _region, _within, _relation,
    )  # fmt: skip
    for read in readers:
        found = read(sentence, parts)
        if not found:
            continue
        after = parts.get("placed", "")
        if after == "related" or (after == "held" and read in (_region, _relation, _own)):
            sentence.doubt("nothing that could belong to what was said last")
        counted = "ordinal" in found
        parts.update({**parts, **found} if counted else sentence.joined(_but_placed(parts), found))
        parts["placed"] = (
            "related" if "landmark" in found else "held" if "container" in found else after
        )
        return True
    return False


def _but_placed(parts: Parts) -> Parts:
    return {key: part for key, part in parts.items() if key != "placed"}


def _quote(sentence: EnglishSentence, words: str) -> str:
    found = _NAME.search(words)
    return sentence.quoted(found[1]) if found is not None else ""


def _own(sentence: EnglishSentence, parts: Parts) -> Parts:
    """Read what the target is called, and what is drawn in it."""
    role = parts.get("role", "")
    drawn = _drawn(sentence)
    if drawn:
        return drawn
    begins = sentence.take(_BEGINS)
    if begins is not None:
        return {"name": _quote(sentence, begins[0]), "name_cut": True}
    label = sentence.take(_LABEL)
    if label is not None:
        part = "label" if role in LABELLED else "name"
        return {part: _quote(sentence, label[0])}
    called = sentence.take(_CALLED)
    if called is not None:
        return {"name": _quote(sentence, called[0])}
    text = sentence.take(_TEXT)
    return {} if text is None else {"text": _quote(sentence, text[0])}


def _drawn(sentence: EnglishSentence) -> Parts:
    """Read what a thing shows, and in which colours it is written or outlined."""
    for part, pattern in _DRAWN.items():
        drawn = sentence.take(pattern)
        if drawn is not None:
            return {part: _ICONS[drawn[1]] if part == "icon" else _COLOURS[drawn[1]]}
    return {}


def _function(sentence: EnglishSentence, parts: Parts) -> Parts:
    """Read what the target does."""
    for function, pattern in _FUNCTIONS.items():
        found = sentence.take(pattern) if parts.get("role") else None
        if found is not None:
            name = _quote(sentence, found[0])
            return {"function": function, "name": name} if name else {"function": function}
    return {}


def _counting(sentence: EnglishSentence, parts: Parts) -> Parts:
    """Read the side that a count begins from, or the row that it is in."""
    ordinal = parts.get("ordinal")
    if ordinal is None or ordinal.order != "list":
        return {}
    side = sentence.take(_COUNTED)
    if side is not None:
        order, sign = SIDES[side[1]]
        if ordinal.position < -1:
            sentence.doubt("a count from one end")
        return {"ordinal": Ordinal(sign * ordinal.position, order)}
    row = sentence.take(_ROW)
    if row is None:
        return {}
    return {"ordinal": Ordinal(ordinal.position, "grid", number(row["row"]))}


def _within(sentence: EnglishSentence, _parts: Parts) -> Parts:
    """Read what holds the target: a container, and no control."""
    place = sentence.place
    found = sentence.take(_WITHIN)
    if found is None:
        return {}
    role = NOUNS[found["named"] or found["role"] or found["called"]]
    if role in _CONTROLS or role == "icon":
        sentence.place = place
        return {}
    name = _quote(sentence, found["name"] or found["calls"] or "")
    return {
        "container": Expression(role=role, name=name, text=_quote(sentence, found["text"] or ""))
    }


def _region(sentence: EnglishSentence, _parts: Parts) -> Parts:
    """Read the part of the screen that the target is in."""
    for place, pattern in _REGIONS.items():
        found = sentence.take(pattern)
        if found is not None:
            return {"region": Region(place, "window" if found["window"] else "screen")}
    return {}


def _relation(sentence: EnglishSentence, _parts: Parts) -> Parts:
    """Read how the target stands to one landmark or two."""
    for direction, pattern in _TURNS.items():
        if sentence.take(pattern) is not None:
            return {"direction": direction, "landmark": _landmark(sentence)}
    if sentence.take(_NEAREST) is not None:
        return {"relation": "nearest", "landmark": _landmark(sentence)}
    if sentence.take(_BETWEEN) is None:
        return {}
    one = _landmark(sentence)
    sentence.need(_AND, "and a second landmark")
    return {"relation": "between", "landmark": one, "second": _landmark(sentence)}


def _landmark(sentence: EnglishSentence) -> Expression:
    parts = _thing(sentence)
    thing = Expression(**sentence.joined(parts, _drawn(sentence)))
    bare = msgspec.structs.replace(thing, name="") == Expression()
    return Expression(text=thing.name) if bare else thing


def free_parse(text: str) -> InstructionReading | None:
    """
    Read an English instruction in anybody's words, or return None where in doubt.

    >>> free_parse("In the 'Clipboard' section, press the 3rd item").expression.ordinal
    Ordinal(position=3, order='list', row=0)
    >>> free_parse("Click the button next to 'Total'") is None
    True
    """
    try:
        return _asked(EnglishSentence(text))
    except UserError:
        return None


def _asked(sentence: EnglishSentence) -> InstructionReading:
    parts: Parts = {}
    while _front(sentence, parts):
        pass
    action, value = _action(sentence)
    parts = sentence.joined(parts, _thing(sentence))
    while _clause(sentence, parts):
        pass
    sentence.end()
    expression = Expression(**{key: part for key, part in parts.items() if key != "placed"})
    require_wellformed(expression)
    roles = {"type": _FIELDS, "select": _LISTS}.get(action)
    if roles is not None and expression.role not in roles:
        sentence.doubt("a field to type in, or a list to select from")
    return InstructionReading(expression, action, value)


def _action(sentence: EnglishSentence) -> tuple[Action, str]:
    typed = sentence.take(_TYPE)
    if typed is not None:
        return "type", sentence.quoted(typed["said"])
    selected = sentence.take(_SELECT)
    if selected is not None:
        return "select", sentence.quoted(selected["said"])
    sentence.need(_CLICK, "a verb")
    return "click", ""
