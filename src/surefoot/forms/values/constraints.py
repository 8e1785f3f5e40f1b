"""
What is wrong with the values of a form: each breach named, and said in each language of a form.
"""

from __future__ import annotations

import datetime as dt
import functools
import math
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Final, Literal, TypeAlias, assert_never

import msgspec

from surefoot.core.errors import UnknownNameError
from surefoot.core.registry import suggest
from surefoot.forms.instance import FileValue, Value
from surefoot.forms.specification import Constraint, Field, Form, Holds, Option, Words, said
from surefoot.forms.values.normalise import normalise, raw_of

Reason: TypeAlias = Literal[
    "missing",
    "not-an-option",
    "option-not-offered",
    "too-short",
    "too-long",
    "too-low",
    "too-high",
    "off-step",
    "too-early",
    "too-late",
    "wrong-type",
    "malformed",
    "rule-after",
    "rule-at-most",
    "rule-sum",
    "rule-same",
    "rule-weeks",
    "rule-percent",
]
REASONS: Final[tuple[Reason, ...]] = Reason.__args__  # type: ignore[attr-defined]


class Breach(msgspec.Struct, frozen=True):
    """
    Name one breach.

    ``expected`` is what would have been right: a limit, the suffixes, or the ids of the
    other fields of a rule, apart by spaces; "" where the reason says it all.
    """

    field: str
    reason: Reason
    expected: str = ""


class ReadValues(msgspec.Struct, frozen=True):
    """Hold the values of a form's texts, with all that is broken about them."""

    values: dict[str, Value]
    broken: tuple[Breach, ...]


def is_consent(field: Field) -> bool:
    """Say whether a field is a box that must be ticked."""
    return field.traits.holds is Holds.TICK and field.required and field.fill == "consent"


def offered(field: Field, values: Mapping[str, Value]) -> tuple[Option, ...]:
    """Return the options that a field offers while the other fields hold these values."""
    return tuple(
        option
        for option in field.options
        if all(_holds(values.get(name), allowed) for name, allowed in option.when.items())
    )


def broken(
    form: Form, values: Mapping[str, Value], *, page: int | None = None
) -> tuple[Breach, ...]:
    """
    Return every breach of a form by values, in the order of its fields, then of its rules.

    With ``page``, only those of that page's fields; a rule is blamed on its first field,
    and holds where any of its fields is left empty. Limits of length count characters of
    the value, steps go from the lowest value (or 0), and "after" means strictly later.
    """
    fields = form.fields if page is None else form.pages[page].fields
    names = {item.id for item in fields}
    found = [breach for field in fields for breach in broken_field(field, values)]
    wrong = {breach.field for breach in found}
    for rule in form.constraints:
        if rule.fields[0] in names and not wrong & set(rule.fields):
            found += _of_rule(rule, values)
    return tuple(found)


def read_values(
    form: Form,
    raw: Mapping[str, str | Sequence[str]],
    *,
    language: str = "en",
    page: int | None = None,
) -> ReadValues:
    """
    Normalise the texts of a form, or of one page beside values known already, and check them.

    A text that is no value of its field is "malformed" ("not-an-option" for options), not
    "missing"; fields that the form does not have are passed over.
    """
    values: dict[str, Value] = {}
    unread: list[Breach] = []
    for field in form.fields:
        texts = raw.get(field.id, ())
        value = normalise(field, texts, language=language)
        if value is not None:
            values[field.id] = value
        elif texts and any(
            item.strip() for item in ([texts] if isinstance(texts, str) else texts)
        ):
            unread.append(Breach(field.id, _unread(field)))
    names = {breach.field for breach in unread}
    shown = {item.id for item in (form.fields if page is None else form.pages[page].fields)}
    others = [
        breach
        for breach in broken(form, values, page=page)
        if not (breach.reason == "missing" and breach.field in names)
    ]
    return ReadValues(values, (*(breach for breach in unread if breach.field in shown), *others))


def reason_words(reason: str, field: Field, language: str, *, others: Sequence[Field] = ()) -> str:
    """
    Return what a person reads about a breach, in a language, or else in English.

    ``others`` are the other fields of a broken rule, named in the message. Raises
    UnknownNameError for a reason that ``broken`` never gives.

    >>> age = Field(id="age", kind="number", label={"en": "Age"}, fill="person.age", lowest=18)
    >>> reason_words("too-low", age, "en")
    'Enter 18 or more.'
    """
    table = _messages()
    if reason not in table:
        raise UnknownNameError(
            "a known reason", found=f"'{reason}'", remedy=suggest(reason, list(table))
        )
    kinds = table[reason]
    words = kinds.get(field.traits.widget) or kinds["any"]
    named = ", ".join(
        f"\N{LEFT DOUBLE QUOTATION MARK}{said(other.label, language)}"
        "\N{RIGHT DOUBLE QUOTATION MARK}"
        for other in others
    )
    limits = {
        "shortest": str(field.shortest),
        "longest": str(field.longest),
        "lowest": _plain(field.lowest),
        "highest": _plain(field.highest),
        "step": _plain(field.step),
        "earliest": field.earliest,
        "latest": field.latest,
        "accepts": ", ".join(field.accepts),
        "others": named or "\N{HORIZONTAL ELLIPSIS}",
    }
    return said(words, language).format_map(limits)


def full_weeks(first: str, last: str) -> int:
    """
    Return how many full weeks lie between two days in ISO 8601; below 0 where the last is earlier.

    >>> full_weeks("2026-03-02", "2026-03-16"), full_weeks("2026-03-02", "2026-03-15")
    (2, 1)
    """
    days = (dt.date.fromisoformat(last) - dt.date.fromisoformat(first)).days
    return days // 7


def percent_of(part: str, whole: str) -> int:
    """
    Return how many percent one number is of another, which is not 0, rounded half up.

    >>> percent_of("1", "8"), percent_of("124", "1000")
    (13, 12)
    """
    return math.floor(100 * Fraction(part) / Fraction(whole) + Fraction(1, 2))


def _unread(field: Field) -> Reason:
    return "not-an-option" if field.traits.chosen else "malformed"


def _holds(value: Value | None, allowed: Sequence[str]) -> bool:
    chosen = value if isinstance(value, tuple) else (value,)
    return any(item in allowed for item in chosen)


def broken_field(field: Field, values: Mapping[str, Value]) -> tuple[Breach, ...]:
    """Return what is wrong with the value of one field; the others say what is offered."""
    return tuple(_of_field(field, values))


def _of_field(field: Field, values: Mapping[str, Value]) -> Iterator[Breach]:
    value = values.get(field.id)
    if value is None or (value is False and is_consent(field)):
        if is_consent(field) or (field.required and field.traits.holds is not Holds.TICK):
            yield Breach(field.id, "missing")
        return
    if field.traits.chosen:
        yield from _of_choice(field, value, values)
    elif normalise(field, raw_of(value)) is None:
        yield Breach(field.id, "malformed")
    else:
        yield from _of_limits(field, value)


def _of_choice(field: Field, value: Value, values: Mapping[str, Value]) -> Iterator[Breach]:
    chosen = value if isinstance(value, tuple) else (value,)
    shown = {option.value for option in offered(field, values)}
    if isinstance(value, tuple) != (field.traits.holds is Holds.OPTIONS) or not chosen:
        yield Breach(field.id, "malformed")
    elif any(not isinstance(item, str) or field.option(item) is None for item in chosen):
        yield Breach(field.id, "not-an-option")
    elif not shown.issuperset(item for item in chosen if isinstance(item, str)):
        yield Breach(field.id, "option-not-offered", " ".join(sorted(shown)))


def _of_limits(field: Field, value: Value) -> Iterator[Breach]:
    holds = field.traits.holds
    match holds:
        case Holds.FILE:
            if PurePosixPath(_name(value)).suffix.lower() not in field.accepts:
                yield Breach(field.id, "wrong-type", ", ".join(field.accepts))
        case Holds.NUMBER:
            yield from _of_number(field, Decimal(str(value)))
        case Holds.DATE:
            yield from _of_date(field, str(value))
        case Holds.TEXT:
            yield from _of_length(field, str(value))
        case Holds.TICK | Holds.OPTION | Holds.OPTIONS:
            return
        case _:
            assert_never(holds)


def _of_length(field: Field, text: str) -> Iterator[Breach]:
    if len(text) < field.shortest:
        yield Breach(field.id, "too-short", str(field.shortest))
    elif field.longest and len(text) > field.longest:
        yield Breach(field.id, "too-long", str(field.longest))


def _of_date(field: Field, day: str) -> Iterator[Breach]:
    if field.earliest and day < field.earliest:
        yield Breach(field.id, "too-early", field.earliest)
    elif field.latest and day > field.latest:
        yield Breach(field.id, "too-late", field.latest)


def _name(value: Value) -> str:
    return value.name if isinstance(value, FileValue) else ""


def _of_number(field: Field, number: Decimal) -> Iterator[Breach]:
    lowest = 0 if field.lowest is None else Fraction(repr(field.lowest))
    if field.lowest is not None and number < lowest:
        yield Breach(field.id, "too-low", _plain(field.lowest))
    elif field.highest is not None and number > Fraction(repr(field.highest)):
        yield Breach(field.id, "too-high", _plain(field.highest))
    elif field.step and (Fraction(number) - lowest) % Fraction(repr(field.step)):
        yield Breach(field.id, "off-step", _plain(field.step))


def _plain(limit: float | None) -> str:
    return "" if limit is None else f"{limit:.10f}".rstrip("0").rstrip(".")


def _of_rule(rule: Constraint, values: Mapping[str, Value]) -> Iterator[Breach]:
    held = [values.get(name) for name in rule.fields]
    if any(item is None for item in held):
        return
    reason, holds = _CHECKS[rule.rule]
    if not holds([str(item) for item in held]):
        yield Breach(rule.fields[0], reason, " ".join(rule.fields[1:]))


_CHECKS: Final[Mapping[str, tuple[Reason, Callable[[list[str]], bool]]]] = {
    "after": (
        "rule-after",
        lambda held: dt.date.fromisoformat(held[0]) > dt.date.fromisoformat(held[1]),
    ),
    "at-most": ("rule-at-most", lambda held: Decimal(held[0]) <= Decimal(held[1])),
    "sum": ("rule-sum", lambda held: Fraction(held[0]) == sum(map(Fraction, held[1:]))),
    "same": ("rule-same", lambda held: held[0] == held[1]),
    "weeks": ("rule-weeks", lambda held: Decimal(held[0]) == full_weeks(held[1], held[2])),
    "percent": (
        "rule-percent",
        lambda held: Decimal(held[2]) != 0 and Decimal(held[0]) == percent_of(held[1], held[2]),
    ),
}


@functools.cache
def _messages() -> dict[str, dict[str, Words]]:
    text = files("surefoot.forms.values").joinpath("reasons.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, dict[str, Words]])
