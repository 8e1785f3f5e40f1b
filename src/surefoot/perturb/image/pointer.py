"""
The mouse pointer over an interface.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from surefoot.core.edit import Pointer
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.screen import Screen
from surefoot.perturb.cover import cover
from surefoot.perturb.pixels import Pixels

__all__ = ["draw_pointer", "pointer_box"]

# The arrow's corners, and its width, as shares of its height.
POINTER_SHAPE: Final = (
    (0.0, 0.0), (0.0, 0.84), (0.19, 0.67), (0.32, 0.97), (0.45, 0.92), (0.32, 0.62), (0.58, 0.6),
)  # fmt: skip
POINTER_WIDTH: Final = 0.6
SMOOTH: Final = 4
LARGEST_POINTER: Final = 1000


def pointer_box(edit: Pointer) -> Box:
    """
    Return the box of a pointer, whose tip is its left top corner.

    Raises InvalidInputError for a height outside 1 to 1,000 pixels.
    """
    if not 1 <= edit.height <= LARGEST_POINTER:
        raise InvalidInputError(
            f"a pointer of 1 to {LARGEST_POINTER} pixels", found=str(edit.height)
        )
    width = max(1, round(POINTER_WIDTH * edit.height))
    return Box.from_xywh(float(edit.left), float(edit.top), float(width), float(edit.height))


def draw_pointer(screen: Screen, pixels: Pixels, edit: Pointer) -> tuple[Screen, Pixels]:
    """
    Draw a black arrow with a white edge; what it covers is seen less, and clicked as before.

    Its whole box counts as covered. Raises InvalidInputError as ``pointer_box`` does.
    """
    box = pointer_box(edit)
    size = (round(box.width), round(box.height))
    large = (size[0] * SMOOTH, size[1] * SMOOTH)
    corners = [(x * large[1], y * large[1]) for x, y in POINTER_SHAPE]
    picture = Image.fromarray(pixels)
    for colour, inset in (("#ffffff", 0.0), ("#000000", 0.06)):
        shape = Image.new("L", large, 0)
        brush = ImageDraw.Draw(shape)
        brush.polygon(corners, fill=255)
        if inset:
            brush.line([*corners, corners[0]], fill=0, width=round(2 * inset * large[1]))
        mask = shape.resize(size, Image.Resampling.BOX)
        picture.paste(colour, (edit.left, edit.top), mask)
    return cover(screen, [box], blocks=False), np.asarray(picture)
