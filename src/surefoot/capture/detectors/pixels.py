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

import statistics
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from surefoot.capture.detector import BarePicture, DetectedThing, Detector
from surefoot.capture.ocr.scan import Scanner, TextLine
from surefoot.capture.ocr.second import SecondReading, agree, read_again, read_with_rapidocr
from surefoot.core.drawn.areas import compact_ink, enclosed_areas
from surefoot.core.drawn.marks import drawn_marks
from surefoot.core.errors import UnknownNameError
from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels
from surefoot.core.registry import suggest

__all__ = ["PIXELS", "Frame", "classify", "find_in_pixels", "read_texts"]


class Frame(msgspec.Struct, frozen=True):
    """
    Hold a drawn rectangle.

    ``plain`` tells whether its inside is white or about as the ground around it, ``empty``
    whether nothing is drawn inside, ``round`` whether nothing is drawn in its corners.
    """

    box: Box
    plain: bool = True
    empty: bool = False
    round: bool = False


READERS: Final[dict[str, SecondReading]] = {"": read_again, "rapidocr": read_with_rapidocr}
ROOM: Final = 0.2  # of a line's height, that a font keeps above and below its letters
LEAST_CONFIDENCE: Final = 60.0  # Tesseract's, of a line's words on average
USUAL_LINE: Final = 12.0  # pixels, where nothing was read
# All further lengths are in heights of a line.
LEAST_FRAME: Final = 0.7
TALLEST_FRAME: Final = 5.0
LEAST_BUTTON: Final = 2.3
WIDEST_FIELD: Final = 70.0
TALLEST_CHECK: Final = 2.4
WIDEST_BUTTON: Final = 24.0
LEAST_FIELD: Final = 6.0
FIELD_HEIGHT: Final = (1.5, 5.0)
LEAST_ICON: Final = 1.1
LARGEST_ICON: Final = 3.6
GAP: Final = 0.3
ICON_ROOM: Final = 0.5
PAD: Final = 0.3
AT_START: Final = 3.0
BESIDE: Final = 1.5
# These are ratios.
SQUARE: Final = 1.25
ICON_SHAPE: Final = 1.7
OFF_CENTRE: Final = 0.12  # of a frame's width
WIDE: Final = 3.0
STACKED_PX: Final = 4.0
PART_PX: Final = 3.0
SAME_FRAME: Final = 0.75
LONGEST_GLYPH: Final = 2
SIDE_PX: Final = 2
OUTSIDE_PX: Final = 3
STEP: Final = 4  # of 255, as of the faintest edges
INNER_PX: Final = 3
ROUND: Final = 0.17  # of the side; a circle leaves more of a diagonal, a round corner less
FAINT: Final = 16.0  # of 255
LIKE_GROUND: Final = 30.0
WHITE: Final = 235.0
CLOSED: Final = 0.7  # of the rows in the middle of a frame
SAME_GROUND: Final = 2.0  # of 255
GREYISH: Final = 12.0
_SMALL: Final = frozenset({"button", "checkbox", "img", "radio"})
_SIGNS: Final = frozenset("|[]{}<>\\^~_")  # what edges and icons are often read as


def find_in_pixels(picture: BarePicture, reader: str) -> tuple[DetectedThing, ...]:
    """
    Find texts, controls and icons; ``reader`` is "" or "rapidocr", which reads once more.

    Raises UnknownNameError for another, ModelError for what is no picture, and
    MissingComponentError for what is not installed.
    """
    texts, rectangles = _scanned(picture, reader)
    return find_around(picture.pixels, texts, rectangles)


def find_around(
    pixels: Pixels, texts: Sequence[DetectedThing], rectangles: Sequence[Box]
) -> tuple[DetectedThing, ...]:
    """Find controls and icons around texts that were read and rectangles that were found."""
    unit = _unit(texts)
    frames = tuple(_frames(pixels, rectangles))
    words = [text for text in texts if not _is_glyphs(text)]
    pieces = compact_ink(
        pixels,
        [text.box for text in words],
        [frame.box for frame in frames if frame.box.height > TALLEST_CHECK * unit],
        max(2, round(GAP * unit)),
    )
    marks = [Box(*map(float, row)) for row in drawn_marks(pixels)]
    return classify(texts, frames, marks, pieces)


def read_texts(picture: BarePicture, reader: str) -> tuple[DetectedThing, ...]:
    """Return the lines of words in a picture as texts; raises as ``find_in_pixels`` does."""
    return _scanned(picture, reader)[0]


def _scanned(
    picture: BarePicture, reader: str
) -> tuple[tuple[DetectedThing, ...], tuple[Box, ...]]:
    """Return the lines of words in a picture, read twice, and its drawn rectangles."""
    if reader not in READERS:
        raise UnknownNameError(
            "a second reader",
            found=f"'{reader}'",
            remedy=suggest(reader, [name for name in READERS if name]),
        )
    scanner = Scanner()
    try:
        scan = scanner.scan(picture.png, picture.language)
    finally:
        scanner.close()
    image = picture.image
    kept = (_without_edges(line, scan.rectangles) for line in scan.lines)
    lines = [line for line in kept if line.words]
    again = READERS[reader](image, lines, picture.language)
    pairs = zip(lines, again, strict=True)
    texts = tuple(_words(line, second, float(image.height)) for line, second in pairs)
    return texts, scan.rectangles


def _without_edges(line: TextLine, frames: Sequence[Box]) -> TextLine:
    """Return a line without the words that are the edge of a frame, read as a letter."""

    def is_edge(box: Box) -> bool:
        return box.width < 2 * box.height and any(
            any(box.left < side < box.right for side in (frame.left, frame.right))
            and frame.top < box.center.y < frame.bottom
            for frame in frames
        )

    return TextLine(tuple(word for word in line.words if not is_edge(word.box)))


def _frames(pixels: Pixels, boxes: Sequence[Box]) -> Iterator[Frame]:
    """Yield what is closed, is no cell of a table or row of a list, and lies on one ground."""
    closed = [box for box in boxes if _is_closed(pixels, box)]
    closed += [
        area
        for area in enclosed_areas(pixels)
        if not any(area.iou(box) >= SAME_FRAME for box in closed)
    ]
    for box in closed:
        if not any(_is_below(box, other) for other in closed):
            yield from _on_one_ground(pixels, box)


def _is_closed(pixels: Pixels, box: Box) -> bool:
    """Tell whether both sides are drawn; the gap between two fields has none."""
    left, top, right, bottom = _rounded(box)
    middle = slice(top + (bottom - top) // 3, bottom - (bottom - top) // 3)
    steps = np.abs(np.diff(pixels[middle].astype(np.int16), axis=1)).max(axis=2) > STEP
    near = [steps[:, max(0, side - SIDE_PX) : side + SIDE_PX] for side in (left, right)]
    return all(part.size and part.any(axis=1).mean() >= CLOSED for part in near)


def _is_below(one: Box, other: Box) -> bool:
    """Tell whether boxes are of one column, and one ends where the other begins."""
    column = max(abs(one.left - other.left), abs(one.right - other.right)) <= STACKED_PX
    return column and min(abs(one.top - other.bottom), abs(one.bottom - other.top)) <= STACKED_PX


def _on_one_ground(pixels: Pixels, box: Box) -> Iterator[Frame]:
    """Yield a rectangle as a frame; the head of a card lies between the page and the card."""
    left, top, right, bottom = _rounded(box)
    above = pixels[max(0, top - OUTSIDE_PX) : top, left:right].reshape(-1, 3)
    below = pixels[bottom : bottom + OUTSIDE_PX, left:right].reshape(-1, 3)
    if not (len(above) and len(below)):
        return
    ground, under = np.median(above, axis=0), np.median(below, axis=0)
    if np.abs(ground - under).max() > SAME_GROUND:
        return
    inner = pixels[top + INNER_PX : bottom - INNER_PX, left + INNER_PX : right - INNER_PX]
    cells = inner.reshape(-1, 3)
    inside = np.median(cells, axis=0) if len(cells) else ground
    alike = np.abs(inside - ground).max() <= LIKE_GROUND or inside.min() >= WHITE
    yield Frame(
        box,
        plain=bool(alike and np.ptp(inside) <= GREYISH),
        empty=bool((np.abs(cells - inside).max(axis=1, initial=0) <= FAINT).all()),
        round=_is_round(pixels, box, ground),
    )


def _is_round(pixels: Pixels, box: Box, ground: NDArray[np.float64]) -> bool:
    """Tell whether all diagonals from just outside the corners meet nothing for a while."""
    left, top, right, bottom = _rounded(box)
    depth = int(ROUND * (right - left)) + 1
    return all(
        np.abs(pixels[max(0, row + down * step), max(0, column + across * step)] - ground).max()
        <= FAINT
        for row, down in ((top - 1, 1), (bottom, -1))
        for column, across in ((left - 1, 1), (right, -1))
        for step in range(depth)
        if row < pixels.shape[0] and column < pixels.shape[1]
    )


def _rounded(box: Box) -> tuple[int, int, int, int]:
    left, top, right, bottom = (round(side) for side in box.as_tuple())
    return left, top, right, bottom


def _words(line: TextLine, second: str, height: float) -> DetectedThing:
    """Return a line as a text, with the room that its font keeps above and below."""
    words = " ".join(word.text for word in line.words)
    trust = statistics.fmean(word.confidence for word in line.words)
    tight = line.box
    room = ROOM * tight.height
    box = Box(
        max(0.0, tight.left),
        max(0.0, tight.top - room),
        tight.right,
        min(height, tight.bottom + room),
    )
    sure = agree(words, second) and trust >= LEAST_CONFIDENCE and not _stray(line)
    sure = sure and not _SIGNS & set(words)
    return DetectedThing("text", box, words, (box,), sure=sure)


def _stray(line: TextLine) -> bool:
    """Tell whether a line begins or ends with a letter alone, as icons are often read."""
    ends = (line.words[0].text, line.words[-1].text) if len(line.words) > 1 else ()
    alone = len(line.words) == 1 and len(line.words[0].text) == 1
    return alone or any(len(end) == 1 and end.isalpha() and end not in "aIA" for end in ends)


def classify(
    texts: Sequence[DetectedThing],
    frames: Sequence[Frame],
    marks: Sequence[Box],
    pieces: Sequence[Box],
) -> tuple[DetectedThing, ...]:
    """
    Return texts, controls and icons from words, drawn frames and all that is drawn.

    A frame that holds a control of words is none itself; a smaller one without words, as the
    icon in a field, is part of it, and so are the words in it. What is drawn within words is
    their letters.
    """
    unit = _unit(texts)
    controls: list[DetectedThing] = []
    for item in sorted(frames, key=lambda item: item.box.area):
        frame = item.box
        held = [text for text in texts if _holds(frame, text.box)]
        inner = [control for control in controls if _holds(frame, control.box)]
        if any(part.words or part.role not in _SMALL for part in inner) or any(
            _is_letter(frame, text.box) for text in texts
        ):
            continue
        drawn = [mark for mark in marks if _holds(frame, mark) and mark.area < 0.7 * frame.area]
        role = "" if _is_part(frame, pieces, unit) else _role(item, held, drawn, unit)
        if role:
            words = " ".join(text.words for text in held)
            lines = tuple(line for text in held for line in text.lines)
            sure = all(text.sure for text in held)
            controls = [control for control in controls if control not in inner]
            controls.append(DetectedThing(role, frame, words, lines, sure=sure, framed=True))
    free = [
        text for text in texts if not any(_holds(control.box, text.box) for control in controls)
    ]
    words = [text.box for text in free if not _is_glyphs(text)]
    icons = tuple(_icons(pieces, [*(item.box for item in controls), *words], unit))
    read = [
        text
        for text in free
        if not (_is_glyphs(text) and any(icon.box.contains(text.box.center) for icon in icons))
    ]
    return (*controls, *read, *icons)


def _unit(texts: Sequence[DetectedThing]) -> float:
    """Return the height of a line of letters: the median of those that were read."""
    line = statistics.median(text.box.height for text in texts) if texts else USUAL_LINE
    return line / (1 + 2 * ROOM)


def _is_glyphs(text: DetectedThing) -> bool:
    """Tell whether what was read may be icons: single letters, not read alike twice."""
    return not text.sure and all(
        len(word) <= LONGEST_GLYPH and not word.isdecimal() for word in text.words.split()
    )


def _role(item: Frame, held: Sequence[DetectedThing], drawn: Sequence[Box], unit: float) -> str:
    """Return what a frame looks like, "" where it looks like no control."""
    frame = item.box
    width, height = frame.width / unit, frame.height / unit
    if not LEAST_FRAME <= height <= TALLEST_FRAME:
        return ""
    square = max(width, height) <= SQUARE * min(width, height)
    if len(held) == 1:
        return _worded(item, held[0].box, drawn, unit)
    if held:
        return ""
    if square and height <= TALLEST_CHECK:
        small = "radio" if item.round else "checkbox"
        return small if item.plain and item.empty else ""  # it may be ticked, or a badge
    low, high = FIELD_HEIGHT
    if width >= LEAST_FIELD and width >= WIDE * height and low <= height <= high:
        ends = (frame.left + frame.height, frame.right - frame.height)
        unread = any(ends[0] < mark.center.x < ends[1] for mark in drawn)
        return "" if unread else _field(item, unit)
    return "button" if drawn and max(width, height) <= ICON_SHAPE * min(width, height) else ""


def _worded(item: Frame, words: Box, drawn: Sequence[Box], unit: float) -> str:
    """Return what a frame around one line of words looks like."""
    frame = item.box
    before, after = words.left - frame.left, frame.right - words.right
    if min(before, after) < PAD * unit or frame.height < words.height:
        return ""
    content = Box.around([words, *(mark for mark in drawn if _beside(mark, words, unit))])
    off = abs(content.center.x - frame.center.x)
    if off <= max(OFF_CENTRE * frame.width, PAD * unit) and frame.width <= WIDEST_BUTTON * unit:
        return "button" if frame.height >= LEAST_BUTTON * unit else ""
    at_start = before <= AT_START * unit and after > before
    return _field(item, unit) if at_start and frame.width >= LEAST_FIELD * unit else ""


def _field(item: Frame, unit: float) -> str:
    """Return "textbox", but for a message, a bar or a row that is selected."""
    return "textbox" if item.plain and item.box.width <= WIDEST_FIELD * unit else ""


def _icons(pieces: Sequence[Box], known: Sequence[Box], unit: float) -> Iterator[DetectedThing]:
    """Yield what is drawn like an icon, and is part of no words and of no control."""
    for piece in pieces:
        small, large = min(piece.width, piece.height) / unit, max(piece.width, piece.height) / unit
        if large < LEAST_ICON or large > LARGEST_ICON or large > ICON_SHAPE * small:
            continue
        if any(piece.intersection(box) for box in known):
            continue
        yield DetectedThing("button", _padded(piece, [*pieces, *known], unit))


def _padded(piece: Box, others: Sequence[Box], unit: float) -> Box:
    """Return an icon with the room around it that belongs to it: half of that to the next."""
    room = ICON_ROOM * unit
    sides = [room] * 4
    for other in others:
        if other == piece:
            continue
        gaps = (
            piece.left - other.right,
            piece.top - other.bottom,
            other.left - piece.right,
            other.top - piece.bottom,
        )
        place = max(range(4), key=gaps.__getitem__)
        if gaps[place] >= 0 and max(gaps[place % 2], gaps[place % 2 + 2]) < 2 * room:
            across = gaps[(place + 1) % 4] < room and gaps[(place + 3) % 4] < room
            if across:
                sides[place] = min(sides[place], gaps[place] / 2)
    return Box(
        max(0.0, piece.left - sides[0]),
        max(0.0, piece.top - sides[1]),
        piece.right + sides[2],
        piece.bottom + sides[3],
    )


def _holds(outer: Box, inner: Box) -> bool:
    return outer.contains(inner.center) and outer.width >= inner.width and outer != inner


def _beside(mark: Box, words: Box, unit: float) -> bool:
    """Tell whether a mark stands on the line of words, and close to them."""
    gap = max(words.left - mark.right, mark.left - words.right)
    return words.top <= mark.center.y <= words.bottom and gap <= BESIDE * unit


def _is_part(frame: Box, pieces: Sequence[Box], unit: float) -> bool:
    """Tell whether a small frame is drawn within an icon, as a page on a clipboard is."""
    return frame.height <= TALLEST_CHECK * unit and any(
        piece.contains(frame.center)
        and max(piece.width, piece.height) <= LARGEST_ICON * unit
        and max(piece.width - frame.width, piece.height - frame.height) > PART_PX
        for piece in pieces
    )


def _is_letter(frame: Box, words: Box) -> bool:
    """Tell whether a frame is drawn within a line of words."""
    return words.contains(frame.center) and frame.width < words.width


PIXELS: Final = Detector(
    name="pixels",
    version=1,
    summary="words read twice by Tesseract (or by RapidOCR: pixels:rapidocr), frames and icons",
    find=find_in_pixels,
)
