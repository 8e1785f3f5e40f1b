"""
Words that an icon font draws as pictures: they are in the name, but nobody can read them.

A ligature font shows one glyph for a whole word ("home", "receipt_long"). The word's box
is then far narrower than its letters would be, which is how it is told from text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from surefoot.core.geometry import Box

__all__ = ["without_icons"]

SHORTEST: Final = 3
NARROW: Final = frozenset("fijlrtI1.,:;'|!()-")
# Widths of letters in heights of a line's box, for the narrowest fonts in common use.
NARROW_WIDTH: Final = 0.13
WIDTH: Final = 0.26
LEAST_WIDTH: Final = 0.7  # an icon is about square; a comma after a word is not one
MOST_WIDTH: Final = 1.6


def without_icons(name: str, lines: Sequence[Box]) -> str:
    """
    Drop the first and the last word of a name where their line has no room to spell them.

    ``lines`` are the boxes that spell the name, in reading order, in any one unit.

    >>> without_icons("home Home", [Box(0, 0, 24, 24), Box(30, 4, 70, 20)])
    'Home'
    """
    words = name.split(" ")
    boxes = list(lines)
    if len(boxes) > len(words):  # a word is broken between lines
        return name
    if boxes and _is_icon(words[0], boxes[0]):
        words, boxes = words[1:], boxes[1:]
    if boxes and words and _is_icon(words[-1], boxes[-1]):
        words.pop()
    return " ".join(words)


def _is_icon(word: str, box: Box) -> bool:
    if len(word) < SHORTEST or not word.isascii():
        return False
    needed = sum(NARROW_WIDTH if each in NARROW else WIDTH for each in word)
    square = LEAST_WIDTH * box.height <= box.width <= MOST_WIDTH * box.height
    return square and box.width < needed * box.height
