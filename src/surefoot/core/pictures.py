"""
Pictures as bytes, and as the pixels that everybody sees.

Programs disagree on what a file says beside its pixels: whether a camera's orientation is
followed, what lies under transparency, how 16 bits become 8. So there is one decoding here,
by which pictures are measured, and what it gives is what is stored, sent and shown.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from surefoot.core.geometry import Box

Pixels: TypeAlias = NDArray[np.uint8]

_ORIENTATION: Final = 0x0112  # EXIF's tag
_TURNS: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_BYTE: Final = 255
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_HEADER: Final = struct.Struct(">I4sIIBB")  # length, "IHDR", width, height, depth, colours
_EIGHT_BITS_RGB: Final = (8, 2)
# What tells no program to show the pixels in another way.
_PLAIN: Final = frozenset({b"IHDR", b"IDAT", b"sBIT", b"pHYs", b"tIME", b"sRGB"})


def opened(picture: bytes) -> Image.Image:
    """
    Decode a picture as it is seen, see ``as_seen``; raises as Pillow does for no picture.

    >>> opened(png_of(Image.new("LA", (3, 2), (0, 0)))).getpixel((0, 0))
    (255, 255, 255)
    """
    with Image.open(io.BytesIO(picture)) as image:
        return as_seen(image)


def as_seen(image: Image.Image) -> Image.Image:
    """
    Return a picture upright, in RGB of 8 bits, on white where it is transparent.

    Of 16 bits the upper 8 count, as browsers have it; of several frames the first. Profiles
    of colours and all that is written beside the pixels are left out.
    """
    turn = _TURNS.get(_orientation(image))
    image.load()
    seen = _flat(_eight_bits(image))
    seen = seen.transpose(turn) if turn is not None else seen
    seen.info = {}
    return seen


def _orientation(image: Image.Image) -> int:
    """Return EXIF's orientation, 0 where there is none or what tells it is damaged."""
    try:
        orientation = image.getexif().get(_ORIENTATION)
    except (AttributeError, LookupError, SyntaxError, TypeError, ValueError, struct.error):
        return 0
    return orientation if isinstance(orientation, int) else 0


def _eight_bits(image: Image.Image) -> Image.Image:
    if not image.mode.startswith("I"):
        return image
    values = np.asarray(image)
    grey = Image.fromarray((np.clip(values, 0, 2**16 - 1) >> 8).astype(np.uint8))
    if isinstance(clear := image.info.get("transparency"), int):
        grey.putalpha(Image.fromarray(np.where(values == clear, 0, _BYTE).astype(np.uint8)))
    return grey


def _flat(image: Image.Image) -> Image.Image:
    if "A" not in image.getbands() and "transparency" not in image.info:
        return image.convert("RGB")
    clear = image.info.get("transparency")
    if isinstance(clear, tuple) and max(clear) > _BYTE:  # of 16 bits, as the pixels were
        image.info["transparency"] = tuple(value >> 8 for value in clear)
    layer = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", layer.size, "white"), layer).convert("RGB")


def is_plain(picture: bytes) -> bool:
    """
    Tell whether bytes are a PNG that holds pixels of 8 bits in RGB and says nothing else.

    Every program decodes such a picture in one way.

    >>> is_plain(png_of(Image.new("RGB", (3, 2)))), is_plain(png_of(Image.new("L", (3, 2))))
    (True, False)
    """
    at = len(_PNG)
    if not picture.startswith(_PNG) or len(picture) < at + _HEADER.size:
        return False
    if _HEADER.unpack_from(picture, at)[4:] != _EIGHT_BITS_RGB:
        return False
    while at + 8 <= len(picture):
        length, kind = struct.unpack_from(">I4s", picture, at)
        if kind == b"IEND":
            return True
        if kind not in _PLAIN:
            return False
        at += length + 12
    return False


def plain(picture: bytes) -> bytes:
    """
    Return a picture as PNG that every program decodes in one way, see ``is_plain``.

    One that is so already stays as it is.
    """
    return picture if is_plain(picture) else png_of(opened(picture))


def pixels_of(picture: bytes) -> Pixels:
    """Return the pixels of a picture as it is seen, height x width x 3, 8 bits each."""
    return np.asarray(opened(picture))


def size_of(picture: bytes) -> tuple[int, int]:
    """
    Return width and height in pixels of a picture as it is seen; raises OSError for none.

    >>> size_of(png_of(Image.new("RGB", (3, 2))))
    (3, 2)
    """
    if is_plain(picture):
        with Image.open(io.BytesIO(picture)) as image:
            return image.size
    return opened(picture).size


def png_of(image: Image.Image) -> bytes:
    r"""
    Encode a picture as PNG; the same pixels are the same bytes.

    >>> png_of(Image.new("RGB", (3, 2)))[:4]
    b'\x89PNG'
    """
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def cropped(image: Image.Image, part: Box) -> Image.Image:
    """
    Return a part of a picture, its sides in whole pixels.

    >>> cropped(Image.new("RGB", (9, 9)), Box(2, 3, 6, 5)).size
    (4, 2)
    """
    left, top, right, bottom = map(int, part.as_tuple())
    return image.crop((left, top, right, bottom))


def webp_of(
    image: Image.Image,
    width: int,
    *,
    quality: int,
    method: int,
    resampling: Image.Resampling = Image.Resampling.LANCZOS,
) -> bytes:
    """
    Encode a picture as WebP of at most so many pixels' width.

    >>> webp_of(Image.new("RGB", (9, 9)), 3, quality=80, method=4)[8:12]
    b'WEBP'
    """
    if image.width > width:
        height = max(1, round(image.height * width / image.width))
        image = image.resize((width, height), resampling)
    file = io.BytesIO()
    image.save(file, "WEBP", quality=quality, method=method)
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
