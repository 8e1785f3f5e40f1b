"""
Values in words, as a person would read them off a page or write them down.
"""

from __future__ import annotations

from collections.abc import Sequence

from surefoot.forms.instance import FileValue, Instance, Value
from surefoot.forms.specification import Field, Form, Holds, said
from surefoot.forms.values.normalise import raw_of


def labelled_lines(form: Form, instance: Instance) -> str:
    """
    Return the plainest input, one line a field: its English label, and its value in words.

    It is the same in whatever language the form is shown: where languages are compared, the
    form alone changes.
    """
    return "\n".join(
        f"{said(field.label, 'en')}: {spelled(field, instance.values[field.id])}"
        for field in form.fields
        if field.id in instance.values
    )


def spelled(field: Field, value: Value) -> str:
    """
    Spell a value for a person: options by their English labels, ticks by yes and no.

    >>> field = Field(id="age", kind="number", label={"en": "Age"}, fill="person.age")
    >>> spelled(field, "12"), spelled(field, True)
    ('12', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, FileValue):
        return value.name
    raw = raw_of(value)
    return spelled_texts(field, (raw,) if isinstance(raw, str) else raw)


def spelled_texts(field: Field, texts: Sequence[str]) -> str:
    """Spell what a control holds: options by their English labels, of a file the name alone."""
    options = {option.value: said(option.label, "en") for option in field.options}
    shown = texts[:1] if field.traits.holds is Holds.FILE else texts
    return ", ".join(options.get(item, item) for item in shown)
