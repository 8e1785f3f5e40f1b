"""
Cut a document into sentences without looking into the values that stand in it.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from typing import Final

import msgspec

from surefoot.forms.instance import ValueSpan

__all__ = ["HIDDEN", "Clause", "clause_of", "hidden", "sentences"]

HIDDEN: Final = "\x00"
_END: Final = re.compile(r"\n+|(?<=[.!?])\s+(?=[A-Z\u201c\x00(])")


class Clause(msgspec.Struct, frozen=True):
    """Give a piece of a document by its characters, and its text with values hidden."""

    start: int
    end: int
    text: str


def hidden(text: str, spans: Sequence[ValueSpan]) -> str:
    """Return the text with each character of these spans replaced, its length unchanged."""
    letters = list(text)
    for span in spans:
        letters[span.start : span.end] = HIDDEN * (span.end - span.start)
    return "".join(letters)


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
    span: ValueSpan, spans: Sequence[ValueSpan], masked: str, cut: Sequence[Clause]
) -> str:
    """
    Return what is said about a span: its sentence, up to the values beside it.

    Where the value is all there is of its sentence or line, the one before it is added.
    ``cut`` are the sentences of the text ``masked``, in which all ``spans`` are hidden.
    """
    here = bisect.bisect_right(cut, span.start, key=lambda item: item.start) - 1
    if here < 0 or span.start >= cut[here].end:
        return ""
    own = cut[here]
    others = [item for item in spans if item != span and own.start <= item.start < own.end]
    low = max([own.start, *(other.end for other in others if other.end <= span.start)])
    high = min([own.end, *(other.start for other in others if other.start >= span.end)])
    before, behind = masked[low : span.start], masked[span.end : high]
    if not re.search(r"\w", before + behind) and here:
        before = f"{cut[here - 1].text} {before}"
    return f"{before} {behind}".replace(HIDDEN, " ")
