"""
Let a language model write documents, and keep its texts only where they can be proven.

Nothing here knows a model: whoever calls gives a function from prompts to replies.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Final, TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.forms.instance import Instance, TaskDocument
from surefoot.forms.letters.locating import located
from surefoot.forms.letters.surfaces import plain
from surefoot.forms.letters.verifying import Doubt, verify
from surefoot.forms.letters.writing import Level, Sort
from surefoot.forms.specification import Field, Form, said

__all__ = [
    "Chat",
    "Letter",
    "Wanted",
    "ask_documents",
    "prompt_for",
    "prompt_words",
    "read_reply",
]

Chat: TypeAlias = Callable[[Sequence[str]], Iterable[str]]
"""
What takes prompts and gives one reply to each, "" where there is none.
"""

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
_LONGEST: Final = 10_000  # characters of a text; the grammar's own have up to 2,300
_REASONED: Final = "</think>"


class Wanted(msgspec.Struct, frozen=True):
    """Ask for a document about an instance, of one kind and level."""

    form: Form
    instance: Instance
    kind: Sort
    level: Level


class Letter(msgspec.Struct, frozen=True):
    """
    Hold what came of one document asked for: None where no reply could be proven.

    ``replies`` counts those that came, ``doubts`` are those about the last one.
    """

    document: TaskDocument | None = None
    replies: int = 0
    doubts: tuple[Doubt, ...] = ()


def ask_documents(wanted: Sequence[Wanted], chat: Chat, *, tries: int = 3) -> list[Letter]:
    """
    Ask for documents in rounds, and keep of each the first reply that proves every value.

    A prompt after the first round says what was wrong with the reply before. Who gives no
    reply is not asked again. Raises InvalidInputError for an instance of another form.
    """
    letters = [Letter()] * len(wanted)
    places: Sequence[int] = range(len(wanted))
    for number in range(1, tries + 1):
        if not places:
            break
        prompts = [prompt_for(wanted[at], letters[at].doubts) for at in places]
        for at, reply in zip(places, chat(prompts), strict=True):
            if reply:
                letters[at] = _judged(wanted[at], reply, number)
        places = [at for at in places if letters[at].replies == number and letters[at].doubts]
    return letters


def _judged(wanted: Wanted, reply: str, number: int) -> Letter:
    document = read_reply(wanted, reply)
    doubts = verify(wanted.form, wanted.instance, document)
    return Letter(None if doubts else document, number, doubts)


def read_reply(wanted: Wanted, reply: str) -> TaskDocument:
    """
    Return a reply as a document, with a span for each value that is found in it.

    What a model reasons before its text is left out, and so are control characters.
    """
    said = reply.rpartition(_REASONED)[2]
    kept = (each for each in said if each in "\n\t" or unicodedata.category(each) != "Cc")
    text = "".join(kept).strip()[:_LONGEST] + "\n"
    spans = located(wanted.form, wanted.instance, text)
    return TaskDocument(kind=wanted.kind, level=wanted.level, text=text, spans=spans)


def prompt_words() -> str:
    """Return all words of prompts that no instance and no reply determine."""
    return "\n".join([_template(), *_KINDS.values(), *_LEVELS.values()])


def prompt_for(wanted: Wanted, doubts: Sequence[Doubt] = ()) -> str:
    """
    Return what a model is asked for one instance; gold values stand in it.

    Raises InvalidInputError for an instance of another form.
    """
    form, instance = wanted.form, wanted.instance
    if instance.form != form.id:
        raise InvalidInputError(f"an instance of '{form.id}'", found=f"'{instance.form}'")
    facts = [
        f"- {said(field.label, 'en')}: {_fact(field, instance)}"
        for field in form.fields
        if field.id in instance.values
    ]
    prompt = _template().format(
        title=said(form.title, "en"),
        kind=_KINDS[wanted.kind],
        level=_LEVELS[wanted.level],
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
