"""
Cut a document into sentences without looking into the values that stand in it.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from typing import Final

import msgspec

from surefoot.forms.instance import OtherSpan, TaskDocument, ValueSpan

HIDDEN: Final = "\x00"
OTHER: Final = "\x01"
"""
What stands for a character of a right value, and of a value that does not count.
"""
_END: Final = re.compile(
    r"\n+|(?<=[.!?\u061f])(?<!\u0434\u043e\u043b\u043b\.)\s+"
    r"(?=[A-Z\u00c0-\u00de\u0401\u0410-\u042f\u0621-\u064a\u201c\u00ab\x00\x01(])"
    r"|(?<=[\u3002\uff01\uff1f])\s*(?=\S)"
    r"|(?:(?<=\u0e04\u0e23\u0e31\u0e1a)|(?<=\u0e04\u0e48\u0e30))\s+(?=\S)"  # Thai's polite ends
)


class Clause(msgspec.Struct, frozen=True):
    """Give a piece of a document by its characters, and its text with values hidden."""

    start: int
    end: int
    text: str


def marked_in(document: TaskDocument) -> list[ValueSpan | OtherSpan]:
    """Return the spans of all values, those that count before those that do not."""
    return [*document.spans, *document.others]


def hidden(text: str, spans: Sequence[ValueSpan], others: Sequence[OtherSpan] = ()) -> str:
    """Return the text with each character of these spans replaced, its length unchanged."""
    letters = list(text)
    for marked, mark in ((spans, HIDDEN), (others, OTHER)):
        for span in marked:
            letters[span.start : span.end] = mark * (span.end - span.start)
    return "".join(letters)


def squeezed(masked: str) -> str:
    r"""
    Return a text folded, with one mark for each hidden value.

    >>> squeezed("Not \x01\x01\x01,  but \x00\x00 holds") == "not \x01, but \x00 holds"
    True
    """
    marks = re.sub(rf"([{HIDDEN}{OTHER}])\1+", r"\1", masked.casefold())
    return re.sub(r"\s+", " ", marks).strip()


def sentences(masked: str) -> list[Clause]:
    r"""
    Cut a text with hidden values at line ends and after sentences; values are never cut.

    >>> [item.text for item in sentences("Dear Ann,\n\nIt is I. Yes!")]
    ['Dear Ann,', 'It is I.', 'Yes!']
    """
    ends = [found.span() for found in _END.finditer(masked)]
    starts = [0, *(end for _, end in ends)]
    stops = [*(start for start, _ in ends), len(masked)]
    pieces = zip(starts, stops, strict=True)
    return [
        Clause(low, high, masked[low:high]) for low, high in pieces if masked[low:high].strip()
    ]


def clause_of(
    span: ValueSpan | OtherSpan,
    spans: Sequence[ValueSpan | OtherSpan],
    masked: str,
    cut: Sequence[Clause],
) -> str:
    """
    Return what is said about a span: its sentence, up to the values beside it.

    Where the value is all there is of its sentence or line, the one before it is added.
    Other values of the same field set no limit.
    ``cut`` are the sentences of the text ``masked``, in which all ``spans`` are hidden.
    """
    here = bisect.bisect_right(cut, span.start, key=lambda item: item.start) - 1
    if here < 0 or span.start >= cut[here].end:
        return ""
    own = cut[here]
    others = [
        item for item in spans if item.field != span.field and own.start <= item.start < own.end
    ]
    low = max([own.start, *(other.end for other in others if other.end <= span.start)])
    high = min([own.end, *(other.start for other in others if other.start >= span.end)])
    before, behind = masked[low : span.start], masked[span.end : high]
    if not re.search(r"\w", before + behind) and here:
        before = f"{cut[here - 1].text} {before}"
    return f"{before} {behind}".replace(HIDDEN, " ").replace(OTHER, " ")
