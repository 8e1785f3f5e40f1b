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
from surefoot.capture.ocr.scan import Scanner, TextLine, Word
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

    ``plain`` tells whether its inside is white or about as the ground around it, ``bordered``
    whether a line is drawn around it, ``empty`` whether nothing is drawn inside, ``round``
    whether nothing is drawn in its corners.
    """

    box: Box
    plain: bool = True
    bordered: bool = True
    empty: bool = False
    round: bool = False


READERS: Final[dict[str, SecondReading]] = {"": read_again, "rapidocr": read_with_rapidocr}
ROOM: Final = 0.2  # of a line's height, that a font keeps above and below its letters
LEAST_CONFIDENCE: Final = 60.0  # Tesseract's, of a line's words on average
USUAL_LINE: Final = 12.0  # pixels, where nothing was read
# All further lengths are in heights of a line.
LEAST_CHECK: Final = 0.9
LEAST_FRAME: Final = 1.2
TALLEST_FRAME: Final = 5.0
LEAST_BUTTON: Final = 1.6
LEAST_FILLED_BUTTON: Final = 2.3
WIDEST_FIELD: Final = 70.0
TALLEST_CHECK: Final = 2.0
WIDEST_BUTTON: Final = 24.0
LEAST_FIELD: Final = 5.0
FIELD_HEIGHT: Final = (1.5, 5.0)
LEAST_ICON: Final = 1.0
LARGEST_ICON: Final = 3.6
GAP: Final = 0.2
ICON_ROOM: Final = 0.3
PAD: Final = 0.3
AT_START: Final = 3.0
NEXT_LETTER: Final = 0.5
BESIDE: Final = 1.5
FOLLOWS: Final = 2.0
# These are ratios.
SQUARE: Final = 1.15
ICON_SHAPE: Final = 1.8
OFF_CENTRE: Final = 0.12  # of a frame's width
WIDE: Final = 2.0
TALLEST_PX: Final = 240.0
TOOLBAR: Final = 3  # icons
STACKED_PX: Final = 4.0
RIM_PX: Final = 4.0
AS_LARGE_PX: Final = 1.0
ONE_LINE: Final = 0.5  # of the height of all
SQUARE_PX: Final = 2.0
PART_PX: Final = 3.0
SAME_FRAME: Final = 0.75
LONGEST_GLYPH: Final = 3  # letters
FAR_APART: Final = 1.2  # of the height of letters, from one to the next
SIDE_PX: Final = 2
OUTSIDE_PX: Final = (2, 6)  # from and to
STEP: Final = 4  # of 255, as of the faintest edges
INNER_PX: Final = 3
ROUND: Final = 0.17  # of the side; a circle leaves more of a diagonal, a round corner less
FAINT: Final = 16.0  # of 255
LIKE_GROUND: Final = 30.0
WHITE: Final = 235.0
CLOSED: Final = 0.7  # of the rows in the middle of a frame
SAME_GROUND: Final = 8.0  # of 255
OWN_COLOUR: Final = 8.0
GREYISH: Final = 12.0
_SIGNS: Final = frozenset("|[]{}<>\\^~_")  # what edges and icons are often read as


def find_in_pixels(picture: BarePicture, reader: str) -> tuple[DetectedThing, ...]:
    """
    Find texts, controls and icons; ``reader`` is "" or "rapidocr", which reads once more.

    Raises UnknownNameError for another, ModelError for what is no picture, and
    MissingComponentError for what is not installed.
    """
    texts, rectangles = _scanned(picture, reader)
    return _find_around(picture.pixels, texts, rectangles)


def _find_around(
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
    height, width = pixels.shape[:2]
    bounds = Box(0.0, 0.0, float(width), float(height))
    found = classify(texts, frames, marks, pieces)
    return tuple(
        msgspec.structs.replace(item, box=box)
        for item in found
        if (box := bounds.intersection(item.box)) is not None
    )


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
    lines = [part for line in kept for part in _parts(line, scan.rectangles)]
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


def _parts(line: TextLine, frames: Sequence[Box]) -> Iterator[TextLine]:
    """Yield the parts of a line that stand in frames of their own, as buttons in a row do."""
    part: list[Word] = []
    for word in line.words:
        if part and _apart(part[-1].box, word.box, frames):
            yield TextLine(tuple(part))
            part = []
        part.append(word)
    if part:
        yield TextLine(tuple(part))


def _apart(one: Box, other: Box, frames: Sequence[Box]) -> bool:
    """Tell whether a frame holds one of two words wholly, and not the middle of the other."""
    pairs = ((one, other), (other, one))
    return any(
        frame.intersection(word) == word and not frame.contains(next_word.center)
        for frame in frames
        for word, next_word in pairs
    )


def _frames(pixels: Pixels, boxes: Sequence[Box]) -> Iterator[Frame]:
    """Yield what is closed, is no cell of a table or row of a list, and lies on one ground."""
    closed = [box for box in boxes if _is_closed(pixels, box)]
    closed += [
        area
        for area in enclosed_areas(pixels)
        if not any(area.iou(box) >= SAME_FRAME for box in closed)
    ]
    for box in closed:
        # What is higher is no frame of a control, but may be the card below a head.
        if box.height <= TALLEST_PX and not any(_is_below(box, other) for other in closed):
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
    """Yield a rectangle as a frame where two sides that face each other lie on one ground."""
    left, top, right, bottom = _rounded(box)
    near, far = OUTSIDE_PX
    strips = (
        (pixels[max(0, top - far) : max(0, top - near), left:right],
         pixels[bottom + near : bottom + far, left:right]),
        (pixels[top:bottom, max(0, left - far) : max(0, left - near)],
         pixels[top:bottom, right + near : right + far]),
    )  # fmt: skip
    for strip in strips:
        if not all(part.size for part in strip):
            continue
        ground, other = (np.median(part.reshape(-1, 3), axis=0) for part in strip)
        if np.abs(ground - other).max() <= SAME_GROUND:
            yield _frame_on(pixels, box, ground)
            return


def _frame_on(pixels: Pixels, box: Box, ground: NDArray[np.float64]) -> Frame:
    left, top, right, bottom = _rounded(box)
    inner = pixels[top + INNER_PX : bottom - INNER_PX, left + INNER_PX : right - INNER_PX]
    cells = inner.reshape(-1, 3)
    inside = np.median(cells, axis=0) if len(cells) else ground
    alike = np.abs(inside - ground).max() <= LIKE_GROUND or inside.min() >= WHITE
    return Frame(
        box,
        plain=bool(alike and np.ptp(inside) <= GREYISH),
        bordered=all(
            _is_line(pixels[max(0, side - 2) : side + 2, left:right], inside, ground)
            for side in (top, bottom)
        ),
        empty=bool((np.abs(cells - inside).max(axis=1, initial=0) <= FAINT).all()),
        round=_is_round(pixels, box, ground),
    )


def _is_line(rows: Pixels, inside: NDArray[np.float64], ground: NDArray[np.float64]) -> bool:
    """Tell whether any of the rows at an edge has a colour of its own."""
    colours = np.median(rows, axis=1)
    off = np.minimum(*(np.abs(colours - other).max(axis=1) for other in (inside, ground)))
    return bool(off.max(initial=0) > OWN_COLOUR)


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
    controls = _check_boxes(frames, pieces, texts, unit)
    for item in sorted(frames, key=lambda item: item.box.area):
        frame = item.box
        held = [text for text in texts if _holds(frame, text.box)]
        inner = [control for control in controls if _holds(frame, control.box)]
        if any(part.words or part.role != "button" for part in inner) or any(
            _is_letter(frame, text.box) for text in texts
        ):
            continue
        if _is_small(frame, unit, SQUARE_PX) and any(
            frame.intersection(control.box) for control in controls
        ):
            continue
        drawn = [mark for mark in marks if _holds(frame, mark) and mark.area < 0.7 * frame.area]
        words = [text for text in held if not _is_glyphs(text)]
        role = "" if _is_part(frame, pieces, unit) else _role(item, words, drawn, unit)
        if role:
            lines = tuple(line for text in words for line in text.lines)
            sure = all(text.sure for text in words)
            spelt = " ".join(text.words for text in words)
            controls = [control for control in controls if control not in inner]
            controls.append(DetectedThing(role, frame, spelt, lines, sure=sure, framed=True))
    taken = [control.box for control in controls]
    free = [text for text in texts if not any(_holds(box, text.box) for box in taken)]
    worded = [text.box for text in free if not _is_glyphs(text)]
    icons = tuple(_icons(pieces, taken, worded, unit))
    unread = [item.box for item in frames if _is_field_shaped(item, unit)]
    icons = tuple(icon for icon in icons if not _is_unread(icon, icons, unread))
    read = [
        text
        for text in free
        if not (_is_glyphs(text) and any(icon.box.contains(text.box.center) for icon in icons))
    ]
    return (*controls, *read, *icons)


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
    words = [text.box for text in texts if not _is_glyphs(text)]
    empty: list[DetectedThing] = []
    for item in frames:
        if not (item.plain and item.empty and _is_small(item.box, unit, SQUARE_PX)):
            continue
        box = next((piece for piece in pieces if _is_rim(piece, item.box)), item.box)
        letters = any(_is_letter(box, line) for line in words)
        known = any(box.intersection(one.box) for one in empty)
        if _is_small(box, unit) and not (letters or known or _is_part(box, pieces, unit)):
            empty.append(DetectedThing("radio" if item.round else "checkbox", box, framed=True))
    ticked = [
        msgspec.structs.replace(like, box=piece)
        for piece in pieces
        for like in [one for one in empty if _as_large(piece, one.box)][:1]
        if any(_is_rim(piece, item.box) for item in frames)
        and not any(piece.intersection(one.box) for one in empty)
        and not any(_is_letter(piece, line) for line in words)
    ]
    found = [*empty, *ticked]
    return [item for item in found if _is_choice(item.box, found, words, unit)]


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


def _is_small(box: Box, unit: float, slack: float = 1.0) -> bool:
    """Tell whether a box is square, but for some pixels, and no larger than a check box."""
    small, large = sorted((box.width, box.height))
    square = large <= max(SQUARE * small, small + slack)
    return square and LEAST_CHECK * unit <= small + slack and large <= TALLEST_CHECK * unit


def _is_rim(piece: Box, inside: Box) -> bool:
    """Tell whether a piece of ink is the rim of a frame."""
    sides = zip(piece.as_tuple(), inside.as_tuple(), strict=True)
    return all(abs(one - other) <= RIM_PX for one, other in sides)


def _as_large(one: Box, other: Box) -> bool:
    return max(abs(one.width - other.width), abs(one.height - other.height)) <= AS_LARGE_PX


def _unit(texts: Sequence[DetectedThing]) -> float:
    """Return the height of a line of letters: the median of those that were read."""
    line = statistics.median(text.box.height for text in texts) if texts else USUAL_LINE
    return line / (1 + 2 * ROOM)


def _is_glyphs(text: DetectedThing) -> bool:
    """Tell whether what was read may be icons: single letters, or letters far apart."""
    if text.sure:
        return False
    letters = text.box.height / (1 + 2 * ROOM)
    if text.box.width > FAR_APART * letters * len(text.words):
        return True
    short = all(len(word) <= LONGEST_GLYPH for word in text.words.split())
    return short and not text.words.isdecimal()


def _role(item: Frame, held: Sequence[DetectedThing], drawn: Sequence[Box], unit: float) -> str:
    """Return what a frame looks like, "" where it looks like no control."""
    frame = item.box
    width, height = frame.width / unit, frame.height / unit
    if not LEAST_FRAME <= height <= TALLEST_FRAME or _is_small(frame, unit, SQUARE_PX):
        return ""
    if held:
        line = Box.around(text.box for text in held)
        one_line = all(text.box.height >= ONE_LINE * line.height for text in held)
        return _worded(item, line, drawn, unit) if one_line else ""
    if _is_field_shaped(item, unit):
        ends = (frame.left + frame.height, frame.right - frame.height)
        unread = any(ends[0] < mark.center.x < ends[1] for mark in drawn)
        return "" if unread else "textbox"
    return "button" if drawn and max(width, height) <= ICON_SHAPE * min(width, height) else ""


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


def _is_field_shaped(item: Frame, unit: float) -> bool:
    """Tell whether a frame is as wide and high as a field, and drawn as one."""
    width, height = item.box.width / unit, item.box.height / unit
    low, high = FIELD_HEIGHT
    shaped = width >= max(LEAST_FIELD, WIDE * height) and low <= height <= high
    return shaped and bool(_field(item, unit))


def _is_unread(icon: DetectedThing, icons: Sequence[DetectedThing], fields: Sequence[Box]) -> bool:
    """Tell whether what looks like an icon may be words in a field; a toolbar has more icons."""
    return any(
        _holds(field, icon.box) and sum(_holds(field, one.box) for one in icons) < TOOLBAR
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
        if not held and not any(_is_missed_letter(piece, line, unit) for line in lines):
            yield DetectedThing("button", _padded(piece, [*pieces, *controls, *lines], unit))


def _is_missed_letter(piece: Box, line: Box, unit: float) -> bool:
    """Tell whether a piece stands on a line of words, next to a letter and no higher."""
    gap = max(line.left - piece.right, piece.left - line.right)
    return line.top <= piece.top and piece.bottom <= line.bottom and gap <= NEXT_LETTER * unit


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
    version=2,
    summary="words read twice by Tesseract (or by RapidOCR: pixels:rapidocr), frames and icons",
    find=find_in_pixels,
)
