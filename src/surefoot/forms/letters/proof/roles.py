"""
Tell which field a sentence speaks of, by cue words, and whether it speaks of somebody else.
"""

from __future__ import annotations

import functools
import re
from typing import Final

from surefoot.forms.letters.proof.choices import content_words
from surefoot.forms.letters.proof.cues import cues
from surefoot.forms.specification import Field, said
from surefoot.forms.values.scripts import is_unspaced

# Whom writers mean by "I".
_WRITERS: Final = frozenset(
    {
        *("applicant", "founder", "artist", "author", "speaker", "reporter", "requester"),
        *("client", "patient", "participant", "policy_holder", "representative"),
        *("contractor", "contact", "student", "visitor"),
    }
)
_SHORT, _LONG = 3, 5  # letters of words that say little, and of those that lose two


def is_foreign(clause: str, language: str = "en") -> bool:
    """Say whether a clause speaks of somebody else's values, or of old ones."""
    return _foreign(language).search(clause.casefold()) is not None


def told_apart(clause: str, field: Field, other: Field, language: str = "en") -> bool:
    """
    Say whether a clause speaks of one field rather than of another of its kind.

    It does where it holds a cue of the field that is none of the other's, and at least as
    many such cues as the other has. A clause that names nobody is about the writer,
    and "# " before it, the heading of a whole page, is a cue, too.
    """
    mine, others = _matched(clause, field, language), _matched(clause, other, language)
    return bool(mine - others) and len(mine - others) >= len(others - mine)


def headed_by(before: str, field: Field, language: str = "en") -> int:
    """
    Return how long the field's label is where it heads a value, 0 where it does not.

    ``before`` is what stands before the value; the label ends it, but for a mark, and
    nothing but a line's or a sentence's beginning goes before the label.

    >>> field = Field(id="name", kind="string", label={"en": "Name"}, fill="person.full_name")
    >>> headed_by("Thanks. Name: ", field), headed_by("First name: ", field)
    (4, 0)
    """
    label = said(field.label, language).casefold().rstrip("?:\uff1f\uff1a \u00a0")
    marks = ' \u00a0:\uff1a=-\u00ab\u201c\u300c"?\uff1f'
    head, found, tail = before.casefold().rstrip(marks).rpartition(label)
    starts = re.search(r"(?:^|[\n.!?\u3002:\uff1a\u00ab\u201c\u300c]|- )\s*$", head)
    return len(label) if found and not tail and starts else 0


def speaks_of(clause: str, field: Field, language: str = "en") -> bool:
    """Say whether a clause holds any cue of a field."""
    return bool(_held(clause, field, language))


@functools.cache
def _foreign(language: str) -> re.Pattern[str]:
    table = cues(language)
    words = "|".join(map(re.escape, table.foreign))
    return re.compile(rf"\b(?:{words})\b" if table.stop_words else words, re.IGNORECASE)


def _matched(clause: str, field: Field, language: str) -> set[str]:
    table, matched = cues(language), _held(clause, field, language)
    people = {word for about in table.abouts.values() for word in about}
    if field.about in _WRITERS and not _of_words(clause, frozenset(people), language):
        matched.add("I")
    return matched


def _held(clause: str, field: Field, language: str) -> set[str]:
    """Return the cues of a field that a clause holds."""
    label = said(field.label, language)
    return _of_words(clause, _of(label, field.fill, field.id, field.about, language), language)


def _of_words(clause: str, wanted: frozenset[str], language: str) -> set[str]:
    """Return those of some cues that a clause holds."""
    folded = clause.casefold()
    if cues(language).stop_words:
        words = content_words(clause, language) | set(re.findall(r"[^\W_]+|^# ", folded))
        return {item for item in wanted if item in words}
    return {item for item in wanted if item in folded}


@functools.cache
def _of(label: str, fill: str, name: str, about: str, language: str) -> frozenset[str]:
    table = cues(language)
    return frozenset(
        {
            *(content_words(label, language) if table.stop_words else _stems(label)),
            *table.fills.get(fill, ()),
            *table.fills.get(f"{fill}:{name}", ()),
            *table.abouts.get(about, ()),
        }
    )


def _stems(label: str) -> set[str]:
    """
    Return what a clause has of a label: its longer words without their endings.

    >>> sorted(_stems("Дата рождения (день)")), _stems("\u59d3\u540d")
    (['дат', 'рожден'], {'\u59d3\u540d'})
    """
    bare = re.sub(r"\s*[(\uff08].*[)\uff09]", "", label.casefold()).strip()
    words = re.findall(r"[^\W\d_]+", bare)
    if any(is_unspaced(word) for word in words):
        return {bare}
    return {word[: -2 if len(word) > _LONG else -1] for word in words if len(word) > _SHORT}
