"""
What an agent did to a form, reduced to what its score depends on.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping

import msgspec

from surefoot.forms.instance import FileValue
from surefoot.forms.record import FieldEvent, RunRecord
from surefoot.forms.specification import KINDS, Form, Holds


class ClickRecord(msgspec.Struct, frozen=True):
    """
    Say what a click met: a field, one of its options, or neither ("").

    ``distances`` holds, for each field of the page, how far the point lay from its control,
    in pixels of the screenshot; 0 inside.
    """

    field: str = ""
    option: str = ""
    distances: dict[str, float] = {}


class Attempt(msgspec.Struct, frozen=True):
    """
    Gather an agent's replies, its clicks, and what the form's controls held.

    ``written`` are the texts that it typed, each as a whole, and the names of its files;
    ``picked`` what it typed to choose from a list, Enter behind it, or said of a click;
    ``passages`` what it typed with nothing but Enter in between, as one, or said of a click.
    ``ever`` lists every text that a control held at any time, with its field; ``held`` what
    each control held at the end; ``submitted`` the last submission, None where there is
    none. Values are raw: texts as they stood in the controls, several for a multi-choice.
    ``watched`` says that replies and clicks are known, where there were any: a server alone
    knows neither.
    """

    said: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    picked: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    clicks: tuple[ClickRecord, ...] = ()
    ever: tuple[tuple[str, tuple[str, ...]], ...] = ()
    held: Mapping[str, tuple[str, ...]] = {}
    submitted: Mapping[str, tuple[str, ...]] | None = None
    watched: bool = True


def held_at_end(form: Form, events: Iterable[FieldEvent]) -> dict[str, tuple[str, ...]]:
    """
    Return what each field held after its last change, as raw texts; untouched fields lack.

    An event of a multi-choice carries its ticked values with commas between; of a file it
    carries the name alone, until the server tells the hash of what arrived.
    """
    last = {event.field: event for event in events}
    return {
        field.id: texts_of(field.kind, last[field.id].value)
        for field in form.fields
        if field.id in last
    }


def submitted_last(record: RunRecord) -> Mapping[str, tuple[str, ...]] | None:
    """Return the raw texts of the submission that counts, the last; None without any."""
    return record.submissions[-1].raw if record.submissions else None


def texts_of(kind: str, value: str) -> tuple[str, ...]:
    """
    Split the text of an event into the texts that a form would post.

    >>> texts_of("multi-choice", "cs101,cs104"), texts_of("string", "a,b")
    (('cs101', 'cs104'), ('a,b',))
    >>> texts_of("file", "cv.pdf"), texts_of("file", '{"name": "cv.pdf", "sha256": "0f"}')
    (('cv.pdf',), ('cv.pdf', '0f'))
    """
    holds = KINDS.get(kind).holds
    if holds is Holds.FILE and value.startswith("{"):
        with contextlib.suppress(msgspec.MsgspecError):
            return msgspec.structs.astuple(msgspec.json.decode(value, type=FileValue))
    if holds is Holds.OPTIONS:
        return tuple(filter(None, value.split(",")))
    return (value,) if value else ()
