"""
What a form is: pages of fields, options, and constraints between fields, as data.

One specification is the only source of truth. Renderers draw it, values are made for it,
the server validates against it, and the scorer reads it.
"""

from __future__ import annotations

import datetime as dt
import enum
import itertools
import math
import re
from collections.abc import Iterator
from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError

__all__ = [
    "LANGUAGES",
    "Constraint",
    "Field",
    "Form",
    "Kind",
    "Option",
    "Page",
    "Words",
    "said",
]

LANGUAGES: Final = ("en", "zh", "fr", "ru", "ja", "th")

Words: TypeAlias = dict[str, str]
Name: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9_]*$")]
Label: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[a-z0-9][a-z0-9_-]*$")]


class Kind(enum.StrEnum):
    """Say what kind of value a field takes."""

    STRING = "string"
    EMAIL = "email"
    TELEPHONE = "telephone"
    URL = "url"
    PASSWORD = "password"  # noqa: S105 (a kind of field, no secret)
    NUMBER = "number"
    DATE = "date"
    DROP_DOWN = "drop-down"
    RADIO = "radio"
    MULTI_CHOICE = "multi-choice"
    CHECKBOX = "checkbox"
    DESCRIPTION = "description"
    FILE = "file"


class Option(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """
    Offer one choice: the value that is sent, and what is shown in each language.

    Where ``when`` names a field, the option is offered only while that field holds one of
    the listed option values; that field comes before this option's own.
    """

    value: Label
    label: Words
    when: dict[str, tuple[str, ...]] = {}


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """
    Ask for one value.

    ``fill`` names the maker of its values ("person.email"), and ``about`` whom or what the
    value belongs to: fields about the same thing get values that agree (one person's name,
    e-mail, address). Lengths are counted in characters; dates are ISO 8601; ``accepts``
    lists file suffixes.
    """

    id: Name
    kind: Kind
    label: Words
    fill: str
    about: Name = "applicant"
    help: Words = {}
    required: bool = True
    options: tuple[Option, ...] = ()
    shortest: int = 0
    longest: int = 0
    lowest: float | None = None
    highest: float | None = None
    step: float | None = None
    earliest: str = ""
    latest: str = ""
    accepts: tuple[str, ...] = ()

    def option(self, value: str) -> Option | None:
        """Return the option of a value, or None."""
        return next((each for each in self.options if each.value == value), None)


class Page(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Show some of a form's fields together, under a title."""

    title: Words
    fields: tuple[Field, ...]


class Constraint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Bind fields to each other, where all of them are filled in.

    "after": the first is a later date than the second. "at-most": the first is a number no
    larger than the second. "sum": the first is the sum of all others. "same": the first
    repeats the second.
    """

    rule: Literal["after", "at-most", "sum", "same"]
    fields: Annotated[tuple[Name, ...], msgspec.Meta(min_length=2)]


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """
    Describe one form whole.

    ``code`` is the form's number in FormFactory's Table 1 ("A11"), ``published`` the count
    of fields printed there, and ``deviation`` says in a sentence where this form differs.
    """

    id: Name
    code: str
    domain: str
    title: Words
    pages: Annotated[tuple[Page, ...], msgspec.Meta(min_length=1)]
    introduction: Words = {}
    constraints: tuple[Constraint, ...] = ()
    version: int = 1
    published: int = 0
    deviation: str = ""

    @property
    def fields(self) -> tuple[Field, ...]:
        """Return the fields of all pages, in reading order."""
        return tuple(itertools.chain.from_iterable(page.fields for page in self.pages))

    def field(self, name: str) -> Field | None:
        """Return the field of that id, or None."""
        return next((each for each in self.fields if each.id == name), None)

    def page_of(self, name: str) -> int:
        """Return the number of the page, from 0, on which a field stands; raises KeyError."""
        for number, page in enumerate(self.pages):
            if any(each.id == name for each in page.fields):
                return number
        raise KeyError(name)

    def __post_init__(self) -> None:
        for problem in _problems(self):
            raise InvalidInputError(f"form '{self.id}' to agree with itself", found=problem)


def said(words: Words, language: str) -> str:
    """
    Return words in a language, or in English where it lacks them.

    >>> said({"en": "City", "fr": "Ville"}, "fr"), said({"en": "City"}, "th")
    ('Ville', 'City')
    """
    return words.get(language) or words.get("en", "")


def _problems(form: Form) -> Iterator[str]:
    """Say what of a form contradicts another part of it."""
    names = [each.id for each in form.fields]
    yield from (f"two fields '{name}'" for name in sorted(set(names)) if names.count(name) > 1)
    for constraint in form.constraints:
        for name in constraint.fields:
            yield from _problems_of_rule(constraint.rule, name, form.field(name))
    for field in form.fields:
        yield from _problems_of(field)
        yield from _problems_of_limits(field)
        for option in field.options:
            yield from _problems_of_option(option, field, form)


def _problems_of_rule(rule: str, name: str, field: Field | None) -> Iterator[str]:
    if field is None:
        yield f"a constraint on '{name}', which is no field"
    elif field.kind is not _RULED.get(rule, field.kind):
        yield f"a rule '{rule}' on '{name}' of kind {field.kind}"


def _problems_of(field: Field) -> Iterator[str]:
    chosen = {Kind.DROP_DOWN, Kind.RADIO, Kind.MULTI_CHOICE}
    if bool(field.options) != (field.kind in chosen):
        yield f"field '{field.id}' of kind {field.kind} with {len(field.options)} options"
    values = [each.value for each in field.options]
    if len(set(values)) < len(values):
        yield f"two options of one value in '{field.id}'"
    if bool(field.accepts) != (field.kind is Kind.FILE):
        yield f"field '{field.id}' of kind {field.kind} that accepts {list(field.accepts)}"
    for words in (field.label, *(each.label for each in field.options)):
        if not words.get("en"):
            yield f"field '{field.id}' without English words"


def _problems_of_limits(field: Field) -> Iterator[str]:
    numbers = [each for each in (field.lowest, field.highest) if each is not None]
    step = 1.0 if field.step is None else field.step
    if not all(map(math.isfinite, [*numbers, step])) or sorted(numbers) != numbers or step <= 0:
        yield f"field '{field.id}' from {field.lowest} to {field.highest} by {field.step}"
    if field.shortest < 0 or field.longest < 0 or 0 < field.longest < field.shortest:
        yield f"field '{field.id}' of {field.shortest} to {field.longest} characters"
    dates = [each for each in (field.earliest, field.latest) if each]
    if not all(map(_is_date, dates)) or sorted(dates) != dates:
        yield f"field '{field.id}' from '{field.earliest}' to '{field.latest}'"
    yield from (
        f"field '{field.id}' that accepts '{suffix}', which is no suffix such as '.pdf'"
        for suffix in field.accepts
        if not _SUFFIX.fullmatch(suffix)
    )


def _problems_of_option(option: Option, field: Field, form: Form) -> Iterator[str]:
    order = [each.id for each in form.fields]
    for name, values in option.when.items():
        hangs = f"option '{option.value}' of '{field.id}' that hangs on '{name}'"
        other = form.field(name)
        if other is None:
            yield f"{hangs}, which is no field"
        elif order.index(name) >= order.index(field.id):
            yield f"{hangs}, which does not come before it"
        else:
            yield from (
                f"{hangs} being '{value}', which is none of its options"
                for value in values
                if other.option(value) is None
            )


def _is_date(text: str) -> bool:
    """Say whether a text is a day in the one form of ISO 8601 that sorts as text."""
    try:
        return dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


_RULED: Final = {"after": Kind.DATE, "at-most": Kind.NUMBER, "sum": Kind.NUMBER}
_SUFFIX: Final = re.compile(r"\.[a-z0-9]+")
