"""
Another resolution or aspect: the picture resized, or fitted between bars.

Both move every point by one factor an axis and one offset, and boxes along with it.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np
from PIL import Image

from surefoot.core.edit import Letterbox, Resize
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.perturb.colour import parse_colour
from surefoot.perturb.pixels import Pixels

__all__ = ["Placing", "placing", "resized"]

LONGEST = 20_000  # pixels of a side; a larger picture is a slip, and eats the memory


class Placing(msgspec.Struct, frozen=True):
    """
    Say where a picture comes to lie on another of ``width`` by ``height`` pixels.

    Its own size becomes ``wide`` by ``high`` whole pixels, its corner ``left``, ``top``;
    ``across`` and ``down`` are what lengths are multiplied by, exactly.
    """

    width: int
    height: int
    wide: int
    high: int
    left: int
    top: int
    across: float
    down: float

    def box(self, box: Box) -> Box:
        """Return where a box comes to lie."""
        return box.scaled(self.across, self.down).moved(float(self.left), float(self.top))


def placing(size: tuple[int, int], edit: Resize | Letterbox) -> Placing:
    """
    Work out where a picture of a width and height comes to lie.

    Raises InvalidInputError for factors and sizes that are not above 0, and for pictures
    of more than 20,000 pixels a side.

    >>> placing((1280, 800), Letterbox(640, 640)).box(Box(0, 0, 1280, 800))
    Box(left=0.0, top=120.0, right=640.0, bottom=520.0)
    """
    if isinstance(edit, Resize):
        if not (0 < edit.across < math.inf and 0 < edit.down < math.inf):
            raise InvalidInputError("factors above 0", found=f"{edit.across}, {edit.down}")
        wide, high = (
            _pixels(side * f) for side, f in zip(size, (edit.across, edit.down), strict=True)
        )
        canvas = (wide, high)
    else:
        canvas = (_pixels(edit.width), _pixels(edit.height))
        fit = min(canvas[0] / size[0], canvas[1] / size[1])
        wide, high = (
            min(most, _pixels(side * fit)) for most, side in zip(canvas, size, strict=True)
        )
    left, top = (canvas[0] - wide) // 2, (canvas[1] - high) // 2
    return Placing(*canvas, wide, high, left, top, wide / size[0], high / size[1])


def resized(screen: Screen, pixels: Pixels, edit: Resize | Letterbox) -> tuple[Screen, Pixels]:
    """
    Resize a screen's picture by Lanczos resampling, and carry its elements along.

    Words that reached out of the picture spell nothing where bars now go on beside them.
    Raises InvalidInputError as ``placing`` does, and for a colour that is none.
    """
    place = placing((screen.width, screen.height), edit)
    picture = Image.fromarray(pixels)
    if picture.size != (place.wide, place.high):
        picture = picture.resize((place.wide, place.high), Image.Resampling.LANCZOS)
    canvas = np.empty((place.height, place.width, 3), np.uint8)
    colour = parse_colour(edit.colour if isinstance(edit, Letterbox) else "#000000")
    canvas[:] = np.array([colour.red, colour.green, colour.blue], np.uint8)
    canvas[place.top : place.top + place.high, place.left : place.left + place.wide] = np.asarray(
        picture
    )
    barred = (place.wide, place.high) != (place.width, place.height)
    elements = tuple(_moved(each, screen, place, barred=barred) for each in screen.elements)
    moved = msgspec.structs.replace(
        screen,
        width=place.width,
        height=place.height,
        scale=screen.scale * place.across,
        elements=elements,
    )
    return moved, canvas


def _moved(element: Element, screen: Screen, place: Placing, *, barred: bool) -> Element:
    whole = all(screen.bounds.intersection(box) == box for box in element.name_boxes)
    return msgspec.structs.replace(
        element,
        box=place.box(element.box),
        name_boxes=tuple(map(place.box, element.name_boxes)) if whole or not barred else (),
        text_boxes=tuple(map(place.box, element.text_boxes)),
        font_px=element.font_px * place.down,
    )


def _pixels(side: float) -> int:
    if not 0 < side <= LONGEST:
        raise InvalidInputError(
            f"a picture of 1 to {LONGEST} pixels a side", found=f"{side:g} pixels"
        )
    return max(1, round(side))
