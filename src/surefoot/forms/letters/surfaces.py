"""
Spell values as people write them: as they are, in other words, or so that they follow.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from random import Random
from typing import Final, Literal

import msgspec

from surefoot.forms.instance import FileValue, Value
from surefoot.forms.specification import Field, Kind, Option
from surefoot.forms.values.dates import MONTHS

__all__ = ["Surface", "days_apart", "in_words", "mid", "plain", "reworded", "short", "spoken_date"]

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


class Surface(msgspec.Struct, frozen=True):
    """Spell a value, and say how that relates to what the form takes."""

    text: str
    how: Literal["verbatim", "reworded", "derived"] = "verbatim"


def plain(field: Field, value: Value) -> Surface:
    """Spell a value as the form shows or takes it."""
    if isinstance(value, FileValue):
        return Surface(value.name)
    if isinstance(value, bool):
        return Surface("yes" if value else "no")
    if isinstance(value, tuple):
        return Surface("; ".join(_label(field, item) for item in value))
    return Surface(_label(field, value))


def reworded(field: Field, value: Value, random: Random) -> Surface:
    """Spell a value in another form where its kind has one."""
    if isinstance(value, tuple):
        named = [random.choice(_parts(_label(field, item))) for item in value]
        return Surface(_listed(named), "reworded")
    spell = _SPELLERS.get(field.kind)
    if spell is None or not isinstance(value, str):
        return plain(field, value)
    text = spell(field, value, random)
    return Surface(text, "verbatim" if text == value else "reworded")


def mid(label: str) -> str:
    """
    Write a label as it stands within a sentence.

    >>> mid("Sea freight"), mid("LLC"), mid("Spring 2025"), mid("Business & Management")
    ('sea freight', 'LLC', 'Spring 2025', 'business and management')
    """
    text = label.rstrip("?:").replace(" & ", " and ")
    if any(item.isdigit() for item in text):
        return text
    return " ".join(
        word if sum(map(str.isupper, word)) >= _LOWERED else word.lower() for word in text.split()
    )


def spoken_date(iso: str, random: Random) -> str:
    """Write a day with the name of its month, the day or the month first."""
    day = dt.date.fromisoformat(iso)
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


def days_apart(iso: str, days: int) -> str:
    """Return the day that is so many days later."""
    return (dt.date.fromisoformat(iso) + dt.timedelta(days=days)).isoformat()


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


def _label(field: Field, value: str) -> str:
    option = field.option(value)
    return value if option is None else option.label["en"]


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _parts(label: str) -> list[str]:
    return label.split(" - ")


def _telephone(_: Field, value: str, random: Random) -> str:
    import phonenumbers

    number = phonenumbers.parse(value)
    if number.extension:
        return value
    shapes = phonenumbers.PhoneNumberFormat
    domestic = shapes.NATIONAL if number.country_code == 1 else shapes.INTERNATIONAL
    return phonenumbers.format_number(number, random.choice((domestic, shapes.INTERNATIONAL)))


def _number(field: Field, value: str, random: Random) -> str:
    """Write thousands apart, a small count in words, and a year as it is."""
    if field.fill == "number.year":
        return value
    small = value.isdigit() and _FIRST_COUNTED <= int(value) < _IN_WORDS
    if small and field.fill != "number.money" and random.random() < _HALF:
        return in_words(int(value))
    whole, point, decimals = value.partition(".")
    return f"{int(whole):,}{point}{decimals}"


def _choice(field: Field, value: str, _: Random) -> str:
    option = field.option(value)
    return value if option is None else short(option)


def short(option: Option) -> str:
    """Take what a label explains in brackets or behind a dash off."""
    head = _parts(option.label["en"])[0].partition(" (")[0]
    return mid(head.replace("/", " or "))


_SPELLERS: Final[Mapping[Kind, Callable[[Field, str, Random], str]]] = {
    Kind.TELEPHONE: _telephone,
    Kind.NUMBER: _number,
    Kind.DATE: lambda _, value, random: spoken_date(value, random),
    Kind.DROP_DOWN: _choice,
    Kind.RADIO: _choice,
}
