"""
Find a value in a text in any of the forms in which a person may write it.
"""

from __future__ import annotations

import datetime as dt
import functools
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from surefoot.forms.instance import FileValue, Value
from surefoot.forms.letters.proof.amounts import amounts_in, read_amount
from surefoot.forms.letters.proof.choices import (
    content_words,
    read_chosen,
    read_several,
    spellings,
)
from surefoot.forms.letters.proof.cues import cues
from surefoot.forms.specification import Field, Holds, Kind, said
from surefoot.forms.values.dates import MONTHS, read_date
from surefoot.forms.values.normalise import normalise
from surefoot.forms.values.scripts import UNSPACED, is_unspaced

_MARKS: Final = " .\n-*\u201c\u201d\u3002"
_POLITE: Final = "\u0e04\u0e23\u0e31\u0e1a"  # what ends a Thai sentence
_DATES: Final = (
    r"(?<![A-Za-z0-9/.-])(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([/.])\d{1,2}\2\d{4}"
    r"|\d{4}\s?\u5e74\s?\d{1,2}\s?\u6708\s?\d{1,2}\s?\u65e5"
    r"|\d{1,2}(?:er)? (?:{months}) \d{4})(?![A-Za-z0-9/-])"
)
_EMAIL: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_URL: Final = re.compile(r"https?://[!#-+\--;=?-~]+[^\W_]", re.ASCII)
_TELEPHONE: Final = re.compile(
    r"(?<![\w+-])(?:\+\d|\(\d{3}\))[\d ().-]{7,18}\d(?![\w-])", re.ASCII
)


def read_box(field: Field, text: str, language: str = "en") -> bool | None:
    """
    Return whether a text ticks a box: "yes", or all that its label says; None for neither.

    A statement with more negations than the label leaves the box empty. Text that ends as
    a heading does ("I agree:") states nothing.

    >>> box = Field(id="sale", kind="checkbox", label={"en": "The work is for sale"}, fill="flag")
    >>> read_box(box, "No, the work is not for sale"), read_box(box, "The work is for sale:")
    (False, None)
    """
    words = text.strip(_MARKS)
    if words.endswith(_POLITE):
        words = words[: -len(_POLITE)].rstrip(_MARKS)
    value = normalise(field, words, language=language) if words else None
    if isinstance(value, bool):
        return value
    if not words or words.rstrip()[-1] in ":=?\uff1a\uff1f\u061f":
        return None
    negation = cues(language).negation
    if not negation:
        return _told_of_box(field, words, language)
    label = said(field.label, language)
    if not content_words(label, language) <= content_words(words, language):
        return None
    denied = [len(re.findall(negation, item, re.IGNORECASE)) for item in (words, label)]
    return denied[0] <= denied[1]


def _told_of_box(field: Field, words: str, language: str) -> bool | None:
    """Read a statement by the label itself, or by the table's words for box and denial."""
    folded, label = words.casefold(), said(field.label, language).casefold().rstrip(".\u3002")
    if folded == label:
        return True
    table = cues(language)
    if not any(cue in folded for cue in table.boxes.get(field.id, ())):
        return None
    return not any(cue in folded for cue in table.denials)


def read_day(text: str, language: str = "en") -> str | None:
    """
    Return the day that a phrase means in ISO 8601, or None; it may be counted from a date.

    >>> read_day("two weeks after 3 May 2026"), read_day("the day before January 1st, 2027")
    ('2026-05-17', '2026-12-31')
    >>> read_day("some day after 3 May 2026") is None
    True
    """
    folded, table = " ".join(text.casefold().split()), cues(language)
    found = re.fullmatch(table.counted, folded) if table.counted else None
    if found is None:
        return read_date(folded, language=language)
    anchor = read_date(found["anchor"], language=language)
    count = read_amount(found["count"], language) if found["count"] else 1
    if anchor is None or count is None:
        return None
    days = int(count) * table.days[found["unit"]]
    way = 1 if found["after"] else -1
    return (dt.date.fromisoformat(anchor) + dt.timedelta(days=way * days)).isoformat()


def days_in(text: str, language: str = "en") -> Iterator[tuple[int, int, str]]:
    """Yield where each date of a text stands, and the day it means."""
    for found in _dates(language).finditer(text):
        value = read_date(found[0], language=language)
        if value is not None:
            yield found.start(), found.end(), value


@functools.cache
def _dates(language: str) -> re.Pattern[str]:
    """Return the dates that people write in a language, their signs in no other word."""
    names = "|".join(MONTHS.get(language, MONTHS["en"]))
    pattern = cues(language).dates or _DATES
    return re.compile(pattern.replace("{months}", names), re.IGNORECASE)


def read_phrase(field: Field, text: str, gold: Value, language: str = "en") -> Value | None:
    """
    Return the value of the field's kind that a whole phrase means, or None.

    A file is read by its name alone: its SHA-256 is taken from the value that is proven.
    """
    if isinstance(gold, FileValue):
        return FileValue(text.strip(), gold.sha256)
    if field.traits.holds is Holds.TICK:
        return read_box(field, text, language)
    value = normalise(field, text, language=language)
    return _worked_out(field, text, language) if value is None else value


def _worked_out(field: Field, text: str, language: str) -> Value | None:
    """Read a phrase that is no value as it stands."""
    if field.traits.holds is Holds.NUMBER:
        amount = read_amount(text, language)
        return None if amount is None else normalise(field, f"{amount:f}")
    if field.traits.holds is Holds.DATE:
        return read_day(text, language)
    if field.traits.holds is Holds.OPTIONS:
        return read_several(field, text, language)
    return read_chosen(field, text, language) if field.traits.chosen else None


def occurs(field: Field, gold: Value, text: str, language: str = "en") -> bool:
    """
    Say whether a value can be read anywhere in a text, whatever is said around it.

    A single word with a capital is a name: "Good day" does not hold the name Day, "DAY" does.
    Options are looked for by the words of their labels, in whole words; a box by a
    statement with all words of its label.
    """
    if isinstance(gold, FileValue):
        return _has(text, gold.name)
    if isinstance(gold, bool):
        return read_box(field, text, language) is gold
    if isinstance(gold, tuple):
        return all(_names(field, item, text, language) for item in gold)
    if field.traits.chosen:
        return _names(field, gold, text, language)
    if field.traits.found_by_reading:
        typed = typed_in(text, language)
        return any(value == gold for _, _, kind, value in typed if kind is field.traits.found_as)
    found = [text[start:end] for start, end in places(text, gold)]
    common = " " not in gold and not gold.islower() and field.traits.words == "line"
    return any(not (common and item.islower()) for item in found)


def typed_in(text: str, language: str = "en") -> Iterator[tuple[int, int, Kind, str]]:
    """
    Yield every e-mail and web address, telephone number, date and amount of a text.

    Each comes with where it stands and its normalised value; what is part of one is not
    read as another.
    """
    rest = text
    for kind, pattern in (
        (Kind.EMAIL, _EMAIL),
        (Kind.URL, _URL),
        (Kind.TELEPHONE, _TELEPHONE),
    ):
        probe = Field(id="probe", kind=kind, label={"en": "probe"}, fill="probe")
        for found in pattern.finditer(rest):
            value = normalise(probe, found[0])
            yield found.start(), found.end(), kind, value if isinstance(value, str) else ""
        rest = pattern.sub(lambda found: "\x00" * len(found[0]), rest)
    letters = list(rest)
    for start, end, day in days_in(rest, language):
        letters[start:end] = "\x00" * (end - start)
        yield start, end, Kind.DATE, day
    for start, end, amount in amounts_in("".join(letters), language):
        yield start, end, Kind.NUMBER, _plain(amount)


def _plain(amount: Decimal) -> str:
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _names(field: Field, gold: str, text: str, language: str) -> bool:
    option = field.option(gold)
    named = () if option is None else spellings(option, language)
    return any(_has(text, spelling) for spelling in named)


def places(text: str, value: str) -> Iterator[tuple[int, int]]:
    """
    Yield where a value stands in a text, in whole words, whatever the case and the spaces.

    >>> list(places("Sea freight, no sea-freight", "sea  freight"))
    [(0, 11)]
    """
    words = value.split()
    if words:
        spelled = r"\s+".join(re.escape(word) for word in words)
        before, behind = (_edge(sign) for sign in (value.strip()[0], value.strip()[-1]))
        for found in re.finditer(rf"(?<!{before}){spelled}(?!{behind})", text, re.IGNORECASE):
            yield found.span()


def _edge(sign: str) -> str:
    """Return what goes on with a word that ends in a sign: none where no space parts words."""
    return r"[^\s\S]" if is_unspaced(sign) else rf"[^\W{UNSPACED}]"


def _has(text: str, value: str) -> bool:
    return next(places(text, value), None) is not None
