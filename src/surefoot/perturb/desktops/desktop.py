"""
A whole desktop with one window for a picture, as an edit describes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
from PIL import Image

from surefoot.core.edit import Paste
from surefoot.core.errors import UnknownNameError
from surefoot.core.geometry import Box
from surefoot.core.registry import suggest
from surefoot.core.seeds import random_source
from surefoot.perturb.desktops.canvas import Canvas
from surefoot.perturb.desktops.panels import PANELS, draw_desktop_icons, panel_boxes
from surefoot.perturb.desktops.wallpapers import WALLPAPERS
from surefoot.perturb.desktops.windows import WindowFrame, draw_frame, draw_second_window

__all__ = ["DESKTOPS", "Desktop", "desktop_named", "draw_desktop", "work_area"]


class Desktop(msgspec.Struct, frozen=True):
    """Name a desktop's wallpaper, its kind of panel, and how its windows look."""

    wallpaper: str
    panel: str
    frame: WindowFrame


DESKTOPS: Final[Mapping[str, Desktop]] = {
    "meadow": Desktop("hills", "taskbar", WindowFrame(dark=False, rounded=False)),
    "evening": Desktop("dusk", "dock", WindowFrame(dark=False, rounded=True)),
    "workshop": Desktop("slate", "launcher", WindowFrame(dark=True, rounded=False)),
    "paper": Desktop("circles", "dock", WindowFrame(dark=False, rounded=True)),
    "lagoon": Desktop("waves", "taskbar", WindowFrame(dark=True, rounded=False)),
}


def desktop_named(name: str) -> Desktop:
    """
    Return a desktop; raises UnknownNameError for a name that is none.

    >>> desktop_named("meadow").panel
    'taskbar'
    """
    if name not in DESKTOPS:
        raise UnknownNameError(
            f"a desktop among {', '.join(DESKTOPS)}",
            found=f"'{name}'",
            remedy=suggest(name, list(DESKTOPS)),
        )
    return DESKTOPS[name]


def work_area(name: str, width: int, height: int) -> Box:
    """
    Return the part of a desktop that no panel covers, in its pixels.

    >>> work_area("meadow", 1920, 1080)
    Box(left=0.0, top=0.0, right=1920.0, bottom=1036.0)
    """
    panel = desktop_named(name).panel
    boxes = panel_boxes(panel, width, height)
    if panel == "taskbar":
        return Box(0.0, 0.0, float(width), boxes[0].top)
    if panel == "dock":
        return Box(0.0, boxes[0].bottom, float(width), boxes[1].top)
    return Box(boxes[1].right, boxes[0].bottom, float(width), float(height))


def draw_desktop(edit: Paste, picture: Image.Image, title: str) -> tuple[Canvas, str]:
    """
    Draw the desktop of an edit with a picture, scaled already, in its window.

    Returns the canvas and the id of that window's element. Without a title bar the window
    has no element of its own, and the id is empty. The same edit draws the same pixels.
    """
    chosen = desktop_named(edit.background)
    draw = random_source(edit.pattern, "desktop", edit.background)
    wallpaper = WALLPAPERS[chosen.wallpaper](edit.width, edit.height, draw)
    canvas = Canvas(Image.fromarray(wallpaper))
    work = work_area(edit.background, edit.width, edit.height)
    draw_desktop_icons(canvas, work, draw, right=chosen.panel == "dock")
    window = Box.from_xywh(
        float(edit.left),
        float(edit.top - edit.bar),
        float(picture.width),
        float(picture.height + edit.bar),
    )
    behind = _second(work, window, (draw.uniform(0.5, 0.8), draw.uniform(0.5, 0.9)))
    canvas.cover([behind])
    draw_second_window(canvas, chosen.frame, behind, draw)
    canvas.cover([window])
    owner = draw_frame(canvas, chosen.frame, window, edit.bar, title)
    canvas.paste(picture, edit.left, edit.top)
    canvas.cover(panel_boxes(chosen.panel, edit.width, edit.height))
    PANELS[chosen.panel](canvas, draw, chosen.frame.dark)
    return canvas, owner


def _second(work: Box, window: Box, shares: tuple[float, float]) -> Box:
    """Place a window so that it looks out from behind another where there is most room."""
    size, out = shares
    wide, high = max(window.width * size, 200), max(window.height * size, 150)
    left_room, right_room = window.left - work.left, work.right - window.right
    top_room, bottom_room = window.top - work.top, work.bottom - window.bottom
    if right_room >= left_room:
        left = window.right + out * right_room - wide
    else:
        left = window.left - out * left_room
    if bottom_room >= top_room:
        top = window.bottom + out * bottom_room - high
    else:
        top = window.top - out * top_room
    left, top = max(work.left, left), max(work.top, top)
    right, bottom = min(work.right, left + wide), min(work.bottom, top + high)
    return Box(*(float(round(side)) for side in (left, top, right, bottom)))
