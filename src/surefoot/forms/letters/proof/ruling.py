"""
Say why a value that stands in a document is not the one that its field takes.

Whoever wrote the document marks such values; here it is read again whether the words around
them rule them out, with the reader's own table of such words.
"""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final, Literal

import msgspec

from surefoot.forms.instance import OtherSpan, TaskDocument, ValueSpan
from surefoot.forms.letters.proof.clauses import (
    HIDDEN,
    OTHER,
    Clause,
    clause_of,
    marked_in,
    squeezed,
)
from surefoot.forms.letters.proof.cues import Cues, cues
from surefoot.forms.letters.proof.finding import read_phrase
from surefoot.forms.letters.proof.roles import is_foreign
from surefoot.forms.specification import Field, Holds

_CLOSED: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?![/.-])[^\d\n]{1,6}(?:19|20)\d\d(?!\d)")


class Ruling(msgspec.Struct, frozen=True):
    """
    Say how a value is ruled out: "foreign", "chosen", "corrected" or "over".

    ``clause`` is what stands around it where that tells of the right value's field, too.
    """

    how: Literal["foreign", "chosen", "corrected", "over"]
    clause: str = ""


def ruling_of(
    document: TaskDocument,
    field: Field,
    other: OtherSpan,
    masked: str,
    cut: Sequence[Clause],
) -> Ruling | None:
    """
    Return what rules a value out, None where nothing does.

    "foreign": its clause says that it is somebody else's, does not apply, or was. "chosen":
    it stands beside the right value, and the next sentence chooses that by its place, or as
    the earlier, later, smaller or larger one. "corrected": a sentence puts the right value
    in its place. "over": it held until then, and what follows holds since. ``cut`` are the
    sentences of the text ``masked``, in which all values are hidden.
    """
    language = document.language
    table = cues(language)
    own = next((span for span in document.spans if span.field == field.id), None)
    clause = clause_of(other, marked_in(document), masked, cut)
    if own is None:
        return _by_itself(clause, language)
    here, there = _at(cut, other.start), _at(cut, own.start)
    if here is None or there is None:
        return None
    if _corrected(document, field, other, own, cut[there], table):
        return Ruling("corrected", clause if here != there else "")
    if here == there and (pick := _pick(cut, there, table)):
        return Ruling("chosen", clause) if _picked(document, field, own, other, pick) else None
    if _over(cut[here].text, cut[there].text, there - here, table, language):
        return Ruling("over", clause)
    return _by_itself(clause, language)


def without_periods(masked: str, language: str = "en") -> str:
    """
    Return a text with the years of its periods hidden, which are neither dates nor amounts.

    >>> without_periods("2019 to 2021, 7 people").strip()
    ', 7 people'
    """
    for pattern in (_CLOSED, _open(language)):
        masked = pattern.sub(lambda found: " " * len(found[0]), masked)
    return masked


def _by_itself(clause: str, language: str) -> Ruling | None:
    """Return what a value's own clause says against it."""
    if is_foreign(clause, language):
        return Ruling("foreign")
    return Ruling("over") if _CLOSED.search(clause) else None


def _at(cut: Sequence[Clause], place: int) -> int | None:
    here = bisect.bisect_right(cut, place, key=lambda item: item.start) - 1
    return here if here >= 0 and place < cut[here].end else None


def _corrected(
    document: TaskDocument,
    field: Field,
    other: OtherSpan,
    own: ValueSpan,
    clause: Clause,
    table: Cues,
) -> bool:
    """Say whether the right value's sentence puts it in the place of this other value."""
    within = [
        item
        for item in document.others
        if item.field == other.field and clause.start <= item.start < clause.end
    ]
    if len(within) != 1:
        return False
    texts = [document.text[item.start : item.end] for item in (within[0], other)]
    same = [read_phrase(field, text, "", document.language) or text for text in texts]
    alike = same[0] == same[1] or texts[0].casefold() == texts[1].casefold()
    # It has to be said before, or there is nothing to be corrected.
    before = any(
        item.field == other.field and item.end <= clause.start for item in document.others
    )
    squeezed_text = squeezed(clause.text)
    forms = (item.replace("{old}", OTHER).replace("{new}", HIDDEN) for item in table.corrected)
    first = min(within[0].start, own.start)
    return (
        alike and before and first >= clause.start and any(form in squeezed_text for form in forms)
    )


def _pick(cut: Sequence[Clause], there: int, table: Cues) -> str:
    """Return how the next sentence chooses among two values, "" where it does not."""
    if there + 1 >= len(cut):
        return ""
    squeezed_text = squeezed(cut[there + 1].text)
    if HIDDEN in squeezed_text or OTHER in squeezed_text:
        return ""
    found = {
        name for name, words in table.picks.items() if any(word in squeezed_text for word in words)
    }
    return found.pop() if len(found) == 1 else ""


def _picked(
    document: TaskDocument, field: Field, own: ValueSpan, other: OtherSpan, pick: str
) -> bool:
    """Say whether a choice is of the right value."""
    if pick in {"former", "latter"}:
        return (own.start < other.start) == (pick == "former")
    mine, others = (
        read_phrase(field, document.text[item.start : item.end], "", document.language)
        for item in (own, other)
    )
    if not isinstance(mine, str) or not isinstance(others, str):
        return False
    if pick in {"earlier", "later"}:
        return field.traits.holds is Holds.DATE and (mine < others) == (pick == "earlier")
    if field.traits.holds is not Holds.NUMBER:
        return False
    return (Decimal(mine) < Decimal(others)) == (pick == "smaller")


def _over(old: str, new: str, apart: int, table: Cues, language: str) -> bool:
    """Say whether one sentence tells of what held until then, and a near one of what holds."""
    was = any(word in squeezed(old) for word in table.until) or _CLOSED.search(old)
    holds = any(word in squeezed(new) for word in table.since) or _open(language).search(new)
    return bool(was and holds) and abs(apart) == 1


@functools.cache
def _open(language: str) -> re.Pattern[str]:
    """Return a period from a year to the present."""
    ends = "|".join(map(re.escape, cues(language).present))
    return re.compile(rf"(?<!\d)(?:19|20)\d\d[^\d\n]{{0,6}}(?:{ends})", re.IGNORECASE)
