"""
A desktop while it is drawn: pixels, layers, and the things on it as elements.

Whatever looks like a control or shows words is an element of the screen too, so that an
instruction is proven against it like against everything else in the picture.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from surefoot.core.geometry import Box
from surefoot.core.screen import Element

SMOOTH: Final = 4  # shapes are drawn so many times larger and then reduced
LINE: Final = 1.25  # height of a line of words over its font size
# The centre, then the middles of the box's four quarters.
HITS: Final = ((0.5, 0.5), (0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75))
CONTAINERS: Final = frozenset({"window", "toolbar", "dialog"})


class _Thing(msgspec.Struct, frozen=True):
    element: Element
    layer: int


class Canvas:
    """
    Draw on a picture in layers; each layer covers those before it.

    ``unit`` is pixels of the picture for one pixel of a desktop that is 1080 high.
    """

    def __init__(self, image: Image.Image) -> None:
        self.image = image
        self.unit = image.height / 1080
        self._brush = ImageDraw.Draw(image)
        self._layers = np.zeros((image.height, image.width), dtype=np.uint8)
        self._layer = 0
        self._things: list[_Thing] = []

    def px(self, length: float) -> int:
        """Return a length of the desktop that is 1080 high in pixels of this one."""
        return max(1, round(length * self.unit))

    def cover(self, boxes: Iterable[Box]) -> None:
        """Begin a new layer that covers everything drawn so far inside the boxes."""
        self._layer += 1
        for box in boxes:
            left, top, right, bottom = (max(0, round(side)) for side in box.as_tuple())
            self._layers[top:bottom, left:right] = self._layer

    def fill(
        self, box: Box, color: str, *, radius: float = 0.0, edge: str = "", opacity: float = 1.0
    ) -> None:
        """Fill a box, with round corners and a thin edge where they are asked for."""
        left, top, right, bottom = (round(side) for side in box.as_tuple())
        size = (max(1, right - left), max(1, bottom - top))
        if not radius and opacity == 1.0 and not edge:
            last = (left + size[0] - 1, top + size[1] - 1)
            self._brush.rectangle((left, top, *last), fill=color)
            return
        shape = Image.new("L", (size[0] * SMOOTH, size[1] * SMOOTH), 0)
        pen = ImageDraw.Draw(shape)
        outside = (0, 0, shape.width - 1, shape.height - 1)
        pen.rounded_rectangle(outside, radius * SMOOTH, fill=round(255 * opacity))
        self.image.paste(color, (left, top), shape.resize(size, Image.Resampling.LANCZOS))
        if edge:
            line = Image.new("L", shape.size, 0)
            ImageDraw.Draw(line).rounded_rectangle(
                outside, radius * SMOOTH, outline=255, width=SMOOTH
            )
            self.image.paste(edge, (left, top), line.resize(size, Image.Resampling.LANCZOS))

    def shape(self, box: Box, color: str, points: Iterable[tuple[float, float]]) -> None:
        """Fill a polygon; points are shares of the box's width and height."""
        left, top, right, bottom = (round(side) for side in box.as_tuple())
        size = (max(1, right - left), max(1, bottom - top))
        mask = Image.new("L", (size[0] * SMOOTH, size[1] * SMOOTH), 0)
        corners = [(x * mask.width, y * mask.height) for x, y in points]
        ImageDraw.Draw(mask).polygon(corners, fill=255)
        self.image.paste(color, (left, top), mask.resize(size, Image.Resampling.LANCZOS))

    def paste(self, picture: Image.Image, left: int, top: int) -> None:
        """Put a picture on this one."""
        self.image.paste(picture, (left, top))

    def write(
        self, words: str, left: float, top: float, size: float, color: str, *, center: bool = False
    ) -> Box:
        """
        Write one line and return its box.

        ``left`` is its beginning, or its middle with ``center``; ``size`` is in pixels of
        the desktop that is 1080 high.
        """
        font = ImageFont.load_default(self.px(size))
        long = font.getlength(words)
        begin = round(left - long / 2 if center else left)
        self._brush.text((begin, round(top)), words, fill=color, font=font)
        high = LINE * self.px(size)
        return Box.from_xywh(float(begin), float(round(top)), float(round(long)), float(high))

    def width_of(self, words: str, size: float) -> float:
        """Return how wide a line of words will be."""
        return float(ImageFont.load_default(self.px(size)).getlength(words))

    def add(
        self, role: str, name: str, box: Box, *, words: Box | None = None, parent: str = ""
    ) -> str:
        """
        Make an element of what was drawn last, and return its id.

        ``words`` is the box of the line that spells its name, None where nothing does.
        """
        name_of = f"background-{len(self._things)}"
        lines = () if words is None else (words,)
        element = Element(
            id=name_of,
            role=role,
            box=box,
            name=name,
            name_from="content" if lines else "aria-label",
            name_boxes=lines,
            text=name if lines else "",
            text_boxes=lines,
            font_px=words.height / LINE if words else 0.0,
            parent=parent,
            attributes={"tag": role} if role in ("button", "link") else {},
        )
        self._things.append(_Thing(element, self._layer))
        return name_of

    def elements(self) -> tuple[Element, ...]:
        """Return all elements, with what later layers left visible of them."""
        return tuple(map(self._seen, self._things))

    def _seen(self, thing: _Thing) -> Element:
        item = thing.element
        shown = self._shown(item.box, thing.layer)
        covered = any(self._shown(box, thing.layer) < 1.0 for box in item.name_boxes)
        return msgspec.structs.replace(
            item,
            visible_fraction=shown,
            hits=() if item.role in CONTAINERS else self._hits(item.box, thing.layer),
            name_boxes=() if covered else item.name_boxes,
        )

    def _hits(self, box: Box, layer: int) -> tuple[bool, ...]:
        found = []
        for across, down in HITS:
            x, y = int(box.left + across * box.width), int(box.top + down * box.height)
            inside = 0 <= x < self.image.width and 0 <= y < self.image.height
            found.append(inside and int(self._layers[y, x]) == layer)
        return tuple(found)

    def _shown(self, box: Box, layer: int) -> float:
        left, top, right, bottom = (max(0, round(side)) for side in box.as_tuple())
        part = self._layers[top:bottom, left:right]
        whole = max(1, round(box.width)) * max(1, round(box.height))
        return min(1.0, round(float((part == layer).sum()) / whole, 4))
