"""
Pictures as bytes, and as the pixels that they hold.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

__all__ = ["Pixels", "pixels_of", "png_of", "size_of", "stacked"]

Pixels: TypeAlias = NDArray[np.uint8]


def pixels_of(picture: bytes) -> Pixels:
    """Return the pixels of a picture's bytes, height x width x 3, 8 bits each."""
    with Image.open(io.BytesIO(picture)) as opened:
        return np.asarray(opened.convert("RGB"))


def size_of(picture: bytes) -> tuple[int, int]:
    """
    Return width and height in pixels from a picture's header; raises OSError for no picture.

    >>> size_of(png_of(Image.new("RGB", (3, 2))))
    (3, 2)
    """
    with Image.open(io.BytesIO(picture)) as opened:
        return opened.size


def png_of(image: Image.Image) -> bytes:
    r"""
    Encode a picture as PNG; the same pixels are the same bytes.

    >>> png_of(Image.new("RGB", (3, 2)))[:4]
    b'\x89PNG'
    """
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def stacked(pictures: Sequence[Image.Image], *, gap: int = 8) -> Image.Image:
    """
    Return pictures one below the other on white, with so many pixels between them.

    >>> stacked([Image.new("RGB", (3, 2)), Image.new("RGB", (5, 4))]).size
    (5, 14)
    """
    height = sum(picture.height for picture in pictures) + gap * (len(pictures) - 1)
    sheet = Image.new("RGB", (max(picture.width for picture in pictures), height), "white")
    top = 0
    for picture in pictures:
        sheet.paste(picture, (0, top))
        top += picture.height + gap
    return sheet
