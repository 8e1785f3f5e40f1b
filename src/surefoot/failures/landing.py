"""
Where a click lands: the element under it, the control under it, and whether there is ink.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from surefoot.core.geometry import Box, Point
from surefoot.refer.scene.geometry import Mask
from surefoot.refer.scene.scene import Scene

PATCH_PX: Final = 8
INK_STEP: Final = 24  # of 255 in any channel, over the patch


def landed_at(scene: Scene, point: Point) -> int | None:
    """Return the place of the smallest element under a point that is seen at all, or None."""
    return _smallest(scene, point, scene.glimpsed)


def control_at(scene: Scene, point: Point) -> int | None:
    """Return the place of the smallest control under a point that is surely seen, or None."""
    return _smallest(scene, point, scene.plain & scene.thing)


def seen_box(scene: Scene, place: int) -> Box:
    """
    Return what a person sees of a landmark: a control's box, else what its words span.

    Blocks of text are as wide as their column, however few their words.
    """
    rows = scene.boxes if scene.thing[place] else scene.text_boxes
    return Box(*(float(side) for side in rows[place]))


def shows_something(scene: Scene, place: int) -> bool:
    """Tell whether an element is more than a holder of others: a control, words, a picture."""
    element = scene.elements[place]
    alone = bool(scene.texts[place]) and not scene.children.get(place)
    return bool(scene.thing[place]) or alone or element.role == "img"


def has_ink(scene: Scene, point: Point) -> bool:
    """
    Tell whether the picture is anything but plain within 8 pixels of a point.

    Plain is where no channel differs by more than 24 of 255. Without pixels, or outside
    the picture, there is no ink.
    """
    if scene.pixels is None:
        return False
    height, width = scene.pixels.shape[:2]
    left, top = round(point.x) - PATCH_PX, round(point.y) - PATCH_PX
    right, bottom = left + 2 * PATCH_PX + 1, top + 2 * PATCH_PX + 1
    patch = scene.pixels[max(top, 0) : min(bottom, height), max(left, 0) : min(right, width)]
    if not patch.size:
        return False
    step = patch.max(axis=(0, 1)).astype(int) - patch.min(axis=(0, 1)).astype(int)
    return bool(step.max() > INK_STEP)


def _smallest(scene: Scene, point: Point, among: Mask) -> int | None:
    if not len(scene.boxes):
        return None
    left, top, right, bottom = scene.boxes.T
    under = among & (left <= point.x) & (point.x <= right) & (top <= point.y) & (point.y <= bottom)
    areas = np.where(under, (right - left) * (bottom - top), np.inf)
    return int(np.argmin(areas)) if under.any() else None
