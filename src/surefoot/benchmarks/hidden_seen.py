"""
What is left to see where elements are hidden, and whether words still mean nothing else.

A mask that can be told from what lies around it is a block: where it stands something is,
and the words must single it out. Where nothing marks the gap, there is nothing to see, so the
words must fit nothing that is left, and say so much of the place that a person could point
at it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from surefoot.core.drawn.cielab import lab
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression
from surefoot.core.pictures import Pixels
from surefoot.core.screen import HIT_POINTS, Element, Screen
from surefoot.perturb.pixels import regions
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.resolve.relations import text_unit
from surefoot.refer.resolve.resolve import fits
from surefoot.refer.resolve.things import same_thing
from surefoot.refer.scene.geometry import Boxes, distances
from surefoot.refer.scene.names import alike
from surefoot.refer.scene.scene import Scene

JUST_SEEN: Final = 12.0  # in CIELAB, as for what stands out of its ground
OUTLINED: Final = 0.9  # of each side of a mask
APART_PX: Final = 2  # from a mask's outermost pixels to those that it is told from
BESIDE_LINES: Final = 2.0
PAIR: Final = 2
LEAST_MARK: Final = 0.5  # of a line


class SeenScreen(msgspec.Struct, frozen=True):
    """
    Hold a screen as a model sees it, and whether it sees where the target is.

    What is hidden is not among its elements, but for masks that show: a block has the
    target's role, since nothing tells what it was, and no words. The block over the target
    bears its id.
    """

    screen: Screen
    marked: bool


def seen(
    shown: Screen, pixels: Pixels, target: Element, hidden: Collection[Element], *, masked: bool
) -> SeenScreen:
    """
    Return what is seen of a screen, as it is shown (height x width x 3), with elements hidden.

    ``hidden`` are the target and its companions, ``masked`` tells that they are painted over.
    """
    gone = _families(shown, {item.id for item in hidden})
    blocks = [item for item in hidden if masked and _is_outlined(pixels, item.box)]
    left = [element for element in shown.elements if element.id not in gone]
    found = (*left, *(_block(block, target.role) for block in blocks))
    return SeenScreen(
        msgspec.structs.replace(shown, elements=found),
        marked=any(block.id == target.id for block in blocks),
    )


def fits_another(scene: Scene, expression: Expression, target: str) -> bool:
    """
    Tell whether an expression fits anything that is seen but the block over the target.

    Where there is such a block, and the words are no label's, they must also fit it.
    """
    place = scene.place.get(target)
    found = [int(item) for item in np.flatnonzero(fits(scene, expression, "lenient"))]
    if place is None:
        return bool(found)
    if not expression.label and not fits(scene, expression, "strict")[place]:
        return True
    return not all(same_thing(scene, place, item) for item in found)


def place_is_told(scene: Scene, marks: Boxes, expression: Expression, target: str) -> bool:
    """
    Tell whether words say so much of a gap that nothing marks that a person could point at it.

    It lies at most two lines from the landmark of a direction or from its label, or around the
    middle between two landmarks, and nothing else is drawn before it. ``scene`` is the screen
    before, ``marks`` is what is drawn on the picture as it is shown.
    """
    place = scene.place[target]
    known = list(_beside(scene, expression, place))
    if expression.second is not None:
        is_clear = len(known) == PAIR and _is_in_the_middle(scene, known, place)
    else:
        is_clear = bool(known) and all(_is_close(scene, item, place) for item in known)
    return is_clear and not any(_drawn_between(scene, marks, item, place) for item in known)


def _families(screen: Screen, hidden: Collection[str]) -> set[str]:
    """Return the ids of elements and of all that they hold."""
    gone, growing = set(hidden), True
    while growing:
        more = {element.id for element in screen.elements if element.parent in gone} - gone
        growing = bool(more)
        gone |= more
    return gone


def _block(element: Element, role: str) -> Element:
    return Element(
        element.id,
        role,
        element.box,
        parent=element.parent,
        visible_fraction=1.0,
        hits=(True,) * HIT_POINTS,
    )


def _is_outlined(pixels: Pixels, box: Box) -> bool:
    """Tell whether a mask can be told from what lies around it, along almost all its outline."""
    (place,) = regions([box], pixels.shape)
    rows, columns = slice(place.top, place.bottom), slice(place.left, place.right)
    height, width = pixels.shape[:2]
    shares = [
        *(
            _share_apart(pixels[edge, columns], pixels[edge + step, columns])
            for edge, step in ((place.top, -APART_PX), (place.bottom - 1, APART_PX))
            if 0 <= edge + step < height
        ),
        *(
            _share_apart(pixels[rows, edge], pixels[rows, edge + step])
            for edge, step in ((place.left, -APART_PX), (place.right - 1, APART_PX))
            if 0 <= edge + step < width
        ),
    ]
    return bool(shares) and min(shares) >= OUTLINED


def _share_apart(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    return float((np.linalg.norm(lab(one) - lab(other), axis=1) > JUST_SEEN).mean())


def _beside(scene: Scene, expression: Expression, target: int) -> Iterator[int]:
    """Yield the places of what is said to be beside a target: landmarks, or its label."""
    if expression.direction is not None or expression.second is not None:
        for item in (expression.landmark, expression.second):
            place = None if item is None else landmark_place(scene, item)
            if place is not None:
                yield place
    elif expression.label:
        labels = [
            place
            for place, text in enumerate(scene.texts)
            if alike(text, expression.label) and not scene.kin(target)[place]
        ]
        apart = distances(scene.text_boxes[labels], scene.boxes[target])
        yield from [labels[int(apart.argmin())]] if labels else []


def _is_close(scene: Scene, landmark: int, target: int) -> bool:
    apart = distances(scene.boxes[[target]], scene.text_boxes[landmark])[0]
    return bool(apart <= BESIDE_LINES * text_unit(scene.elements[landmark]))


def _is_in_the_middle(scene: Scene, landmarks: list[int], target: int) -> bool:
    """Tell whether the middle of the gap between two landmarks is a point of the target."""
    gap = _gap(*scene.text_boxes[landmarks])
    middle, box = (gap[:2] + gap[2:]) / 2, scene.boxes[target]
    return bool((box[:2] <= middle).all() and (middle <= box[2:]).all())


def _drawn_between(scene: Scene, marks: Boxes, landmark: int, target: int) -> bool:
    """Tell whether something as high as half a line is drawn in the gap before a target."""
    least = LEAST_MARK * text_unit(scene.elements[landmark])
    gap = _gap(scene.boxes[target], scene.text_boxes[landmark])
    x, y = ((marks[:, :2] + marks[:, 2:]) / 2).T
    inside = (x > gap[0]) & (x < gap[2]) & (y > gap[1]) & (y < gap[3])
    for place in (landmark, *scene.above(landmark)):  # an icon beside its words is no other thing
        if scene.thing[place]:
            inside &= ~scene.marks_in(marks, place)
    return bool((inside & (marks[:, 3] - marks[:, 1] >= least)).any())


def _gap(one: Boxes, other: Boxes) -> Boxes:
    """Return the box between two boxes: what they share across, from one's side to the other's."""
    low, high = np.maximum(one[:2], other[:2]), np.minimum(one[2:], other[2:])
    gap: Boxes = np.concatenate([np.minimum(low, high), np.maximum(low, high)])
    return gap
