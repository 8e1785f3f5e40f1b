"""
Where an element is: beside a landmark, nearest to one, between two, in a part of the screen.

A landmark is given by the places of all elements that its words fit; what holds seen from
any of them holds. Distances are in lines of the landmark's words. The landmark, its
ancestors and its descendants stand in no relation to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from surefoot.core.instruction import Direction, Place, Region
from surefoot.core.screen import Element
from surefoot.refer.scene.geometry import (
    LENIENT_UNITS,
    Boxes,
    Mask,
    Reading,
    beyond,
    distances,
    lies,
    past,
    shares,
)
from surefoot.refer.scene.scene import Scene

STRICT_SPARE: Final = 0.5
LENIENT_TIMES: Final = 1.5
LENIENT_SPARE: Final = 0.5
AXES: Final[tuple[tuple[Direction, Direction], ...]] = (
    ("left of", "right of"),
    ("above", "below"),
)
# Shares of the picture's width and height, from the left and from the top.
SIDE: Final[dict[Reading, tuple[float, float]]] = {"strict": (1 / 3, 2 / 3), "lenient": (0.5, 0.5)}
EDGE: Final[dict[Reading, tuple[float, float]]] = {"strict": (0.25, 0.75), "lenient": (0.5, 0.5)}
CORNER: Final[dict[Reading, tuple[float, float]]] = {"strict": (0.2, 0.8), "lenient": (0.5, 0.5)}
MIDDLE: Final[dict[Reading, tuple[float, float]]] = {
    "strict": (1 / 3, 2 / 3),
    "lenient": (0.2, 0.8),
}


def text_unit(element: Element) -> float:
    """
    Return the height of a line of an element's words, in pixels: the unit of distances.

    It is the shortest line; without words it is the element's height.

    >>> from surefoot.core.geometry import Box
    >>> text_unit(Element("a", "text", Box(0, 0, 9, 50), text_boxes=(Box(0, 0, 9, 20),)))
    20.0
    """
    lines = element.text_boxes or (element.box,)
    return float(min(line.height for line in lines))


def beside(scene: Scene, direction: Direction, landmark: int, reading: Reading) -> Mask:
    """
    Tell for each element whether it lies in a direction of one landmark (by its place).

    The landmark's own ancestors and descendants lie in no direction of it.
    """
    key = (direction, landmark, reading)
    if key not in scene.masks:
        unit = text_unit(scene.elements[landmark])
        views = _views(scene, landmark)[: 1 if reading == "strict" else None]
        found: Mask = np.logical_or.reduce(
            [lies(direction, boxes, anchor, unit, reading) for boxes, anchor in views]
        )
        scene.masks[key] = found & ~scene.kin(landmark)
    return scene.masks[key]


def directly(
    scene: Scene, direction: Direction, landmarks: Iterable[int], others: Mask, reading: Reading
) -> Mask:
    """
    Tell which elements lie directly in a direction, of the others that fit strictly.

    Strictly that is the nearest, and any at most half a line further away.
    """
    mask = np.zeros(len(scene.elements), dtype=bool)
    for place in landmarks:
        unit = text_unit(scene.elements[place])
        apart = gaps(scene, place)
        strict = others & beside(scene, direction, place, "strict")
        if reading == "strict":
            least = apart[0][strict].min(initial=np.inf)
            mask |= strict & (apart[0] <= least + STRICT_SPARE * unit)
        else:
            least = apart[0][strict & scene.typical].min(initial=np.inf)
            near = np.min(apart, axis=0)
            reach = LENIENT_TIMES * least + LENIENT_SPARE * unit
            mask |= (near <= reach) & beside(scene, direction, place, "lenient")
            mask |= (near <= min(least, LENIENT_UNITS * unit)) & _beyond(scene, direction, place)
    return mask


def nearest(scene: Scene, landmarks: Iterable[int], others: Mask, reading: Reading) -> Mask:
    """
    Tell which elements are nearest to what is seen of a landmark, of the others that fit strictly.

    Leniently, any at most half as far away again and half a line more, and any whose
    centre is no further from the landmark's.
    """
    mask = np.zeros(len(scene.elements), dtype=bool)
    for place in landmarks:
        apart = gaps(scene, place)
        rivals = others & ~scene.kin(place)
        if not rivals.any():
            continue
        least = apart[0][rivals].min()
        first = rivals & (apart[0] <= least)
        if reading == "strict":
            mask |= first
            continue
        reach = LENIENT_TIMES * least + LENIENT_SPARE * text_unit(scene.elements[place])
        _, anchor = _views(scene, place)[0]
        centres = np.hypot(*(scene.centres - (anchor[:2] + anchor[2:]) / 2).T)
        near = (np.min(apart, axis=0) <= reach) | (centres <= centres[first].max())
        mask |= near & ~scene.kin(place)
    return mask


def between(scene: Scene, ones: Iterable[int], others: Iterable[int], reading: Reading) -> Mask:
    """Tell which elements lie between two landmarks."""
    mask = np.zeros(len(scene.elements), dtype=bool)
    ends = list(others)
    for item in ones:
        for other in ends:
            mask |= _between(scene, item, other, reading)
    return mask


def in_region(scene: Scene, region: Region, reading: Reading) -> Mask:
    """Tell for which elements the centre lies in a part of the screen or their window."""
    key = ("region", region.place, region.of, reading)
    if key not in scene.masks:
        frames = scene.windows if region.of == "window" else scene.frame
        sides = frames[:, 2:] - frames[:, :2]
        sides = np.where(sides > 0, sides, 1.0)
        x, y = ((scene.centres - frames[:, :2]) / sides).T
        scene.masks[key] = _in_place(x, y, region.place, reading)
    return scene.masks[key]


def gaps(scene: Scene, landmark: int) -> list[Boxes]:
    """Return the distances of boxes, then of words, from what is seen of a landmark."""
    return [distances(boxes, anchor) for boxes, anchor in _views(scene, landmark)]


def _in_place(x: Boxes, y: Boxes, place: Place, reading: Reading) -> Mask:
    mask = np.ones(len(x), dtype=bool)
    if place == "center":
        least, most = MIDDLE[reading]
        mask &= (x >= least) & (x <= most) & (y >= least) & (y <= most)
    corner = " " in place
    across, down = (CORNER, CORNER) if corner else (SIDE, EDGE)
    for word in place.split(" "):
        match word:
            case "left":
                mask &= x < across[reading][0]
            case "right":
                mask &= x > across[reading][1]
            case "top":
                mask &= y < down[reading][0]
            case "bottom":
                mask &= y > down[reading][1]
    return mask


def _between(scene: Scene, one: int, other: int, reading: Reading) -> Mask:
    key = ("between", one, other, reading)
    if key not in scene.masks:
        first, second = (_views(scene, place)[0][1] for place in (one, other))
        mask = _strictly_between(scene.boxes, first, second)
        if reading == "lenient":
            line = max(text_unit(scene.elements[place]) for place in (one, other))
            low = np.minimum(first, second)[:2] - LENIENT_SPARE * line
            high = np.maximum(first, second)[2:] + LENIENT_SPARE * line
            middles = scene.centres
            mask |= ((middles >= low) & (middles <= high)).all(axis=1)
        scene.masks[key] = mask & ~scene.kin(one) & ~scene.kin(other)
    return scene.masks[key]


def _strictly_between(boxes: Boxes, first: Boxes, second: Boxes) -> Mask:
    mask = np.zeros(len(boxes), dtype=bool)
    for back, forth in AXES:
        if shares(back, first[None, :], second)[0]:
            mask |= past(back, boxes, first) & past(forth, boxes, second)
            mask |= past(forth, boxes, first) & past(back, boxes, second)
    return mask


def _beyond(scene: Scene, direction: Direction, landmark: int) -> Mask:
    key = ("beyond", direction, landmark)
    if key not in scene.masks:
        wholly = beyond(direction, scene.boxes, scene.text_boxes[landmark])
        scene.masks[key] = wholly & ~scene.kin(landmark)
    return scene.masks[key]


def _views(scene: Scene, landmark: int) -> list[tuple[Boxes, Boxes]]:
    """
    Pair the elements' boxes, then their words, with what is seen of the landmark.

    The strict pair comes first: boxes, seen from the landmark's box where it is a control
    and from its words where it is not.
    """
    anchors: list[Boxes] = [scene.text_boxes[landmark]]
    if scene.thing[landmark]:
        anchors.insert(0, scene.boxes[landmark])
    return [(boxes, anchor) for anchor in anchors for boxes in (scene.boxes, scene.text_boxes)]
