"""
The sentences of the grammar: tables beside the code, read once.
"""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files
from typing import Any, TypeAlias

import msgspec

__all__ = [
    "Distractor",
    "DocumentFrame",
    "DocumentFrames",
    "RivalWords",
    "Sentences",
    "Telegrams",
    "choices",
    "distractors",
    "frames",
    "sentences",
    "telegrams",
]

Templates: TypeAlias = dict[str, tuple[str, ...]]


class Sentences(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    List sentences by maker ("person.email"), by maker and field ("option:genre"), by kind.

    ``mine`` are for fields about the writer, ``derived`` for values that follow from what
    is said, ``texts`` lead up to a description, ``boxes`` state a box ticked or not.
    """

    mine: Templates
    any: Templates
    derived: Templates
    texts: Templates
    boxes: dict[str, Templates]
    leads: Templates


class Telegrams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """List notes in the style of a telegram, by the same keys."""

    mine: Templates
    any: Templates


class DocumentFrame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """List what stands around the values in one kind of document."""

    openings: tuple[str, ...]
    greetings: tuple[str, ...] = ()
    closings: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    headings: dict[str, str] = {}


class DocumentFrames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Join the frames of all kinds, whom writers speak of, and other labels by maker."""

    writers: tuple[str, ...]
    kinds: Templates
    whose: dict[str, str]
    labels: Templates
    letter: DocumentFrame
    thread: DocumentFrame
    notes: DocumentFrame
    resume: DocumentFrame
    circular: DocumentFrame


class RivalWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    List sentences with a value that counts and one that does not.

    ``labelled`` stands around a label and somebody else's value ({value}), ``asides``, and by
    maker ``beside``, say somebody else's ({other}) where the right one stands alone. ``pairs``
    set two values beside each other by maker, ``picks`` say which one counts; ``overs`` tell
    what was and what is; ``corrections`` put {new} in the place of {old}. ``applies`` and
    ``struck`` head the lines of a form letter, ``history`` says what a line of a CV holds.
    """

    labelled: tuple[str, ...]
    asides: tuple[str, ...]
    corrections: tuple[str, ...]
    picks: Templates
    pairs: Templates
    overs: Templates
    applies: str
    struck: str
    beside: Templates
    history: dict[str, str]


class Distractor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Give sentences with values that belong to no field, for forms that have such a field."""

    kind: str
    texts: tuple[str, ...]
    values: tuple[str, ...]
    fill: str = ""
    about: str = ""


@functools.cache
def sentences() -> Sentences:
    """Return the sentences around values."""
    return msgspec.convert(_read("sentences"), Sentences)


@functools.cache
def telegrams() -> Telegrams:
    """Return the notes around values."""
    return msgspec.convert(_read("telegrams"), Telegrams)


@functools.cache
def frames() -> DocumentFrames:
    """Return what stands around all of them."""
    return msgspec.convert(_read("frames"), DocumentFrames)


@functools.cache
def choices() -> RivalWords:
    """Return the sentences with a value that counts and one that does not."""
    return msgspec.convert(_read("choices"), RivalWords)


@functools.cache
def distractors() -> tuple[Distractor, ...]:
    """Return the sentences that mislead a careless reader."""
    return msgspec.convert(_read("distractors")["sentences"], tuple[Distractor, ...])


def _read(name: str) -> dict[str, Any]:
    text = files("surefoot.forms.letters.wording").joinpath(f"{name}.toml").read_text("utf-8")
    return tomllib.loads(text)
