"""
Judge what was entered by the run's own form: the values it means, and what is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

import msgspec

from surefoot.forms.instance import FileValue, Value
from surefoot.forms.server.changes import FieldRefusal
from surefoot.forms.server.runs import Entered, FormRun
from surefoot.forms.specification import Field, Form, Holds
from surefoot.forms.values.constraints import Breach, read_values, reason_words


class FormVerdict(msgspec.Struct, frozen=True):
    """
    Hold the values that were understood, what was refused, and the words for a person.

    ``messages`` has one sentence for each refused field, in the language of the run.
    """

    values: dict[str, Value]
    refusals: tuple[FieldRefusal, ...] = ()
    messages: dict[str, str] = {}


def judge(run: FormRun, entered: Entered, page: int | None = None) -> FormVerdict:
    """
    Judge the texts of all fields entered so far, and refuse what breaks the form's rules.

    With ``page`` only that page's fields are refused: others are not asked for yet. Of
    several breaches in one field the first is told.
    """
    reading = read_values(run.form, entered, language=run.rendering.language, page=page)
    first = {breach.field: breach for breach in reversed(reading.broken)}
    breaches = [first[field.id] for field in run.form.fields if field.id in first]
    return FormVerdict(
        reading.values,
        tuple(
            FieldRefusal(breach.field, breach.reason, ", ".join(entered.get(breach.field, ())))
            for breach in breaches
        ),
        {breach.field: _message(run, breach) for breach in breaches},
    )


def filled(form: Form, entered: Entered) -> Entered:
    """Leave out empty texts, as a control left alone sends one, and fields without any."""
    kept = {
        field.id: tuple(text for text in entered.get(field.id, ()) if text)
        for field in form.fields
    }
    return {name: texts for name, texts in kept.items() if texts}


def as_shown(form: Form, entered: Entered) -> Mapping[str, Value]:
    """Return the texts entered so far in the shapes that a renderer fills its controls from."""
    texts = filled(form, entered)
    return {field.id: _shape(field, texts[field.id]) for field in form.fields if field.id in texts}


def _shape(field: Field, texts: tuple[str, ...]) -> Value:
    holds = field.traits.holds
    match holds:
        case Holds.FILE:
            return FileValue(*texts)
        case Holds.OPTIONS:
            return texts
        case Holds.TICK:
            return True
        case Holds.TEXT | Holds.NUMBER | Holds.DATE | Holds.OPTION:
            return texts[0]
        case _:
            assert_never(holds)


def _message(run: FormRun, problem: Breach) -> str:
    field = run.form.field(problem.field)
    if field is None:
        raise KeyError(problem.field)
    named = [run.form.field(name) for name in problem.expected.split()]
    others = [item for item in named if item is not None]
    return reason_words(problem.reason, field, run.rendering.language, others=others)
