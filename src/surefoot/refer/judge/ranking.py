"""
Parts that count, place or rank: the ordinal, region and "between", direction, "nearest", size.

Counting goes along rows of boxes that are clearly arranged; what ranks, ranks what the other
parts fit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

from surefoot.core.geometry import Box
from surefoot.core.instruction import Direction, Expression, Ordinal, Region, Size
from surefoot.core.screen import Element
from surefoot.refer.judge.ground import (
    Ground,
    Reading,
    line_height,
    seen_boxes,
    text_said,
    words_box,
)
from surefoot.refer.judge.measure import (
    LENIENT_LINES,
    apart,
    centres_apart,
    lies_leniently,
    lies_strictly,
    overlap,
    past_centre,
    turned,
)

WINDOWS: Final = {"dialog", "alertdialog", "window"}
SAME_ROW: Final = 1 / 2
OTHER_ROW: Final = 1 / 10
BORDERS: Final = 1 / 10
LEAST: Final = 2
Rows = list[list[int]]
Thing = TypeVar("Thing")
FURTHER: Final = 1.5
SIZE_RATIO: Final = 1.25


def is_in_region(ground: Ground, at: int, expression: Expression, reading: Reading) -> bool:
    """Tell whether an element's centre lies in a part of the image or of its window."""
    region = expression.region or Region("center")
    frame = ground.screen.bounds
    if region.of == "window":
        above = (ground.elements[ancestor] for ancestor in ground.ancestors(at))
        window = next((element.box for element in above if element.role in WINDOWS), frame)
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
    half = max(line_height(ground.elements[place]) for place in (one, other)) / 2
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


def rows_of(boxes: Mapping[int, Box]) -> Rows | None:
    """
    Return the rows from the top, each from the left, or None where they are unclear.

    >>> rows_of({1: Box(20, 0, 30, 10), 2: Box(0, 1, 10, 11), 3: Box(0, 20, 10, 30)})
    [[2, 1], [3]]
    """
    mates: dict[int, set[int]] = {box: {box} for box in boxes}
    for entry, a in boxes.items():
        for other, b in boxes.items():
            if entry == other:
                continue
            sharing = overlap((a.top, a.bottom), (b.top, b.bottom))
            least = min(a.height, b.height)
            if sharing >= SAME_ROW * least:
                mates[entry].add(other)
                shared = overlap((a.left, a.right), (b.left, b.right))
                if shared > BORDERS * min(a.width, b.width):
                    return None
            elif sharing > OTHER_ROW * least:
                return None
    rows: Rows = []
    for entry, row in mates.items():
        if any(mates[other] != row for other in row):
            return None
        if entry == min(row):
            rows.append(sorted(row, key=lambda item: boxes[item].left))
    return sorted(rows, key=lambda row: min(boxes[item].top for item in row))


def counted_strictly(ground: Ground, counted: Iterable[int], ordinal: Ordinal) -> set[int]:
    """Return what stands at the position, or nothing where that cannot be made out."""
    things = _things(ground, counted)
    boxes = {thing: ground.elements[thing].box for thing in things}
    rows = rows_of(boxes)
    if len(boxes) < LEAST or rows is None or not _in_form(rows, boxes, ordinal):
        return set()
    return {thing for item in _at_position(rows, ordinal) for thing in things[item]}


def counted_leniently(
    ground: Ground, strict: Iterable[int], lenient: Iterable[int], ordinal: Ordinal
) -> set[int]:
    """Return every element that is at the position in one of the countings."""
    found = counted_strictly(ground, strict, ordinal)
    for counted, count in (
        (strict, _down_the_columns),
        (lenient, _down_the_columns),
        (lenient, _generous),
    ):
        things = _things(ground, counted)
        boxes = {thing: ground.elements[thing].box for thing in things}
        found |= {thing for item in count(boxes, ordinal) for thing in things[item]}
    wrapped = {
        descendant
        for item in found
        for descendant in ground.descendants(item)
        if ground.one_thing(item, descendant)
    }
    return found | wrapped.intersection(lenient)


def _things(ground: Ground, counted: Iterable[int]) -> dict[int, list[int]]:
    """Gather what is one thing under its outermost element."""
    things: dict[int, list[int]] = {}
    for place in sorted(counted, key=lambda one: (len(ground.ancestors(one)), one)):
        same = [thing for thing in things if ground.one_thing(thing, place)]
        things.setdefault(same[0] if same else place, []).append(place)
    return things


def _down_the_columns(boxes: Mapping[int, Box], ordinal: Ordinal) -> set[int]:
    """Return what is at a list's position where several clear columns are read in turn."""
    if ordinal.order != "list":
        return set()
    across = {place: turned(box, "left of") for place, box in boxes.items()}
    columns, rows = rows_of(across), rows_of(boxes)
    if columns is None or rows is None or min(len(columns), len(rows)) < LEAST:
        return set()
    return _at_position(columns, ordinal)


def _generous(boxes: Mapping[int, Box], ordinal: Ordinal) -> set[int]:
    """Return what one counting fits; all that it counts, where it cannot be made out."""
    if len(boxes) < LEAST:
        return set()
    rows = rows_of(boxes)
    if rows is None or not _in_form(rows, boxes, ordinal):
        return set(boxes)
    return _at_position(rows, ordinal)


def _in_form(rows: Rows, boxes: Mapping[int, Box], ordinal: Ordinal) -> bool:
    """Tell whether an arrangement is one row, one column or a grid, as the order says."""
    if ordinal.order == "row":
        return len(rows) == 1
    if ordinal.order == "grid":
        return sum(len(row) > 1 for row in rows) > 1
    if ordinal.order == "list":
        return True
    for a in boxes.values():
        for b in boxes.values():
            sharing = overlap((a.left, a.right), (b.left, b.right))
            if sharing < min(a.width, b.width) / 2:
                return False
    return all(len(row) == 1 for row in rows)


def _at_position(rows: Rows, ordinal: Ordinal) -> set[int]:
    if ordinal.order == "grid":
        row = _nth(rows, ordinal.row)
        sequence = row[0] if row else []
    else:
        sequence = [place for row in rows for place in row]
    return set(_nth(sequence, ordinal.position))


def _nth(things: list[Thing], position: int) -> list[Thing]:
    """Return the thing at a position from 1 or, negative, from the end, in a list or none."""
    at = position - 1 if position > 0 else len(things) + position
    return [things[at]] if position and 0 <= at < len(things) else []


def directly(ground: Ground, landmark: int, direction: Direction, others: set[int]) -> set[int]:
    """Return those that lie strictly in a direction, the nearest and any half a line further."""
    away = _strictly_there(ground, landmark, direction, others)
    half = line_height(ground.elements[landmark]) / 2
    nearest_one = min(away.values(), default=0.0)
    return {place for place, distance in away.items() if distance <= nearest_one + half}


def directly_leniently(
    ground: Ground, landmark: int, direction: Direction, strict: set[int], lenient: set[int]
) -> set[int]:
    """Return those that somebody could say lie directly in a direction of a landmark."""
    mark = ground.elements[landmark]
    line, anchors = line_height(mark), seen_boxes(ground, landmark)
    away = _strictly_there(ground, landmark, direction, strict)
    plain = [away[place] for place in away if _looks_its_role(ground.elements[place])]
    bound = min(plain, default=math.inf)
    found = set()
    for place in lenient:
        box, words = ground.elements[place].box, words_box(ground.elements[place])
        pairs = [(a, b) for a in (box, words) for b in anchors]
        distance = min(apart(*pair) for pair in pairs)
        there = any(lies_leniently(a, direction, b, line) for a, b in pairs)
        past = past_centre(box, direction, words_box(mark))
        squarely = there and distance <= FURTHER * bound + line / 2
        aside = past and distance <= min(bound, LENIENT_LINES * line)
        if (squarely or aside) and not ground.kin(place, landmark):
            found.add(place)
    return found


def _strictly_there(
    ground: Ground, landmark: int, direction: Direction, others: set[int]
) -> dict[int, float]:
    """Return how far away those are that lie strictly in a direction of a landmark."""
    anchor, line = seen_from(ground, landmark), line_height(ground.elements[landmark])
    away = {}
    for other in others:
        box = ground.elements[other].box
        if not ground.kin(other, landmark) and lies_strictly(box, direction, anchor, line):
            away[other] = apart(box, anchor)
    return away


def _looks_its_role(element: Element) -> bool:
    """Tell whether a button of words has a background, and a link of words has none."""
    painted = bool(element.attributes.get("background"))
    if not text_said(element) or element.role not in {"button", "link"}:
        return True
    return painted == (element.role == "button")


def nearest(ground: Ground, landmark: int, strict: set[int], lenient: set[int]) -> set[int]:
    """
    Return the nearest strict one to what is seen of a landmark, and lenient ones about as near.

    What is seen of a heading are its words, not the block that spans the column.
    """
    mark, anchor = ground.elements[landmark], seen_from(ground, landmark)
    boxes = {
        place: ground.elements[place].box
        for place in strict | lenient
        if not ground.kin(place, landmark)
    }
    away = {place: apart(box, anchor) for place, box in boxes.items() if place in strict}
    if not away:
        return set()
    smallest = min(away.values())
    found = {place for place, distance in away.items() if distance == smallest}
    reach = FURTHER * smallest + line_height(mark) / 2
    centre = max(centres_apart(boxes[place], anchor) for place in found)
    for place in lenient & boxes.keys():
        seen = (boxes[place], words_box(ground.elements[place]))
        gap = min(apart(box, other) for box in seen for other in seen_boxes(ground, landmark))
        if gap <= reach or centres_apart(boxes[place], anchor) <= centre:
            found.add(place)
    return found


def extreme(ground: Ground, size: Size, others: set[int]) -> set[int]:
    """Return the one of the largest or the smallest area, of two things or more."""
    if all(ground.one_thing(item, other) for item in others for other in others):
        return set()
    areas = {place: ground.elements[place].box.area for place in others}
    best = max(areas.values()) if size == "largest" else min(areas.values())
    return {place for place, area in areas.items() if area == best}


def of_about_that_size(
    ground: Ground, size: Size, strict: set[int], lenient: set[int]
) -> set[int]:
    """Return the lenient ones that are about as large (small) as the extreme strict one."""
    areas = [ground.elements[place].box.area for place in strict]
    if not areas:
        return set()
    if size == "largest":
        least = max(areas) / SIZE_RATIO
        return {place for place in lenient if ground.elements[place].box.area >= least}
    most = min(areas) * SIZE_RATIO
    return {place for place in lenient if ground.elements[place].box.area <= most}
