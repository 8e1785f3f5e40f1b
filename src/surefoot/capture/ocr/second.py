"""
A second reading of lines that were found: what two readings agree on was surely read.

Either Tesseract reads each line once more, alone and enlarged, or RapidOCR (PP-OCR's
networks), where it is installed, reads the whole picture.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from PIL import Image

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

__all__ = ["SecondReading", "agree", "read_again", "read_with_rapidocr"]

# Given a picture, its lines and a language: what the second reading finds at each line.
SecondReading: TypeAlias = Callable[[Image.Image, Sequence[TextLine], str], list[str]]

ONE_LINE: Final = 7  # Tesseract's page segmentation mode
LETTERS_PX: Final = 32  # height to which a line is enlarged
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
    names = LANGUAGES.get(language.partition("-")[0], LANGUAGES["en"])
    engine = load_tesseract().PyTessBaseAPI(
        path=str(tessdata_folder(names)), lang=names, psm=ONE_LINE
    )
    engine.SetVariable("debug_file", os.devnull)
    grey = image.convert("L")
    found: list[str] = []
    try:
        for line in lines:
            engine.SetImage(_enlarged(grey, line.box))
            found.append(" ".join(engine.GetUTF8Text().split()))
    finally:
        engine.End()
    return found


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
