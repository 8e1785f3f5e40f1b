"""
Words found in a picture: each is drawn in the font of the session and looked for.

The fonts are known, so that a word can be drawn and compared by normalised
cross-correlation, which neither contrast nor inverted colours change. Toolkits place
glyphs at fractions of a pixel, hinted or not, so a word is drawn in several ways, and
words are looked for one by one.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from surefoot.capture.fonts import ask_fontconfig
from surefoot.core.geometry import Box

Gray: TypeAlias = NDArray[np.float64]

FAMILY: Final = "DejaVu Sans"
# Scripts that DejaVu has no letters for: all from Thai on but signs and extended Latin.
FAR: Final = "\u0e00-\u1dff\u2e80-\U0010ffff"
FAR_LETTER: Final = re.compile(f"[{FAR}]")
WORDS: Final = re.compile(f"[^\\s{FAR}]+|[{FAR}]+")  # a word ends where the font changes, too
LANGUAGES: Final = {"zh": "zh-cn"}
# Over 177 words of eight programs the least likeness of a word to itself was 0.78, in its
# toolkit's own lettering; of 238 pairs of different words all but one were below 0.74.
LEAST_LIKENESS: Final = 0.76
SHORT: Final = 3  # words of fewer letters are alike too easily
SHORT_LIKENESS: Final = 0.82
MOST_WORDS: Final = 14
PLACES: Final = 4
ROW_PX: Final = 3.0
LEAST_VARIANCE: Final = 1e-4
SMALLEST_PX: Final = 8.0
LARGEST_PX: Final = 64.0
LINE_PER_FONT: Final = 1.164  # DejaVu's ascent and descent
PAD: Final = 1
FINE: Final = 8
HINTED_SHIFTS: Final = (0.0, 0.33, 0.66)
SMOOTH_SHIFTS: Final = (0.0, 0.25, 0.5, 0.75)


class Lettering(msgspec.Struct, frozen=True):
    """Say how a toolkit draws its words: sizes in pixels, hinted or smooth, or both."""

    language: str = "en"
    sizes: tuple[float, ...] = (13.333,)
    hinted: bool = False
    smooth: bool = True


class SpelledName(msgspec.Struct, frozen=True):
    """Say where a name is spelled: a box for each line, in pixels, and the font's size."""

    lines: tuple[Box, ...]
    size: float


class _Drawn(msgspec.Struct, frozen=True):
    """Hold a drawn word, and how far its top lies below the top of its line."""

    pixels: Gray
    drop: float


def lettering_of(toolkit: str, locale: str) -> Lettering:
    """
    Return how a toolkit draws 10 points at 96 dots an inch.

    >>> lettering_of("Qt5", "fr-FR").sizes
    (13.0,)
    """
    language = locale.replace("_", "-").partition("-")[0].lower()
    if toolkit.startswith("Qt"):
        return Lettering(language, (13.0,), hinted=True, smooth=False)
    return Lettering(language, hinted=not toolkit.startswith("GTK"))


def find_words(gray: Gray, box: Box, name: str, lettering: Lettering) -> SpelledName | None:
    """
    Return where a name is spelled inside a box, or None.

    ``gray`` is the picture's luminance (0 to 1), boxes are its pixels. All words must be
    there, in reading order; a line's box is as high as the font's lines.
    """
    words = WORDS.findall(name)
    if not words or len(words) > MOST_WORDS:
        return None
    left, top, right, bottom = _inside(gray, box)
    crop = gray[top:bottom, left:right]
    if crop.size == 0 or float(crop.var()) < LEAST_VARIANCE:
        return None
    for size in (*lettering.sizes, *_size_of_ink(crop, name, lettering)):
        found = _in_order(crop, words, size, lettering)
        if found is not None:
            lines = tuple(line.moved(left, top) for line in _lines(found))
            return SpelledName(lines, size)
    return None


@functools.cache
def font_file(language: str, letter: str = "") -> tuple[str, int]:
    """
    Return the font that a letter is set in, "" for Latin, and its place in the file.

    Raises MissingComponentError without fontconfig.
    """
    wanted = f":lang={LANGUAGES.get(language, language)}:charset={ord(letter):x}" if letter else ""
    form = "%{file}\n%{index}"
    found = ask_fontconfig("fc-match", "--format", form, FAMILY + wanted, desktop=True)
    file, _, index = found.partition("\n")
    return file, int(index or 0) & 0xFFFF


def _places(crop: Gray, word: str, size: float, lettering: Lettering) -> Iterator[Box]:
    """Yield the line boxes of the places where a word is spelled, the likeliest first."""
    least = SHORT_LIKENESS if len(word) < SHORT else LEAST_LIKENESS
    found: list[tuple[float, Box]] = []
    for drawn in _drawings(word, size, lettering):
        height, width = drawn.pixels.shape
        if height > crop.shape[0] or width > crop.shape[1]:
            continue
        likeness = np.abs(_correlation(crop, drawn.pixels))
        for _ in range(PLACES):
            y, x = np.unravel_index(int(likeness.argmax()), likeness.shape)
            if likeness[y, x] < least:
                break
            top = float(y) + PAD - drawn.drop
            box = Box.from_xywh(float(x), top, float(width), LINE_PER_FONT * size)
            found.append((float(likeness[y, x]), box))
            around = slice(max(0, x - width // 2), x + width // 2 + 1)
            likeness[max(0, y - PLACES) : y + PLACES, around] = 0
    for _, box in sorted(found, key=lambda item: -item[0]):
        yield box


@functools.lru_cache(maxsize=4096)
def _drawings(word: str, size: float, lettering: Lettering) -> tuple[_Drawn, ...]:
    file = _file_for(word, lettering)
    found: list[_Drawn] = []
    if lettering.hinted:
        found += [_hinted(word, _font(*file, size), shift) for shift in HINTED_SHIFTS]
    if lettering.smooth:
        fine = _font(*file, size * FINE)
        found += [_smooth(word, fine, shift) for shift in SMOOTH_SHIFTS]
    return tuple(found)


@functools.lru_cache(maxsize=64)
def _font(file: str, index: int, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(file, size, index)


def _file_for(word: str, lettering: Lettering) -> tuple[str, int]:
    far = FAR_LETTER.search(word)
    return font_file(lettering.language, far[0]) if far else font_file("en")


def _hinted(word: str, font: ImageFont.FreeTypeFont, shift: float) -> _Drawn:
    left, top, right, bottom = font.getbbox(word)
    size = (max(1, int(right - left) + 2 * PAD + 1), max(1, int(bottom - top) + 2 * PAD))
    return _Drawn(_painted(word, font, size, (PAD - left + shift, PAD - top)), top)


def _smooth(word: str, font: ImageFont.FreeTypeFont, shift: float) -> _Drawn:
    """Draw a word eight times as large, its base line on whole pixels, and shrink it."""
    left, top, right, bottom = font.getbbox(word)
    ascent = font.getmetrics()[0]
    y = FINE * round((FINE * PAD - top + ascent) / FINE) - ascent
    width = max(FINE, int(right - left) // FINE * FINE + 4 * FINE)
    height = max(FINE, int(bottom - top) // FINE * FINE + 3 * FINE)
    drawn = _painted(word, font, (width, height), (FINE * (PAD + shift) - left, y))
    small = drawn.reshape(height // FINE, FINE, width // FINE, FINE).mean(axis=(1, 3))
    return _Drawn(small, PAD - y / FINE)


def _painted(
    word: str, font: ImageFont.FreeTypeFont, size: tuple[int, int], at: tuple[float, float]
) -> Gray:
    image = Image.new("L", size, 0)
    ImageDraw.Draw(image).text(at, word, fill=255, font=font)
    return np.asarray(image, dtype=np.float64) / 255


def _correlation(crop: Gray, template: Gray) -> Gray:
    """Return the normalised cross-correlation at every place where the template fits in."""
    from scipy.signal import fftconvolve

    centred = template - template.mean()
    total, squares = _window_sums(crop, template.shape), _window_sums(crop**2, template.shape)
    product = fftconvolve(crop, centred[::-1, ::-1], "valid")
    floor = LEAST_VARIANCE * template.size
    variance = np.maximum(squares - total**2 / template.size, floor)
    found: Gray = product / np.sqrt(variance * max(float((centred**2).sum()), floor))
    return found


def _window_sums(values: Gray, shape: tuple[int, ...]) -> Gray:
    """Return the sum over a window of this shape at every place where it fits in."""
    sums = np.pad(values.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    height, width = shape
    found: Gray = (
        sums[height:, width:] - sums[:-height, width:] - sums[height:, :-width]
        + sums[:-height, :-width]
    )  # fmt: skip
    return found


def _in_order(
    crop: Gray, words: Sequence[str], size: float, lettering: Lettering
) -> list[Box] | None:
    """Return the words' boxes where each follows the one before on its row or a later one."""
    found: list[Box] = []
    for word in words:
        fitting = [
            box
            for box in _places(crop, word, size, lettering)
            if not found or _follows(box, found[-1])
        ]
        if not fitting:
            return None
        first = fitting[0]
        if found:
            first = min(fitting, key=lambda box: (abs(box.top - found[-1].top) // 4, box.left))
        found.append(first)
    return found


def _follows(box: Box, before: Box) -> bool:
    if box.left >= before.right - ROW_PX:
        return abs(box.top - before.top) <= ROW_PX
    return box.top >= before.bottom - ROW_PX


def _lines(words: Sequence[Box]) -> list[Box]:
    lines: list[list[Box]] = []
    for word in words:
        if lines and word.left >= lines[-1][-1].right - ROW_PX:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [Box.around(line) for line in lines]


def _size_of_ink(crop: Gray, name: str, lettering: Lettering) -> tuple[float, ...]:
    """Return the font size at which a name would be as high as the ink inside a border."""
    margin = min(6, crop.shape[0] // 6)
    core = crop[margin : crop.shape[0] - margin, margin : crop.shape[1] - margin]
    if core.size == 0:
        return ()
    ink = np.abs(core - np.median(core, axis=1, keepdims=True)) > 0.25 * (np.ptp(core) or 1.0)
    rows = np.flatnonzero(ink.any(axis=1))
    if not rows.size:
        return ()
    usual = lettering.sizes[0]
    _, top, _, bottom = _font(*_file_for(name, lettering), usual * FINE).getbbox(name)
    size = round(usual * FINE * float(rows[-1] - rows[0] + 1) / max(1.0, bottom - top), 1)
    return (size,) if SMALLEST_PX <= size <= LARGEST_PX else ()


def _inside(gray: Gray, box: Box) -> tuple[int, int, int, int]:
    height, width = gray.shape
    return (
        max(0, round(box.left)),
        max(0, round(box.top)),
        min(width, round(box.right)),
        min(height, round(box.bottom)),
    )
