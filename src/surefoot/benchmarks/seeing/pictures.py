"""
What a model that sees is asked: words and pictures, each described as data and drawn when sent.

A request is spelled as JSON, so that the ledger knows it by what it shows and says.
"""

from __future__ import annotations

from typing import Final

import msgspec
from PIL import Image, ImageDraw, ImageFont

from surefoot.core.canonical import canonical_json, decode
from surefoot.core.edit import Crop
from surefoot.core.geometry import Box
from surefoot.core.pictures import opened, png_of
from surefoot.core.screen import Screen

DRAWING: Final = 1  # raised whenever the same data would be drawn otherwise
FRAME: Final = "#ff00ff"
FRAME_PX: Final = 3
# A number has the colour of its frame, so that crowded ones are told apart.
COLOURS: Final = ("#d00000", "#0050d0", "#007a30", "#8a00b8")
NUMBER_PX: Final = 12
ENLARGED: Final = 960  # pixels that a part's longer side is enlarged to, in whole steps
MOST_TIMES: Final = 4


class ShownPicture(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Describe a picture that is shown: a stored one by its SHA-256, and what is drawn on it.

    ``frame`` is marked, ``numbered`` are framed and numbered from 1, ``part`` is cut out
    and enlarged in whole steps. Boxes are pixels of the stored picture.
    """

    image: str
    frame: Box | None = None
    numbered: tuple[Box, ...] = ()
    part: Crop | None = None


class SeeingRequest(msgspec.Struct, frozen=True):
    """Hold what a model is asked once: pictures in their order, and words."""

    pictures: tuple[ShownPicture, ...]
    words: str


def spell(request: SeeingRequest) -> str:
    """
    Spell a request as canonical JSON.

    >>> spell(SeeingRequest((ShownPicture("ab"),), "What is it?"))
    '{"pictures":[{"image":"ab"}],"words":"What is it?"}'
    """
    return canonical_json(request).decode()


def read_request(text: str) -> SeeingRequest:
    """Return the request that JSON spells; raises InvalidInputError for any other text."""
    return decode(text.encode(), SeeingRequest, what="a request")


def framed(screen: Screen, box: Box, part: Crop) -> tuple[ShownPicture, ShownPicture]:
    """Return a screen with a box framed, and the part of it around the box."""
    return ShownPicture(screen.image, frame=box), ShownPicture(screen.image, frame=box, part=part)


def draw_shown(shown: ShownPicture, stored: bytes) -> bytes:
    """
    Draw a picture that is shown from the stored bytes, as PNG; one without marks as it is.

    Raises OSError where the bytes are no picture.
    """
    if shown == ShownPicture(shown.image):
        return stored
    image = opened(stored)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(NUMBER_PX)
    for number, box in enumerate(shown.numbered, start=1):
        _number(pen, box, str(number), font)
    if shown.frame is not None:
        around = _outside(shown.frame, FRAME_PX + 1)
        pen.rectangle(around, outline=FRAME, width=FRAME_PX)
    if shown.part is not None:
        part = shown.part
        image = image.crop((part.left, part.top, part.right, part.bottom))
        times = max(1, min(MOST_TIMES, ENLARGED // max(image.size)))
        image = image.resize((image.width * times, image.height * times), Image.Resampling.LANCZOS)
    return png_of(image)


def _number(
    pen: ImageDraw.ImageDraw,
    box: Box,
    number: str,
    font: ImageFont.ImageFont | ImageFont.FreeTypeFont,
) -> None:
    """Frame a box, and write its number above its left top corner, or inside at the top edge."""
    colour = COLOURS[int(number) % len(COLOURS)]
    around = _outside(box, 1)
    pen.rectangle(around, outline=colour)
    wide, high = pen.textbbox((0, 0), number, font=font)[2:]
    left, top = max(0.0, around[0]), max(0.0, around[1] - high - 1)
    pen.rectangle((left, top, left + wide + 2, top + high + 1), fill=colour)
    pen.text((left + 1, top), number, fill="white", font=font)


def _outside(box: Box, pixels: int) -> tuple[float, float, float, float]:
    return (box.left - pixels, box.top - pixels, box.right + pixels - 1, box.bottom + pixels - 1)
