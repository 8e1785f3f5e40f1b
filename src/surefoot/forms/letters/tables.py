"""
The sentences of the grammar, by language: tables beside the code, read once.
"""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files
from typing import Any, TypeAlias

import msgspec

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


class Spelling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Say how values are spelt, and labels within a sentence.

    ``days`` are the ways to write a day: {day}, {month} and {year} in figures, {name} or {Name}
    for the month's, {nth} for the day with its ending (``endings`` by day, else ``ending``),
    {buddhist} for the year as Thais count. ``lowered``: labels have small letters, but for
    those with a figure where ``titled``; ``ampersand`` stands for &. Numbers of the country with
    the calling code ``home`` may be written without it. ``units`` (0 to 19) and ``tens`` (from
    20) are words of numbers.
    """

    days: tuple[str, ...]
    endings: dict[str, str] = {}
    ending: str = ""
    lowered: bool = False
    titled: bool = False
    ampersand: str = "&"
    home: int = 0
    units: tuple[str, ...] = ()
    tens: tuple[str, ...] = ()


class Telegrams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """List notes in the style of a telegram, by the same keys."""

    mine: Templates
    any: Templates


class PaperKinds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """List whom writers speak of as "I", and by form the kinds of document that suit it."""

    writers: tuple[str, ...]
    kinds: Templates


class DocumentFrame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    List what stands around the values in one kind of document.

    ``name`` heads a curriculum vitae, ``present`` and ``past`` are its periods ({start},
    {end}); ``sender``, ``subject`` and ``again_subject`` head an e-mail.
    """

    openings: tuple[str, ...]
    greetings: tuple[str, ...] = ()
    closings: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    headings: dict[str, str] = {}
    name: str = ""
    present: str = ""
    past: str = ""
    sender: str = ""
    subject: str = ""
    again_subject: str = ""
    postscript: str = ""


class DocumentFrames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Join the frames of all kinds, whose a value is, and other labels by maker.

    ``mark`` stands between a label and its value, ``attached`` before the name of a file,
    ``yes`` and ``no`` answer a box; ``stop`` ends a sentence, ``gap`` stands between two.

    What some languages have besides: ``on`` before a date; ``mine`` and ``theirs`` ({about}) for
    those whom ``whose`` leaves out; ``an``, how words begin that turn "a" before them into "an";
    ``singular``, patterns of what stands behind a one, each with what it becomes; ``led``, that
    a label which is a sentence follows a lead as other statements do.
    """

    yes: str
    no: str
    mark: str
    attached: str
    whose: dict[str, str]
    labels: Templates
    letter: DocumentFrame
    thread: DocumentFrame
    notes: DocumentFrame
    resume: DocumentFrame
    circular: DocumentFrame
    stop: str = "."
    gap: str = " "
    units: dict[str, str] = {}
    on: str = ""
    mine: str = ""
    theirs: str = ""
    an: str = ""
    singular: tuple[tuple[str, str], ...] = ()
    led: bool = False


class RivalWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    List sentences with a value that counts and one that does not.

    ``labelled`` stands around a label and somebody else's value ({value}), ``asides``, and by
    maker ``beside``, say somebody else's ({other}) where the right one stands alone. ``pairs``
    set two values beside each other by maker, ``picks`` say which one counts; ``overs`` tell
    what was and what is; ``corrections`` put {new} in the place of {old}. ``applies`` and
    ``struck`` head the lines of a form letter, ``history`` says what a line of a CV holds.
    ``listing`` and ``listing_last`` stand between names, ``either`` between two of which one
    counts; ``neither`` ({names}, with ``neither_between``), ``all_but`` ({name}), ``all_of_them``
    ({count}), ``both`` ({names}) and ``dollars`` ({value}) put options in other words. ``clock``
    is a time of day, whose {hour24} counts on after noon where {hour} goes with {half};
    ``lasting`` are lengths of time ({count}): months, half_year, year, years.
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
    listing: str
    listing_last: str
    either: str
    neither: str
    neither_between: str
    both: str
    all_of_them: str
    all_but: str
    dollars: str
    clock: str = "{hour24}:{minutes}"
    lasting: dict[str, str] = {}


class Distractor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Give sentences with values that belong to no field, for forms that have such a field."""

    kind: str
    texts: tuple[str, ...]
    values: tuple[str, ...]
    fill: str = ""
    about: str = ""


@functools.cache
def paper_kinds() -> PaperKinds:
    """Return what is the same in all languages."""
    return msgspec.convert(_read("kinds.toml"), PaperKinds)


@functools.cache
def sentences(language: str) -> Sentences:
    """Return the sentences around values."""
    return msgspec.convert(_read(language, "sentences.toml"), Sentences)


@functools.cache
def spelling(language: str) -> Spelling:
    """Return how values are spelt."""
    return msgspec.convert(_read(language, "spelling.toml"), Spelling)


@functools.cache
def telegrams(language: str) -> Telegrams:
    """Return the notes around values."""
    return msgspec.convert(_read(language, "telegrams.toml"), Telegrams)


@functools.cache
def frames(language: str) -> DocumentFrames:
    """Return what stands around all of them."""
    return msgspec.convert(_read(language, "frames.toml"), DocumentFrames)


@functools.cache
def choices(language: str) -> RivalWords:
    """Return the sentences with a value that counts and one that does not."""
    return msgspec.convert(_read(language, "choices.toml"), RivalWords)


@functools.cache
def distractors(language: str) -> tuple[Distractor, ...]:
    """Return the sentences that mislead a careless reader."""
    table = _read(language, "distractors.toml")["sentences"]
    return msgspec.convert(table, tuple[Distractor, ...])


def _read(*path: str) -> dict[str, Any]:
    text = files("surefoot.forms.letters.wording").joinpath(*path).read_text("utf-8")
    return tomllib.loads(text)
