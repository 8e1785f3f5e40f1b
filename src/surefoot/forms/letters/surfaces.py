"""
Spell values as people write them: as they are, in other words, or so that they follow.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Final, Literal

import msgspec

from surefoot.forms.instance import FileValue, Value
from surefoot.forms.letters.tables import choices, frames
from surefoot.forms.specification import Field, Kind, Option, said
from surefoot.forms.values.dates import MONTHS
from surefoot.forms.values.numerals import COMMA_DECIMAL

__all__ = [
    "Surface",
    "grouped",
    "in_words",
    "mid",
    "plain",
    "reworded",
    "short",
    "spoken_date",
]

_UNITS: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS: Final = (*("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),)
_IN_WORDS: Final = 100
_FIRST_COUNTED: Final = 2
_TEENS: Final = range(11, 14)
_ENDINGS: Final = {1: "st", 2: "nd", 3: "rd"}
_LOWERED: Final = 2  # capitals from which on a word is an abbreviation
_HALF: Final = 0.5
_BRACKET: Final = re.compile(r"\s*[(\uff08]")
_SMALL_LETTERS: Final = frozenset({"en", "fr", "ru"})
_NO_BREAK: Final = "\u00a0"
_BUDDHIST: Final = 543
# {name} is that of the month.
_DAYS: Final[Mapping[str, tuple[str, ...]]] = {
    "fr": ("{nth} {name} {year}", "{day:02}/{month:02}/{year}"),
    "ru": ("{day} {name} {year} года", "{day:02}.{month:02}.{year}"),
    "zh": ("{year}年{month}月{day}日", "{year}/{month}/{day}"),
    "ja": ("{year}年{month}月{day}日", "{year}/{month:02}/{day:02}"),
    "th": ("{day} {name} {buddhist}", "{day}/{month}/{buddhist}"),
    "ar": ("{day} {name} {year}", "{day}/{month}/{year}"),
}


class Surface(msgspec.Struct, frozen=True):
    """Spell a value, and say how that relates to what the form takes."""

    text: str
    how: Literal["verbatim", "reworded", "derived"] = "verbatim"


def plain(field: Field, value: Value, language: str) -> Surface:
    """Spell a value as the form shows or takes it."""
    if isinstance(value, FileValue):
        return Surface(value.name)
    if isinstance(value, bool):
        return Surface(frames(language).yes if value else frames(language).no)
    if isinstance(value, tuple):
        return Surface("; ".join(_label(field, item, language) for item in value))
    return Surface(_label(field, value, language))


def reworded(field: Field, value: Value, random: Random, language: str) -> Surface:
    """Spell a value in another form where its kind has one."""
    if isinstance(value, tuple):
        named = [random.choice(_parts(_label(field, item, language))) for item in value]
        return Surface(_listed(named, language), "reworded")
    spell = _SPELLERS.get(field.kind)
    if spell is None or not isinstance(value, str):
        return plain(field, value, language)
    text = spell(field, value, random, language)
    return Surface(text, "verbatim" if text == value else "reworded")


def mid(label: str, language: str = "en") -> str:
    """
    Write a label as it stands within a sentence, in small letters where there are such.

    >>> mid("Sea freight"), mid("LLC"), mid("Spring 2025"), mid("Business & Management")
    ('sea freight', 'LLC', 'Spring 2025', 'business and management')
    """
    text = label.rstrip("?: \u00a0\uff1f\uff1a")
    if language == "en":
        text = text.replace(" & ", " and ")
    titled = language == "en" and any(item.isdigit() for item in text)
    if titled or language not in _SMALL_LETTERS:
        return text
    return " ".join(
        word if sum(map(str.isupper, word)) >= _LOWERED else word.lower() for word in text.split()
    )


def spoken_date(iso: str, random: Random, language: str) -> str:
    """Write a day as people do who speak a language."""
    day = dt.date.fromisoformat(iso)
    if language != "en":
        return random.choice(_DAYS[language]).format(
            year=day.year,
            buddhist=day.year + _BUDDHIST,
            month=day.month,
            day=day.day,
            nth="1er" if day.day == 1 else day.day,
            name=MONTHS[language][day.month - 1] if language in MONTHS else "",
        )
    month, number = MONTHS["en"][day.month - 1].capitalize(), day.day
    ending = "th" if number in _TEENS else _ENDINGS.get(number % 10, "th")
    return random.choice(
        (
            f"{number} {month} {day.year}",
            f"{month} {number}, {day.year}",
            f"{month} {number}{ending}, {day.year}",
            f"the {number}{ending} of {month} {day.year}",
        )
    )


def in_words(number: int) -> str:
    """
    Write a number below a hundred in words.

    >>> in_words(7), in_words(40), in_words(42)
    ('seven', 'forty', 'forty-two')
    """
    if number < len(_UNITS):
        return _UNITS[number]
    tens, rest = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_UNITS[rest]}" if rest else "")


def _label(field: Field, value: str, language: str) -> str:
    option = field.option(value)
    return value if option is None else said(option.label, language)


def _listed(names: list[str], language: str) -> str:
    table = choices(language)
    return table.listing_last.join(filter(None, [table.listing.join(names[:-1]), names[-1]]))


def _parts(label: str) -> list[str]:
    return label.split(" - ")


def _telephone(_: Field, value: str, random: Random, language: str) -> str:
    import phonenumbers

    number = phonenumbers.parse(value)
    if number.extension:
        return value
    shapes = phonenumbers.PhoneNumberFormat
    at_home = number.country_code == 1 and language == "en"
    domestic = shapes.NATIONAL if at_home else shapes.INTERNATIONAL
    return phonenumbers.format_number(number, random.choice((domestic, shapes.INTERNATIONAL)))


def _number(field: Field, value: str, random: Random, language: str) -> str:
    """Write thousands apart, in English a small count in words, and a year as it is."""
    if field.fill == "number.year":
        return value
    small = language == "en" and value.isdigit() and _FIRST_COUNTED <= int(value) < _IN_WORDS
    if small and field.fill != "number.money" and random.random() < _HALF:
        return in_words(int(value))
    whole, point, decimals = value.partition(".")
    if point and language in COMMA_DECIMAL:
        point = ","
    return f"{grouped(int(whole), language)}{point}{decimals}"


def grouped(number: int, language: str) -> str:
    r"""
    Write a whole number with its thousands apart.

    >>> grouped(1250, "en"), grouped(1250, "fr") == "1\u00a0250"
    ('1,250', True)
    """
    text = f"{number:,}"
    return text.replace(",", _NO_BREAK) if language in COMMA_DECIMAL else text


def _choice(field: Field, value: str, _: Random, language: str) -> str:
    option = field.option(value)
    return value if option is None else short(option, language)


def short(option: Option, language: str) -> str:
    """Take what a label explains in brackets or behind a dash off."""
    head = _BRACKET.split(_parts(said(option.label, language))[0])[0]
    return mid(head.replace("/", choices(language).either), language)


_SPELLERS: Final[Mapping[Kind, Callable[[Field, str, Random, str], str]]] = {
    Kind.TELEPHONE: _telephone,
    Kind.NUMBER: _number,
    Kind.DATE: lambda _, value, random, language: spoken_date(value, random, language),
    Kind.DROP_DOWN: _choice,
    Kind.RADIO: _choice,
}
