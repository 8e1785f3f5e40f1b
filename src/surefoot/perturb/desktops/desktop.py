"""
A whole desktop with one window for a picture, as an edit describes it.

Behind the windows lies a wallpaper, drawn from formulas and a seed; around them stand icons,
a taskbar, a dock or a launcher.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from surefoot.core.edit import Paste
from surefoot.core.errors import UnknownNameError
from surefoot.core.geometry import Box
from surefoot.core.registry import suggest
from surefoot.core.seeds import random_source
from surefoot.perturb.desktops.canvas import Canvas
from surefoot.perturb.desktops.icons import draw_icon
from surefoot.perturb.desktops.windows import WindowFrame, draw_frame, draw_second_window

_Panel: TypeAlias = Callable[[Canvas, random.Random, bool], None]

PROGRAMS: Final = ("Files", "Web", "Mail", "Calendar", "Photos", "Music", "Notes", "Terminal",
                   "Settings")  # fmt: skip
ON_DESKTOP: Final = (("Files", "Home"), ("Files", "Projects"), ("Notes", "Shopping list"),
                     ("Photos", "Summer 2024"), ("Trash", "Trash"))  # fmt: skip
TASKBAR: Final = 44
MENU_BAR: Final = 28
DOCK: Final = 74
LAUNCHER: Final = 62
Plane: TypeAlias = NDArray[np.float64]
Wallpaper: TypeAlias = Callable[[int, int, random.Random], NDArray[np.uint8]]


def draw_desktop_icons(canvas: Canvas, work: Box, draw: random.Random, *, right: bool) -> None:
    """Draw a column of labelled icons at one side of the wallpaper."""
    size, step = canvas.px(48), canvas.px(96)
    middle = work.right - canvas.px(60) if right else work.left + canvas.px(60)
    top = work.top + canvas.px(24)
    for icon, label in ON_DESKTOP[: draw.randint(3, len(ON_DESKTOP))]:
        picture = Box.from_xywh(round(middle - size / 2), round(top), size, size)
        draw_icon(canvas, icon, picture)
        canvas.write(label, middle + 1, top + size + canvas.px(5) + 1, 13, "#101418", center=True)
        words = canvas.write(label, middle, top + size + canvas.px(5), 13, "#ffffff", center=True)
        canvas.add("button", label, Box.around([picture, words]), words=words)
        top += step


def panel_boxes(panel: str, width: int, height: int) -> tuple[Box, ...]:
    """
    Return where a kind of panel covers a desktop of a size, in its pixels.

    >>> panel_boxes("taskbar", 1920, 1080)
    (Box(left=0.0, top=1036.0, right=1920.0, bottom=1080.0),)
    """
    unit = height / 1080
    bar = Box(0.0, 0.0, float(width), float(max(1, round(MENU_BAR * unit))))
    if panel == "taskbar":
        top = float(height - max(1, round(TASKBAR * unit)))
        return (Box(0.0, top, float(width), float(height)),)
    if panel == "dock":
        wide = round((len(PROGRAMS) * 64 + 20) * unit)
        left, top = float((width - wide) // 2), float(height - round((DOCK + 8) * unit))
        return bar, Box.from_xywh(left, top, float(wide), float(round(DOCK * unit)))
    side = Box(0.0, bar.bottom, float(max(1, round(LAUNCHER * unit))), float(height))
    return bar, side


def _taskbar(canvas: Canvas, draw: random.Random, dark: bool) -> None:  # noqa: FBT001
    (bar,) = panel_boxes("taskbar", *canvas.image.size)
    canvas.fill(bar, "#1c2530" if dark else "#e8edf3")
    ink = "#f1f4f7" if dark else "#1d2733"
    start = Box.from_xywh(bar.left, bar.top, bar.height * 1.1, bar.height)
    for column in range(2):
        for row in range(2):
            left = start.left + canvas.px(14) + column * canvas.px(10)
            top = start.top + canvas.px(12) + row * canvas.px(10)
            canvas.fill(Box.from_xywh(left, top, canvas.px(8), canvas.px(8)), "#3b8ddb")
    canvas.add("button", "Start", start)
    shown = draw.sample(PROGRAMS, 6)
    _row(canvas, shown, start.right + canvas.px(8), bar, canvas.px(44))
    _clock(canvas, draw, bar, ink, bar.right - canvas.px(52))


def _dock(canvas: Canvas, draw: random.Random, dark: bool) -> None:  # noqa: FBT001
    bar, dock = panel_boxes("dock", *canvas.image.size)
    canvas.fill(bar, "#20242c" if dark else "#f3f4f6")
    ink = "#f1f4f7" if dark else "#1d2733"
    words = canvas.write("Desktop", canvas.px(16), bar.top + canvas.px(6), 13, ink)
    canvas.add("text", "Desktop", words, words=words)
    _clock(canvas, draw, bar, ink, bar.right - canvas.px(48))
    canvas.fill(dock, "#ffffff", radius=canvas.px(18), opacity=0.55)
    _row(canvas, PROGRAMS, dock.left + canvas.px(10), dock, canvas.px(64))


def _launcher(canvas: Canvas, draw: random.Random, dark: bool) -> None:  # noqa: FBT001
    bar, side = panel_boxes("launcher", *canvas.image.size)
    canvas.fill(bar, "#14181d")
    _clock(canvas, draw, bar, "#f1f4f7", bar.width / 2)
    canvas.fill(side, "#1d232a" if dark else "#3a2f47")
    size, top = canvas.px(42), side.top + canvas.px(10)
    for name in PROGRAMS:
        place = Box.from_xywh(round(side.width - size) // 2, round(top), size, size)
        draw_icon(canvas, name, place)
        canvas.add("button", name, place)
        top += canvas.px(58)


PANELS: Final[Mapping[str, _Panel]] = {"taskbar": _taskbar, "dock": _dock, "launcher": _launcher}


def _row(canvas: Canvas, names: Sequence[str], left: float, bar: Box, step: float) -> None:
    size = round(min(step * 0.72, bar.height * 0.72))
    for name in names:
        inner = left + (step - size) / 2
        place = Box.from_xywh(round(inner), round(bar.center.y - size / 2), size, size)
        draw_icon(canvas, name, place)
        canvas.add("button", name, place)
        left += step


def _clock(canvas: Canvas, draw: random.Random, bar: Box, ink: str, middle: float) -> None:
    text = f"{draw.randint(8, 18):02d}:{draw.randint(0, 59):02d}"
    top = bar.center.y - canvas.px(14) * 0.6
    words = canvas.write(text, middle, top, 14, ink, center=True)
    canvas.add("text", text, words, words=words)


def _hills(width: int, height: int, draw: random.Random) -> NDArray[np.uint8]:
    """Draw a pale sky over four ridges, each nearer one darker."""
    _, down = _shares(width, height)
    picture = _blend("#8fc7e8", "#f4e9d8", np.clip(down * 1.5, 0, 1))
    for ridge, color in enumerate(("#9db9b5", "#6f9a92", "#447a70", "#25574f")):
        x = np.linspace(0, 1, width)
        waves = np.zeros(width)
        for order in range(1, 4):
            turns = x * draw.uniform(1.5, 3.5) * order + draw.random()
            waves += np.sin(turns * 2 * np.pi) * 0.05 / order
        top = 0.46 + 0.13 * ridge + waves
        edge = np.clip((down - top[None, :]) * height, 0, 1)
        picture = picture + (_color(color) - picture) * edge[..., None]
    return _bytes(picture)


def _dusk(width: int, height: int, draw: random.Random) -> NDArray[np.uint8]:
    """Draw an evening sky with a low sun and its glow."""
    across, down = _shares(width, height)
    lean = draw.uniform(-0.25, 0.25)
    slope = np.clip(down + lean * (across - 0.5), 0, 1)
    picture = _blend("#2a1b4f", "#e0655f", slope)
    x, y = draw.uniform(0.25, 0.75), draw.uniform(0.5, 0.7)
    away = np.hypot((across - x) * width / height, down - y)
    picture = picture + (_color("#ffc27a") - picture) * np.exp(-((away / 0.35) ** 2))[..., None]
    disc = np.clip((0.07 - away) * height, 0, 1)
    return _bytes(picture + (_color("#ffe9b8") - picture) * disc[..., None])


def _slate(width: int, height: int, draw: random.Random) -> NDArray[np.uint8]:
    """Draw a dark ground with faint slanting bands."""
    across, down = _shares(width, height)
    picture = _blend("#1f2933", "#3b4a5a", (across + down) / 2)
    turn = draw.uniform(0.4, 1.2)
    lines = np.sin((across * width / height * turn + down) * draw.uniform(14, 22))
    return _bytes(picture + 5 * np.clip(lines * 6, -1, 1)[..., None])


def _circles(width: int, height: int, draw: random.Random) -> NDArray[np.uint8]:
    """Draw large translucent discs on a light ground."""
    across, down = _shares(width, height)
    picture = _blend("#eef3f9", "#cfdcec", down)
    for color in ("#7aa2d6", "#f2b880", "#86c7b0", "#d78fa6", "#7aa2d6"):
        x, y, radius = draw.random(), draw.random(), draw.uniform(0.15, 0.45)
        away = np.hypot((across - x) * width / height, down - y)
        disc = np.clip((radius - away) * height, 0, 1) * 0.32
        picture = picture + (_color(color) - picture) * disc[..., None]
    return _bytes(picture)


def _waves(width: int, height: int, draw: random.Random) -> NDArray[np.uint8]:
    """Draw bands of teal that follow a slow curve."""
    across, down = _shares(width, height)
    bend = draw.uniform(0.06, 0.16) * np.sin((across * draw.uniform(0.8, 1.6) + down) * 2 * np.pi)
    level = np.clip(np.floor((down + bend) * 9) / 9, 0, 1)
    return _bytes(_blend("#0b5563", "#a8dbc5", level))


WALLPAPERS: Final[Mapping[str, Wallpaper]] = {
    "hills": _hills,
    "dusk": _dusk,
    "slate": _slate,
    "circles": _circles,
    "waves": _waves,
}


def _shares(width: int, height: int) -> tuple[Plane, Plane]:
    """Return each pixel's place across and down, from 0 to 1."""
    down, across = np.mgrid[0:height, 0:width].astype(np.float64)
    return across / width, down / height


def _color(text: str) -> Plane:
    return np.array([int(text[at : at + 2], 16) for at in (1, 3, 5)], dtype=np.float64)


def _blend(first: str, second: str, share: Plane) -> Plane:
    mixed: Plane = _color(first) + (_color(second) - _color(first)) * share[..., None]
    return mixed


def _bytes(picture: Plane) -> NDArray[np.uint8]:
    return np.clip(np.rint(picture), 0, 255).astype(np.uint8)


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
