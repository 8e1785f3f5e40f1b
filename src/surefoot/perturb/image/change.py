"""
Apply edits of the picture to a captured screen, without a browser.

Another resolution or aspect (the picture resized, or fitted between bars) moves every point by
one factor an axis and one offset, and boxes along with it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, assert_never

import msgspec
import numpy as np
from PIL import Image, ImageDraw

from surefoot.core.canonical import digest, sha256
from surefoot.core.edit import (
    Crop,
    Edit,
    Filter,
    Letterbox,
    Mask,
    Notice,
    PageEdit,
    Paste,
    PictureEdit,
    Pointer,
    Resize,
    Tone,
)
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels
from surefoot.core.screen import Element, Screen
from surefoot.perturb.colour import parse_colour
from surefoot.perturb.cover import cover
from surefoot.perturb.image.filters import filtered, toned
from surefoot.perturb.image.notice import draw_notice
from surefoot.perturb.masks.paint import mask
from surefoot.perturb.pixels import read_pixels, spell_png
from surefoot.perturb.views import background, crop

# The arrow's corners, and its width, as shares of its height.
POINTER_SHAPE: Final = (
    (0.0, 0.0), (0.0, 0.84), (0.19, 0.67), (0.32, 0.97), (0.45, 0.92), (0.32, 0.62), (0.58, 0.6),
)  # fmt: skip
POINTER_WIDTH: Final = 0.6
SMOOTH: Final = 4
LARGEST_POINTER: Final = 1000
LONGEST = 20_000  # pixels of a side; a larger picture is a slip, and eats the memory


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


class Placement(msgspec.Struct, frozen=True):
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


def placing(size: tuple[int, int], edit: Resize | Letterbox) -> Placement:
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
    return Placement(*canvas, wide, high, left, top, wide / size[0], high / size[1])


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
    elements = tuple(_moved(element, screen, place, barred=barred) for element in screen.elements)
    moved = msgspec.structs.replace(
        screen,
        width=place.width,
        height=place.height,
        scale=screen.scale * place.across,
        elements=elements,
    )
    return moved, canvas


def _moved(element: Element, screen: Screen, place: Placement, *, barred: bool) -> Element:
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


def change_picture(
    screen: Screen, png: bytes, edits: Sequence[PictureEdit], *, variant: str
) -> tuple[Screen, bytes]:
    """
    Apply edits to a screen's picture in their order, and carry along what is known of it.

    Returns the screen, under the variant's name and with the edits behind those it had, and
    its picture as PNG. Raises InvalidInputError for bytes that are not the screen's picture
    and for an edit that does not fit it.
    """
    pixels = read_pixels(png, (screen.width, screen.height))
    # A whole number where a length is meant is spelled as one that was read back.
    spelt = msgspec.convert(msgspec.to_builtins(tuple(edits)), tuple[PictureEdit, ...])
    changed = screen
    for edit in spelt:
        changed, pixels = change(changed, pixels, edit)
    spelled = spell_png(pixels)
    found = msgspec.structs.replace(
        changed,
        id=digest([screen.id, variant, spelt])[:16],
        image=sha256(spelled),
        variant=variant,
        edits=(*screen.edits, *spelt),
    )
    return found, spelled


def change(screen: Screen, pixels: Pixels, edit: PictureEdit) -> tuple[Screen, Pixels]:
    """
    Apply one edit to a screen and its decoded picture (height x width x 3).

    The screen's size and elements follow; its id, image and list of edits do not. Raises
    InvalidInputError for an edit that does not fit.

    >>> import numpy as np
    >>> shown = Screen("s", "p", "x", "", 4, 2, 1.0, "web", "en", ())
    >>> small, pixels = change(shown, np.zeros((2, 4, 3), np.uint8), Resize(0.5, 0.5))
    >>> (small.width, small.height, small.scale), pixels.shape
    ((2, 1, 0.5), (1, 2, 3))
    """
    match edit:
        case Filter():
            return screen, filtered(pixels, edit)
        case Tone():
            return screen, toned(pixels, edit)
        case Mask():
            return mask(screen, pixels, edit)
        case Resize() | Letterbox():
            return resized(screen, pixels, edit)
        case Pointer():
            return draw_pointer(screen, pixels, edit)
        case Notice():
            return draw_notice(screen, pixels, edit)
        case Crop() | Paste():
            return _view(screen, pixels, edit)
        case _:
            assert_never(edit)


def split_edits(edits: Sequence[Edit]) -> tuple[tuple[PageEdit, ...], tuple[PictureEdit, ...]]:
    """
    Part the edits of a page from those of a picture, which come after it is captured.

    >>> from surefoot.core.edit import Zoom
    >>> split_edits([Filter("blur", 2.0), Zoom(1.5)])[0]
    (Zoom(factor=1.5),)
    """
    page = tuple(edit for edit in edits if isinstance(edit, PageEdit))
    return page, tuple(edit for edit in edits if isinstance(edit, PictureEdit))


def _view(screen: Screen, pixels: Pixels, edit: Crop | Paste) -> tuple[Screen, Pixels]:
    png = spell_png(pixels)
    view, spelled = (
        crop(screen, png, edit) if isinstance(edit, Crop) else background(screen, png, edit)
    )
    return view, read_pixels(spelled, (view.width, view.height))
