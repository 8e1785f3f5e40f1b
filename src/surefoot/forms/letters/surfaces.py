"""
Spell values as people write them: as they are, in other words, or so that they follow.
"""

from __future__ import annotations

import datetime as dt
import re
from random import Random
from typing import Final, Literal

import msgspec

from surefoot.forms.instance import FileValue, Value
from surefoot.forms.letters.tables import choices, frames, spelling
from surefoot.forms.specification import Field, Option, said
from surefoot.forms.values.dates import MONTHS
from surefoot.forms.values.numerals import COMMA_DECIMAL

_LOWERED: Final = 2  # capitals from which on a word is an abbreviation
_BRACKET: Final = re.compile(r"\s*[(\uff08]")
_NO_BREAK: Final = "\u00a0"
_BUDDHIST: Final = 543


class Surface(msgspec.Struct, frozen=True):
    """
    Spell a value, and say how that relates to what the form takes.

    ``denies``: it names all options but the right one.
    """

    text: str
    how: Literal["verbatim", "reworded", "derived"] = "verbatim"
    denies: bool = False


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
    spell = field.traits.say
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
    table = spelling(language)
    text = label.rstrip("?: \u00a0\uff1f\uff1a").replace(" & ", f" {table.ampersand} ")
    if not table.lowered or (table.titled and any(item.isdigit() for item in text)):
        return text
    return " ".join(
        word if sum(map(str.isupper, word)) >= _LOWERED else word.lower() for word in text.split()
    )


def spoken_date(iso: str, random: Random, language: str) -> str:
    """Write a day as people do who speak a language."""
    day, table = dt.date.fromisoformat(iso), spelling(language)
    name = MONTHS[language][day.month - 1] if language in MONTHS else ""
    return random.choice(table.days).format(
        year=day.year,
        buddhist=day.year + _BUDDHIST,
        month=day.month,
        day=day.day,
        nth=f"{day.day}{table.endings.get(str(day.day), table.ending)}",
        name=name,
        Name=name.capitalize(),
    )


def in_words(number: int, language: str) -> str:
    """
    Write a number below a hundred in words, in figures where the table of a language has none.

    >>> in_words(7, "en"), in_words(40, "en"), in_words(42, "en"), in_words(42, "fr")
    ('seven', 'forty', 'forty-two', '42')
    """
    table = spelling(language)
    if not table.units:
        return str(number)
    if number < len(table.units):
        return table.units[number]
    tens, rest = divmod(number, 10)
    return table.tens[tens - 2] + (f"-{table.units[rest]}" if rest else "")


def _label(field: Field, value: str, language: str) -> str:
    option = field.option(value)
    return value if option is None else said(option.label, language)


def _listed(names: list[str], language: str) -> str:
    table = choices(language)
    return table.listing_last.join(filter(None, [table.listing.join(names[:-1]), names[-1]]))


def _parts(label: str) -> list[str]:
    return label.split(" - ")


def grouped(number: int, language: str) -> str:
    r"""
    Write a whole number with its thousands apart.

    >>> grouped(1250, "en"), grouped(1250, "fr") == "1\u00a0250"
    ('1,250', True)
    """
    text = f"{number:,}"
    return text.replace(",", _NO_BREAK) if language in COMMA_DECIMAL else text


def short(option: Option, language: str) -> str:
    """Take what a label explains in brackets or behind a dash off."""
    head = _BRACKET.split(_parts(said(option.label, language))[0])[0]
    return mid(head.replace("/", choices(language).either), language)
