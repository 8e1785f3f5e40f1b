"""
Hit tests without asking the program: what lies topmost at a point, by stack and tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from surefoot.capture.desktop.elements import Draft
from surefoot.capture.desktop.roles import CONTAINERS
from surefoot.capture.desktop.windows import Window
from surefoot.core.geometry import Box, Point
from surefoot.core.screen import HIT_POINTS, INTERACTIVE_ROLES, Element

__all__ = ["hit_points", "with_hits"]

INNER: Final = ((0.5, 0.5), (0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75))
NEVER: Final = (False,) * HIT_POINTS


def hit_points(box: Box) -> tuple[Point, ...]:
    """
    Return the five points of a box that are tried: its centre, and those of its quarters.

    >>> hit_points(Box(0, 0, 4, 4))[1]
    Point(x=1.0, y=1.0)
    """
    return tuple(Point(box.left + x * box.width, box.top + y * box.height) for x, y in INNER)


def with_hits(
    drafts: Sequence[Draft], windows: Sequence[Window], bounds: Box
) -> tuple[Element, ...]:
    """
    Return the elements with what a click at their points reaches; containers have none.

    The topmost window at a point takes the click; in it, of the controls whose visible
    part holds the point, the one that comes last in the tree, as toolkits draw it last.
    """
    covering = [each for each in drafts if each.element.role in INTERACTIVE_ROLES]
    above = {each.element.id: each.element.parent for each in drafts}
    return tuple(
        msgspec.structs.replace(each.element, hits=_hits(each, covering, above, windows, bounds))
        for each in drafts
    )


def _hits(
    draft: Draft,
    covering: Sequence[Draft],
    above: dict[str, str],
    windows: Sequence[Window],
    bounds: Box,
) -> tuple[bool, ...]:
    element = draft.element
    if element.role in CONTAINERS:
        return ()
    if element.visible_fraction == 0 or draft.clip is None:
        return NEVER
    near = [each for each in covering if each.level == draft.level and _meet(each, draft)]
    return tuple(
        bounds.contains(point)
        and draft.clip.contains(point)
        and _level_at(point, windows) == draft.level
        and _reaches(point, draft, near, above)
        for point in hit_points(element.box)
    )


def _meet(one: Draft, other: Draft) -> bool:
    return one.element.box.intersection(other.element.box) is not None


def _level_at(point: Point, windows: Sequence[Window]) -> int:
    found = [place for place, each in enumerate(windows) if each.box.contains(point)]
    return found[-1] if found else -1


def _reaches(point: Point, draft: Draft, near: Sequence[Draft], above: dict[str, str]) -> bool:
    """Tell whether nothing drawn later lies on the point, apart from what holds the element."""
    wanted = draft.element
    for each in reversed(near):
        if each.order <= draft.order or each.clip is None:
            continue
        inside = each.element.box.contains(point) and each.clip.contains(point)
        if inside and (wanted.role in INTERACTIVE_ROLES or not _within(each, wanted.id, above)):
            return False
    return True


def _within(draft: Draft, holder: str, above: dict[str, str]) -> bool:
    step = draft.element.parent
    while step:
        if step == holder:
            return True
        step = above.get(step, "")
    return False
