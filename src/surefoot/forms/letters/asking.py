"""
Let a language model write the document, and keep its text only where it can be proven.

Nothing here knows a model: whoever calls gives a function from a prompt to a reply.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import Final

from surefoot.core.errors import InvalidInputError
from surefoot.forms.instance import Document, Instance
from surefoot.forms.letters.locating import located
from surefoot.forms.letters.surfaces import plain
from surefoot.forms.letters.verifying import Doubt, verify
from surefoot.forms.letters.writing import Level, Sort, write_document
from surefoot.forms.specification import Field, Form, said

__all__ = ["ask_document", "prompt_for", "read_reply"]

_KINDS: Final[Mapping[Sort, str]] = {
    "letter": "a letter of some paragraphs",
    "resume": "a résumé in Markdown, followed by what else the form asks",
    "thread": "a thread of two to four e-mails by the same person",
    "notes": "short notes, one fact a line",
}
_LEVELS: Final[Mapping[Level, str]] = {
    "labelled": "put a heading before each value, as in 'Surname: ...'",
    "paraphrased": (
        "in sentences; dates, amounts and telephone numbers may be written in any usual way"
    ),
    "derived": (
        "in sentences; let two or three dates or amounts follow from what you say, as in "
        "'two weeks after 3 May 2026' or 'half of 5,000 dollars'"
    ),
}
_LONGEST: Final = 40_000


def ask_document(
    form: Form,
    instance: Instance,
    ask: Callable[[str], str],
    *,
    kind: Sort,
    level: Level,
    seed: int,
    tries: int = 3,
) -> Document:
    """
    Return the first reply that proves every value, or else the grammar's own document.

    ``ask`` sends a prompt to a model and returns its reply. Each prompt after the first
    says what was wrong with the reply before.
    """
    doubts: Sequence[Doubt] = ()
    for _ in range(tries):
        document = read_reply(
            form, instance, ask(prompt_for(form, instance, kind, level, doubts)), kind, level
        )
        doubts = verify(form, instance, document)
        if not doubts:
            return document
    return write_document(form, instance, kind=kind, level=level, seed=seed)


def read_reply(form: Form, instance: Instance, reply: str, kind: Sort, level: Level) -> Document:
    """Return a reply as a document, with a span for each value that is found in it."""
    text = reply.strip()[:_LONGEST] + "\n"
    return Document(kind=kind, level=level, text=text, spans=located(form, instance, text))


def prompt_for(
    form: Form, instance: Instance, kind: Sort, level: Level, doubts: Sequence[Doubt] = ()
) -> str:
    """
    Return what a model is asked for one instance; gold values stand in it.

    Raises InvalidInputError for an instance of another form.
    """
    if instance.form != form.id:
        raise InvalidInputError(f"an instance of '{form.id}'", found=f"'{instance.form}'")
    facts = [
        f"- {said(field.label, 'en')}: {_fact(field, instance)}"
        for field in form.fields
        if field.id in instance.values
    ]
    prompt = _template().format(
        title=said(form.title, "en"),
        kind=_KINDS[kind],
        level=_LEVELS[level],
        facts="\n".join(facts),
    )
    wrong = [_complaint(form, each) for each in doubts]
    return prompt + ("\nYour last text could not be used:\n" + "\n".join(wrong) if wrong else "")


def _fact(field: Field, instance: Instance) -> str:
    value = instance.values[field.id]
    if isinstance(value, bool):
        return "ticked" if value else "not ticked"
    return plain(field, value).text


def _complaint(form: Form, doubt: Doubt) -> str:
    field = form.field(doubt.field)
    label = doubt.field if field is None else said(field.label, "en")
    return f"- {label}: {doubt.why}" + (f" ({doubt.found})" if doubt.found else "")


@functools.cache
def _template() -> str:
    return files("surefoot.forms.letters").joinpath("prompt.txt").read_text("utf-8")
