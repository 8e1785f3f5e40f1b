"""
Tables of the words by which a reader of papers tells values, fields and people apart.
"""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files

import msgspec

__all__ = ["Cues", "cues"]


class Cues(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    r"""
    List what gives a sentence of one language away.

    ``fills`` (by maker, or maker and field) and ``abouts`` hold cue words beside those of a
    field's label; ``writers`` are the ``about`` names that a writer means by "I"; ``foreign``
    are words that say that a value is somebody else's, or of old. ``picks`` choose one of
    two values by place or by size, ``corrected`` put a value ({new}) in the place of another
    ({old}), ``until`` and ``since`` tell what was from what is, ``present`` ends a period
    that goes on. ``boxes`` are words of a box by field, ``denials`` say that it is empty.

    Regular expressions: ``between`` stands between the names of a list; ``neither`` (its names
    apart by ``nor``), ``both`` and ``all_but`` have one group, the names; ``all_of_them`` may
    have one, a count; ``dollars`` is taken off an amount.
    """

    fills: dict[str, tuple[str, ...]]
    abouts: dict[str, tuple[str, ...]]
    foreign: tuple[str, ...]
    picks: dict[str, tuple[str, ...]]
    corrected: tuple[str, ...]
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
    writers: tuple[str, ...] = ()


@functools.cache
def cues(language: str) -> Cues:
    """Read the table of a language; whom writers mean by "I" is the same in all."""
    text = files("surefoot.forms.letters.proof").joinpath(f"{language}.toml").read_text("utf-8")
    table = msgspec.convert(tomllib.loads(text), Cues)
    if language != "en":
        table = msgspec.structs.replace(table, writers=cues("en").writers)
    return table
