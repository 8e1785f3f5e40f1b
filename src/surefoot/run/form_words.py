"""
Values of a form in words, as a person would read them off the page.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from surefoot.forms.instance import FileValue, Instance, Value
from surefoot.forms.scoring.attempt import Attempt
from surefoot.forms.specification import Field, Form, Kind, said
from surefoot.forms.values.normalise import raw_of

__all__ = ["FieldWords", "spelled", "words_of"]


class FieldWords(msgspec.Struct, frozen=True):
    """Say of a field what it is called, what was asked for and what it held at the end."""

    field: str
    label: str
    expected: str = ""
    found: str = ""


def words_of(form: Form, instance: Instance, attempt: Attempt) -> tuple[FieldWords, ...]:
    """Return the words of every field, in reading order; "" where nothing is asked or held."""
    ends = {**attempt.held, **(attempt.submitted or {})}
    return tuple(
        FieldWords(
            field.id,
            said(field.label, "en"),
            spelled(field, instance.values[field.id]) if field.id in instance.values else "",
            _found(field, ends.get(field.id, ())),
        )
        for field in form.fields
    )


def spelled(field: Field, value: Value) -> str:
    """
    Spell a value for a person: options by their English labels, ticks by yes and no.

    >>> field = Field(id="age", kind=Kind.NUMBER, label={"en": "Age"}, fill="person.age")
    >>> spelled(field, "12"), spelled(field, True)
    ('12', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, FileValue):
        return value.name
    raw = raw_of(value)
    return _listed(field, (raw,) if isinstance(raw, str) else raw)


def _found(field: Field, texts: Sequence[str]) -> str:
    """Spell what a control held; of a file the name alone, its hash says nothing."""
    return _listed(field, texts[:1] if field.kind is Kind.FILE else texts)


def _listed(field: Field, texts: Sequence[str]) -> str:
    options = {each.value: said(each.label, "en") for each in field.options}
    return ", ".join(options.get(each, each) for each in texts)
