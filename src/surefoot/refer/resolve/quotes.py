"""
Which elements on the screen show the words that an expression quotes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from surefoot.core.instruction import Expression
from surefoot.refer.resolve.containers import holders, members
from surefoot.refer.scene.names import spoken
from surefoot.refer.scene.scene import Scene

__all__ = ["container_shown", "landmarks_of", "quotes"]


def quotes(expression: Expression) -> bool:
    """
    Tell whether an expression quotes what the element itself says or is called.

    >>> quotes(Expression(role="button", name="Save")), quotes(Expression(role="button"))
    (True, False)
    """
    return bool(expression.name or expression.text or expression.label)


def landmarks_of(expression: Expression) -> Iterator[Expression]:
    """Yield the landmarks of an expression, and theirs."""
    for landmark in (expression.landmark, expression.second):
        if landmark is not None:
            yield landmark
            yield from landmarks_of(landmark)


def container_shown(scene: Scene, container: Expression) -> bool:
    """
    Tell whether the words that a container is known by can be read in the picture.

    A name is read where it is spelled: at the heading of a section, at the label of a
    group. A text is read at any element in the container that shows it.
    """
    found = holders(scene, container, "strict")
    if container.name:
        return any(scene.legibility(each.place).readable for each in found)
    wanted = spoken(container.text)
    return any(
        scene.texts[place] == wanted and scene.legibility(int(place)).readable
        for each in found
        for place in np.flatnonzero(members(scene, each, "strict") & scene.plain & ~scene.thing)
    )
