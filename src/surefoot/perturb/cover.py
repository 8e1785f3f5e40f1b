"""
What is left of a screen's elements where something is drawn over its picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.core.geometry import Box, Point
from surefoot.core.screen import Element, Screen

# The centre of a box, then the middles of its four quarters, as ``Element.hits`` has them.
HITS: Final = ((0.5, 0.5), (0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75))


def cover(screen: Screen, boxes: Sequence[Box], *, blocks: bool = True) -> Screen:
    """
    Return the screen as it is known after opaque boxes were drawn over its picture.

    Of each element ``visible_fraction`` loses the share of its box that is covered, which
    never says more than is seen; points under a box are hit no more, unless ``blocks`` is
    false (as under a pointer); and words of which a part is covered spell no name. Nothing
    is dropped, and what no box touches stays as it is.

    >>> one = Element("a", "button", Box(0, 0, 10, 10), visible_fraction=1.0, hits=(True,) * 5)
    >>> shown = Screen("s", "p", "x", "", 100, 80, 1.0, "web", "en", (one,))
    >>> left = cover(shown, [Box(6, 0, 40, 40)]).elements[0]
    >>> left.visible_fraction, left.hits
    (0.6, (True, True, False, True, False))
    """
    inside = [part for box in boxes if (part := screen.bounds.intersection(box)) is not None]
    if not inside:
        return screen
    elements = tuple(_left(element, inside, blocks=blocks) for element in screen.elements)
    return msgspec.structs.replace(screen, elements=elements)


def shared_area(box: Box, others: Sequence[Box]) -> float:
    """
    Return the area of a box, in square pixels, that other boxes cover, each part once.

    >>> shared_area(Box(0, 0, 10, 10), [Box(0, 0, 6, 10), Box(4, 0, 8, 10)])
    80.0
    """
    parts = [part for other in others if (part := box.intersection(other)) is not None]
    if not parts:
        return 0.0
    sides = np.array([part.as_tuple() for part in parts])
    across = np.unique(sides[:, [0, 2]])
    down = np.unique(sides[:, [1, 3]])
    taken = np.zeros((len(down) - 1, len(across) - 1), dtype=bool)
    for left, top, right, bottom in sides:
        first, last = np.searchsorted(across, (left, right))
        upper, lower = np.searchsorted(down, (top, bottom))
        taken[upper:lower, first:last] = True
    return float(np.diff(down) @ taken @ np.diff(across))


def _left(element: Element, boxes: Sequence[Box], *, blocks: bool) -> Element:
    box = element.box
    touched = [item for item in boxes if _touches(item, element)]
    if not touched:
        return element
    lost = shared_area(box, touched) / box.area if box.area else float(_under(box.center, touched))
    places = (Point(box.left + x * box.width, box.top + y * box.height) for x, y in HITS)
    reached = zip(element.hits, places, strict=False)
    spelled = all(shared_area(item, touched) == 0 for item in element.name_boxes)
    return msgspec.structs.replace(
        element,
        visible_fraction=max(0.0, round(element.visible_fraction - lost, 6)),
        hits=tuple(hit and not (blocks and _under(place, touched)) for hit, place in reached),
        name_boxes=element.name_boxes if spelled else (),
    )


def _touches(box: Box, element: Element) -> bool:
    if any(box.intersection(item) is not None for item in (element.box, *element.name_boxes)):
        return True
    return not element.box.area and _under(element.box.center, [box])


def _under(point: Point, boxes: Sequence[Box]) -> bool:
    return any(
        box.left <= point.x < box.right and box.top <= point.y < box.bottom for box in boxes
    )
