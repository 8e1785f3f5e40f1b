"""
Where an element stands: the part region, and the relation "between".
"""

from __future__ import annotations

from typing import Final

from surefoot.core.geometry import Box
from surefoot.core.instruction import Direction, Expression, Region
from surefoot.refer.judge.ground import Ground, Reading, line_height, words_box
from surefoot.refer.judge.measure import lies_strictly, overlap

__all__ = ["is_between", "is_in_region", "seen_from"]

WINDOWS: Final = {"dialog", "alertdialog", "window"}


def is_in_region(ground: Ground, at: int, expression: Expression, reading: Reading) -> bool:
    """Tell whether an element's centre lies in a part of the image or of its window."""
    region = expression.region or Region("center")
    frame = ground.screen.bounds
    if region.of == "window":
        above = (ground.elements[each] for each in ground.ancestors(at))
        window = next((each.box for each in above if each.role in WINDOWS), frame)
        frame = window.intersection(frame) or frame
    if frame.area == 0:
        return False
    centre = ground.elements[at].box.center
    x, y = (centre.x - frame.left) / frame.width, (centre.y - frame.top) / frame.height
    if region.place == "center":
        low, high = (1 / 3, 2 / 3) if reading == "strict" else (1 / 5, 4 / 5)
        return low <= x <= high and low <= y <= high
    if reading == "strict" and " " in region.place:
        sides = {"left": x < 1 / 5, "right": x > 4 / 5, "top": y < 1 / 5, "bottom": y > 4 / 5}
    elif reading == "strict":
        sides = {"left": x < 1 / 3, "right": x > 2 / 3, "top": y < 1 / 4, "bottom": y > 3 / 4}
    else:
        sides = {"left": x < 1 / 2, "right": x > 1 / 2, "top": y < 1 / 2, "bottom": y > 1 / 2}
    return all(sides[side] for side in region.place.split(" "))


def seen_from(ground: Ground, landmark: int) -> Box:
    """Return a control's box, or the box around another element's words."""
    element = ground.elements[landmark]
    return element.box if ground.control(landmark) else words_box(element)


def is_between(ground: Ground, at: int, one: int, other: int, reading: Reading) -> bool:
    """Tell whether an element stands between two landmarks."""
    if ground.kin(at, one) or ground.kin(at, other):
        return False
    box = ground.elements[at].box
    a, b = seen_from(ground, one), seen_from(ground, other)
    strictly = any(
        _squarely_between(box, first, second, ways)
        for first, second in ((a, b), (b, a))
        for ways in (("right of", "left of"), ("below", "above"))
    )
    if strictly or reading == "strict":
        return strictly
    half = max(line_height(ground.elements[each]) for each in (one, other)) / 2
    hull = Box.around([a, b])
    grown = Box(hull.left - half, hull.top - half, hull.right + half, hull.bottom + half)
    return grown.contains(box.center)


def _squarely_between(box: Box, a: Box, b: Box, ways: tuple[Direction, Direction]) -> bool:
    if ways[0] == "below":
        sharing, least = overlap((a.left, a.right), (b.left, b.right)), min(a.width, b.width)
    else:
        sharing, least = overlap((a.top, a.bottom), (b.top, b.bottom)), min(a.height, b.height)
    anyhow = float("inf")
    return (
        sharing >= least / 2
        and lies_strictly(box, ways[0], a, 1.0, lines=anyhow)
        and lies_strictly(box, ways[1], b, 1.0, lines=anyhow)
    )
