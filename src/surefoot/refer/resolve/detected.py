"""
What may be said where elements were found in the picture and never recorded.

A detector's roles are guesses, its words were read, and it may have missed things. So words
are only believed that hold whichever control a thing is, and whichever of two similar names
was read; nothing is said of what a picture cannot show for sure (a state, what acting does);
and where words quote nothing, nothing that was not found may be drawn that they could mean.
"""

from __future__ import annotations

import difflib
from typing import Final

import msgspec
import numpy as np

from surefoot.core.instruction import Expression, Place
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.resolve.rejection import Rejection
from surefoot.refer.resolve.relations import text_unit
from surefoot.refer.resolve.resolve import fits
from surefoot.refer.resolve.things import same_thing
from surefoot.refer.scene.geometry import Boxes, Mask, distances
from surefoot.refer.scene.names import key_of
from surefoot.refer.scene.scene import Scene

__all__ = ["loosely_alike", "proves_less"]

LIKENESS: Final = 0.75  # of two names, by difflib; as names are looked for on a scan
FARTHEST_SHARE: Final = 0.6  # of the picture, in which what a place names may lie
NEAR_LINES: Final = 2.5
FAR_LINES: Final = 5.0
_LABELLED: Final = frozenset({"checkbox", "combobox", "radio", "searchbox", "textbox"})
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
    nameless = not (expression.name or expression.text)
    if nameless and expression.content == "icon" and expression.direction is None:
        return Rejection("gaps")  # letters that were not read look like icons
    if expression.landmark is not None and not _is_beside(scene, expression, target):
        return Rejection("too-far")
    quoted = (expression, expression.landmark or Expression())
    if any(_read_twice(scene, item.name or item.text) for item in quoted):
        return Rejection("ambiguous-lenient", "a name that is read alike")
    rivals = np.flatnonzero(fits(scene, _of_any_role(expression), "lenient"))
    if not all(same_thing(scene, target, int(rival)) for rival in rivals):
        return Rejection("ambiguous-lenient", "a control of another role")
    if nameless and _missed(scene, expression, target).any():
        return Rejection("gaps")
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

    Only a field or a check box is said to be nearest to words: they are its label.
    """
    place = None if expression.landmark is None else landmark_place(scene, expression.landmark)
    if place is None:
        return False
    if expression.relation == "nearest" and scene.elements[target].role not in _LABELLED:
        return False
    words, box = scene.text_boxes[place], scene.boxes[target]
    lines = distances(box[None, :], words)[0] / text_unit(scene.elements[place])
    close = NEAR_LINES if expression.direction is None or expression.content else FAR_LINES
    return bool(lines <= close) and not _between(scene, words, box).any()


def _between(scene: Scene, one: Boxes, other: Boxes) -> Mask:
    """Tell which marks have their middle in the gap between two boxes."""
    low = np.minimum(one[2:], other[2:])
    high = np.maximum(one[:2], other[:2])
    sides = np.sort(np.stack([low, high]), axis=0)
    middles = (scene.marks[:, :2] + scene.marks[:, 2:]) / 2
    found: Mask = ((middles > sides[0]) & (middles < sides[1])).all(axis=1)
    for box in (one, other):
        found &= ~((middles >= box[:2]) & (middles <= box[2:])).all(axis=1)
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


def _missed(scene: Scene, expression: Expression, target: int) -> Mask:
    """Tell which marks, of nothing that was found, could be what nameless words mean."""
    if expression.landmark is not None:  # what is nearer is looked for already
        return np.zeros(len(scene.marks), dtype=bool)
    box = scene.extent(target)
    size = np.maximum(box[2:] - box[:2], 1.0)
    ratio = (scene.marks[:, 2:] - scene.marks[:, :2]) / size
    like = ((ratio >= 1 / 2) & (ratio <= 2)).all(axis=1)  # noqa: PLR2004 - twice as large
    place = expression.region.place if expression.region is not None else ""
    return scene.unrecorded & like & _there(scene, place)


def _there(scene: Scene, place: Place | str) -> Mask:
    """Tell which marks lie on the sides of the picture that a place names, generously."""
    x, y = _shares(scene, scene.marks).T
    sides = {
        "left": x <= FARTHEST_SHARE,
        "right": x >= 1 - FARTHEST_SHARE,
        "top": y <= FARTHEST_SHARE,
        "bottom": y >= 1 - FARTHEST_SHARE,
    }
    found: Mask = np.ones(len(scene.marks), dtype=bool)
    for word in place.split():
        found &= sides.get(word, True)
    return found


def _shares(scene: Scene, boxes: Boxes) -> Boxes:
    """Return the middles of boxes in shares of the picture's width and height."""
    middles: Boxes = (boxes[:, :2] + boxes[:, 2:]) / 2
    shares: Boxes = middles / np.array([scene.screen.width, scene.screen.height])
    return shares
