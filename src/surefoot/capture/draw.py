"""
Pictures for people: elements' boxes drawn on screenshots, and contact sheets of many.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec
from PIL import Image, ImageDraw, ImageFont

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.screen import Element, Screen

__all__ = ["Mark", "contact_sheet", "draw_marks", "draw_screen"]

PALETTE: Final = (
    "#d62728",
    "#1f77b4",
    "#2ca02c",
    "#9467bd",
    "#ff7f0e",
    "#17becf",
    "#e377c2",
    "#8c564b",
)
BACKDROP: Final = "#ffffff"
INK: Final = "#222222"
GAP: Final = 12
CAPTION: Final = 34
LABEL_PX: Final = 12


class Mark(msgspec.Struct, frozen=True):
    """
    Say what to draw: a box in pixels of the image, a colour and a short label.

    Where there are ``corners``, the polygon is drawn, and the box is that around it.
    """

    box: Box
    color: str
    label: str = ""
    width: int = 2
    corners: tuple[Point, ...] = ()


def draw_marks(png: bytes, marks: Iterable[Mark]) -> bytes:
    r"""
    Return the image with boxes, polygons and labels drawn on it, as PNG bytes.

    Raises InvalidInputError where the bytes are no image.

    >>> file = io.BytesIO(); Image.new("RGB", (40, 40)).save(file, "PNG")
    >>> draw_marks(file.getvalue(), [Mark(Box(1, 1, 20, 20), "red")])[:4]
    b'\x89PNG'
    """
    image = _open(png)
    brush = ImageDraw.Draw(image)
    font = ImageFont.load_default(LABEL_PX)
    for mark in marks:
        if mark.corners:
            outline = [(each.x, each.y) for each in (*mark.corners, *mark.corners[:2])]
            brush.line(outline, fill=mark.color, width=mark.width, joint="curve")
        else:
            brush.rectangle(_rounded(mark.box), outline=mark.color, width=mark.width)
        if mark.label:
            _write(brush, mark, font)
    return _spell(image)


def draw_screen(
    screen: Screen, png: bytes, *, wanted: Callable[[Element], bool] | None = None
) -> bytes:
    """
    Return the screenshot with the box and the role and name of every visible element.

    Elements whose centre takes no click are drawn thinly. ``wanted`` chooses among them.
    """
    marks = []
    for index, each in enumerate(screen.elements):
        if each.visible_fraction > 0 and (wanted is None or wanted(each)):
            color = PALETTE[index % len(PALETTE)]
            label = f"{each.role}: {each.name}"[:40].rstrip(": ")
            marks.append(Mark(each.box, color, label, width=2 if each.hit else 1))
    return draw_marks(png, marks)


def contact_sheet(
    pictures: Sequence[tuple[str, bytes]], *, columns: int = 2, width: int = 800
) -> bytes:
    """
    Lay pictures out in a grid under their captions, each ``width`` pixels wide.

    Raises InvalidInputError without pictures or columns.
    """
    if not pictures or columns < 1 or width < 1:
        raise InvalidInputError(
            "at least one picture, one column and one pixel",
            found=f"{len(pictures)} pictures, {columns} columns, {width} px",
        )
    tiles = [(caption, _shrunk(_open(png), width)) for caption, png in pictures]
    rows = [tiles[start : start + columns] for start in range(0, len(tiles), columns)]
    heights = [CAPTION + max(tile.height for _, tile in row) + GAP for row in rows]
    across = min(columns, len(tiles))
    sheet = Image.new("RGB", (across * (width + GAP) + GAP, sum(heights) + GAP), BACKDROP)
    brush = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(LABEL_PX + 2)
    top = GAP
    for row, height in zip(rows, heights, strict=True):
        for place, (caption, tile) in enumerate(row):
            left = GAP + place * (width + GAP)
            brush.multiline_text((left, top), caption, fill=INK, font=font, spacing=2)
            sheet.paste(tile, (left, top + CAPTION))
        top += height
    return _spell(sheet)


def _open(png: bytes) -> Image.Image:
    try:
        with Image.open(io.BytesIO(png)) as image:
            return image.convert("RGB")
    except (OSError, ValueError, SyntaxError) as error:
        raise InvalidInputError("an image", found=str(error)[:200]) from error


def _rounded(box: Box) -> tuple[int, int, int, int]:
    left, top = round(box.left), round(box.top)
    return left, top, max(left, round(box.right) - 1), max(top, round(box.bottom) - 1)


def _write(
    brush: ImageDraw.ImageDraw, mark: Mark, font: ImageFont.ImageFont | ImageFont.FreeTypeFont
) -> None:
    left, top = round(mark.box.left), round(mark.box.top) - LABEL_PX - 3
    if top < 0:
        top = round(mark.box.bottom) + 1
    shape = brush.textbbox((left + 1, top), mark.label, font=font)
    brush.rectangle((shape[0] - 1, shape[1] - 1, shape[2] + 1, shape[3] + 1), fill=mark.color)
    brush.text((left + 1, top), mark.label, fill="#ffffff", font=font)


def _shrunk(image: Image.Image, width: int) -> Image.Image:
    height = max(1, round(image.height * width / image.width))
    return image.resize((width, height), Image.Resampling.LANCZOS)


def _spell(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()
