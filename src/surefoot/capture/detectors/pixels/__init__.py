"""
Elements from pixels alone: words by reading, frames by their edges, icons by what is drawn.

A line of words is a text. A drawn frame is a button where its words stand in its middle, a
text box where they stand at its start or where it is wide and empty, a check box where it is
small, square and empty. What else is drawn, about as high as the words and as wide, is an
icon: a button without words. Lengths count in heights of a line (the median of those found),
so that screens of phones are read as those of desktops are.

After UIED (Chen et al. 2020), which joins words that were read with the outlines of what is
drawn; no network is trained.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.capture.detector import BarePicture, DetectedThing, Detector
from surefoot.capture.detectors.pixels.controls import find_controls, is_field_shaped
from surefoot.capture.detectors.pixels.frames import TALLEST_CHECK, Frame, find_frames, holds
from surefoot.capture.detectors.pixels.icons import find_icons
from surefoot.capture.detectors.pixels.words import is_glyphs, read_texts, scan_texts, unit_of
from surefoot.capture.ocr.second import find_signs
from surefoot.core.drawn.areas import compact_ink
from surefoot.core.drawn.marks import drawn_marks
from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels

__all__ = ["PIXELS", "Frame", "classify", "find_in_pixels", "read_texts", "shows_more"]

BORDER_PX: Final = 3.0
GAP: Final = 0.2  # of a line's height, between strokes of one piece of ink
INK: Final = 40  # of 255, between what is drawn and the ground of its row
WIDEST_ICON: Final = 2.0  # heights of a line


def find_in_pixels(picture: BarePicture, reader: str) -> tuple[DetectedThing, ...]:
    """
    Find texts, controls and icons; ``reader`` is "" or "rapidocr", which reads once more.

    Raises UnknownNameError for another, ModelError for what is no picture, and
    MissingComponentError for what is not installed.
    """
    texts, rectangles = scan_texts(picture, reader)
    pixels = picture.pixels
    unit = unit_of(texts)
    frames = tuple(find_frames(pixels, rectangles))
    words = [text for text in texts if not is_glyphs(text)]
    pieces = compact_ink(
        pixels,
        [text.box for text in words],
        [frame.box for frame in frames if frame.box.height > TALLEST_CHECK * unit],
        max(2, round(GAP * unit)),
    )
    marks = [Box(*map(float, row)) for row in drawn_marks(pixels)]
    height, width = pixels.shape[:2]
    bounds = Box(0.0, 0.0, float(width), float(height))
    found = [
        item
        for item in _unread(classify(texts, frames, marks, pieces), picture)
        if not (item.framed and item.lines and shows_more(pixels, item, unit))
    ]
    return tuple(
        msgspec.structs.replace(item, box=box)
        for item in found
        if (box := bounds.intersection(item.box)) is not None
    )


def classify(
    texts: Sequence[DetectedThing],
    frames: Sequence[Frame],
    marks: Sequence[Box],
    pieces: Sequence[Box],
) -> tuple[DetectedThing, ...]:
    """
    Return texts, controls and icons from words, drawn frames and all that is drawn.

    ``marks`` and ``pieces`` are the boxes of what is drawn, and of compact pieces of ink.
    """
    unit = unit_of(texts)
    controls = find_controls(texts, frames, marks, pieces, unit)
    taken = [control.box for control in controls]
    free = [text for text in texts if not any(holds(box, text.box) for box in taken)]
    worded = [text.box for text in free if not is_glyphs(text)]
    fields = [item.box for item in frames if is_field_shaped(item, unit)]
    icons = find_icons(pieces, taken, worded, fields, unit)
    read = [
        text
        for text in free
        if not (is_glyphs(text) and any(icon.box.contains(text.box.center) for icon in icons))
    ]
    return (*controls, *read, *icons)


def _unread(found: Sequence[DetectedThing], picture: BarePicture) -> list[DetectedThing]:
    """Leave out what has no words and may be one: a letter, a digit or a sign is read in it."""
    unnamed = [item for item in found if item.role == "button" and not item.words]
    boxes = [_inside(item.box) if item.framed else item.box for item in unnamed]
    signs = find_signs(picture.image, boxes, picture.language)
    written = [item for item, sign in zip(unnamed, signs, strict=True) if sign]
    return [item for item in found if item not in written]


def shows_more(pixels: Pixels, item: DetectedThing, unit: float) -> bool:
    """
    Tell whether a control shows words that were not read beside those that were.

    What is drawn on their line and wider than an icon is words: with a part of its name
    alone, a field looks like a button.
    """
    left, _, right, _ = (round(side) for side in _inside(item.box).as_tuple())
    words = Box.around(item.lines)
    rows = pixels[round(words.top) : round(words.bottom), left:right].astype(np.int16)
    if not rows.size:
        return False
    ground = np.median(rows, axis=1, keepdims=True)
    inked = (np.abs(rows - ground).max(axis=2) > INK).any(axis=0)
    columns = np.flatnonzero(inked) + left
    beside = (columns < words.left - GAP * unit) | (columns > words.right + GAP * unit)
    chunks = np.split(columns[beside], np.flatnonzero(np.diff(columns[beside]) > unit / 2) + 1)
    return any(len(chunk) and chunk[-1] - chunk[0] > WIDEST_ICON * unit for chunk in chunks)


def _inside(frame: Box) -> Box:
    """Return a frame's inside, without its border."""
    left, top, right, bottom = frame.as_tuple()
    return Box(left + BORDER_PX, top + BORDER_PX, right - BORDER_PX, bottom - BORDER_PX)


PIXELS: Final = Detector(
    name="pixels",
    version=4,
    summary="words read twice by Tesseract (or by RapidOCR: pixels:rapidocr), frames and icons",
    find=find_in_pixels,
)
