"""
The ruler over a screenshot: ticks along both edges, with their distances in pixels.
"""

from __future__ import annotations

import io
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from surefoot.core.errors import InvalidInputError
from surefoot.core.pictures import opened

LEAST: Final = 20
BAND: Final = 22
TEXT: Final = 11
GROUND: Final = (255, 255, 224, 225)
INK: Final = (160, 0, 0, 255)
MINOR: Final = 5


def draw_ruler(image: bytes, every: int = 100) -> bytes:
    """
    Return a PNG with a ruler along its top and its left edge, of the same size.

    A numbered tick stands every ``every`` pixels of the image, a shorter one at each fifth
    of that; coordinates are unchanged, since the ruler lies over the picture. Raises
    InvalidInputError for a distance under 20 pixels, whose numbers would touch.
    """
    check_ruler(every)
    picture = opened(image).convert("RGBA")
    overlay = Image.new("RGBA", picture.size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(overlay)
    draw.rectangle((0, 0, picture.width, BAND), fill=GROUND)
    draw.rectangle((0, BAND, BAND + 6, picture.height), fill=GROUND)
    _ticks(draw, picture.width, every, across=True)
    _ticks(draw, picture.height, every, across=False)
    stream = io.BytesIO()
    Image.alpha_composite(picture, overlay).convert("RGB").save(stream, "PNG", compress_level=1)
    return stream.getvalue()


def check_ruler(every: int) -> None:
    """
    Raise InvalidInputError for a distance of ticks at which their numbers would touch.

    >>> check_ruler(100)
    """
    if every < LEAST:
        raise InvalidInputError(f"ticks at least {LEAST} pixels apart", found=str(every))


def _ticks(draw: ImageDraw.ImageDraw, length: int, every: int, *, across: bool) -> None:
    font = ImageFont.load_default(TEXT)
    step = every / MINOR
    for number in range(1, int(length / step) + 1):
        at = round(number * step)
        major = number % MINOR == 0
        reach = 9 if major else 4
        line = (at, 0, at, reach) if across else (0, at, reach, at)
        draw.line(line, fill=INK, width=2 if major else 1)
        if major and at > BAND:
            place, anchor = ((at, BAND - 1), "ms") if across else ((1, at + 3), "la")
            draw.text(place, str(at), fill=INK, font=font, anchor=anchor)
