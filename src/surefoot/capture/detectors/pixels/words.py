"""
Lines of words in a picture, each read twice.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from typing import Final

from surefoot.capture.detector import BarePicture, DetectedThing
from surefoot.capture.ocr.scan import Scanner, TextLine, Word
from surefoot.capture.ocr.second import SecondReading, agree, read_again, read_with_rapidocr
from surefoot.core.errors import UnknownNameError
from surefoot.core.geometry import Box
from surefoot.core.registry import suggest

READERS: Final[dict[str, SecondReading]] = {"": read_again, "rapidocr": read_with_rapidocr}
ROOM: Final = 0.2  # of a line's height, that a font keeps above and below its letters
LEAST_CONFIDENCE: Final = 60.0  # Tesseract's, of a line's words on average
USUAL_LINE: Final = 12.0  # pixels, where nothing was read
LONGEST_GLYPH: Final = 3  # letters
FAR_APART: Final = 1.2  # of the height of letters, from one to the next
_SIGNS: Final = frozenset("|[]{}<>\\^~_")  # what edges and icons are often read as


def read_texts(picture: BarePicture, reader: str) -> tuple[DetectedThing, ...]:
    """
    Return the lines of words in a picture as texts; ``reader`` is "" or "rapidocr".

    Raises UnknownNameError for another, ModelError for what is no picture, and
    MissingComponentError for what is not installed.
    """
    return scan_texts(picture, reader)[0]


def scan_texts(
    picture: BarePicture, reader: str
) -> tuple[tuple[DetectedThing, ...], tuple[Box, ...]]:
    """
    Return the lines of words in a picture, read twice, as texts, and its drawn rectangles.

    Raises as ``read_texts`` does.
    """
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


def unit_of(texts: Sequence[DetectedThing]) -> float:
    """Return the height of a line of letters: the median of those that were read."""
    line = statistics.median(text.box.height for text in texts) if texts else USUAL_LINE
    return line / (1 + 2 * ROOM)


def is_glyphs(text: DetectedThing) -> bool:
    """Tell whether what was read may be icons: single letters, or letters far apart."""
    if text.sure:
        return False
    letters = text.box.height / (1 + 2 * ROOM)
    if text.box.width > FAR_APART * letters * len(text.words):
        return True
    short = all(len(word) <= LONGEST_GLYPH for word in text.words.split())
    return short and not text.words.isdecimal()
