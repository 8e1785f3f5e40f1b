"""
A second reading of lines that were found: what two readings agree on was surely read.

Either Tesseract reads each line once more, alone and enlarged, or RapidOCR (PP-OCR's
networks), where it is installed, reads the whole picture.
"""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from PIL import Image, ImageOps

from surefoot.capture.ocr.match import plain
from surefoot.capture.ocr.scan import (
    LANGUAGES,
    TextLine,
    flattened,
    load_tesseract,
    tessdata_folder,
)
from surefoot.core.errors import MissingComponentError
from surefoot.core.geometry import Box

if TYPE_CHECKING:
    import tesserocr


# Given a picture, its lines and a language: what the second reading finds at each line.
SecondReading: TypeAlias = Callable[[Image.Image, Sequence[TextLine], str], list[str]]

ONE_LINE, ONE_SIGN = 7, 10  # Tesseract's page segmentation modes
LETTERS_PX: Final = 32  # height to which a line is enlarged
SIGNS_PX: Final = (18, 28, 44)  # heights to which a sign alone is enlarged
INK_STEP: Final = 40  # of 255, from the ground
SURE_SIGN: Final = 50  # Tesseract's confidence
WRITTEN: Final = frozenset("$\u20ac\u00a3\u00a5%&?!@#<>()[]{}*/")  # beside letters and digits
MARGIN: Final = 0.35  # of a line's height
SHARED: Final = 0.5


def agree(one: str, other: str) -> bool:
    """
    Tell whether two readings are of the same letters and digits, look-alikes taken for one.

    >>> agree("Log in", "Log ln"), agree("Log in", "Log out"), agree("", "")
    (True, False, False)
    """
    return bool(plain(one)) and plain(one) == plain(other)


def read_again(image: Image.Image, lines: Sequence[TextLine], language: str) -> list[str]:
    """
    Read each line alone, enlarged, with Tesseract.

    Raises MissingComponentError for absent language data.
    """
    grey = image.convert("L")
    found: list[str] = []
    with _engine(language, ONE_LINE) as engine:
        for line in lines:
            engine.SetImage(_enlarged(grey, line.box))
            found.append(" ".join(engine.GetUTF8Text().split()))
    return found


def find_signs(image: Image.Image, boxes: Sequence[Box], language: str) -> list[bool]:
    """
    Tell of each box whether a letter, a digit or a sign such as "$" is read in it alone.

    It must be read alike at two of three sizes: some letter is read in most icons at one.
    Raises MissingComponentError for absent language data.
    """
    grey = image.convert("L")

    def is_sign(box: Box) -> bool:
        read: set[str] = set()
        for height in SIGNS_PX:
            engine.SetImage(_sign(grey, box, height))
            signs = {sign for sign in engine.GetUTF8Text().casefold() if _is_written(sign)}
            if engine.MeanTextConf() >= SURE_SIGN:
                if signs & read:
                    return True
                read |= signs
        return False

    with _engine(language, ONE_SIGN) as engine:
        return [is_sign(box) for box in boxes]


def _is_written(sign: str) -> bool:
    return sign.isalnum() or sign in WRITTEN


@contextlib.contextmanager
def _engine(language: str, mode: int) -> Iterator[tesserocr.PyTessBaseAPI]:
    names = LANGUAGES.get(language.partition("-")[0], LANGUAGES["en"])
    engine = load_tesseract().PyTessBaseAPI(path=str(tessdata_folder(names)), lang=names, psm=mode)
    engine.SetVariable("debug_file", os.devnull)
    try:
        yield engine
    finally:
        engine.End()


def _enlarged(grey: Image.Image, box: Box) -> Image.Image:
    """Cut a line out with a margin, dark on light, its letters of one height."""
    room = MARGIN * box.height
    sides = (
        max(0, int(box.left - room)),
        max(0, int(box.top - room)),
        min(grey.width, int(box.right + room) + 1),
        min(grey.height, int(box.bottom + room) + 1),
    )
    part = flattened(grey.crop(sides))
    factor = max(1.0, LETTERS_PX / max(box.height, 1.0))
    size = (max(1, round(part.width * factor)), max(1, round(part.height * factor)))
    return part.resize(size, Image.Resampling.BICUBIC)


def _sign(grey: Image.Image, box: Box, height: int) -> Image.Image:
    """Cut out what is drawn in a box, dark on light, of one height, with ground around it."""
    left, top, right, bottom = (round(side) for side in box.as_tuple())
    part = flattened(grey.crop((left, top, max(left + 1, right), max(top + 1, bottom))))
    ground = int(np.median(np.asarray(part)))
    drawn = part.point(lambda level: 255 * (abs(level - ground) > INK_STEP)).getbbox()
    part = part.crop(drawn) if drawn else part
    size = (max(1, round(part.width * height / part.height)), height)
    room = height // 2
    return ImageOps.expand(part.resize(size, Image.Resampling.LANCZOS), room, fill=ground)


def read_with_rapidocr(image: Image.Image, lines: Sequence[TextLine], _language: str) -> list[str]:
    """
    Read the whole picture with RapidOCR, and return what it read where each line is.

    It reads Latin letters and Chinese. Raises MissingComponentError where it is not
    installed.
    """
    try:
        module: Any = importlib.import_module("rapidocr_onnxruntime")
    except ImportError as error:
        raise MissingComponentError(
            "the package rapidocr-onnxruntime",
            found="none",
            remedy="run: pip install rapidocr-onnxruntime",
        ) from error
    result, _ = module.RapidOCR()(np.asarray(image.convert("RGB"))[..., ::-1])
    read = [(_around(corners), str(text)) for corners, text, _ in result or ()]
    return [" ".join(text for box, text in read if _same_line(box, line.box)) for line in lines]


def _around(corners: Sequence[Sequence[float]]) -> Box:
    across, down = zip(*corners, strict=True)
    return Box(float(min(across)), float(min(down)), float(max(across)), float(max(down)))


def _same_line(one: Box, other: Box) -> bool:
    """Tell whether two boxes share half of the smaller one."""
    common = one.intersection(other)
    return common is not None and common.area >= SHARED * min(one.area, other.area)
