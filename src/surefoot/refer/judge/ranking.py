"""
Parts that rank what the other parts fit: a direction, "nearest", and a size.
"""

from __future__ import annotations

import math
from typing import Final

from surefoot.core.instruction import Direction, Size
from surefoot.core.screen import Element
from surefoot.refer.judge.ground import Ground, line_height, seen_boxes, text_said, words_box
from surefoot.refer.judge.measure import (
    LENIENT_LINES,
    apart,
    centres_apart,
    lies_leniently,
    lies_strictly,
    past_centre,
)
from surefoot.refer.judge.standing import seen_from

__all__ = ["directly", "directly_leniently", "extreme", "nearest", "of_about_that_size"]

FURTHER: Final = 1.5
SIZE_RATIO: Final = 1.25


def directly(ground: Ground, landmark: int, direction: Direction, others: set[int]) -> set[int]:
    """Return those that lie strictly in a direction, the nearest and any half a line further."""
    away = _strictly_there(ground, landmark, direction, others)
    half = line_height(ground.elements[landmark]) / 2
    nearest_one = min(away.values(), default=0.0)
    return {each for each, distance in away.items() if distance <= nearest_one + half}


def directly_leniently(
    ground: Ground, landmark: int, direction: Direction, strict: set[int], lenient: set[int]
) -> set[int]:
    """Return those that somebody could say lie directly in a direction of a landmark."""
    mark = ground.elements[landmark]
    line, anchors = line_height(mark), seen_boxes(ground, landmark)
    away = _strictly_there(ground, landmark, direction, strict)
    plain = [away[each] for each in away if _looks_its_role(ground.elements[each])]
    bound = min(plain, default=math.inf)
    found = set()
    for each in lenient:
        box, words = ground.elements[each].box, words_box(ground.elements[each])
        pairs = [(a, b) for a in (box, words) for b in anchors]
        distance = min(apart(*pair) for pair in pairs)
        there = any(lies_leniently(a, direction, b, line) for a, b in pairs)
        past = past_centre(box, direction, words_box(mark))
        squarely = there and distance <= FURTHER * bound + line / 2
        aside = past and distance <= min(bound, LENIENT_LINES * line)
        if (squarely or aside) and not ground.kin(each, landmark):
            found.add(each)
    return found


def _strictly_there(
    ground: Ground, landmark: int, direction: Direction, others: set[int]
) -> dict[int, float]:
    """Return how far away those are that lie strictly in a direction of a landmark."""
    anchor, line = seen_from(ground, landmark), line_height(ground.elements[landmark])
    away = {}
    for each in others:
        box = ground.elements[each].box
        if not ground.kin(each, landmark) and lies_strictly(box, direction, anchor, line):
            away[each] = apart(box, anchor)
    return away


def _looks_its_role(element: Element) -> bool:
    """Tell whether a button of words has a background, and a link of words has none."""
    painted = bool(element.attributes.get("background"))
    if not text_said(element) or element.role not in {"button", "link"}:
        return True
    return painted == (element.role == "button")


def nearest(ground: Ground, landmark: int, strict: set[int], lenient: set[int]) -> set[int]:
    """Return the nearest strict one to a landmark, and of the lenient what is about as near."""
    mark = ground.elements[landmark]
    away = {
        each: apart(ground.elements[each].box, mark.box)
        for each in strict | lenient
        if not ground.kin(each, landmark)
    }
    smallest = min((away[each] for each in strict if each in away), default=None)
    if smallest is None:
        return set()
    found = {each for each in strict if each in away and away[each] == smallest}
    centres = {each: centres_apart(ground.elements[each].box, mark.box) for each in away}
    reach = FURTHER * smallest + line_height(mark) / 2
    centre = max(centres[each] for each in found)
    return found | {
        each
        for each in lenient
        if each in away and (away[each] <= reach or centres[each] <= centre)
    }


def extreme(ground: Ground, size: Size, others: set[int]) -> set[int]:
    """Return the one of the largest or the smallest area, of two things or more."""
    if all(ground.one_thing(one, other) for one in others for other in others):
        return set()
    areas = {each: ground.elements[each].box.area for each in others}
    best = max(areas.values()) if size == "largest" else min(areas.values())
    return {each for each, area in areas.items() if area == best}


def of_about_that_size(
    ground: Ground, size: Size, strict: set[int], lenient: set[int]
) -> set[int]:
    """Return the lenient ones that are about as large (small) as the extreme strict one."""
    areas = [ground.elements[each].box.area for each in strict]
    if not areas:
        return set()
    if size == "largest":
        least = max(areas) / SIZE_RATIO
        return {each for each in lenient if ground.elements[each].box.area >= least}
    most = min(areas) * SIZE_RATIO
    return {each for each in lenient if ground.elements[each].box.area <= most}
