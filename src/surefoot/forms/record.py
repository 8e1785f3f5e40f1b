"""
What the server keeps of one run: every change of a field, every refusal, every submission.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from surefoot.forms.instance import Value
from surefoot.forms.rendering import Rendering


class FieldEvent(msgspec.Struct, frozen=True):
    """
    Record that a field changed.

    ``sequence`` numbers a run's events from 1 without a gap, as the server took them in;
    ``at`` is milliseconds since the page was opened, by the page's own clock. ``value`` is
    what the control then held, as text, before any normalisation. By "reset" nobody entered
    anything: a page was opened anew, or an option is no longer offered.
    """

    sequence: int
    page: int
    field: str
    kind: Literal["input", "change", "upload", "clear", "reset"]
    value: str
    at: int


class RefusedValue(msgspec.Struct, frozen=True):
    """Record that the server refused a field's value: "missing", "not-an-option", ..."""

    number: int
    field: str
    reason: str
    value: str


class Submission(msgspec.Struct, frozen=True):
    """
    Record one accepted submission, which never changes again.

    ``raw`` holds each field's text as it arrived, several for a multi-choice; ``values``
    the same normalised; ``digest`` is the SHA-256 of the canonical JSON of both.
    """

    number: int
    raw: dict[str, tuple[str, ...]]
    values: dict[str, Value]
    digest: str


class RunRecord(msgspec.Struct, frozen=True):
    """Hold all that the server knows of one run; gold values are nowhere in it."""

    token: str
    form: str
    rendering: Rendering
    instance: int
    seed: int
    events: tuple[FieldEvent, ...] = ()
    refused: tuple[RefusedValue, ...] = ()
    submissions: tuple[Submission, ...] = ()
    drafts: dict[str, Value] = {}
