"""
A notification over an interface: a banner of one line, or a pop-up with a title and a text.
"""

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np
from PIL import Image, ImageFont

from surefoot.core.edit import Notice
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels
from surefoot.core.screen import Screen
from surefoot.perturb.cover import cover
from surefoot.perturb.desktops.canvas import Canvas
from surefoot.perturb.pixels import regions

# Title, text, and what its two buttons say.
WORDS: Final = (
    ("Update ready", "A new version can be installed now.", "Update now", "Later"),
    ("Privacy", "We use cookies to improve this service.", "Accept all", "Reject all"),
    ("Connection", "You are offline. Changes are kept here.", "Retry", "Dismiss"),
    ("Newsletter", "Get our best stories once a week.", "Subscribe", "No, thanks"),
    ("3 messages", "Alex, Kim and one more wrote to you.", "Show", "Ignore"),
    ("Battery low", "Less than 10 % of the charge is left.", "Power saving", "Got it"),
)
# Ground, words, button and its words.
LOOKS: Final = (
    ("#ffffff", "#202124", "#1a73e8", "#ffffff"),
    ("#323232", "#ffffff", "#bb86fc", "#1c1b1f"),
    ("#fff4ce", "#3d3000", "#7a5c00", "#ffffff"),
    ("#0b3d91", "#ffffff", "#ffffff", "#0b3d91"),
)
EDGE: Final = "#8a8f98"
LEAST_PX: Final = 5
LARGEST_PX: Final = 26  # on a picture that is 1080 high
PATTERNS: Final = len(WORDS) * len(LOOKS)
LINE: Final = 1.25  # height of a line of words over its font size
PAD: Final = 0.7  # room around words over their font size


def notice_box(edit: Notice, size: tuple[int, int]) -> Box:
    """
    Return where a notice lies on a picture of a width and height: moved or cut to fit in.

    Raises InvalidInputError for one without an area.

    >>> notice_box(Notice("popup", 0, 90, 10, 140, 40), (100, 80))
    Box(left=50.0, top=10.0, right=100.0, bottom=40.0)
    """
    if edit.right <= edit.left or edit.bottom <= edit.top:
        raise InvalidInputError("a notice with an area", found=str(edit))
    wide, high = min(edit.right - edit.left, size[0]), min(edit.bottom - edit.top, size[1])
    left = min(max(0, edit.left), size[0] - wide)
    top = min(max(0, edit.top), size[1] - high)
    return Box.from_xywh(float(left), float(top), float(wide), float(high))


def draw_notice(screen: Screen, pixels: Pixels, edit: Notice) -> tuple[Screen, Pixels]:
    """
    Draw a notification that covers what is under its box, and can be read and clicked.

    It, its lines and its buttons are elements of the screen, so that an instruction is
    proven against them too; what finds no room in the box is left out. Raises
    InvalidInputError as ``notice_box`` does, and for a second one of its shape.
    """
    box = notice_box(edit, (screen.width, screen.height))
    canvas = Canvas(Image.fromarray(pixels))
    canvas.cover([box])
    _write(canvas, box, edit)
    drawn = canvas.elements()
    names = {"": ""} | {item.id: f"{edit.shape}-{place}" for place, item in enumerate(drawn)}
    if any(element.id in set(names.values()) for element in screen.elements):
        raise InvalidInputError(f"one {edit.shape} on a screen", found="a second")
    under = cover(screen, [box])
    added = (
        msgspec.structs.replace(item, id=names[item.id], parent=names[item.parent])
        for item in drawn
        if box.intersection(item.box) == item.box
    )
    shown = msgspec.structs.replace(under, elements=(*under.elements, *added))
    whole = pixels.copy()
    (place,) = regions([box], pixels.shape)
    whole[place.slices] = np.asarray(canvas.image)[place.slices]
    return shown, whole


def _write(canvas: Canvas, box: Box, edit: Notice) -> None:
    title, text, *buttons = WORDS[edit.pattern % len(WORDS)]
    ground, ink, *button = LOOKS[edit.pattern // len(WORDS) % len(LOOKS)]
    canvas.fill(box, ground, edge=EDGE)
    banner = edit.shape == "banner"
    lines = [f"{title}. {text}"] if banner else [title, text]
    size = _size(box, lines, buttons, canvas.px(LARGEST_PX), banner=banner)
    owner = canvas.add("alert" if banner else "dialog", title, box)
    pad, line = PAD * size, LINE * size
    top = box.center.y - line / 2 if banner else box.top + pad
    for words in lines:
        spelled = canvas.write(words, box.left + pad, top, size / canvas.unit, ink)
        canvas.add("text", words, spelled, words=spelled, parent=owner)
        top += line
    right, high = box.right - pad, line + pad
    middle = box.center.y if banner else box.bottom - pad - high / 2
    for words, (under, over) in zip(buttons, (button, (ground, ink)), strict=True):
        wide = _width(words, size) + 2 * pad
        place = Box(
            *map(float, map(round, (right - wide, middle - high / 2, right, middle + high / 2)))
        )
        canvas.fill(place, under, edge=EDGE)
        at = (place.center.x, place.center.y - line / 2)
        spelled = canvas.write(words, *at, size / canvas.unit, over, center=True)
        canvas.add("button", words, place, words=spelled, parent=owner)
        right = place.left - pad


def _size(box: Box, lines: list[str], buttons: list[str], largest: int, *, banner: bool) -> int:
    """Return the largest font size at which lines and buttons fit into the box."""
    for size in range(largest, LEAST_PX, -1):
        below = sum(_width(words, size) + 3 * PAD * size for words in buttons) + PAD * size
        words = max(_width(line, size) for line in lines) + 2 * PAD * size
        rows = LINE * size + 2.4 * PAD * size if banner else 3 * LINE * size + 5 * PAD * size
        wide = words + below if banner else max(words, below)
        if wide <= box.width and rows <= box.height:
            return size
    return LEAST_PX


def _width(words: str, size: int) -> float:
    return float(ImageFont.load_default(size).getlength(words))
