"""
What an expression would mean if one part of it were taken wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
import numpy as np

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Direction, Expression, Ordinal
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.resolve.relations import text_unit
from surefoot.refer.resolve.resolve import fits
from surefoot.refer.resolve.sizes import parts_of, without
from surefoot.refer.scene.geometry import DIRECTIONS, LENIENT_UNITS, Mask, distances, lies
from surefoot.refer.scene.scene import Scene

OPPOSITE: Final[dict[Direction, Direction]] = {
    "above": "below",
    "below": "above",
    "left of": "right of",
    "right of": "left of",
}


def turned(expression: Expression, direction: Direction) -> Expression:
    """
    Return an expression with another direction to the same landmark.

    >>> turned(Expression(direction="above", landmark=Expression(text="A")), "below").direction
    'below'
    """
    return msgspec.structs.replace(expression, direction=direction)


def on_the_side(direction: Direction, point: Point, landmark: Box) -> bool:
    """
    Tell whether a spot of 2 pixels lies leniently in a direction of a box, however far.

    >>> on_the_side("left of", Point(5.0, 12.0), Box(20.0, 10.0, 60.0, 20.0))
    True
    """
    spot = np.array([[point.x - 1, point.y - 1, point.x + 1, point.y + 1]])
    anchor = np.array(landmark.as_tuple())
    return bool(lies(direction, spot, anchor, np.inf, "lenient")[0])


def counted_first(expression: Expression) -> Expression:
    """
    Return an expression that counts to the first instead.

    >>> counted_first(Expression(role="link", ordinal=Ordinal(3, "row"))).ordinal
    Ordinal(position=1, order='row', row=0)
    """
    ordinal = expression.ordinal
    if ordinal is None:
        return expression
    first = Ordinal(1, ordinal.order, 1 if ordinal.row else 0)
    return msgspec.structs.replace(expression, ordinal=first)


def misplaced(scene: Scene, expression: Expression) -> Iterator[tuple[str, Mask]]:
    """
    Yield what an element would fit that is like the target, but in another place.

    Each comes as words and a mask over the scene's elements: another direction from the
    landmark, the opposite one first, strictly and then leniently; another place in the
    group that is counted; a thing that the other words fit and that is near the landmark
    (within 10 lines), in another region, or in another container.
    """
    if expression.direction and expression.landmark is not None:
        others = [direction for direction in DIRECTIONS if direction != expression.direction]
        others.sort(key=lambda other: other != OPPOSITE.get(expression.direction or "above"))
        for reading in ("strict", "lenient"):
            for other in others:
                yield (
                    f"{other} instead of {expression.direction}",
                    fits(
                        scene,
                        turned(expression, other),
                        "strict" if reading == "strict" else "lenient",
                    ),
                )
    if expression.ordinal:
        yield "another of those that are counted", _alike(scene, expression, "ordinal")
    if expression.landmark is not None:
        near = _near(scene, expression.landmark)
        yield "another one near the landmark", _alike(scene, expression, "landmark") & near
    for part in ("region", "container"):
        if part in parts_of(expression):
            yield f"another one outside the {part}", _alike(scene, expression, part)


def quotes(expression: Expression | None) -> Iterator[str]:
    """
    Yield all words that an expression quotes, its own first.

    >>> list(quotes(Expression(role="button", name="Save")))
    ['Save']
    """
    if expression is not None:
        yield from filter(None, (expression.name, expression.text, expression.label))
        for inner in (expression.landmark, expression.second, expression.container):
            yield from quotes(inner)


def _alike(scene: Scene, expression: Expression, part: str) -> Mask:
    return fits(scene, without(expression, part), "strict")


def _near(scene: Scene, landmark: Expression) -> Mask:
    there = landmark_place(scene, landmark)
    if there is None:
        return np.zeros(len(scene.elements), dtype=bool)
    reach = LENIENT_UNITS * text_unit(scene.elements[there])
    near: Mask = distances(scene.boxes, scene.text_boxes[there]) <= reach
    return near
