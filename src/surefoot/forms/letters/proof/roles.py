"""
Tell which field a sentence speaks of, by cue words, and whether it speaks of somebody else.
"""

from __future__ import annotations

import functools
import re
import tomllib
from importlib.resources import files

import msgspec

from surefoot.forms.letters.proof.choices import content_words
from surefoot.forms.specification import Field

__all__ = ["Cues", "cues", "is_foreign", "speaks_of", "told_apart"]


class Cues(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    List what gives a sentence away.

    ``fills`` (by maker, or maker and field) and ``abouts`` hold cue words beside those of a
    field's label; ``writers`` are the ``about`` names that a writer means by "I"; ``foreign``
    are words that say that a value is somebody else's, or of old. ``picks`` choose one of
    two values by place or by size, ``corrected`` put a value ({new}) in the place of another
    ({old}), and ``until`` and ``since`` tell what was from what is.
    """

    fills: dict[str, tuple[str, ...]]
    abouts: dict[str, tuple[str, ...]]
    foreign: tuple[str, ...]
    picks: dict[str, tuple[str, ...]]
    corrected: tuple[str, ...]
    until: tuple[str, ...]
    since: tuple[str, ...]
    writers: tuple[str, ...] = ()


@functools.cache
def cues() -> Cues:
    """Read the table of cues."""
    text = files("surefoot.forms.letters.proof").joinpath("cues.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), Cues)


def is_foreign(clause: str) -> bool:
    """Say whether a clause speaks of somebody else's values, or of old ones."""
    return _foreign().search(clause) is not None


def told_apart(clause: str, field: Field, other: Field) -> bool:
    """
    Say whether a clause speaks of one field rather than of another of its kind.

    It does where it holds a cue of the field that is none of the other's, and at least as
    many such cues as the other has. A clause that names nobody is about the writer,
    and "# " before it, the heading of a whole page, is a cue, too.
    """
    words = _words(clause)
    mine, others = _matched(words, field), _matched(words, other)
    return bool(mine - others) and len(mine - others) >= len(others - mine)


@functools.cache
def _foreign() -> re.Pattern[str]:
    words = "|".join(map(re.escape, cues().foreign))
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE)


def speaks_of(clause: str, field: Field) -> bool:
    """Say whether a clause holds any cue of a field."""
    return bool(_words(clause) & _of(field.label["en"], field.fill, field.id, field.about))


def _words(clause: str) -> set[str]:
    return content_words(clause) | set(re.findall(r"[^\W_]+|^# ", clause.casefold()))


def _matched(words: set[str], field: Field) -> set[str]:
    table = cues()
    people = {word for about in table.abouts.values() for word in about}
    matched = {
        item for item in _of(field.label["en"], field.fill, field.id, field.about) if item in words
    }
    if field.about in table.writers and not people & words:
        matched.add("I")
    return matched


@functools.cache
def _of(label: str, fill: str, name: str, about: str) -> frozenset[str]:
    table = cues()
    return frozenset(
        {
            *content_words(label),
            *table.fills.get(fill, ()),
            *table.fills.get(f"{fill}:{name}", ()),
            *table.abouts.get(about, ()),
        }
    )
