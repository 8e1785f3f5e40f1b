"""
Which elements an expression fits, strictly and leniently, and whether that proves it.

Every part is defined in ``docs/expressions.md``, strictly and leniently. Parts are joined
by *and*; of a direction, the relation "nearest", a size and an ordinal one at most is
given, and it ranks the elements that all other parts fit. What fits strictly fits
leniently. An expression is proven when both readings fit the target and nothing else, and
everything that it leans on is one thing in turn.
"""

from __future__ import annotations

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import Expression
from surefoot.core.screen import Element, Screen
from surefoot.refer.resolve.containers import is_one_container, within
from surefoot.refer.resolve.looks import (
    ink_of,
    of_colour,
    of_content,
    of_shape,
    outlines_of,
    with_icon,
)
from surefoot.refer.resolve.ordinals import at_position, of_size
from surefoot.refer.resolve.rejection import Rejection
from surefoot.refer.resolve.relations import between, directly, in_region, nearest
from surefoot.refer.resolve.states import in_state, of_function
from surefoot.refer.resolve.things import innermost, same_thing
from surefoot.refer.resolve.words import of_label, of_name, of_role, of_text
from surefoot.refer.scene.geometry import Mask, Reading
from surefoot.refer.scene.names import alike
from surefoot.refer.scene.scene import Scene, scene_of


def resolve(
    expression: Expression, screen: Screen | Scene, reading: Reading = "strict"
) -> tuple[Element, ...]:
    """
    Return the visible elements that an expression fits, in the screen's order.

    An expression without any part fits every visible element. Raises InvalidInputError
    for parts that cannot stand together.

    >>> from surefoot.core.geometry import Box
    >>> button = Element("a", "button", Box(0, 0, 80, 20), name="Save", visible_fraction=1.0,
    ...                  hits=(True,) * 5)
    >>> screen = Screen("s", "p", "x", "", 100, 100, 1.0, "web", "en", (button,))
    >>> [item.id for item in resolve(Expression(role="link", name="save"), screen, "lenient")]
    ['a']
    """
    scene = scene_of(screen)
    found = np.flatnonzero(fits(scene, expression, reading))
    return tuple(scene.elements[index] for index in found)


def fits(scene: Scene, expression: Expression, reading: Reading) -> Mask:
    """
    Tell for each element of a scene whether an expression fits it.

    Raises InvalidInputError for parts that cannot stand together.
    """
    key = (reading, expression)
    if key not in scene.masks:
        check(expression)
        others = without_rank(expression)
        if others == expression:
            scene.masks[key] = _unranked(scene, expression, reading)
        else:
            scene.masks[key] = fits(scene, others, reading) & _ranked(
                scene, expression, others, reading
            )
    return scene.masks[key]


def prove(scene: Scene, expression: Expression, target: int) -> Rejection | None:
    """
    Tell why an expression does not mean exactly the target (by its place), or None.

    Both readings must fit the target and nothing else, and every landmark and container
    be one thing. Raises InvalidInputError for parts that cannot stand together.
    """
    strict = np.flatnonzero(fits(scene, expression, "strict"))
    if target not in strict:
        return Rejection("false")
    unclear = _unclear(scene, expression)
    if unclear is not None:
        return unclear
    elsewhere = _elsewhere(scene, expression)
    if elsewhere:
        return Rejection("words-elsewhere", elsewhere)
    for rivals, reason in (
        (strict, "ambiguous-strict"),
        (np.flatnonzero(fits(scene, expression, "lenient")), "ambiguous-lenient"),
    ):
        for rival in rivals:
            if not same_thing(scene, target, int(rival)):
                return Rejection(reason, scene.elements[rival].id)
    return None


def is_one_thing(scene: Scene, landmark: Expression) -> bool:
    """
    Tell whether all that a landmark's words could mean is one thing.

    A row that begins with the words of its first cell is no rival of the cell: the words
    stand in one place.
    """
    key = ("one thing", landmark)
    if key not in scene.proofs:
        inner = innermost(scene, np.flatnonzero(fits(scene, landmark, "lenient")))
        spans = {tuple(scene.text_boxes[place].round()) for place in inner}
        scene.proofs[key] = bool(inner) and (
            len(spans) == 1 or all(same_thing(scene, inner[0], place) for place in inner)
        )
    return scene.proofs[key]


def check(expression: Expression) -> None:
    """
    Refuse parts that cannot stand together, here and in what the expression leans on.

    Raises InvalidInputError for two parts that rank, for a relation without its landmarks,
    a position that does not exist, and a container without a role and one of name and text.
    """
    ordinal, container = expression.ordinal, expression.container
    ranks = [
        expression.direction is not None and expression.landmark is not None,
        expression.relation == "nearest",
        bool(expression.size),
        ordinal is not None,
    ]
    _must(sum(ranks) <= 1, "one part that ranks at most", expression)
    _must(not (expression.direction and expression.relation), "one relation", expression)
    _must(not expression.relation or expression.landmark is not None, "a landmark", expression)
    paired = expression.relation == "between"
    _must(paired == (expression.second is not None), "two landmarks for between", expression)
    if ordinal is not None:
        counted = ordinal.position != 0 and (ordinal.row != 0) == (ordinal.order == "grid")
        _must(counted, "a position from 1 or -1, and a row in a grid alone", expression)
    if container is not None:
        known = Expression(role=container.role, name=container.name, text=container.text)
        named = bool(container.role) and bool(container.name) != bool(container.text)
        _must(named and known == container, "a container's role and name or text", expression)
    for item in (expression.landmark, expression.second):
        if item is not None:
            check(item)


def _must(holds: bool, expected: str, found: Expression) -> None:  # noqa: FBT001 - an assertion
    if not holds:
        raise InvalidInputError(expected, found=repr(found))


def without_rank(expression: Expression) -> Expression:
    """Return an expression without its part that ranks."""
    if expression.relation == "between":
        return msgspec.structs.replace(expression, size="", ordinal=None)
    if expression.landmark is None:
        return msgspec.structs.replace(expression, size="", ordinal=None)
    return msgspec.structs.replace(
        expression, direction=None, landmark=None, relation="", size="", ordinal=None
    )


def _unranked(scene: Scene, expression: Expression, reading: Reading) -> Mask:
    mask = (scene.plain if reading == "strict" else scene.glimpsed).copy()
    if expression.role:
        mask &= of_role(scene, expression.role, expression.name, reading)
    if expression.name:
        mask &= of_name(scene, expression.name, reading, cut=expression.name_cut)
    if expression.text:
        mask &= of_text(scene, expression.text, reading)
    if expression.label:
        mask &= of_label(scene, expression.label, reading)
    if expression.state:
        mask &= in_state(scene, expression.state, reading)
    if expression.function:
        mask &= of_function(scene, expression.function, reading)
    if expression.container is not None:
        mask &= within(scene, expression.container, reading)
    if expression.region is not None:
        mask &= in_region(scene, expression.region, reading)
    if expression.landmark is not None and expression.second is not None:
        one = _places(scene, expression.landmark, reading)
        mask &= between(scene, one, _places(scene, expression.second, reading), reading)
    return _looking(scene, expression, reading, mask)


def _looking(scene: Scene, expression: Expression, reading: Reading, mask: Mask) -> Mask:
    """Leave those that look so: last, since each look costs a look at the pixels."""
    if expression.shape:
        mask = of_shape(scene, expression.shape, reading, mask)
    if expression.content:
        mask = of_content(scene, expression.content, reading, mask)
    if expression.icon:
        mask = with_icon(scene, expression.icon, reading, mask)
    for colour, coloured in ((expression.ink, ink_of), (expression.outline, outlines_of)):
        for place in np.flatnonzero(mask) if colour else ():
            mask[place] = colour in coloured(scene, int(place), reading)
    if expression.colour:
        mask = of_colour(scene, expression.colour, reading, mask)
    return mask


def _ranked(scene: Scene, expression: Expression, others: Expression, reading: Reading) -> Mask:
    strict = fits(scene, others, "strict")
    if expression.ordinal is not None:
        loose = fits(scene, others, reading) if reading == "lenient" else None
        return at_position(scene, expression.ordinal, others, (strict, loose))
    if expression.size:
        return of_size(scene, expression.size, strict, reading)
    if expression.landmark is None:
        return np.ones(len(scene.elements), dtype=bool)
    landmarks = _places(scene, expression.landmark, reading)
    if expression.relation == "nearest":
        return nearest(scene, landmarks, strict, reading)
    if expression.direction is None:
        return np.zeros(len(scene.elements), dtype=bool)
    return directly(scene, expression.direction, landmarks, strict, reading)


def _places(scene: Scene, landmark: Expression, reading: Reading) -> list[int]:
    return [int(place) for place in np.flatnonzero(fits(scene, landmark, reading))]


def _unclear(scene: Scene, expression: Expression) -> Rejection | None:
    """Name the first landmark or container that is not one thing, however deep."""
    for landmark in (expression.landmark, expression.second):
        if landmark is None:
            continue
        if not is_one_thing(scene, landmark):
            return Rejection("landmark-ambiguous", landmark.text or landmark.name)
        deeper = _unclear(scene, landmark)
        if deeper is not None:
            return deeper
    container = expression.container
    if container is not None and not _is_one_container(scene, container):
        return Rejection("container-ambiguous", container.name or container.text)
    return None


def _elsewhere(scene: Scene, expression: Expression) -> str:
    """Return painted words of no element that read like words of the expression, or ""."""
    container = expression.container
    quoted = [expression.name, expression.text, expression.label]
    quoted += [container.name, container.text] if container is not None else []
    painted = [item.text for item in scene.screen.unrecorded]
    found = (text for text in painted if any(alike(text, item) for item in quoted if item))
    nested = (item for item in (expression.landmark, expression.second) if item is not None)
    deeper = filter(None, (_elsewhere(scene, item) for item in nested))
    return next(found, "") or next(deeper, "")


def _is_one_container(scene: Scene, container: Expression) -> bool:
    key = ("one container", container)
    if key not in scene.proofs:
        scene.proofs[key] = is_one_container(scene, container)
    return scene.proofs[key]
