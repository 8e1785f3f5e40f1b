"""
Whether a variant has made unreadable what a target is known by: its words, its mark, its state.

A theme that fades an icon, cuts a caption or takes away what tells the selected tab from the
others asks for what nobody can see. Measured from the pixels of both pictures.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from surefoot.core.geometry import Box
from surefoot.core.pictures import Pixels
from surefoot.refer.resolve.rejection import Rejection
from surefoot.refer.scene.legible import MINIMUM_CONTRAST, contrast_in
from surefoot.refer.scene.scene import Scene

FRAME_PX: Final = 3.0  # of a box, in which a border is drawn and no mark
WHOLE: Final = 0.98  # of a box, that must be visible for its mark to be judged
FADED: Final = 0.7  # of the contrast of a mark that was faint before
LEAST_PICTURE_PX: Final = 8.0  # across a picture beside words
SQUARE: Final = 1.5  # the longer over the shorter side of one
AROUND_PX: Final = 2.0  # of a picture, in which its ground shows
TICKED: Final = frozenset({"checked", "mixed"})
MARKED_OUT: Final = frozenset({"pressed", "selected"})
# Of 255, by which two boxes differ on average: plainly, and not to be seen.
DIFFERENT, ALIKE = 8.0, 3.0


def spoiled(before: Scene, after: Scene, target: str) -> Rejection | None:
    """
    Tell what of a target (by its id) can be seen before and no longer after, or None.

    What the variant has moved out of the picture, or covered, is not spoiled.
    """
    if before.pixels is None or after.pixels is None or target not in after.place:
        return None
    first, then = before.place[target], after.place[target]
    if not after.plain[then] or after.elements[then].visible_fraction < WHOLE:
        return None
    if before.legibility(first).readable:
        if not after.legibility(then).readable:
            return Rejection("words-spoiled")
        if _is_picture_gone(before, after, first, then):
            return Rejection("mark-spoiled")
    elif not before.texts[first] and _is_faded(before, after, first, then):
        return Rejection("mark-spoiled")
    if _is_state_gone(before, after, first, then):
        return Rejection("state-spoiled")
    return None


def _is_faded(before: Scene, after: Scene, first: int, then: int) -> bool:
    """Tell whether a mark inside of a box has lost its contrast with what is around it."""
    had, has = (_mark(scene, at) for scene, at in ((before, first), (after, then)))
    return has < min(MINIMUM_CONTRAST, FADED * had)


def _is_picture_gone(before: Scene, after: Scene, first: int, then: int) -> bool:
    """Tell whether a picture that stood beside an element's words is no longer seen there."""
    words, others = before.elements[first].text_boxes, after.elements[then].text_boxes
    if not words or not others:
        return False
    for mark in before.marks[before.marks_in(before.marks, first)]:
        sides = np.sort(mark[2:] - mark[:2])
        side = _side(Box.around(words), Box(*mark.tolist()))
        if side is None or sides[0] < LEAST_PICTURE_PX or sides[1] > SQUARE * sides[0]:
            continue
        room = _beside(after.elements[then].box, Box.around(others), side)
        had = contrast_in(_inset(before, Box(*mark.tolist()), -AROUND_PX))
        has = contrast_in(_inset(after, room, FRAME_PX))
        if had >= MINIMUM_CONTRAST > has and has < FADED * had:
            return True
    return False


def _side(words: Box, mark: Box) -> int | None:
    """Tell on which side of words a mark stands: 0 left, 1 above, 2 right, 3 below."""
    w, m = words.as_tuple(), mark.as_tuple()
    gaps = (w[0] - m[2], w[1] - m[3], m[0] - w[2], m[1] - w[3])
    widest = max(gaps)
    return gaps.index(widest) if widest >= 0 else None


def _beside(box: Box, words: Box, side: int) -> Box:
    """Return the part of a box on one side of the words in it, empty where there is none."""
    parts = list(box.as_tuple())
    across, end = side % 2, (side + 2) % 4
    parts[end] = max(parts[across], min(words.as_tuple()[side], parts[across + 2]))
    parts[side] = min(parts[side], parts[end]) if side < end else max(parts[side], parts[end])
    return Box(*parts)


def _mark(scene: Scene, at: int) -> float:
    return contrast_in(_crop(scene, at, FRAME_PX))


def _crop(scene: Scene, at: int, inset: float) -> Pixels:
    return _inset(scene, scene.elements[at].box, inset)


def _inset(scene: Scene, box: Box, inset: float) -> Pixels:
    assert scene.pixels is not None  # noqa: S101 - asked for by the caller
    inner = Box(
        box.left + inset,
        box.top + inset,
        max(box.left + inset, box.right - inset),
        max(box.top + inset, box.bottom - inset),
    )
    left, top, right, bottom = (max(0, round(side)) for side in inner.as_tuple())
    return scene.pixels[top:bottom, left:right]


def _is_state_gone(before: Scene, after: Scene, first: int, then: int) -> bool:
    """Tell whether a tick has faded, or what is selected looks as the others do."""
    states = set(before.elements[first].states)
    if states & TICKED:
        return _is_faded(before, after, first, then)
    if not states & MARKED_OUT:
        return False
    had, has = _stands_out(before, first, states), _stands_out(after, then, states)
    return had >= DIFFERENT and has < ALIKE


def _stands_out(scene: Scene, at: int, states: set[str]) -> float:
    """Return by how much an element differs from the likest of its kind without its state."""
    looks = _look(scene, at)
    apart = [
        float(np.abs(looks - _look(scene, other)).max()) for other in _others(scene, at, states)
    ]
    return min(apart, default=float("inf"))


def _others(scene: Scene, at: int, states: set[str]) -> Iterator[int]:
    own = scene.elements[at]
    for place, other in enumerate(scene.elements):
        alike = other.role == own.role and other.parent == own.parent and scene.plain[place]
        if alike and not states & MARKED_OUT & set(other.states):
            yield place


def _look(scene: Scene, at: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return the commonest colour of a box, and the average one of each of its four edges."""
    crop = _crop(scene, at, 0.0).astype(np.float64)
    if min(crop.shape[:2]) < 2 * FRAME_PX:
        return np.zeros((5, 3))
    edge = int(FRAME_PX)
    edges = (crop[:edge], crop[-edge:], crop[:, :edge], crop[:, -edge:])
    middle = np.median(crop.reshape(-1, 3), axis=0)
    return np.array([middle, *(part.reshape(-1, 3).mean(axis=0) for part in edges)])
