"""
Read dates as people write them in each language of a form; ISO 8601 comes out.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from typing import Final

from surefoot.forms.values.numerals import plain_digits

_LONGEST: Final = 60
_BUDDHIST: Final = 543
_BUDDHIST_FROM: Final = 2300
DATE_FORMATS: Final = {
    "en": "mm/dd/yyyy",
    "fr": "dd/mm/yyyy",
    "ru": "dd.mm.yyyy",
    "th": "dd/mm/yyyy",
    "ar": "dd\u200f/mm\u200f/yyyy",
    "zh": "yyyy/mm/dd",
    "ja": "yyyy/mm/dd",
}
"""
How Chromium's own date field writes a date on a page of each language, and in which order its
parts are typed; Arabic runs from right to left.
"""
MONTHS: Final[dict[str, tuple[str, ...]]] = {
    "en": (
        *("january", "february", "march", "april", "may", "june", "july"),
        *("august", "september", "october", "november", "december"),
    ),
    "fr": (
        *("janvier", "février", "mars", "avril", "mai", "juin", "juillet"),
        *("août", "septembre", "octobre", "novembre", "décembre"),
    ),
    "ru": (
        *("января", "февраля", "марта", "апреля", "мая", "июня", "июля"),
        *("августа", "сентября", "октября", "ноября", "декабря"),
    ),
    "th": (
        *("มกราคม", "กุมภาพันธ์", "มีนาคม", "เมษายน", "พฤษภาคม", "มิถุนายน"),
        *("กรกฎาคม", "สิงหาคม", "กันยายน", "ตุลาคม", "พฤศจิกายน", "ธันวาคม"),
    ),
    "ar": (
        *("يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو"),
        *("أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"),
    ),
}
# Arabic names its months in two ways, of which none means two months; the second is that of
# the Levant and Iraq.
_OTHER_MONTHS: Final[dict[str, tuple[str, ...]]] = {
    "ar": (
        *("كانون الثاني", "شباط", "آذار", "نيسان", "أيار", "حزيران", "تموز"),
        *("آب", "أيلول", "تشرين الأول", "تشرين الثاني", "كانون الأول"),
    ),
}
# Alef is written with its marks and without.
_ALEF: Final = str.maketrans("\u0622\u0623\u0625", "\u0627" * 3)
_SHORT: Final = 3
_WORKING_DAYS: Final = 5
_ISO: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_YEAR_FIRST: Final = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
_YEAR_LAST: Final = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})")
_IDEOGRAPHS: Final = re.compile(r"(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日")
_DAY_FIRST: Final = re.compile(
    r"(?:the )?(\d{1,2})(?:st|nd|rd|th|er)?\.?\s+(?:day of |of )?"
    r"([^\s\d,.\u060c]+(?: [^\s\d,.\u060c]+)?)\.?[,\u060c]?\s+(\d{4})"
    r"(?:\s*(?:\u0433(?:\.|\u043e\u0434\u0430)?|\u0645))?"
)
_MONTH_FIRST: Final = re.compile(
    r"([^\s\d,.]+)\.?\s+(?:the )?(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})"
)


def is_working_day(iso: str) -> bool:
    """
    Say whether a day in ISO 8601 is neither a Saturday nor a Sunday.

    >>> is_working_day("2026-03-06"), is_working_day("2026-03-07")
    (True, False)
    """
    return dt.date.fromisoformat(iso).isoweekday() <= _WORKING_DAYS


def read_date(raw: str, *, language: str = "en") -> str | None:
    """
    Return a date in ISO 8601, or None where the text is no date of the calendar.

    Year first is read in every language. Of dates with the year last, English takes the
    month first (``03/14/2026``), French, Russian, Thai and Arabic the day; Thai years after 2300
    are Buddhist. Months go by name in English and in the language. Two-digit years are
    refused, since they are not unique.

    >>> read_date("March 14th, 2026"), read_date("14/03/2026", language="fr")
    ('2026-03-14', '2026-03-14')
    >>> read_date("14/03/2026"), read_date("2026-02-30"), read_date("3/14/26")
    (None, None, None)
    """
    if len(raw) > _LONGEST:
        return None
    text = " ".join(plain_digits(raw).casefold().split())
    for year, month, day in _readings(text, language):
        try:
            return dt.date(year, month, day).isoformat()
        except ValueError:
            return None
    return None


def typed_date(day: str, language: str) -> str:
    """
    Return the keys for a day in Chromium's own date field on a page of a language.

    What is no date in ISO 8601 stays as it is.

    >>> [typed_date("2026-03-14", language) for language in ("en", "ar", "ja")]
    ['03142026', '14032026', '20260314']
    >>> typed_date("soon", "en")
    'soon'
    """
    parts = _ISO.fullmatch(day)
    if parts is None:
        return day
    keys = dict(zip(("yyyy", "mm", "dd"), parts.groups(), strict=True))
    return "".join(keys[part] for part in re.findall("[a-z]+", DATE_FORMATS[language]))


def _readings(text: str, language: str) -> Iterator[tuple[int, int, int]]:
    """Yield the year, month and day of a text, or nothing."""
    if found := _YEAR_FIRST.fullmatch(text):
        yield int(found[1]), int(found[3]), int(found[4])
    elif found := _IDEOGRAPHS.fullmatch(text):
        yield int(found[1]), int(found[2]), int(found[3])
    elif found := _YEAR_LAST.fullmatch(text):
        order = DATE_FORMATS.get(language, DATE_FORMATS["en"])[0]
        first, second, year = int(found[1]), int(found[3]), _year(found[4], language)
        if order == "d":
            yield year, second, first
        elif order == "m" and found[2] != ".":
            yield year, first, second
    elif found := _DAY_FIRST.fullmatch(text):
        yield _year(found[3], language), _month(found[2], language), int(found[1])
    elif found := _MONTH_FIRST.fullmatch(text):
        yield _year(found[3], language), _month(found[1], language), int(found[2])


def _year(digits: str, language: str) -> int:
    year = int(digits)
    return year - _BUDDHIST if language == "th" and year > _BUDDHIST_FROM else year


def _month(name: str, language: str) -> int:
    """Return the number of a month by name, or 0; English names may be cut to three letters."""
    names = {month[:_SHORT]: number for number, month in enumerate(MONTHS["en"], 1)}
    names["sept"] = names["sep"]
    for table in (MONTHS["en"], MONTHS.get(language, ()), _OTHER_MONTHS.get(language, ())):
        names |= {month.translate(_ALEF): number for number, month in enumerate(table, 1)}
    return names.get(name.translate(_ALEF), 0)
