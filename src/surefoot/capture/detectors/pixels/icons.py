"""
Icons: what is drawn about as high as the words, and is part of no words and of no control.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from surefoot.capture.detector import DetectedThing
from surefoot.capture.detectors.pixels.frames import TALLEST_CHECK, holds
from surefoot.core.geometry import Box

# Lengths are in heights of a line.
LEAST_ICON: Final = 1.0
LARGEST_ICON: Final = 3.6
ICON_ROOM: Final = 0.3
NEXT_WORD: Final = 1.2  # from a line to what is as high as its letters, and may be a word
BESIDE: Final = 0.7  # to what is higher, and may be a word with something drawn beside it
AS_LETTERS: Final = 1.5
ICON_SHAPE: Final = 1.8  # the longer side by the shorter
TOOLBAR: Final = 3  # icons
PART_PX: Final = 3.0


def find_icons(
    pieces: Sequence[Box],
    controls: Sequence[Box],
    lines: Sequence[Box],
    fields: Sequence[Box],
    unit: float,
) -> tuple[DetectedThing, ...]:
    """
    Return what looks like an icon, with the room around it; ``unit`` is a line's height.

    ``pieces`` are pieces of ink, ``lines`` lines of words, and ``fields`` frames shaped as
    fields, in which few pieces are words that were not read.
    """
    icons = tuple(_icons(pieces, controls, lines, unit))
    return tuple(icon for icon in icons if not _is_unread(icon, icons, fields))


def _is_unread(icon: DetectedThing, icons: Sequence[DetectedThing], fields: Sequence[Box]) -> bool:
    """Tell whether what looks like an icon may be words in a field; a toolbar has more icons."""
    return any(
        holds(field, icon.box) and sum(holds(field, thing.box) for thing in icons) < TOOLBAR
        for field in fields
    )


def _icons(
    pieces: Sequence[Box], controls: Sequence[Box], lines: Sequence[Box], unit: float
) -> Iterator[DetectedThing]:
    """Yield what is drawn like an icon, and is part of no words and of no control."""
    for piece in pieces:
        small, large = sorted((piece.width / unit, piece.height / unit))
        if large < LEAST_ICON or large > LARGEST_ICON or large > ICON_SHAPE * small:
            continue
        held = any(piece.intersection(box) for box in (*controls, *lines))
        if not held and not any(_continues(piece, line, unit) for line in lines):
            yield DetectedThing("button", _padded(piece, [*pieces, *controls, *lines], unit))


def _continues(piece: Box, line: Box, unit: float) -> bool:
    """Tell whether a piece stands on a line of words, a word's gap away or less."""
    gap = max(line.left - piece.right, piece.left - line.right)
    on_line = line.top <= piece.center.y <= line.bottom
    most = NEXT_WORD if piece.height <= AS_LETTERS * unit else BESIDE
    return on_line and gap <= most * unit


def _padded(piece: Box, others: Sequence[Box], unit: float) -> Box:
    """Return an icon with the room around it, half of that to what is drawn next to it."""
    room = ICON_ROOM * unit
    beside = [box for box in others if box.top < piece.bottom and piece.top < box.bottom]
    above = [box for box in others if box.left < piece.right and piece.left < box.right]
    lefts = [(box.right + piece.left) / 2 for box in beside if box.right <= piece.left]
    rights = [(box.left + piece.right) / 2 for box in beside if box.left >= piece.right]
    tops = [(box.bottom + piece.top) / 2 for box in above if box.bottom <= piece.top]
    bottoms = [(box.top + piece.bottom) / 2 for box in above if box.top >= piece.bottom]
    return Box(
        max(0.0, piece.left - room, *lefts),
        max(0.0, piece.top - room, *tops),
        min(piece.right + room, *rights, piece.right + room),
        min(piece.bottom + room, *bottoms, piece.bottom + room),
    )


def is_part_of_icon(frame: Box, pieces: Sequence[Box], unit: float) -> bool:
    """Tell whether a small frame is drawn within an icon, as a page on a clipboard is."""
    return frame.height <= TALLEST_CHECK * unit and any(
        piece.contains(frame.center)
        and max(piece.width, piece.height) <= LARGEST_ICON * unit
        and max(piece.width - frame.width, piece.height - frame.height) > PART_PX
        for piece in pieces
    )
