"""
What is on an image: words with boxes, lines of words, and drawn rectangles.

A drawn rectangle (a field, a button, a check box) is two horizontal edges of the same reach,
one under the other, joined by vertical edges on both sides; an edge is a step of brightness.
Round corners may shorten the edges, as far as half the height; boxes drawn by a shadow alone
are not found.
"""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias, cast

import msgspec
import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from surefoot.core.errors import MissingComponentError, ModelError
from surefoot.core.geometry import Box
from surefoot.core.pictures import opened

if TYPE_CHECKING:
    import tesserocr


BLOCK = 16
INK = 2
FAINT = 40
LINE = 40  # pixels; no stroke of a letter is as long
Mask: TypeAlias = NDArray[np.bool_]
Run: TypeAlias = tuple[int, int, int]  # row, first column, column after the last

STEP = 4  # of 255: the faintest edge that fields are drawn with
SHORTEST = 9  # pixels of a side; a check box is 13
TALLEST = 240
SLACK = 4
MOST_RUNS = 6_000
CORNER = 9  # pixels beyond the edges that a round corner may reach; a pill half its height
SHARE = 0.7
BORDER = 3  # pixels that a drawn border is thick at most
# Tesseract's names of the languages; interfaces mix Latin words into the other scripts.
LANGUAGES = {
    "en": "eng",
    "fr": "fra",
    "ru": "rus+eng",
    "zh": "chi_sim+eng",
    "ja": "jpn+eng",
    "th": "tha+eng",
}
PACKAGES = {"chi_sim": "chi-sim"}
# Sparse text on the doubled image found the most labels per second on dashboards.
SEGMENTATION = 11
UPSCALE = 2
UPSCALE_LIMIT = 4_500_000  # pixels; text on larger images is large enough
LEAST_CONFIDENCE = 20.0
FOLDERS = (
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tesseract-ocr/4.00/tessdata",
    "/usr/share/tessdata",
    "/usr/local/share/tessdata",
    "/opt/homebrew/share/tessdata",
)


def flattened(grey: Image.Image) -> Image.Image:
    """
    Turn text of any polarity into dark text on white, so that one pass reads all of it.

    The ground of each block of 16 x 16 pixels is its median brightness; what differs from
    its ground is drawn dark, in proportion. Straight lines, and the rims that blocks leave
    where two grounds meet, are taken out. Without all this, light text on a dark menu beside
    a light page is lost.
    """
    values = np.asarray(grey, dtype=np.int16)
    height, width = values.shape
    margins = ((0, -height % BLOCK), (0, -width % BLOCK))
    padded = np.pad(values, margins, mode="edge")
    tall, wide = padded.shape[0] // BLOCK, padded.shape[1] // BLOCK
    blocks = padded.reshape(tall, BLOCK, wide, BLOCK).transpose(0, 2, 1, 3)
    ground = np.median(blocks.reshape(tall, wide, -1), axis=2).astype(np.int16)
    spread = ground.repeat(BLOCK, axis=0).repeat(BLOCK, axis=1)[:height, :width]
    ink = np.minimum(np.abs(values - spread) * INK, 255)
    drawn = ink > FAINT
    ink[_long_runs(drawn) | _long_runs(drawn.T).T] = 0
    return Image.fromarray((255 - ink).astype(np.uint8))


def _long_runs(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the pixels of horizontal runs that are at least LINE long."""
    height, width = mask.shape
    padded = np.zeros((height, width + 2), dtype=np.int8)
    padded[:, 1:-1] = mask
    steps = np.diff(padded, axis=1)
    rows, starts = np.nonzero(steps == 1)
    _, ends = np.nonzero(steps == -1)
    kept = ends - starts >= LINE
    borders = np.zeros((height, width + 1), dtype=np.int8)
    borders[rows[kept], starts[kept]] = 1
    borders[rows[kept], ends[kept]] -= 1
    return np.cumsum(borders, axis=1, dtype=np.int8)[:, :width] > 0


def find_rectangles(image: Image.Image) -> list[Box]:
    """
    Return the rectangles of an image in grey, in its pixels, top first.

    >>> from PIL import ImageDraw
    >>> image = Image.new("L", (100, 60), 255)
    >>> ImageDraw.Draw(image).rectangle((20, 10, 79, 39), outline=120)
    >>> find_rectangles(image)
    [Box(left=20.0, top=10.0, right=80.0, bottom=40.0)]
    """
    grey = np.asarray(image.convert("L"), dtype=np.int16)
    if min(grey.shape) <= SHORTEST:
        return []
    down = np.abs(np.diff(grey, axis=0)) > STEP
    across = np.abs(np.diff(grey, axis=1)) > STEP
    found: list[Box] = []
    runs = _runs(down)
    below: defaultdict[int, list[Run]] = defaultdict(list)
    for run in runs:
        below[run[1] // SLACK].append(run)
    for top in runs:
        bottom = _partner(top, below)
        if bottom is not None and _joined(across, top, bottom):
            found.append(_box(top, bottom))
    return _distinct(found)


def _runs(mask: Mask) -> list[Run]:
    """Return the horizontal runs of at least SHORTEST pixels, by row, then column."""
    padded = np.zeros((mask.shape[0], mask.shape[1] + 2), dtype=np.int8)
    padded[:, 1:-1] = mask
    steps = np.diff(padded, axis=1)
    rows, starts = np.nonzero(steps == 1)
    _, ends = np.nonzero(steps == -1)
    lengths = ends - starts
    kept = np.nonzero(lengths >= SHORTEST)[0]
    if len(kept) > MOST_RUNS:
        longest = np.argsort(-lengths[kept], kind="stable")[:MOST_RUNS]
        kept = np.sort(kept[longest])
    return [(int(rows[i]) + 1, int(starts[i]), int(ends[i])) for i in kept]


def _partner(top: Run, below: defaultdict[int, list[Run]]) -> Run | None:
    """Return the outer edge of the nearest line under ``top`` that reaches as far."""
    row, first, last = top
    bucket = first // SLACK
    near = [
        run
        for key in (bucket - 1, bucket, bucket + 1)
        for run in below.get(key, ())
        if SHORTEST <= run[0] - row <= TALLEST
        and abs(run[1] - first) <= SLACK
        and abs(run[2] - last) <= SLACK
    ]
    if not near:
        return None
    nearest = min(near)[0]
    return max(run for run in near if run[0] <= nearest + BORDER)


def _joined(across: Mask, top: Run, bottom: Run) -> bool:
    rows = slice(top[0] + 2, bottom[0] - 2)
    sides = (min(top[1], bottom[1]), max(top[2], bottom[2]))
    corner = max(CORNER, (bottom[0] - top[0]) // 2 + 2)
    for side, reach in zip(sides, ((corner, 3), (3, corner)), strict=True):
        strip = across[rows, max(0, side - reach[0]) : side + reach[1]]
        if strip.size == 0 or float(strip.any(axis=1).mean()) < SHARE:
            return False
    return True


def _box(top: Run, bottom: Run) -> Box:
    left, right = min(top[1], bottom[1]), max(top[2], bottom[2])
    return Box(float(left), float(top[0]), float(right), float(bottom[0]))


def _distinct(boxes: list[Box]) -> list[Box]:
    """Keep the outermost of boxes whose sides all lie within a few pixels."""
    kept: defaultdict[tuple[int, int], list[Box]] = defaultdict(list)
    for box in sorted(boxes, key=lambda item: (-item.area, item.as_tuple())):
        column, row = int(box.left) // SLACK, int(box.top) // SLACK
        around = ((column + across, row + down) for across in (-1, 0, 1) for down in (-1, 0, 1))
        if not any(_same(box, other) for cell in around for other in kept.get(cell, ())):
            kept[column, row].append(box)
    found = [box for cell in kept.values() for box in cell]
    return sorted(found, key=lambda item: (item.top, item.left, item.bottom, item.right))


def _same(one: Box, other: Box) -> bool:
    pairs = zip(one.as_tuple(), other.as_tuple(), strict=True)
    return all(abs(a - b) <= SLACK for a, b in pairs)


class Word(msgspec.Struct, frozen=True):
    """Hold one word, its box in pixels of the image, and the confidence from 0 to 100."""

    text: str
    box: Box
    confidence: float


class TextLine(msgspec.Struct, frozen=True):
    """Hold words that stand beside each other, from left to right."""

    words: tuple[Word, ...]

    @property
    def box(self) -> Box:
        """Return the box around all words."""
        return Box.around(word.box for word in self.words)


class Scan(msgspec.Struct, frozen=True):
    """Hold what was found on one image."""

    lines: tuple[TextLine, ...]
    rectangles: tuple[Box, ...]


class Scanner:
    """
    Scan images with Tesseract, one engine per thread and language.

    ``scan`` may be called from any number of threads; Tesseract works without the
    interpreter's lock. Raises MissingComponentError for absent language data.
    """

    def __init__(self) -> None:
        self._local = threading.local()
        self._engines: list[tesserocr.PyTessBaseAPI] = []
        self._lock = threading.Lock()

    def scan(self, image: bytes, language: str) -> Scan:
        """Return the lines and rectangles of a PNG; raises ModelError where it is none."""
        try:
            grey = opened(image).convert("L")
        except (UnidentifiedImageError, OSError, ValueError) as error:
            raise ModelError("bad-image", expected="a picture", found=error) from error
        return Scan(group_lines(self._words(grey, language)), tuple(find_rectangles(grey)))

    def close(self) -> None:
        """Free all engines; no thread may be scanning."""
        with self._lock:
            for engine in self._engines:
                engine.End()
            self._engines.clear()

    def _words(self, grey: Image.Image, language: str) -> list[Word]:
        tesserocr = load_tesseract()
        factor = UPSCALE if grey.width * grey.height <= UPSCALE_LIMIT else 1
        engine = self._engine(LANGUAGES.get(language.partition("-")[0], LANGUAGES["en"]))
        larger = (grey.width * factor, grey.height * factor)
        engine.SetImage(flattened(grey).resize(larger, Image.Resampling.LANCZOS))
        engine.Recognize()
        found = engine.GetIterator()
        words: list[Word] = []
        for item in tesserocr.iterate_level(found, tesserocr.RIL.WORD) if found else ():
            if item.Empty(tesserocr.RIL.WORD):
                continue
            text = item.GetUTF8Text(tesserocr.RIL.WORD).strip()
            confidence = item.Confidence(tesserocr.RIL.WORD)
            box = item.BoundingBox(tesserocr.RIL.WORD)
            legible = any(letter.isalnum() for letter in text)
            if legible and box and confidence >= LEAST_CONFIDENCE:
                words.append(Word(text, Box(*box).scaled(1 / factor), confidence))
        engine.Clear()
        return words

    def _engine(self, languages: str) -> tesserocr.PyTessBaseAPI:
        engines: dict[str, tesserocr.PyTessBaseAPI] = self._local.__dict__
        if languages not in engines:
            folder = tessdata_folder(languages)
            engine = load_tesseract().PyTessBaseAPI(
                path=str(folder), lang=languages, psm=SEGMENTATION
            )
            engine.SetVariable("debug_file", os.devnull)
            engines[languages] = engine
            with self._lock:
                self._engines.append(engine)
        return engines[languages]


def load_tesseract() -> ModuleType:
    """
    Import tesserocr, the first time with one thread a page.

    Tesseract reads the limit when it is loaded; ours are threads enough. Raises
    MissingComponentError where it is not installed.
    """
    os.environ.setdefault("OMP_THREAD_LIMIT", "1")
    try:
        import tesserocr
    except ImportError as error:
        raise MissingComponentError(
            "the package tesserocr", found="none", remedy="run: pip install tesserocr"
        ) from error
    return cast("ModuleType", tesserocr)


def tessdata_folder(languages: str) -> Path:
    """
    Return the folder that holds the data of languages such as "rus+eng".

    TESSDATA_PREFIX is looked at first. Raises MissingComponentError, with the packages to
    install, where no folder holds them all.
    """
    given = os.environ.get("TESSDATA_PREFIX", "")
    folders = [Path(item) for item in ((given, *FOLDERS) if given else FOLDERS)]
    names = languages.split("+")
    for folder in folders:
        if all((folder / f"{name}.traineddata").is_file() for name in names):
            return folder
    packages = " ".join(f"tesseract-ocr-{PACKAGES.get(name, name)}" for name in names)
    raise MissingComponentError(
        f"Tesseract's data for {languages}",
        found=f"none in {', '.join(str(path) for path in folders)}",
        remedy=f"run: apt-get install {packages}",
    )


def group_lines(words: list[Word]) -> tuple[TextLine, ...]:
    """
    Put words that stand beside each other into lines, top line first.

    A word joins a line whose last word it overlaps by half of the lower height and follows
    at a gap of at most 0.9 of the taller height.
    """
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda item: (item.box.left, item.box.top)):
        line = next((item for item in lines if _follows(item[-1].box, word.box)), None)
        if line is None:
            lines.append([word])
        else:
            line.append(word)
    made = [TextLine(tuple(line)) for line in lines]
    return tuple(sorted(made, key=lambda line: (line.box.top, line.box.left)))


def _follows(last: Box, box: Box) -> bool:
    overlap = min(last.bottom, box.bottom) - max(last.top, box.top)
    heights = (last.bottom - last.top, box.bottom - box.top)
    gap = box.left - last.right
    return overlap >= 0.5 * min(heights) and -0.5 * min(heights) <= gap <= 0.9 * max(heights)
