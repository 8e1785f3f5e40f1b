"""
Find a name among the words of a scan, allowing for what optical reading gets wrong.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from surefoot.core.geometry import Box

if TYPE_CHECKING:
    from surefoot.capture.ocr.scan import Scan, TextLine, Word

LEAST_SCORE = 0.75
SHORT = 3  # letters; shorter names must be read exactly
LEFTOVER_WEIGHT = 0.15
LOOK_ALIKE = str.maketrans({"1": "l", "i": "l", "|": "l", "!": "l", "0": "o", "5": "s"})


class NameMatch(msgspec.Struct, frozen=True):
    """
    Hold where a name was read.

    ``score`` is the likeness from 0 to 1, less a little for words of the line left over.
    """

    score: float
    box: Box


def plain(text: str) -> str:
    """
    Reduce text to its letters and digits, look-alikes merged, for comparison.

    >>> plain("E-Mail 10:")
    'emalllo'
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    kept = (item for item in folded if item.isalnum() or unicodedata.category(item) == "Mn")
    return "".join(kept).translate(LOOK_ALIKE)


def find_name(name: str, scan: Scan) -> tuple[NameMatch, ...]:
    """
    Return every place where the name can be read, the likeliest first, then from the top.

    A name matches a row of words within one line, or within two lines that stand one
    under the other; on each line only its likeliest places count.
    """
    wanted = plain(name)
    if not wanted:
        return ()
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    found: list[NameMatch] = []
    for words in (*(line.words for line in scan.lines), *_wrapped(scan.lines, wanted)):
        found.extend(_best(list(_windows(words, wanted, matcher))))
    ordered = sorted(found, key=lambda item: (-item.score, item.box.top, item.box.left))
    return tuple(_apart(ordered))


def _windows(
    words: tuple[Word, ...], wanted: str, matcher: difflib.SequenceMatcher[str]
) -> Iterator[NameMatch]:
    parts = [plain(word.text) for word in words]
    whole = max(1, sum(map(len, parts)))
    for first in range(len(words)):
        joined = ""
        for last in range(first, len(words)):
            joined += parts[last]
            if len(joined) > 1.4 * len(wanted) + 1:
                break
            likeness = _likeness(joined, wanted, matcher)
            if likeness:
                leftover = 1 - len(joined) / whole
                box = Box.around(word.box for word in words[first : last + 1])
                yield NameMatch(likeness - LEFTOVER_WEIGHT * leftover, box)


def _likeness(text: str, wanted: str, matcher: difflib.SequenceMatcher[str]) -> float:
    if text == wanted:
        return 1.0
    if len(wanted) <= SHORT or len(text) < 0.6 * len(wanted):
        return 0.0
    matcher.set_seq1(text)
    if matcher.real_quick_ratio() < LEAST_SCORE or matcher.quick_ratio() < LEAST_SCORE:
        return 0.0
    ratio = matcher.ratio()
    return ratio if ratio >= LEAST_SCORE else 0.0


def _best(matches: list[NameMatch]) -> list[NameMatch]:
    """Keep the matches of a line that no better one overlaps."""
    ordered = sorted(matches, key=lambda item: (-item.score, item.box.left, item.box.right))
    return _apart(ordered)


def _apart(ordered: list[NameMatch]) -> list[NameMatch]:
    kept: list[NameMatch] = []
    for match in ordered:
        if not any(match.box.intersection(other.box) for other in kept):
            kept.append(match)
    return kept


def _wrapped(lines: tuple[TextLine, ...], wanted: str) -> Iterator[tuple[Word, ...]]:
    """Yield the words of two lines, one under the other, that are shorter than the name."""
    boxes = [line.box for line in lines]
    short = [len("".join(plain(word.text) for word in line.words)) < len(wanted) for line in lines]
    for upper, box in enumerate(boxes):
        for lower in range(upper + 1, len(lines)):
            below = boxes[lower]
            height = box.bottom - box.top
            if below.top - box.bottom > height:
                break
            aligned = abs(below.left - box.left) < height or (
                abs(below.center.x - box.center.x) < height
            )
            if short[upper] and short[lower] and aligned and below.top > box.center.y:
                yield (*lines[upper].words, *lines[lower].words)
