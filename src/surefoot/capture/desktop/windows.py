"""
Windows as the X server stacks them: what lies above what, and what of a box can be seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from surefoot.capture.desktop.session import Session
from surefoot.core.geometry import Box

__all__ = ["Window", "parse_windows", "seen_share", "surface_of", "windows_of"]

GEOMETRY: Final = re.compile(r"WINDOW=(\d+)\nX=(-?\d+)\nY=(-?\d+)\nWIDTH=(\d+)\nHEIGHT=(\d+)\n")
LEAST_SIDE: Final = 2
# A program's window with and without the frame that the window manager draws around it.
FRAME_PX: Final = 40.0
SAME_PX: Final = 3.0


class Window(msgspec.Struct, frozen=True):
    """Hold one window of the root, by its id and its box in pixels of the screen."""

    id: int
    box: Box


def windows_of(session: Session) -> tuple[Window, ...]:
    """Return the windows that can be seen, lowest first; raises CaptureError."""
    command = ["search", "--onlyvisible", "--maxdepth", "1", "--name", ".*"]
    return parse_windows(session.xdotool(*command, "getwindowgeometry", "--shell", "%@"))


def parse_windows(printed: str) -> tuple[Window, ...]:
    r"""
    Read what xdotool prints: the root window comes first and is left out.

    >>> shown = "WINDOW=7\nX=5\nY=6\nWIDTH=20\nHEIGHT=10\nSCREEN=0\n"
    >>> parse_windows("WINDOW=1\nX=0\nY=0\nWIDTH=99\nHEIGHT=99\nSCREEN=0\n" + shown)
    (Window(id=7, box=Box(left=5, top=6, right=25, bottom=16)),)
    """
    found = [tuple(map(int, match.groups())) for match in GEOMETRY.finditer(printed)]
    return tuple(
        Window(name, Box.from_xywh(x, y, width, height))
        for name, x, y, width, height in found[1:]
        if min(width, height) >= LEAST_SIDE
    )


def surface_of(box: Box, windows: Sequence[Window]) -> int | None:
    """
    Return the place of the window that a box is the whole of, None where it is none's.

    The window manager's frame may be wider than the box by a title bar and borders. Of
    several the topmost counts.
    """
    for place in range(len(windows) - 1, -1, -1):
        outer = windows[place].box
        gaps = (
            box.left - outer.left,
            box.top - outer.top,
            outer.right - box.right,
            outer.bottom - box.bottom,
        )
        if min(gaps) >= -SAME_PX and max(gaps) <= FRAME_PX:
            return place
    return None


def seen_share(box: Box, clip: Box | None, above: Iterable[Box]) -> float:
    """
    Return the share of a box that lies in its clip and under none of the boxes above it.

    >>> seen_share(Box(0, 0, 10, 10), Box(0, 0, 10, 5), [Box(5, 0, 20, 20)])
    0.25
    """
    kept = box.intersection(clip) if clip is not None else None
    if kept is None or box.area == 0:
        return 0.0
    parts = [kept]
    for cover in above:
        parts = [piece for part in parts for piece in _without(part, cover)]
    return sum(part.area for part in parts) / box.area


def _without(box: Box, cover: Box) -> Iterator[Box]:
    """Yield the parts of a box outside another: at most four, apart from each other."""
    common = box.intersection(cover)
    if common is None:
        yield box
        return
    for left, top, right, bottom in (
        (box.left, box.top, box.right, common.top),
        (box.left, common.bottom, box.right, box.bottom),
        (box.left, common.top, common.left, common.bottom),
        (common.right, common.top, box.right, common.bottom),
    ):
        if left < right and top < bottom:
            yield Box(left, top, right, bottom)
