"""
Windows as the X server stacks them: what lies above what, and what of a box can be seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.capture.desktop.session import Session
from surefoot.capture.desktop.tree import AtspiNode
from surefoot.core.geometry import Box

Grab: TypeAlias = Literal["", "modal", "popup"]
GEOMETRY: Final = re.compile(r"WINDOW=(\d+)\nX=(-?\d+)\nY=(-?\d+)\nWIDTH=(\d+)\nHEIGHT=(\d+)\n")
LEAST_SIDE: Final = 2
# A program's window with and without the frame that the window manager draws around it.
FRAME_PX: Final = 40.0
SAME_PX: Final = 3.0
POPUP_TYPES: Final = ("_POPUP_MENU", "_DROPDOWN_MENU", "_COMBO")
PLACED: Final = re.compile(r"(?:Absolute upper-left [XY]|Width|Height): +(-?\d+)")
HEXADECIMAL: Final = re.compile(r"0x[0-9a-f]+")


class Window(msgspec.Struct, frozen=True):
    """
    Hold one window of the root, by its id and its box in pixels of the screen.

    ``grab`` tells of one that takes all clicks of its program while it is open.
    """

    id: int
    box: Box
    grab: Grab = ""


def windows_of(session: Session) -> tuple[Window, ...]:
    """Return the windows that can be seen, lowest first; raises CaptureError."""
    command = ["search", "--onlyvisible", "--maxdepth", "1", "--name", ".*"]
    return parse_windows(session.xdotool(*command, "getwindowgeometry", "--shell", "%@"))


def with_grabs(
    windows: Sequence[Window], session: Session, nodes: Iterable[AtspiNode]
) -> tuple[Window, ...]:
    """
    Return windows with what each grabs, by the X server and the program's own windows.

    Qt tells the accessibility bus of no modal dialog, and the window manager of all.
    Raises CaptureError.
    """
    clients = HEXADECIMAL.findall(session.x_client("xprop", "-root", "_NET_CLIENT_LIST"))
    boxes = [
        _placed(session.x_client("xwininfo", "-id", client))
        for client in clients
        if "_MODAL" in session.x_client("xprop", "-id", client, "_NET_WM_STATE")
    ]
    boxes += [Box.from_xywh(*node.box) for node in nodes if "modal" in node.states and node.box]
    places = {surface_of(box, windows) for box in boxes}
    types = [
        session.x_client("xprop", "-id", str(window.id), "_NET_WM_WINDOW_TYPE")
        for window in windows
    ]
    return tuple(
        msgspec.structs.replace(window, grab="popup")
        if any(name in kinds for name in POPUP_TYPES)
        else msgspec.structs.replace(window, grab="modal" if place in places else "")
        for place, (window, kinds) in enumerate(zip(windows, types, strict=True))
    )


def answering(windows: Sequence[Window]) -> frozenset[int]:
    """
    Return the places of the windows that a click can reach.

    An open menu takes every click, else the topmost modal dialog does.

    >>> box = Box(0, 0, 9, 9)
    >>> main, dialog, menu = Window(1, box), Window(2, box, "modal"), Window(3, box, "popup")
    >>> [sorted(answering(shown)) for shown in ([main], [main, dialog], [main, dialog, menu])]
    [[0], [1], [2]]
    """
    popups = [place for place, window in enumerate(windows) if window.grab == "popup"]
    modal = [place for place, window in enumerate(windows) if window.grab == "modal"]
    return frozenset(popups or modal[-1:] or range(len(windows)))


def parse_windows(printed: str) -> tuple[Window, ...]:
    r"""
    Read what xdotool prints: the root window comes first and is left out.

    >>> shown = "WINDOW=7\nX=5\nY=6\nWIDTH=20\nHEIGHT=10\nSCREEN=0\n"
    >>> parse_windows("WINDOW=1\nX=0\nY=0\nWIDTH=99\nHEIGHT=99\nSCREEN=0\n" + shown)
    (Window(id=7, box=Box(left=5, top=6, right=25, bottom=16), grab=''),)
    """
    found = [tuple(map(int, match.groups())) for match in GEOMETRY.finditer(printed)]
    return tuple(
        Window(name, Box.from_xywh(x, y, width, height))
        for name, x, y, width, height in found[1:]
        if min(width, height) >= LEAST_SIDE
    )


def _placed(printed: str) -> Box:
    """Read what xwininfo prints; xdotool counts a frame's borders twice."""
    return Box.from_xywh(*(float(number) for number in PLACED.findall(printed)))


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
