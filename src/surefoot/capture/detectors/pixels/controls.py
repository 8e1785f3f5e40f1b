"""
Controls: frames that look like buttons and fields, and small squares that look like check boxes.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

import msgspec

from surefoot.capture.detector import DetectedThing
from surefoot.capture.detectors.pixels.frames import SQUARE_PX, Frame, holds, is_small
from surefoot.capture.detectors.pixels.icons import ICON_SHAPE, is_part_of_icon
from surefoot.capture.detectors.pixels.words import is_glyphs
from surefoot.core.geometry import Box

# Lengths are in heights of a line.
LEAST_FRAME: Final = 1.2
TALLEST_FRAME: Final = 5.0
LEAST_BUTTON: Final = 1.6
LEAST_FILLED_BUTTON: Final = 2.3
WIDEST_BUTTON: Final = 24.0
LEAST_FIELD: Final = 5.0
WIDEST_FIELD: Final = 70.0
FIELD_HEIGHT: Final = (1.5, 5.0)
PAD: Final = 0.3
AT_START: Final = 3.0
BESIDE: Final = 1.5
FOLLOWS: Final = 2.0
# These are not.
OFF_CENTRE: Final = 0.12  # of a frame's width
WIDE: Final = 2.0  # the width by the height
OFF_MIDDLE: Final = 0.12  # of the shorter side, from its middle to that of an icon
LARGEST_SHARE: Final = 0.8  # of a frame's side that an icon takes
ONE_LINE: Final = 0.5  # of the height of all
RIM_PX: Final = 4.0
AS_LARGE_PX: Final = 1.0
EVEN_SHARE: Final = 0.05
APART: Final = 1.5  # words farther from each other are those of several things


def find_controls(
    texts: Sequence[DetectedThing],
    frames: Sequence[Frame],
    marks: Sequence[Box],
    pieces: Sequence[Box],
    unit: float,
) -> list[DetectedThing]:
    """
    Return the controls that frames are, with the words in them; ``unit`` is a line's height.

    A frame that holds a control of words is none itself; a smaller one without words, as the
    icon in a field, is part of it, and so are the words in it. What is drawn within words is
    their letters.
    """
    controls = _check_boxes(frames, pieces, texts, unit)
    for item in sorted(frames, key=lambda item: item.box.area):
        frame = item.box
        held = [text for text in texts if holds(frame, text.box)]
        inner = [control for control in controls if holds(frame, control.box)]
        if any(part.words or part.role != "button" for part in inner) or any(
            _is_letter(frame, text.box) for text in texts
        ):
            continue
        if is_small(frame, unit, SQUARE_PX) and any(
            frame.intersection(control.box) for control in controls
        ):
            continue
        drawn = [mark for mark in marks if holds(frame, mark) and mark.area < 0.7 * frame.area]
        words = [text for text in held if not is_glyphs(text)]
        role = "" if is_part_of_icon(frame, pieces, unit) else _role(item, words, drawn, unit)
        if role:
            lines = tuple(line for text in words for line in text.lines)
            sure = all(text.sure for text in words)
            spelt = " ".join(text.words for text in words)
            controls = [control for control in controls if control not in inner]
            controls.append(DetectedThing(role, frame, spelt, lines, sure=sure, framed=True))
    return controls


def _check_boxes(
    frames: Sequence[Frame],
    pieces: Sequence[Box],
    texts: Sequence[DetectedThing],
    unit: float,
) -> list[DetectedThing]:
    """
    Return the small squares and circles that are empty, and what else is drawn as large.

    What is drawn as large as an empty one is one that is ticked.
    """
    words = [text.box for text in texts if not is_glyphs(text)]
    empty: list[DetectedThing] = []
    for item in frames:
        if not (item.plain and item.empty and is_small(item.box, unit, SQUARE_PX)):
            continue
        box = next((piece for piece in pieces if _is_rim(piece, item.box)), item.box)
        letters = any(_is_letter(box, line) for line in words)
        known = any(box.intersection(thing.box) for thing in empty)
        if is_small(box, unit) and not (letters or known or is_part_of_icon(box, pieces, unit)):
            empty.append(DetectedThing("radio" if item.round else "checkbox", box, framed=True))
    ticked = [
        msgspec.structs.replace(like, box=piece)
        for piece in pieces
        for like in [thing for thing in empty if _as_large(piece, thing.box)][:1]
        if any(_is_rim(piece, item.box) for item in frames)
        and not any(piece.intersection(thing.box) for thing in empty)
        and not any(_is_letter(piece, line) for line in words)
    ]
    found = [*empty, *ticked]
    square = [item for item in found if _is_even(item.box)]
    return [item for item in square if _is_choice(item.box, square, words, unit)]


def _is_even(box: Box) -> bool:
    """Tell whether a mark is as wide as high, as folders and cards are not."""
    return abs(box.width - box.height) <= max(1.0, EVEN_SHARE * box.height)


def _is_choice(
    box: Box, found: Sequence[DetectedThing], words: Sequence[Box], unit: float
) -> bool:
    """Tell whether words follow a small square, or it stands in a column of such squares."""
    followed = any(
        line.top <= box.center.y <= line.bottom and 0 <= line.left - box.right <= FOLLOWS * unit
        for line in words
    )
    column = any(
        other.box != box
        and abs(other.box.left - box.left) <= AS_LARGE_PX
        and _as_large(other.box, box)
        for other in found
    )
    return followed or column


def _is_rim(piece: Box, inside: Box) -> bool:
    """Tell whether a piece of ink is the rim of a frame."""
    sides = zip(piece.as_tuple(), inside.as_tuple(), strict=True)
    return all(abs(item - other) <= RIM_PX for item, other in sides)


def _as_large(one: Box, other: Box) -> bool:
    return max(abs(one.width - other.width), abs(one.height - other.height)) <= AS_LARGE_PX


def _role(item: Frame, held: Sequence[DetectedThing], drawn: Sequence[Box], unit: float) -> str:
    """Return what a frame looks like, "" where it looks like no control."""
    frame = item.box
    width, height = frame.width / unit, frame.height / unit
    if not LEAST_FRAME <= height <= TALLEST_FRAME or is_small(frame, unit, SQUARE_PX):
        return ""
    if held:
        line = Box.around(text.box for text in held)
        one_line = all(text.box.height >= ONE_LINE * line.height for text in held)
        row = sorted(text.box.as_tuple() for text in held)
        gaps = [after[0] - before[2] for before, after in itertools.pairwise(row)]
        whole = one_line and max(gaps, default=0.0) <= APART * unit
        return _worded(item, line, drawn, unit) if whole else ""
    if is_field_shaped(item, unit):
        ends = (frame.left + frame.height, frame.right - frame.height)
        unread = any(ends[0] < mark.center.x < ends[1] for mark in drawn)
        return "" if unread else "textbox"
    shaped = height >= LEAST_BUTTON and max(width, height) <= ICON_SHAPE * min(width, height)
    icon = item.bordered and shaped and drawn and _shows_an_icon(frame, Box.around(drawn))
    return "button" if icon else ""


def _shows_an_icon(frame: Box, ink: Box) -> bool:
    """Tell whether what is drawn in a frame stands in its middle, with room on all sides."""
    off = abs(ink.center.x - frame.center.x), abs(ink.center.y - frame.center.y)
    share = max(ink.width / frame.width, ink.height / frame.height)
    return share <= LARGEST_SHARE and max(off) <= OFF_MIDDLE * min(frame.width, frame.height)


def _worded(item: Frame, words: Box, drawn: Sequence[Box], unit: float) -> str:
    """Return what a frame around one line of words looks like."""
    frame = item.box
    content = Box.around([words, *(mark for mark in drawn if _beside(mark, words, unit))])
    before, after = content.left - frame.left, frame.right - content.right
    if min(before, after) < PAD * unit or frame.height < words.height:
        return ""
    off = abs(content.center.x - frame.center.x)
    if off <= max(OFF_CENTRE * frame.width, PAD * unit) and frame.width <= WIDEST_BUTTON * unit:
        least = LEAST_BUTTON if item.bordered else LEAST_FILLED_BUTTON
        return "button" if frame.height >= least * unit else ""
    at_start = before <= AT_START * unit and after > before
    return _field(item, unit) if at_start and frame.width >= LEAST_FIELD * unit else ""


def _field(item: Frame, unit: float) -> str:
    """Return "textbox", but for a message, a bar or a row that is selected."""
    return (
        "textbox" if item.plain and item.bordered and item.box.width <= WIDEST_FIELD * unit else ""
    )


def is_field_shaped(item: Frame, unit: float) -> bool:
    """Tell whether a frame is as wide and high as a field, and drawn as one."""
    width, height = item.box.width / unit, item.box.height / unit
    low, high = FIELD_HEIGHT
    shaped = width >= max(LEAST_FIELD, WIDE * height) and low <= height <= high
    return shaped and bool(_field(item, unit))


def _beside(mark: Box, words: Box, unit: float) -> bool:
    """Tell whether a mark stands on the line of words, and close to them."""
    gap = max(words.left - mark.right, mark.left - words.right)
    return words.top <= mark.center.y <= words.bottom and gap <= BESIDE * unit


def _is_letter(frame: Box, words: Box) -> bool:
    """Tell whether a frame is drawn within a line of words."""
    return words.contains(frame.center) and frame.width < words.width
