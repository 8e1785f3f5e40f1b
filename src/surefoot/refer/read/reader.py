"""
A text that is read from its start, one pattern after another, and words that both readers know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NoReturn

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import Action, Expression, Order
from surefoot.refer.languages.english import in_digits, nth
from surefoot.refer.languages.phrases import QUOTES

__all__ = [
    "COUNT",
    "QUOTED",
    "SHOWN",
    "SIDES",
    "Heard",
    "InstructionReading",
    "Reader",
    "either",
    "number",
    "unquoted",
]

# A text in any of the quotes that ``quoted`` puts; not empty, and without these quotes.
QUOTED: Final = "(?:" + "|".join(f"{a}[^{a}{b}]+{b}" for a, b in QUOTES) + ")"
SHOWN: Final = 80
LONGEST: Final = 600
_SPELLED: Final = {nth(item): item for item in range(1, 13)}
COUNT: Final = r"\d{1,4}(?:st|nd|rd|th)|" + "|".join(_SPELLED)
SIDES: Final[Mapping[str, tuple[Order, int]]] = {
    "left": ("row", 1),
    "right": ("row", -1),
    "top": ("column", 1),
    "bottom": ("column", -1),
}
_QUOTES: Final = re.compile(QUOTED)
_POLITE: Final = re.compile(r"^please,? |,? please$")
_PLAIN: Final = re.compile(r"[a-z0-9 ,<>-]*")
_GAP: Final = re.compile(" ?")
_COMMA: Final = re.compile(r" ?,")


class InstructionReading(msgspec.Struct, frozen=True):
    """Hold what an instruction asks for."""

    expression: Expression
    action: Action
    value: str


class Reader:
    """Hold a text and the place up to which it has been read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Read what a pattern matches from here on; None, and nothing read, where it does not."""
        match = pattern.match(self.text, self.place)
        if match is not None:
            self.place = match.end()
        return match

    def need(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        """Read what a pattern matches; raises InvalidInputError where it does not."""
        match = self.take(pattern)
        return self.doubt(expected) if match is None else match

    def doubt(self, expected: str) -> NoReturn:
        """Give up: raises InvalidInputError."""
        found = self.text[self.place : self.place + SHOWN]
        raise InvalidInputError(expected, found=f"'{found}'")


class Heard(Reader):
    """
    Read a sentence part by part: lower case, one space between words, no "please".

    What stood in quotes is "<0>", "<1>", ... in it. Raises InvalidInputError for a
    sentence of more than 600 characters, and for signs that are no words.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        if len(text) > LONGEST:
            self.doubt(f"at most {LONGEST} characters")
        if "<" in _QUOTES.sub("", text):
            self.doubt("words, and names in quotes")
        self._said: list[str] = []
        plain = _QUOTES.sub(self._hold, text)
        plain = " ".join(plain.lower().split()).rstrip(".! ")
        self.text = _POLITE.sub("", plain)
        if not _PLAIN.fullmatch(self.text):
            self.doubt("words, and names in quotes")

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Read what a pattern matches after a space; None, and nothing read, where it does not."""
        place = self.place
        super().take(_GAP)
        match = super().take(pattern)
        if match is None:
            self.place = place
        return match

    def comma(self) -> bool:
        """Read a comma where one stands."""
        return super().take(_COMMA) is not None

    def end(self) -> None:
        """Raise InvalidInputError where words are left."""
        if self.place < len(self.text):
            self.doubt("no more words")

    def quoted(self, number: str | None) -> str:
        """Return what stood in quotes, by its number; "" for none."""
        if number is None:
            return ""
        return self._said[int(number)] if int(number) < len(self._said) else self.doubt("a quote")

    def joined(self, one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
        """Join parts of which none is given twice; raises InvalidInputError for one that is."""
        if one.keys() & other.keys():
            self.doubt("each part once")
        return {**one, **other}

    def _hold(self, match: re.Match[str]) -> str:
        self._said.append(match[0][1:-1])
        return f" <{len(self._said) - 1}> "


def either(words: Iterable[str]) -> str:
    """
    Return a pattern of any of some words, the longest first.

    >>> either(["tab", "table"])
    'table|tab'
    """
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def number(said: str) -> int:
    """
    Return a count by its words, negative from the end, 0 for a word such as "2th".

    >>> number("third"), number("second to last"), number("last"), number("2th")
    (3, -2, -1, 0)
    """
    if said == "last":
        return -1
    word = re.split(r"[ -]", said, maxsplit=1)[0]
    digits = "".join(item for item in word if item.isdecimal())
    count = int(digits) if digits else _SPELLED[word]
    if not count or word not in (nth(count), in_digits(count)):
        return 0
    return -count if word != said else count


def unquoted(said: str | None) -> str:
    """
    Return what stands in quotes, "" for nothing.

    >>> unquoted("'Save'"), unquoted(None)
    ('Save', '')
    """
    return (said or "")[1:-1]
