"""
Icons of programs and folders, drawn from a few shapes each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from surefoot.core.geometry import Box
from surefoot.perturb.desktops.canvas import Canvas

_Drawing: TypeAlias = Callable[[Canvas, Box], None]


def draw_icon(canvas: Canvas, name: str, box: Box) -> None:
    """Draw a program's icon into a square box; the name is a key of ``ICONS``."""
    ICONS[name](canvas, box)


def _part(box: Box, left: float, top: float, right: float, bottom: float) -> Box:
    return Box(
        box.left + left * box.width,
        box.top + top * box.height,
        box.left + right * box.width,
        box.top + bottom * box.height,
    )


def _tile(canvas: Canvas, box: Box, color: str) -> None:
    canvas.fill(box, color, radius=box.width * 0.22)


def _files(canvas: Canvas, box: Box) -> None:
    canvas.fill(_part(box, 0.06, 0.16, 0.5, 0.5), "#c98a2b", radius=box.width * 0.06)
    canvas.fill(_part(box, 0.06, 0.28, 0.94, 0.84), "#f0b849", radius=box.width * 0.07)
    canvas.fill(_part(box, 0.06, 0.36, 0.94, 0.4), "#f8d58c")


def _web(canvas: Canvas, box: Box) -> None:
    canvas.fill(_part(box, 0.06, 0.06, 0.94, 0.94), "#2f7fd6", radius=box.width * 0.44)
    canvas.fill(_part(box, 0.06, 0.46, 0.94, 0.53), "#d5e8fb")
    canvas.fill(_part(box, 0.47, 0.06, 0.53, 0.94), "#d5e8fb")
    canvas.fill(_part(box, 0.2, 0.26, 0.8, 0.31), "#d5e8fb")
    canvas.fill(_part(box, 0.2, 0.69, 0.8, 0.74), "#d5e8fb")


def _mail(canvas: Canvas, box: Box) -> None:
    _tile(canvas, box, "#3aa0e8")
    canvas.fill(_part(box, 0.16, 0.28, 0.84, 0.74), "#ffffff", radius=box.width * 0.04)
    canvas.shape(box, "#b9d9f0", [(0.16, 0.28), (0.84, 0.28), (0.5, 0.56)])


def _terminal(canvas: Canvas, box: Box) -> None:
    _tile(canvas, box, "#2b2f36")
    canvas.shape(box, "#7ee081", [(0.2, 0.3), (0.28, 0.3), (0.46, 0.46), (0.28, 0.62), (0.2, 0.62),
                                  (0.37, 0.46)])  # fmt: skip
    canvas.fill(_part(box, 0.5, 0.6, 0.78, 0.67), "#e8ecf0")


def _music(canvas: Canvas, box: Box) -> None:
    _tile(canvas, box, "#e2557b")
    canvas.fill(_part(box, 0.26, 0.6, 0.46, 0.78), "#ffffff", radius=box.width * 0.09)
    canvas.fill(_part(box, 0.4, 0.24, 0.46, 0.7), "#ffffff")
    canvas.shape(box, "#ffffff", [(0.4, 0.24), (0.74, 0.32), (0.74, 0.44), (0.4, 0.36)])


def _photos(canvas: Canvas, box: Box) -> None:
    _tile(canvas, box, "#f5f6f8")
    canvas.fill(_part(box, 0.14, 0.16, 0.86, 0.84), "#9ad0f0", radius=box.width * 0.06)
    canvas.fill(_part(box, 0.6, 0.24, 0.76, 0.4), "#ffd75e", radius=box.width * 0.08)
    canvas.shape(box, "#4d9a5f", [(0.14, 0.84), (0.42, 0.44), (0.62, 0.7), (0.72, 0.58),
                                  (0.86, 0.84)])  # fmt: skip


def _settings(canvas: Canvas, box: Box) -> None:
    _tile(canvas, box, "#7b8794")
    for left, top, right, bottom in ((0.44, 0.14, 0.56, 0.86), (0.14, 0.44, 0.86, 0.56)):
        canvas.fill(_part(box, left, top, right, bottom), "#eef1f4", radius=box.width * 0.03)
    canvas.shape(box, "#eef1f4", [(0.21, 0.29), (0.29, 0.21), (0.79, 0.71), (0.71, 0.79)])
    canvas.shape(box, "#eef1f4", [(0.79, 0.29), (0.71, 0.21), (0.21, 0.71), (0.29, 0.79)])
    canvas.fill(_part(box, 0.28, 0.28, 0.72, 0.72), "#eef1f4", radius=box.width * 0.22)
    canvas.fill(_part(box, 0.4, 0.4, 0.6, 0.6), "#7b8794", radius=box.width * 0.1)


def _notes(canvas: Canvas, box: Box) -> None:
    canvas.fill(_part(box, 0.14, 0.06, 0.86, 0.94), "#fdfdfd", radius=box.width * 0.06,
                edge="#b7bec6")  # fmt: skip
    canvas.fill(_part(box, 0.14, 0.06, 0.86, 0.2), "#f0c44c", radius=box.width * 0.06)
    for top in (0.34, 0.48, 0.62, 0.76):
        canvas.fill(_part(box, 0.24, top, 0.76, top + 0.04), "#9aa5b1")


def _trash(canvas: Canvas, box: Box) -> None:
    canvas.shape(box, "#cfd6dd", [(0.2, 0.3), (0.8, 0.3), (0.72, 0.94), (0.28, 0.94)])
    canvas.fill(_part(box, 0.14, 0.2, 0.86, 0.28), "#b4bec8", radius=box.width * 0.03)
    canvas.fill(_part(box, 0.4, 0.12, 0.6, 0.2), "#b4bec8", radius=box.width * 0.03)
    for left in (0.38, 0.48, 0.58):
        canvas.fill(_part(box, left, 0.4, left + 0.04, 0.84), "#98a4b0")


def _calendar(canvas: Canvas, box: Box) -> None:
    canvas.fill(_part(box, 0.08, 0.1, 0.92, 0.92), "#ffffff", radius=box.width * 0.12,
                edge="#c4ccd4")  # fmt: skip
    canvas.fill(_part(box, 0.08, 0.1, 0.92, 0.32), "#d9483b", radius=box.width * 0.1)
    for row in range(3):
        for column in range(4):
            left, top = 0.2 + 0.16 * column, 0.42 + 0.15 * row
            canvas.fill(_part(box, left, top, left + 0.1, top + 0.09), "#c3ccd6")


ICONS: Final[Mapping[str, _Drawing]] = {
    "Files": _files,
    "Web": _web,
    "Mail": _mail,
    "Terminal": _terminal,
    "Music": _music,
    "Photos": _photos,
    "Settings": _settings,
    "Notes": _notes,
    "Calendar": _calendar,
    "Trash": _trash,
}
