"""
Which view of a screen to take: the part around an element, or a place on a desktop.
"""

from __future__ import annotations

import math

import numpy as np

from surefoot.core.edit import Crop, Paste
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import random_source
from surefoot.perturb.desktops.desktop import DESKTOPS, desktop_named, work_area

SIZES = ((1920, 1080), (2560, 1440), (3840, 2160))
LARGEST_SHARE = 0.84  # of a desktop's sides that a window at scale 1 may take
BAR = 34  # height of a title bar on a desktop that is 1080 high


def crop_around(
    screen: Screen,
    target: str,
    *,
    distance: float = 80.0,
    margin: float = 16.0,
    least: tuple[int, int] = (320, 240),
    ground: float = 0.25,
) -> Crop:
    """
    Return the part of a picture around a target (by its id) and its neighbours.

    It is the smallest box around the target and every element whose box comes within
    ``distance`` pixels of it, grown by ``margin``, widened to ``least`` pixels where it is
    smaller, and held inside the picture: our reconstruction of the local crop of "Do GUI
    Grounders Truly Understand UI Elements?" (equation 5). What holds the target, what only
    holds others, and what takes more than a share ``ground`` of the picture is no
    neighbour. Raises InvalidInputError where the screen does not show the target.
    """
    element = screen.element(target)
    shown = None if element is None else screen.bounds.intersection(element.box)
    if element is None or shown is None:
        raise InvalidInputError(f"an element '{target}' in the picture", found="none")
    holders = _ancestors(screen, element)
    seen = (
        screen.bounds.intersection(item.box)
        for item in screen.elements
        if item.hits and item.visible_fraction > 0 and item.id not in holders
    )
    largest = ground * screen.bounds.area
    near = [box for box in seen if box and box.area <= largest and _gap(box, shown) <= distance]
    left, top, right, bottom = Box.around([shown, *near]).as_tuple()
    across = _span(left - margin, right + margin, least[0], screen.width)
    down = _span(top - margin, bottom + margin, least[1], screen.height)
    return Crop(across[0], down[0], across[1], down[1])


def place_on_desktop(
    screen: Screen,
    seed: int,
    *,
    desktop: str = "",
    scales: tuple[float, float] = (0.7, 1.0),
) -> Paste:
    """
    Draw a place for a screen's window on a desktop, and one of the desktops if none is named.

    The desktop is the smallest of ``SIZES`` that the screen fits into with room around it.
    The scale is drawn evenly from ``scales``, in steps of a hundredth, and reduced where even
    the largest desktop is too small. A title bar is drawn where the screen has none. Raises
    UnknownNameError for a desktop that does not exist, and InvalidInputError for scales that
    are not above 0 and in order.
    """
    if not 0 < scales[0] <= scales[1] < math.inf:
        raise InvalidInputError("a least and a most scale above 0", found=str(scales))
    draw = random_source(seed, "background", screen.page)
    name = desktop or draw.choice(list(DESKTOPS))
    desktop_named(name)
    width, height = _size(screen)
    work = work_area(name, width, height)
    bar = 0 if _has_title_bar(screen) else round(BAR * height / 1080)
    room = min((work.width - 2) / screen.width, (work.height - bar - 2) / screen.height)
    least, most = (math.floor(100 * min(value, room)) for value in scales)
    scale = max(1, draw.randint(least, most)) / 100
    wide, high = round(screen.width * scale), round(screen.height * scale)
    left = draw.randint(int(work.left), int(work.right) - wide)
    top = draw.randint(int(work.top) + bar, int(work.bottom) - high)
    pattern = draw.randrange(1_000_000)
    return Paste(name, pattern, width, height, left, top, scale, bar)


def _ancestors(screen: Screen, element: Element) -> set[str]:
    above = {item.id: item.parent for item in screen.elements}
    found: set[str] = set()
    parent = element.parent
    while parent and parent not in found:
        found.add(parent)
        parent = above.get(parent, "")
    return found


def _gap(box: Box, other: Box) -> float:
    across = max(other.left - box.right, box.left - other.right, 0.0)
    down = max(other.top - box.bottom, box.top - other.bottom, 0.0)
    return math.hypot(across, down)


def _span(first: float, last: float, least: int, whole: int) -> tuple[int, int]:
    """Return whole pixels around an interval: at least so long, and inside the picture."""
    begin, end = math.floor(first), math.ceil(last)
    lacking = max(0, least - (end - begin))
    begin, end = begin - lacking // 2, end + lacking - lacking // 2
    if end - begin >= whole:
        return 0, whole
    shift = max(0, -begin) - max(0, end - whole)
    cut = (begin, end) if not lacking else (begin + shift, end + shift)
    return int(np.clip(cut[0], 0, whole)), int(np.clip(cut[1], 0, whole))


def _size(screen: Screen) -> tuple[int, int]:
    for width, height in SIZES:
        if screen.width <= LARGEST_SHARE * width and screen.height <= LARGEST_SHARE * height:
            return width, height
    return SIZES[-1]


def _has_title_bar(screen: Screen) -> bool:
    """Tell whether a desktop's picture shows a window, which then has its frame around it."""
    return screen.platform == "desktop" and any(
        element.role in ("window", "dialog", "alertdialog") and element.visible_fraction > 0
        for element in screen.elements
    )
