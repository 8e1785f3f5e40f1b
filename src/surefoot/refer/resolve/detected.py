"""
What may be said where elements were found in the picture and never recorded.

A detector's roles are guesses, its words were read, and it may have missed things. So words
are only believed that hold whichever control a thing is, and whichever of two similar names
was read; nothing is said of what a picture cannot show for sure (a state, what acting does);
and where words quote nothing of the target, it stands directly beside words, with nothing
drawn in between.
"""

from __future__ import annotations

import difflib
from typing import Final

import msgspec
import numpy as np

from surefoot.core.instruction import Expression
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.resolve.rejection import Rejection
from surefoot.refer.resolve.relations import text_unit
from surefoot.refer.resolve.resolve import fits
from surefoot.refer.resolve.things import same_thing
from surefoot.refer.scene.geometry import Boxes, Mask, distances
from surefoot.refer.scene.names import key_of
from surefoot.refer.scene.scene import Scene

LIKENESS: Final = 0.75  # of two names, by difflib; as names are looked for on a scan
BESIDE_PX: Final = 3.0  # how far the middle of a mark may lie outside of what it is part of
NEAR_LINES: Final = 2.5
FAR_LINES: Final = 5.0
_ANYTHING: Final = "control"


def proves_less(scene: Scene, expression: Expression, target: int) -> Rejection | None:
    """
    Tell why an expression cannot be trusted on elements that a detector found, or None.

    Rows and extremes (an ordinal, a size) are trusted nowhere: what was missed would shift
    them.
    """
    if expression.ordinal is not None or expression.size or expression.second is not None:
        return Rejection("gaps")
    if expression.state or expression.function or expression.label or expression.container:
        return Rejection("not-to-be-seen")
    if not _drawn_so(scene, expression, target):
        return Rejection("not-like-its-word", expression.role)
    if not (expression.name or expression.text or expression.direction):
        return Rejection("gaps")
    if expression.landmark is not None and not _is_beside(scene, expression, target):
        return Rejection("too-far")
    quoted = (expression, expression.landmark or Expression())
    if any(_read_twice(scene, item.name or item.text) for item in quoted):
        return Rejection("ambiguous-lenient", "a name that is read alike")
    rivals = np.flatnonzero(fits(scene, _of_any_role(expression), "lenient"))
    if not all(same_thing(scene, target, int(rival)) for rival in rivals):
        return Rejection("ambiguous-lenient", "a control of another role")
    return None


def loosely_alike(one: str, other: str) -> bool:
    """
    Tell whether two names could be one name that was read differently.

    >>> loosely_alike("Settings", "Setlings"), loosely_alike("Save", "Open")
    (True, False)
    """
    short, long = sorted((key_of(one).compact, key_of(other).compact), key=len)
    if not short:
        return False
    likeness = difflib.SequenceMatcher(None, short, long, autojunk=False).ratio()
    return short in long or likeness >= LIKENESS


def _drawn_so(scene: Scene, expression: Expression, target: int) -> bool:
    """Tell whether a nameless thing is drawn as its word says: words alone may be controls."""
    if expression.name or expression.text or expression.content:
        return True
    framed = "background" in scene.elements[target].attributes
    return framed and expression.role != _ANYTHING


def _is_beside(scene: Scene, expression: Expression, target: int) -> bool:
    """
    Tell whether a target stands beside its landmark: near, with nothing drawn between them.

    Nothing is said to be nearest: what was missed may be nearer.
    """
    place = None if expression.landmark is None else landmark_place(scene, expression.landmark)
    if place is None or expression.direction is None:
        return False
    words, box = scene.text_boxes[place], scene.boxes[target]
    lines = distances(box[None, :], words)[0] / text_unit(scene.elements[place])
    close = NEAR_LINES if expression.content else FAR_LINES
    return bool(lines <= close) and not _between(scene, words, box).any()


def _between(scene: Scene, one: Boxes, other: Boxes) -> Mask:
    """Tell which marks reach into the gap between two boxes, and are in neither."""
    sides = np.sort(np.stack([np.minimum(one, other)[2:], np.maximum(one, other)[:2]]), axis=0)
    found: Mask = ((scene.marks[:, 2:] > sides[0]) & (scene.marks[:, :2] < sides[1])).all(axis=1)
    middles = (scene.marks[:, :2] + scene.marks[:, 2:]) / 2
    for box in (one, other):
        low, high = box[:2] - BESIDE_PX, box[2:] + BESIDE_PX
        found &= ~((middles >= low) & (middles <= high)).all(axis=1)
    return found


def _of_any_role(expression: Expression) -> Expression:
    return msgspec.structs.replace(expression, role=_ANYTHING)


def _read_twice(scene: Scene, name: str) -> bool:
    """Tell whether a name that is quoted is read, loosely, at more than one place."""
    if not name:
        return False
    places = [
        place
        for place, known in enumerate(scene.labels)
        if any(loosely_alike(name, label) for label in known)
    ]
    return any(not same_thing(scene, places[0], place) for place in places[1:])
