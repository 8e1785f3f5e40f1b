"""
Small trees and pictures of windows, drawn as toolkits draw them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from surefoot.capture.desktop.elements import Draft
from surefoot.capture.desktop.spelling import Gray, font_file
from surefoot.capture.desktop.tree import AtspiNode
from surefoot.core.geometry import Box
from surefoot.core.screen import Element

SHOWN = ("enabled", "sensitive", "showing", "visible")
BOUNDS = Box(0.0, 0.0, 400.0, 300.0)


@pytest.fixture
def node() -> Callable[..., AtspiNode]:
    """Make a node that is shown, with the states named."""

    def make(  # noqa: PLR0913 - a node has many parts
        role: str,
        parent: int = -1,
        box: tuple[int, int, int, int] | None = None,
        *states: str,
        name: str = "",
        index: int = 0,
        text: str = "",
        labels: tuple[str, ...] = (),
        description: str = "",
    ) -> AtspiNode:
        return AtspiNode(
            role,
            parent,
            index,
            0,
            name=name,
            description=description,
            states=(*SHOWN, *states),
            box=box,
            text=text,
            labels=labels,
        )

    return make


@pytest.fixture
def draft() -> Callable[..., Draft]:
    """Make a draft of an element that nothing covers."""

    def make(  # noqa: PLR0913 - a draft has many parts
        role: str,
        box: Box,
        name: str = "",
        *,
        order: int = 0,
        path: str = "n0",
        strays: str = "",
        parent: str = "",
        level: int = 0,
    ) -> Draft:
        element = Element(
            f"{path}.{order}", role, box, name=name, parent=parent, visible_fraction=1.0
        )
        return Draft(element, BOUNDS, level, order, strays)

    return make


class Canvas:
    """Draw buttons and words on a grey window of 400 x 300 pixels."""

    def __init__(self) -> None:
        self._image = Image.new("L", (400, 300), 240)
        self._pen = ImageDraw.Draw(self._image)

    def button(self, box: Box, name: str = "") -> None:
        """Draw a framed button with its name in the middle."""
        self._pen.rectangle((box.left, box.top, box.right - 1, box.bottom - 1), 225, 150)
        if name:
            width = self._font(13.333).getlength(name)
            self.word(box.center.x - width / 2, box.center.y - 8, name)

    def word(self, x: float, y: float, text: str, size: float = 13.333) -> None:
        """Write a text with its line's top left corner at a point."""
        self._pen.text((round(x), round(y)), text, fill=30, font=self._font(size))

    def icon(self, box: Box) -> None:
        """Draw a dark cross that fills a box."""
        sides = (box.left, box.top, box.right - 1, box.bottom - 1)
        self._pen.line(sides, 20, 3)
        self._pen.line((sides[0], sides[3], sides[2], sides[1]), 20, 3)

    def _font(self, size: float) -> ImageFont.FreeTypeFont:
        return ImageFont.truetype(font_file("en")[0], size)

    @property
    def gray(self) -> Gray:
        """Return the picture's luminance."""
        return np.asarray(self._image, dtype=np.float64) / 255


@pytest.fixture
def canvas() -> Canvas:
    """Lend an empty window."""
    return Canvas()
