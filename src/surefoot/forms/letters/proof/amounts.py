"""
Read amounts as sentences put them: in figures, in English also words, dozens, halves, sums.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Final

from surefoot.forms.values.numerals import read_number

__all__ = ["amounts_in", "read_amount"]

_UNITS: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS: Final = (*("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),)
_SMALL: Final[Mapping[str, int]] = {
    **{word: number for number, word in enumerate(_UNITS)},
    **{word: 10 * number for number, word in enumerate(_TENS, 2)},
}
_SCALES: Final[Mapping[str, int]] = {"thousand": 1000, "million": 1_000_000}
_HUNDRED: Final = 100
_FIGURE: Final = r"\$?\d[\d,]*(?:\.\d+)?(?:\s(?:thousand|million))?"
_WORD: Final = "|".join((*_SMALL, "hundred", *_SCALES, "dozen"))
_WORDS: Final = rf"(?:half )?(?:a )?(?:{_WORD})(?:[\s-](?:and )?(?:{_WORD}))*"
_AMOUNT: Final = re.compile(
    rf"(?<![\w.,:$-])(?:{_FIGURE}|{_WORDS})(?![\w-]|[.,:]\d)", re.IGNORECASE
)
_FIGURES: Final = re.compile(
    r"(?<![A-Za-z0-9.,:$+/-])\d{1,3}(?:(?:[ \u00a0\u202f]\d{3})+|(?:,\d{3})+|\d*)"
    r"(?:[.,]\d+)?(?![A-Za-z0-9/-]|[.,:]\d)"
)
_PHRASES: Final[tuple[tuple[re.Pattern[str], Callable[[Decimal, Decimal], Decimal]], ...]] = (
    (re.compile(r"half of (.+)"), lambda first, _: first / 2),
    (re.compile(r"twice (.+)"), lambda first, _: first * 2),
    (re.compile(r"three times (.+)"), lambda first, _: first * 3),
    (re.compile(r"(.+) more than (.+)"), lambda first, second: second + first),
    (re.compile(r"(.+) less than (.+)"), lambda first, second: second - first),
    (re.compile(r"(.+) plus (.+)"), lambda first, second: first + second),
    (re.compile(r"the year after (.+)"), lambda first, _: first + 1),
    (re.compile(r"the year before (.+)"), lambda first, _: first - 1),
)


def read_amount(text: str, language: str = "en") -> Decimal | None:
    """
    Return the number that a phrase comes to, or None.

    >>> read_amount("half of 5,000"), read_amount("two dozen"), read_amount("2 million")
    (Decimal('2500'), Decimal('24'), Decimal('2000000'))
    >>> read_amount("300 less than 1,000"), read_amount("forty-two"), read_amount("many")
    (Decimal('700'), Decimal('42'), None)
    """
    if language != "en":
        number = read_number(text, language=language)
        return None if number is None else Decimal(number)
    said = " ".join(text.casefold().split())
    for pattern, combined in _PHRASES:
        found = pattern.fullmatch(said)
        parts = [_single(group) for group in found.groups()] if found else []
        if parts and all(part is not None for part in parts):
            known = [part for part in parts if part is not None]
            return combined(known[0], known[-1])
    return _single(said)


def amounts_in(text: str, language: str = "en") -> Iterator[tuple[int, int, Decimal]]:
    """Yield where each single amount of a text stands, and what it comes to."""
    pattern = _AMOUNT if language == "en" else _FIGURES
    for found in pattern.finditer(text):
        said = " ".join(found[0].casefold().split())
        value = _single(said) if language == "en" else read_amount(found[0], language)
        if value is not None:
            yield found.start(), found.end(), value


def _single(said: str) -> Decimal | None:
    """Read one amount in figures or words."""
    number = read_number(said)
    if number is not None:
        return Decimal(number)
    head, _, scale = said.rpartition(" ")
    if scale in _SCALES and (number := read_number(head)) is not None:
        return Decimal(number) * _SCALES[scale]
    if said == "half a dozen":
        return Decimal(6)
    if scale == "dozen":
        count = 1 if head == "a" else _words(head)
        return None if count is None else Decimal(12 * count)
    counted = _words(said)
    return None if counted is None else Decimal(counted)


def _words(said: str) -> int | None:
    """Read a whole number in words, below a thousand million."""
    total, part = 0, 0
    words = [item for item in re.split(r"[\s-]+", said) if item and item != "and"]
    for word in words:
        if word in _SMALL:
            part += _SMALL[word]
        elif word == "hundred":
            part *= _HUNDRED
        elif word in _SCALES:
            total, part = total + part * _SCALES[word], 0
        else:
            return None
    return total + part if words else None
