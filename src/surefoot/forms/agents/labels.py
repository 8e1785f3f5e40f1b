"""
Find on a scanned page what a person would: a label, and the control that belongs to it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Final

import msgspec

from surefoot.capture.ocr.scan import Scan, TextLine
from surefoot.core.geometry import Box

__all__ = [
    "LabelledValue",
    "control_of",
    "find_text",
    "labelled_values",
    "text_of",
    "words_within",
]

LABELLED: Final = re.compile(r"^[ \t]*([^:\n]{1,120}):[ \t]+(\S.*?)[ \t]*$", re.MULTILINE)
LETTERS: Final = re.compile(r"[\W_]+")
LIKE: Final = 0.78
PARTLY: Final = 0.9
OVERLAP: Final = 6.0
BELOW: Final = 80.0
ASIDE: Final = 420.0
ALIGNED: Final = 40.0
LEAST_WIDTH: Final = 60.0
BEGINNING: Final = 14  # letters, of which a line is taken for the beginning of a label


class LabelledValue(msgspec.Struct, frozen=True):
    """Hold one value to fill in, and the label that it was given under."""

    label: str
    value: str


def labelled_values(text: str) -> tuple[LabelledValue, ...]:
    """
    Return the "Label: value" lines of a text, in order; all other lines say nothing to us.

    >>> labelled_values("City: Rome")
    (LabelledValue(label='City', value='Rome'),)
    """
    return tuple(LabelledValue(match[1].strip(), match[2]) for match in LABELLED.finditer(text))


def text_of(line: TextLine) -> str:
    """Return a line's words with blanks between."""
    return " ".join(word.text for word in line.words)


def find_text(lines: Iterable[TextLine], wanted: str, *, below: float = 0.0) -> TextLine | None:
    """
    Return the line that reads most like a text, of those under a height in pixels.

    A long text may begin on the line and go on below. None where no line is like it.
    """
    target = _bare(wanted)
    best, found = LIKE, None
    for line in lines:
        if line.box.top < below or not target:
            continue
        likeness = _likeness(_bare(text_of(line)), target)
        if likeness > best:
            best, found = likeness, line
    return found


def control_of(scan: Scan, label: TextLine) -> Box | None:
    """Return the nearest drawn box under a label, or at its right."""
    here = label.box
    near: list[tuple[float, Box]] = []
    for box in scan.rectangles:
        if box.width < LEAST_WIDTH:
            continue
        under = (
            -OVERLAP <= box.top - here.bottom <= BELOW
            and box.left - ALIGNED <= here.left <= box.right
        )
        overlap = min(box.bottom, here.bottom) - max(box.top, here.top)
        beside = overlap > 0 and 0 <= box.left - here.right <= ASIDE
        if under:
            near.append((box.top - here.bottom, box))
        elif beside:
            near.append((box.left - here.right, box))
    return min(near, key=lambda each: each[0])[1] if near else None


def words_within(scan: Scan, box: Box) -> str:
    """Return the words that stand in a box: what a control shows."""
    return " ".join(
        text_of(line) for line in scan.lines if box.contains(line.box.center, tolerance=2)
    )


def _bare(text: str) -> str:
    return LETTERS.sub("", text.casefold())


def _likeness(seen: str, target: str) -> float:
    """Compare a line with a text of which it may be the beginning, or the end, read in part."""
    matcher = difflib.SequenceMatcher(None, target, seen, autojunk=False)
    whole = matcher.ratio()
    if not BEGINNING // 2 <= len(seen) < len(target):
        return whole
    parts = (target[: len(seen)], target[-len(seen) :])
    ratios = (difflib.SequenceMatcher(None, part, seen, autojunk=False).ratio() for part in parts)
    enough = len(seen) >= BEGINNING or len(seen) * 2 > len(target)
    return max(whole, PARTLY * max(ratios) if enough else 0.0)
