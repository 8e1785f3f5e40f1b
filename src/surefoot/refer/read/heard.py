"""
A sentence made ready for reading: lower case, its quotes taken out, one space between words.
"""

from __future__ import annotations

import re
from typing import Any, Final, NoReturn

from surefoot.core.errors import InvalidInputError
from surefoot.refer.read.reader import QUOTED, Reader

__all__ = ["Heard"]

LONGEST: Final = 600
_QUOTES: Final = re.compile(QUOTED)
_POLITE: Final = re.compile(r"^please,? |,? please$")
_PLAIN: Final = re.compile(r"[a-z0-9 ,<>-]*")
_GAP: Final = re.compile(" ?")
_COMMA: Final = re.compile(r" ?,")


class Heard:
    """
    Read a sentence part by part.

    What stood in quotes is "<0>", "<1>", ... in it. Raises InvalidInputError for a
    sentence of more than 600 characters, and for signs that are no words.
    """

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST:
            self.doubt(f"at most {LONGEST} characters")
        if "<" in _QUOTES.sub("", text):
            self.doubt("words, and names in quotes")
        self._said: list[str] = []
        plain = _QUOTES.sub(self._hold, text)
        plain = " ".join(plain.lower().split()).rstrip(".! ")
        plain = _POLITE.sub("", plain)
        if not _PLAIN.fullmatch(plain):
            self.doubt("words, and names in quotes")
        self._reader = Reader(plain)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Read what a pattern matches after a space; None, and nothing read, where it does not."""
        place = self._reader.place
        self._reader.take(_GAP)
        match = self._reader.take(pattern)
        if match is None:
            self._reader.place = place
        return match

    def need(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        """Read what a pattern matches; raises InvalidInputError where it does not."""
        match = self.take(pattern)
        return self.doubt(expected) if match is None else match

    def comma(self) -> bool:
        """Read a comma where one stands."""
        return self._reader.take(_COMMA) is not None

    def end(self) -> None:
        """Raise InvalidInputError where words are left."""
        if not self._reader.done:
            self.doubt("no more words")

    @property
    def place(self) -> int:
        """Return how far the sentence has been read."""
        return self._reader.place

    def back(self, place: int) -> None:
        """Go back to where something was not what it looked like."""
        self._reader.place = place

    def quoted(self, number: str | None) -> str:
        """Return what stood in quotes, by its number; "" for none."""
        if number is None:
            return ""
        return self._said[int(number)] if int(number) < len(self._said) else self.doubt("a quote")

    def doubt(self, expected: str) -> NoReturn:
        """Give up: raises InvalidInputError."""
        raise InvalidInputError(expected, found="something else")

    def joined(self, one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
        """Join parts of which none is given twice; raises InvalidInputError for one that is."""
        if one.keys() & other.keys():
            self.doubt("each part once")
        return {**one, **other}

    def _hold(self, match: re.Match[str]) -> str:
        self._said.append(match[0][1:-1])
        return f" <{len(self._said) - 1}> "
