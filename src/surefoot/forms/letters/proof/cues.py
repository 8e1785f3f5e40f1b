"""
Tables of the words by which a reader of papers tells values, fields and people apart.
"""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files

import msgspec


class AmountWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    List the words of amounts: ``numbers`` below a hundred, ``scales`` above it.

    ``article`` stands for a one, ``half`` and ``dozen`` for six; ``link`` joins the words of a
    number. ``sums`` are patterns of what has to be calculated, its amounts in their groups.
    """

    numbers: dict[str, int]
    hundred: str
    scales: dict[str, int]
    dozen: str
    half: str
    article: str
    link: str
    sums: dict[str, str]


class Cues(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    r"""
    List what gives a sentence of one language away.

    ``fills`` (by maker, or maker and field) and ``abouts`` hold cue words beside those of a
    field's label; ``foreign`` are words that say that a value is somebody else's, or of old.
    ``picks`` choose one of two values by place or by size, ``corrected`` put a value ({new}) in
    the place of another ({old}), ``until`` and ``since`` tell what was from what is, ``present``
    ends a period that goes on, ``either`` stands between two names for one thing. ``boxes`` are
    words of a box by field, ``denials`` say that it is empty.

    Regular expressions: ``between`` stands between the names of a list; ``neither`` (its names
    apart by ``nor``), ``both`` and ``all_but`` have one group, the names; ``all_of_them`` may
    have one, a count; ``dollars`` is taken off an amount.

    What some languages have besides: ``stop_words`` say little, and where they are listed, cues
    and labels are found by whole words, elsewhere by parts of words; a box is read by its label
    and the ``negation`` (a pattern) in it. ``dates`` is a pattern of dates ({months}) for the
    usual one, ``counted`` one of days counted from another (groups count, unit, after, anchor),
    ``days`` the length of each unit; ``lengths`` are patterns of lengths of time (their group is
    a count) in months.
    """

    fills: dict[str, tuple[str, ...]]
    abouts: dict[str, tuple[str, ...]]
    foreign: tuple[str, ...]
    picks: dict[str, tuple[str, ...]]
    corrected: tuple[str, ...]
    either: str
    until: tuple[str, ...]
    since: tuple[str, ...]
    present: tuple[str, ...]
    between: str
    neither: str
    nor: str
    both: str
    all_but: str
    all_of_them: str
    dollars: str
    boxes: dict[str, tuple[str, ...]] = {}
    denials: tuple[str, ...] = ()
    stop_words: frozenset[str] = frozenset()
    negation: str = ""
    dates: str = ""
    counted: str = ""
    days: dict[str, int] = {}
    lengths: dict[str, int] = {}
    amounts: AmountWords | None = None


@functools.cache
def cues(language: str) -> Cues:
    """Read the table of a language."""
    text = files("surefoot.forms.letters.proof").joinpath(f"{language}.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), Cues)
