"""
What is on an image: words with boxes, lines of words, and drawn rectangles.
"""

from __future__ import annotations

import io
import os
import threading
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, cast

import msgspec
from PIL import Image, UnidentifiedImageError

from surefoot.capture.ocr.flatten import flattened
from surefoot.capture.ocr.rectangles import find_rectangles
from surefoot.core.errors import MissingComponentError, ModelError
from surefoot.core.geometry import Box

if TYPE_CHECKING:
    import tesserocr

__all__ = [
    "LANGUAGES",
    "Scan",
    "Scanner",
    "TextLine",
    "Word",
    "group_lines",
    "load_tesseract",
    "tessdata_folder",
]

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
            with Image.open(io.BytesIO(image)) as opened:
                grey = opened.convert("L")
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
        for each in tesserocr.iterate_level(found, tesserocr.RIL.WORD) if found else ():
            if each.Empty(tesserocr.RIL.WORD):
                continue
            text = each.GetUTF8Text(tesserocr.RIL.WORD).strip()
            confidence = each.Confidence(tesserocr.RIL.WORD)
            box = each.BoundingBox(tesserocr.RIL.WORD)
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
    folders = [Path(each) for each in ((given, *FOLDERS) if given else FOLDERS)]
    names = languages.split("+")
    for folder in folders:
        if all((folder / f"{name}.traineddata").is_file() for name in names):
            return folder
    packages = " ".join(f"tesseract-ocr-{PACKAGES.get(name, name)}" for name in names)
    raise MissingComponentError(
        f"Tesseract's data for {languages}",
        found=f"none in {', '.join(str(each) for each in folders)}",
        remedy=f"run: apt-get install {packages}",
    )


def group_lines(words: list[Word]) -> tuple[TextLine, ...]:
    """
    Put words that stand beside each other into lines, top line first.

    A word joins a line whose last word it overlaps by half of the lower height and follows
    at a gap of at most 0.9 of the taller height.
    """
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda each: (each.box.left, each.box.top)):
        line = next((each for each in lines if _follows(each[-1].box, word.box)), None)
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
