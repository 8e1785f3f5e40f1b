"""
An English sentence as people write it, read from its start, one pattern after another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NoReturn

from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import Order
from surefoot.refer.languages.tables import ENGLISH

# A text in any of the quotes that instructions have; not empty, and without these quotes.
_QUOTES: Final = re.compile("|".join(f"{a}[^{a}{b}]+{b}" for a, b in map(tuple, ENGLISH.quotes)))
SHOWN: Final = 80
LONGEST: Final = 600
_SPELLED: Final = {ENGLISH.from_start(count, "", ""): count for count in range(1, 13)}
COUNT: Final = r"\d{1,4}(?:st|nd|rd|th)|" + "|".join(_SPELLED)
SIDES: Final[Mapping[str, tuple[Order, int]]] = {
    "left": ("row", 1),
    "right": ("row", -1),
    "top": ("column", 1),
    "bottom": ("column", -1),
}
_POLITE: Final = re.compile(r"^please,? |,? please$")
_PLAIN: Final = re.compile(r"[a-z0-9 ,<>-]*")
_GAP: Final = re.compile(" ?")
_COMMA: Final = re.compile(r" ?,")


class EnglishSentence:
    """
    Hold a sentence and the place up to which it has been read, part by part.

    It is in lower case, with one space between words and without "please"; what stood in
    quotes is "<0>", "<1>", ... in it. Raises InvalidInputError for a sentence of more than 600
    characters, and for signs that are no words.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        if len(text) > LONGEST:
            self.doubt(f"at most {LONGEST} characters")
        if "<" in _QUOTES.sub("", text):
            self.doubt("words, and names in quotes")
        self._quoted: list[str] = []
        plain = _QUOTES.sub(self._hold, text)
        plain = " ".join(plain.lower().split()).rstrip(".! ")
        self.text = _POLITE.sub("", plain)
        if not _PLAIN.fullmatch(self.text):
            self.doubt("words, and names in quotes")

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Read what a pattern matches after a space; None, and nothing read, where it does not."""
        match = pattern.match(self.text, self._behind(_GAP))
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

    def comma(self) -> bool:
        """Read a comma where one stands."""
        before, self.place = self.place, self._behind(_COMMA)
        return self.place > before

    def end(self) -> None:
        """Raise InvalidInputError where words are left."""
        if self.place < len(self.text):
            self.doubt("no more words")

    def quoted(self, number: str | None) -> str:
        """Return what stood in quotes, by its number; "" for none."""
        if number is None:
            return ""
        return (
            self._quoted[int(number)] if int(number) < len(self._quoted) else self.doubt("a quote")
        )

    def joined(self, one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
        """Join parts of which none is given twice; raises InvalidInputError for one that is."""
        if one.keys() & other.keys():
            self.doubt("each part once")
        return {**one, **other}

    def _behind(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self.text, self.place)
        return self.place if match is None else match.end()

    def _hold(self, match: re.Match[str]) -> str:
        self._quoted.append(match[0][1:-1])
        return f" <{len(self._quoted) - 1}> "


def either(words: Iterable[str]) -> str:
    """
    Return a pattern of any of some words, the longest first.

    >>> either(["tab", "table"])
    'table|tab'
    """
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def number(words: str) -> int:
    """
    Return a count by its words, negative from the end, 0 for a word such as "2th".

    >>> number("third"), number("second to last"), number("last"), number("2th")
    (3, -2, -1, 0)
    """
    if words == "last":
        return -1
    word = re.split(r"[ -]", words, maxsplit=1)[0]
    digits = "".join(item for item in word if item.isdecimal())
    count = int(digits) if digits else _SPELLED[word]
    # Hundreds are written in digits, and end as what is counted beyond them.
    ending = ENGLISH.from_start(count + 100, "", "").lstrip("0123456789")
    if not count or word not in (ENGLISH.from_start(count, "", ""), f"{count}{ending}"):
        return 0
    return -count if word != words else count
