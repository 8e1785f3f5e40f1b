"""
Values of a form in words, as a person would read them off the page.
"""

from __future__ import annotations

import msgspec

from surefoot.forms.instance import Instance
from surefoot.forms.scoring.attempt import Attempt
from surefoot.forms.specification import Form, said
from surefoot.forms.values.spelling import spelled, spelled_texts


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
            spelled_texts(field, ends.get(field.id, ())),
        )
        for field in form.fields
    )
