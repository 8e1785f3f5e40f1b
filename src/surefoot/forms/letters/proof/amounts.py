"""
Read amounts as sentences put them: in figures, and in what words the table of a language lists.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Final

from surefoot.forms.letters.proof.cues import AmountWords, cues
from surefoot.forms.values.numerals import read_number

_HUNDRED: Final = 100
_FIGURES: Final = re.compile(
    r"(?<![A-Za-z0-9.,:$+/-])\d{1,3}(?:(?:[ \u00a0\u202f]\d{3})+|(?:,\d{3})+|\d*)"
    r"(?:[.,]\d+)?(?![A-Za-z0-9/-]|[.,:]\d)"
)
_SUMS: Final[Mapping[str, Callable[[Decimal, Decimal], Decimal]]] = {
    "half": lambda first, _: first / 2,
    "twice": lambda first, _: first * 2,
    "thrice": lambda first, _: first * 3,
    "more": lambda first, second: second + first,
    "less": lambda first, second: second - first,
    "plus": lambda first, second: first + second,
    "next": lambda first, _: first + 1,
    "last": lambda first, _: first - 1,
}


def read_amount(text: str, language: str = "en") -> Decimal | None:
    """
    Return the number that a phrase comes to, or None.

    >>> read_amount("half of 5,000"), read_amount("two dozen"), read_amount("2 million")
    (Decimal('2500'), Decimal('24'), Decimal('2000000'))
    >>> read_amount("300 less than 1,000"), read_amount("forty-two"), read_amount("many")
    (Decimal('700'), Decimal('42'), None)
    """
    words, folded = cues(language).amounts, " ".join(text.casefold().split())
    for name, pattern in words.sums.items() if words else ():
        found = re.fullmatch(pattern, folded)
        parts = [_single(group, language) for group in found.groups()] if found else []
        known = [part for part in parts if part is not None]
        if known and len(known) == len(parts):
            return _SUMS[name](known[0], known[-1])
    return _single(text, language)


def amounts_in(text: str, language: str = "en") -> Iterator[tuple[int, int, Decimal]]:
    """Yield where each single amount of a text stands, and what it comes to."""
    for found in _amounts(language).finditer(text):
        value = _single(found[0], language)
        if value is not None:
            yield found.start(), found.end(), value


@functools.cache
def _amounts(language: str) -> re.Pattern[str]:
    """Return single amounts in figures, and in words where a language has its words listed."""
    words = cues(language).amounts
    if words is None:
        return _FIGURES
    figure = rf"\$?\d[\d,]*(?:\.\d+)?(?:\s(?:{'|'.join(words.scales)}))?"
    word = "|".join((*words.numbers, words.hundred, *words.scales, words.dozen))
    more = rf"(?:[\s-](?:{words.link} )?(?:{word}))*"
    spelled = rf"(?:{words.half} )?(?:{words.article} )?(?:{word}){more}"
    return re.compile(rf"(?<![\w.,:$-])(?:{figure}|{spelled})(?![\w-]|[.,:]\d)", re.IGNORECASE)


def _single(text: str, language: str) -> Decimal | None:
    """Read one amount in figures or words."""
    words = cues(language).amounts
    folded = " ".join(text.casefold().split()) if words else text
    number = read_number(folded, language=language)
    if number is not None:
        return Decimal(number)
    if words is None:
        return None
    head, _, scale = folded.rpartition(" ")
    figures = read_number(head, language=language) if scale in words.scales else None
    if figures is not None:
        return Decimal(figures) * words.scales[scale]
    if folded == f"{words.half} {words.article} {words.dozen}":
        return Decimal(6)
    if scale == words.dozen:
        count = 1 if head == words.article else _in_words(head, words)
        return None if count is None else Decimal(12 * count)
    counted = _in_words(folded, words)
    return None if counted is None else Decimal(counted)


def _in_words(folded: str, words: AmountWords) -> int | None:
    """Read a whole number in words, below a thousand million."""
    total, part = 0, 0
    parts = [item for item in re.split(r"[\s-]+", folded) if item and item != words.link]
    for word in parts:
        if word in words.numbers:
            part += words.numbers[word]
        elif word == words.hundred:
            part *= _HUNDRED
        elif word in words.scales:
            total, part = total + part * words.scales[word], 0
        else:
            return None
    return total + part if parts else None
