"""
Whether an instruction holds on one variant of its screen.

Words that an expression quotes must be on the screen, and readable there.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from surefoot.core.instruction import Expression
from surefoot.core.pictures import Pixels
from surefoot.core.screen import Screen
from surefoot.refer.generate.generate import check_target
from surefoot.refer.resolve.completeness import all_known
from surefoot.refer.resolve.containers import holders, members
from surefoot.refer.resolve.landmarks import landmark_place, stands_apart
from surefoot.refer.resolve.rejection import Rejection
from surefoot.refer.resolve.resolve import prove
from surefoot.refer.scene.names import spoken
from surefoot.refer.scene.scene import Scene, scene_of


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
        return any(scene.legibility(item.place).readable for item in found)
    wanted = spoken(container.text)
    return any(
        scene.texts[place] == wanted and scene.legibility(int(place)).readable
        for item in found
        for place in np.flatnonzero(members(scene, item, "strict") & scene.plain & ~scene.thing)
    )


def holds(
    expression: Expression,
    target: str,
    screen: Screen | Scene,
    pixels: Pixels | None = None,
    *,
    hidden_names: bool = False,
) -> Rejection | None:
    """
    Tell why an expression does not hold for a target (by its id) on a screen, or None.

    The target can be acted on, both readings mean it alone, and all words that are quoted,
    the target's own, its landmarks' and its containers', can be read in the picture. Its
    landmarks stand apart from it. What is counted or compared is drawn alike, and the
    picture shows nothing like it that is not known (``completeness``). With
    ``hidden_names`` the target's own words need not be readable; all others always must.
    """
    scene = scene_of(screen, pixels)
    rejection = check_target(scene, target)
    if rejection is None:
        rejection = prove(scene, expression, scene.place[target])
    if rejection is None:
        rejection = readable(scene, expression, scene.place[target], hidden_names=hidden_names)
    return rejection or all_known(scene, expression, scene.place[target])


def readable(
    scene: Scene, expression: Expression, target: int, *, hidden_names: bool = False
) -> Rejection | None:
    """Tell which words of a proven expression cannot be read, or point at the target itself."""
    called = expression.name or expression.label
    if called and not hidden_names and not scene.legibility(target).readable:
        return Rejection("name-not-visible", called)
    if expression.text and not scene.legibility(target, shown=True).readable:
        return Rejection("name-not-visible", expression.text)
    rejection = _container_readable(scene, expression)
    for landmark in landmarks_of(expression):
        rejection = rejection or _landmark_readable(scene, landmark)
    if rejection is not None:
        return rejection
    for end in (expression.landmark, expression.second):
        place = None if end is None else landmark_place(scene, end)
        if place is not None and not stands_apart(scene, place, target):
            return Rejection("no-landmark")
    return None


def _container_readable(scene: Scene, expression: Expression) -> Rejection | None:
    container = expression.container
    if container is None or container_shown(scene, container):
        return None
    return Rejection("container-not-visible", container.name or container.text)


def _landmark_readable(scene: Scene, landmark: Expression) -> Rejection | None:
    place = landmark_place(scene, landmark)
    shown = place is not None and (not quotes(landmark) or scene.legibility(place).readable)
    if not shown:
        return Rejection("landmark-not-visible", landmark.text or landmark.name)
    return _container_readable(scene, landmark)
