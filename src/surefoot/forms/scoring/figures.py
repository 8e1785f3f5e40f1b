"""
Find the dates, the telephone numbers and the numbers of a text, and say what each is.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from typing import Final

from surefoot.forms.letters.proof.amounts import amounts_in
from surefoot.forms.values.dates import read_date
from surefoot.forms.values.normalise import read_telephone
from surefoot.forms.values.numerals import COMMA_DECIMAL, plain_digits, read_number

_DATES: Final = (
    re.compile(
        r"(?<![\w./-])(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{4})"
        r"(?!(?!T\d)\w|[./-]\d)"
    ),
    re.compile(r"\d{4}\s*年\s*\d{1,2}\s*月\s*\d{1,2}\s*日"),
    re.compile(
        r"(?<![\w./-])\d{1,2}(?:st|nd|rd|th|er)?\.?[ -](?:day of |of )?"
        r"(?:[^\s\d,./()-]{3,12}|آب|(?:كانون|تشرين) [^\W\d_]{5,6})\.?[,،]?[ -]\d{4}(?!\w|[./-]\d)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?<!\w)[^\W\d_]{3,12}\.? (?:the )?\d{1,2}(?:st|nd|rd|th)?,? ?\d{4}(?!\w|[./-]\d)",
        re.IGNORECASE,
    ),
)
_TWO_AND_YEAR: Final = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})")
_TELEPHONE: Final = re.compile(
    r"(?<![\w+(.,/-])[+(]{0,2}\d[\d \u00a0().\-/\u2010-\u2014]{5,28}\d"
    r"(?:[ ,]*(?:extension|ext\.?|x|\#)[ ]*\d{1,9})?(?!\w|[./-]\d)",
    re.IGNORECASE,
)
_FIGURE: Final = re.compile(
    r"(?<!\w)(?<!\d[.,:/'\u2019-])(?<![\w)][-\u2010-\u2014])[-\u2212]?"
    r"(?:\d{1,3}(?:[ ,.'\u2019\u00a0\u202f]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)"
    r"(?!\w|[.,:/'\u2019\u2010-\u2014-]\d)"
)
_MDY: Final = 8  # digits of a date that is typed into a control of three segments


def dates_in(text: str, language: str = "en") -> Iterator[tuple[int, int, str]]:
    """Yield where each date of a text stands, and the day it means where that is certain."""
    for pattern in _DATES:
        for found in pattern.finditer(text):
            spelled = re.sub(r"(?<=[^\W\d_])[-.]?-(?=\d{4})|(?<=\d)-(?=[^\W\d_])", " ", found[0])
            day = read_date(spelled, language=language) or _only_order(spelled)
            if day is not None:
                yield found.start(), found.end(), day


def _only_order(spelled: str) -> str | None:
    """Read two numbers and a year where the calendar leaves one order of the two."""
    found = _TWO_AND_YEAR.fullmatch(spelled)
    if found is None:
        return None
    first, second, year = map(int, found.groups())
    days = {_day(year, first, second), _day(year, second, first)} - {None}
    return days.pop() if len(days) == 1 else None


def _day(year: int, month: int, day: int) -> str | None:
    try:
        return dt.date(year, month, day).isoformat()
    except ValueError:
        return None


def days_typed(text: str, language: str = "en") -> set[str | None]:
    """
    Return the days that eight digits mean, typed one segment of a date after the other.

    Its segments follow the page's language; the year first is certain in every language.

    >>> days_typed("03142026"), days_typed("03142026", "fr")
    ({'2026-03-14'}, set())
    """
    digits = plain_digits(text)
    if len(digits) != _MDY or not digits.isdecimal():
        return set()
    last = read_date(f"{digits[:2]}/{digits[2:4]}/{digits[4:]}", language=language)
    first = read_date(f"{digits[:4]}-{digits[4:6]}-{digits[6:]}")
    return {last, first} - {None}


def telephones_in(text: str, region: str = "US") -> Iterator[tuple[int, int, str]]:
    """Yield where each telephone number of a text stands, and the number in E.164."""
    for found in _TELEPHONE.finditer(text):
        number = read_telephone(found[0], region=region)
        if number is not None:
            yield found.start(), found.end(), number


def numbers_in(text: str, language: str = "en") -> Iterator[tuple[int, int, str]]:
    """
    Yield where the numbers of a text stand, and what they are.

    What is part of a date, a telephone number or another number is none.
    """
    letters = list(text)
    taken = [(start, end) for start, end, _ in dates_in(text, language)]
    taken += [
        (start, end)
        for start, end, _ in telephones_in(text)
        if not _FIGURE.fullmatch(text[start:end])
    ]
    for start, end, amount in amounts_in(text):
        spelled = text[start:end]
        # "one" is seldom a number; a figure alone is read below, by the form's language.
        if any(letter.isalpha() for letter in spelled):
            taken.append((start, end))
            number = read_number(f"{amount:f}")
            if number and spelled.casefold() != "one":
                yield start, end, number
    for start, end in taken:
        letters[start:end] = "\x00" * (end - start)
    for figure in _FIGURE.finditer("".join(letters)):
        own = read_number(figure[0], language=language)
        other = "en" if language in COMMA_DECIMAL else "fr"
        number = own or read_number(figure[0], language=other)
        if number:
            yield figure.start(), figure.end(), number
