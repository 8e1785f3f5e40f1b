"""
The head of a reference in anybody's English: the third large red 'Save' icon button.
"""

from __future__ import annotations

import re
from typing import Any, Final

from surefoot.core.instruction import Ordinal
from surefoot.refer.languages.english import in_digits, nth
from surefoot.refer.languages.synonyms import ADJECTIVES, NOUNS
from surefoot.refer.read.heard import Heard

__all__ = ["NOUN", "NUMBER", "number", "take_thing"]

NOUN: Final = (
    "(?:" + "|".join(sorted(map(re.escape, NOUNS), key=len, reverse=True)) + r")(?![\w-])"
)
_COUNT: Final = r"\d{1,4}(?:st|nd|rd|th)|" + "|".join(nth(each) for each in range(1, 13))
NUMBER: Final = rf"(?:(?:{_COUNT})[ -](?:to[ -])?last|last|{_COUNT})(?![\w-])"
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


def take_thing(heard: Heard) -> dict[str, Any]:
    """
    Read a head and return its parts; a bare name has no role.

    Raises InvalidInputError where there is none, or a part is said twice.

    >>> take_thing(Heard("the ticked 'News' tick box"))
    {'state': 'checked', 'name': 'News', 'role': 'checkbox'}
    """
    article = heard.take(_ARTICLE)
    parts: dict[str, Any] = {}
    noun = None
    while noun is None:
        one = _modifier(heard)
        parts = heard.joined(parts, one)
        content = heard.take(_CONTENT)
        if content is not None:
            parts = heard.joined(parts, {"content": content[1]})
        noun = heard.take(_NOUN)
        if noun is None and not one and content is None:
            break
    if noun is None:
        return parts if not article and parts.keys() == {"name"} else heard.doubt("a noun")
    role = NOUNS[noun[0]]
    if role == "icon":
        return heard.joined(parts, {"role": "control", "content": "icon"})
    return heard.joined(parts, {"role": role})


def number(said: str) -> int:
    """
    Return a count by its words, negative from the end, 0 for a word such as "2th".

    >>> number("third"), number("second to last"), number("last"), number("2th")
    (3, -2, -1, 0)
    """
    if said == "last":
        return -1
    word = re.split(r"[ -]", said, maxsplit=1)[0]
    digits = "".join(each for each in word if each.isdecimal())
    known = {nth(each): each for each in range(1, 13)}
    count = int(digits) if digits else known[word]
    if not count or word not in (nth(count), in_digits(count)):
        return 0
    return -count if word != said else count


def _modifier(heard: Heard) -> dict[str, Any]:
    """Read one word before the noun, {} where the next is none."""
    end = heard.take(_MOST)
    if end is not None:
        return {"ordinal": _ENDS[end[0]]}
    count = heard.take(_NUMBER)
    if count is not None:
        place = number(count[0]) or heard.doubt("a number such as 2nd")
        return {"ordinal": Ordinal(place, "list")}
    looks = heard.take(_ADJECTIVE)
    if looks is not None:
        part, value = ADJECTIVES[looks[0]]
        return {part: value}
    name = heard.take(_NAME)
    return {} if name is None else {"name": heard.quoted(name[1])}
