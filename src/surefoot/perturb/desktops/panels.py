"""
What surrounds the windows of a desktop: icons on the wallpaper, taskbar, dock, launcher.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from surefoot.core.geometry import Box
from surefoot.perturb.desktops.canvas import Canvas
from surefoot.perturb.desktops.icons import draw_icon

__all__ = ["PANELS", "draw_desktop_icons", "panel_boxes"]

_Panel: TypeAlias = Callable[[Canvas, random.Random, bool], None]

PROGRAMS: Final = ("Files", "Web", "Mail", "Calendar", "Photos", "Music", "Notes", "Terminal",
                   "Settings")  # fmt: skip
ON_DESKTOP: Final = (("Files", "Home"), ("Files", "Projects"), ("Notes", "Shopping list"),
                     ("Photos", "Summer 2024"), ("Trash", "Trash"))  # fmt: skip
TASKBAR: Final = 44
MENU_BAR: Final = 28
DOCK: Final = 74
LAUNCHER: Final = 62


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
