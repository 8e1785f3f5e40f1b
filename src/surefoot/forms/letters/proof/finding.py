"""
Find a value in a text in any of the forms in which a person may write it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from surefoot.forms.instance import FileValue, Value
from surefoot.forms.letters.proof.amounts import amounts_in, read_amount
from surefoot.forms.letters.proof.boxes import read_box
from surefoot.forms.letters.proof.choices import read_chosen, read_several, spellings
from surefoot.forms.letters.proof.days import days_in, read_day
from surefoot.forms.specification import Field, Kind
from surefoot.forms.values.normalise import normalise

__all__ = ["CHOSEN", "occurs", "places", "read_phrase", "typed_in"]

CHOSEN: Final = frozenset({Kind.DROP_DOWN, Kind.RADIO, Kind.MULTI_CHOICE})
_EMAIL: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_URL: Final = re.compile(r"https?://[^\s<>\"\u201d,]+[^\s<>\"\u201d,.;:!?)]")
_TELEPHONE: Final = re.compile(r"(?<![\w+-])(?:\+\d|\(\d{3}\))[\d ().-]{7,18}\d(?![\w-])")


def read_phrase(field: Field, text: str, gold: Value) -> Value | None:
    """
    Return the value of the field's kind that a whole phrase means, or None.

    A file is read by its name alone: its SHA-256 is taken from the value that is proven.
    """
    if isinstance(gold, FileValue):
        return FileValue(text.strip(), gold.sha256)
    if field.kind is Kind.CHECKBOX:
        return read_box(field, text)
    value = normalise(field, text)
    return _worked_out(field, text) if value is None else value


def _worked_out(field: Field, text: str) -> Value | None:
    """Read a phrase that is no value as it stands."""
    if field.kind is Kind.NUMBER:
        amount = read_amount(text)
        return None if amount is None else normalise(field, f"{amount:f}")
    if field.kind is Kind.DATE:
        return read_day(text)
    if field.kind is Kind.MULTI_CHOICE:
        return read_several(field, text)
    return read_chosen(field, text) if field.kind in CHOSEN else None


def occurs(field: Field, gold: Value, text: str) -> bool:
    """
    Say whether a value can be read anywhere in a text, whatever is said around it.

    A single word with a capital is a name: "Good day" does not hold the name Day, "DAY" does.
    Options are looked for by the words of their labels, in whole words; a box by a
    statement with all words of its label.
    """
    if isinstance(gold, FileValue):
        return _has(text, gold.name)
    if isinstance(gold, bool):
        return read_box(field, text) is gold
    if isinstance(gold, tuple):
        return all(_names(field, each, text) for each in gold)
    if field.kind in CHOSEN:
        return _names(field, gold, text)
    if field.kind in {Kind.TELEPHONE, Kind.DATE, Kind.NUMBER}:
        return any(value == gold for _, _, kind, value in typed_in(text) if kind is field.kind)
    found = [text[start:end] for start, end in places(text, gold)]
    common = " " not in gold and not gold.islower() and field.kind is Kind.STRING
    return any(not (common and each.islower()) for each in found)


def typed_in(text: str) -> Iterator[tuple[int, int, Kind, str]]:
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
    for start, end, day in days_in(rest):
        letters[start:end] = "\x00" * (end - start)
        yield start, end, Kind.DATE, day
    for start, end, amount in amounts_in("".join(letters)):
        yield start, end, Kind.NUMBER, _plain(amount)


def _plain(amount: Decimal) -> str:
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _names(field: Field, gold: str, text: str) -> bool:
    option = field.option(gold)
    return option is not None and any(_has(text, each) for each in spellings(option))


def places(text: str, value: str) -> Iterator[tuple[int, int]]:
    """
    Yield where a value stands in a text, in whole words, whatever the case and the spaces.

    >>> list(places("Sea freight, no sea-freight", "sea  freight"))
    [(0, 11)]
    """
    words = value.split()
    if words:
        spelled = r"\s+".join(re.escape(each) for each in words)
        for found in re.finditer(rf"(?<!\w){spelled}(?!\w)", text, re.IGNORECASE):
            yield found.span()


def _has(text: str, value: str) -> bool:
    return next(places(text, value), None) is not None
