"""
A text that is read from its start, one pattern after another.
"""

from __future__ import annotations

import re
from typing import Final

from surefoot.core.errors import InvalidInputError
from surefoot.refer.languages.phrases import QUOTES

__all__ = ["QUOTED", "Reader", "unquoted"]

# A text in any of the quotes that ``quoted`` puts; not empty, and without these quotes.
QUOTED: Final = "(?:" + "|".join(f"{a}[^{a}{b}]+{b}" for a, b in QUOTES) + ")"
SHOWN: Final = 80


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
        if match is None:
            raise InvalidInputError(expected, found=self.rest())
        return match

    def rest(self) -> str:
        """Return the beginning of what has not been read, for a message."""
        return f"'{self.text[self.place : self.place + SHOWN]}'"

    @property
    def done(self) -> bool:
        """Tell whether all has been read."""
        return self.place == len(self.text)


def unquoted(said: str | None) -> str:
    """
    Return what stands in quotes, "" for nothing.

    >>> unquoted("'Save'"), unquoted(None)
    ('Save', '')
    """
    return (said or "")[1:-1]
