"""
Which elements an expression fits, strictly and leniently, and whether that proves it.

Strictly
    The role is exactly the one said; the name is the accessible name, whitespace
    collapsed (or its first words, where the name was cut); a text is the visible text or
    the name; a direction is that of ``geometry`` for the element's box, seen from the
    landmark's box where it is a control and from its words where it is not. A direction
    means directly there: of several elements the nearest, and any at most half a line
    further away.
    The element is half visible, and a click reaches some part of it.
Leniently
    The role is any that the word could mean, and bare text that reads the same could be
    taken for a link; the name or text is alike to the name, the
    visible text or the placeholder; a direction may hold for the box or for the words,
    up to half as far away again as the nearest that fits strictly and looks its role, and
    half a line more; and it holds for whatever lies past the landmark's centre that way, however
    far to the side, and is no further away than that nearest one. Any corner that is
    visible counts.

What fits strictly fits leniently. An expression is proven when both readings fit the
target and nothing else. A wrapper and what it wraps are the same thing to a person:
of an element and its descendant, one is no rival of the other where their boxes agree
(intersection over union of at least 0.7), or where the outer holds no other control and
no other words, and its centre lies in the inner.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
import numpy as np

from surefoot.core.instruction import Direction, Expression
from surefoot.core.screen import Element, Screen
from surefoot.refer.geometry import LENIENT_UNITS, Boxes, Mask, Reading, beyond, distances, lies
from surefoot.refer.names import alike, begins, key_of, spoken
from surefoot.refer.rejection import Rejection
from surefoot.refer.roles import could_mean
from surefoot.refer.scene import Scene, scene_of

__all__ = [
    "beside",
    "fits",
    "innermost",
    "is_one_thing",
    "prove",
    "resolve",
    "same_thing",
    "text_unit",
]

SAME_BOX: Final = 0.7
STRICT_SPARE: Final = 0.5
LENIENT_TIMES: Final = 1.5
LENIENT_SPARE: Final = 0.5


def resolve(
    expression: Expression, screen: Screen | Scene, reading: Reading = "strict"
) -> tuple[Element, ...]:
    """
    Return the visible elements that an expression fits, in the screen's order.

    An expression without any part fits every visible element.

    >>> from surefoot.core.geometry import Box
    >>> button = Element("a", "button", Box(0, 0, 80, 20), name="Save", visible_fraction=1.0,
    ...                  hits=(True,) * 5)
    >>> screen = Screen("s", "p", "x", "", 100, 100, 1.0, "web", "en", (button,))
    >>> [each.id for each in resolve(Expression(role="link", name="save"), screen, "lenient")]
    ['a']
    """
    scene = scene_of(screen)
    found = np.flatnonzero(fits(scene, expression, reading))
    return tuple(scene.elements[index] for index in found)


def fits(scene: Scene, expression: Expression, reading: Reading) -> Mask:
    """Tell for each element of a scene whether an expression fits it."""
    key = (reading, expression)
    if key not in scene.masks:
        mask = (scene.plain if reading == "strict" else scene.glimpsed).copy()
        if expression.role:
            of_role = _of_role(scene, expression.role, reading)
            mask &= of_role | _like_a_link(scene, expression, reading)
        if expression.name:
            mask &= _of_name(scene, expression.name, reading, cut=expression.name_cut)
        if expression.text:
            mask &= _of_text(scene, expression.text, reading)
        if expression.landmark is not None:
            mask &= _in_direction(scene, expression, reading)
        scene.masks[key] = mask
    return scene.masks[key]


def prove(scene: Scene, expression: Expression, target: int) -> Rejection | None:
    """
    Tell why an expression does not mean exactly the target (by its place), or None.

    Both readings must fit the target and nothing else, and the landmark be one thing.
    """
    strict = np.flatnonzero(fits(scene, expression, "strict"))
    if target not in strict:
        return Rejection("false")
    landmark = expression.landmark
    if landmark is not None and not is_one_thing(scene, landmark):
        return Rejection("landmark-ambiguous", landmark.text or landmark.name)
    for rivals, reason in (
        (strict, "ambiguous-strict"),
        (np.flatnonzero(fits(scene, expression, "lenient")), "ambiguous-lenient"),
    ):
        for rival in rivals:
            if not same_thing(scene, target, int(rival)):
                return Rejection(reason, scene.elements[rival].id)
    return None


def same_thing(scene: Scene, one: int, other: int) -> bool:
    """Tell whether two elements, by their places, are one thing to a person."""
    if one == other:
        return True
    if other in scene.above(one):
        outer, inner = other, one
    elif one in scene.above(other):
        outer, inner = one, other
    else:
        return False
    outside, inside = scene.elements[outer].box, scene.elements[inner].box
    if outside.iou(inside) >= SAME_BOX:
        return True
    family = scene.kin(inner)
    others = any(scene.thing[each] and not family[each] for each in scene.below(outer))
    alone = key_of(scene.texts[outer]) == key_of(scene.texts[inner]) and not others
    return alone and inside.contains(outside.center)


def is_one_thing(scene: Scene, landmark: Expression) -> bool:
    """
    Tell whether all that a landmark's words could mean is one thing.

    A row that begins with the words of its first cell is no rival of the cell: the words
    stand in one place.
    """
    inner = innermost(scene, np.flatnonzero(fits(scene, landmark, "lenient")))
    spans = {tuple(scene.text_boxes[each].round()) for each in inner}
    return bool(inner) and (
        len(spans) == 1 or all(same_thing(scene, inner[0], each) for each in inner)
    )


def innermost(scene: Scene, places: Iterable[int]) -> list[int]:
    """Return those of the places that are no ancestor of another one."""
    given = [int(each) for each in places]
    outer = {above for each in given for above in scene.above(each)}
    return [each for each in given if each not in outer]


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


def text_unit(element: Element) -> float:
    """
    Return the height of a line of an element's words, in pixels: the unit of distances.

    Without words it is the element's height.

    >>> text_unit(Element("a", "text", Box(0, 0, 9, 50), text_boxes=(Box(0, 0, 9, 20),)))
    20.0
    """
    lines = element.text_boxes or (element.box,)
    return float(min(line.height for line in lines))


def _of_role(scene: Scene, role: str, reading: Reading) -> Mask:
    key = ("role", role, reading)
    if key not in scene.masks:
        wanted = {role} if reading == "strict" else could_mean(role)
        roles = [{own} if reading == "strict" else {own, drawn} for own, drawn in scene.roles]
        scene.masks[key] = np.array([bool(each & wanted) for each in roles], dtype=bool)
    return scene.masks[key]


def _like_a_link(scene: Scene, expression: Expression, reading: Reading) -> Mask:
    """Tell which bare texts read the same as the link that is asked for."""
    mask = np.zeros(len(scene.elements), dtype=bool)
    if reading == "lenient" and expression.role == "link" and expression.name:
        wanted = key_of(expression.name)
        for index, text in enumerate(scene.texts):
            mask[index] = scene.elements[index].role == "text" and key_of(text) == wanted
    return mask


def _of_name(scene: Scene, name: str, reading: Reading, *, cut: bool) -> Mask:
    wanted = spoken(name)
    found = np.array(
        [begins(each, wanted) if cut else each == wanted for each in scene.names], dtype=bool
    )
    if reading == "lenient":
        found |= np.array(
            [any(alike(each, wanted) for each in known) for known in scene.labels], dtype=bool
        )
    return found


def _of_text(scene: Scene, text: str, reading: Reading) -> Mask:
    wanted = spoken(text)
    pairs = list(zip(scene.texts, scene.names, strict=True))
    found = np.array([bool(seen) and wanted in (seen, name) for seen, name in pairs], dtype=bool)
    if reading == "lenient":
        found |= np.array(
            [bool(seen) and (alike(seen, wanted) or alike(name, wanted)) for seen, name in pairs],
            dtype=bool,
        )
    return found


def _in_direction(scene: Scene, expression: Expression, reading: Reading) -> Mask:
    mask = np.zeros(len(scene.elements), dtype=bool)
    landmark, direction = expression.landmark, expression.direction
    if landmark is None or direction is None:
        return mask
    thing = msgspec.structs.replace(expression, direction=None, landmark=None)
    of_kind = fits(scene, thing, "strict")
    for each in np.flatnonzero(fits(scene, landmark, reading)):
        place = int(each)
        unit = text_unit(scene.elements[place])
        apart = [distances(boxes, anchor) for boxes, anchor in _views(scene, place)]
        strict = of_kind & beside(scene, direction, place, "strict")
        if reading == "strict":
            nearest = apart[0][strict].min(initial=np.inf)
            mask |= strict & (apart[0] <= nearest + STRICT_SPARE * unit)
        else:
            nearest = apart[0][strict & scene.typical].min(initial=np.inf)
            near = np.min(apart, axis=0)
            reach = LENIENT_TIMES * nearest + LENIENT_SPARE * unit
            mask |= (near <= reach) & beside(scene, direction, place, "lenient")
            mask |= (near <= min(nearest, LENIENT_UNITS * unit)) & _beyond(scene, direction, place)
    return mask


def _beyond(scene: Scene, direction: Direction, landmark: int) -> Mask:
    key = ("beyond", direction, landmark)
    if key not in scene.masks:
        past = beyond(direction, scene.boxes, scene.text_boxes[landmark])
        scene.masks[key] = past & ~scene.kin(landmark)
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
    return [(boxes, each) for each in anchors for boxes in (scene.boxes, scene.text_boxes)]
