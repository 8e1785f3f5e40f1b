"""
Expressions for a target, each proven to mean it and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from surefoot.core.instruction import Direction, Expression
from surefoot.core.pictures import Pixels
from surefoot.core.screen import Element, Screen
from surefoot.core.seeds import random_source
from surefoot.refer.resolve.landmarks import landmark_places, stands_apart
from surefoot.refer.resolve.rejection import Rejection
from surefoot.refer.resolve.relations import beside
from surefoot.refer.resolve.resolve import prove
from surefoot.refer.scene.geometry import DIRECTIONS
from surefoot.refer.scene.names import cut_name, sayable
from surefoot.refer.scene.roles import TARGETS
from surefoot.refer.scene.scene import Scene, scene_of

LEAST_VISIBLE: Final = 0.75
LEAST_SIDE_PX: Final = 8.0


def candidates(screen: Screen | Scene) -> tuple[Element, ...]:
    """Return every element of a role that a person can act on, visible or not."""
    return tuple(element for element in scene_of(screen).elements if element.role in TARGETS)


def targets(screen: Screen | Scene) -> tuple[Element, ...]:
    """Return the candidates that can be asked for: enabled, visible, hit, large enough."""
    scene = scene_of(screen)
    return tuple(
        candidate for candidate in candidates(scene) if check_target(scene, candidate.id) is None
    )


def check_target(screen: Screen | Scene, target: str) -> Rejection | None:
    """
    Tell why nobody can be asked to act on an element (by its id), or None.

    It must exist, be of an interactive role, enabled, at least three quarters visible,
    8 pixels of the image wide and high, hit by a click at its centre, and, where pixels
    are at hand, told from its background.
    """
    scene = scene_of(screen)
    place = scene.place.get(target)
    if place is None:
        return Rejection("absent", target)
    item = scene.elements[place]
    checks = {
        "not-interactive": item.role in TARGETS,
        "disabled": "disabled" not in item.states,
        "offscreen": item.box.intersection(scene.screen.bounds) is not None,
        "not-visible": item.visible_fraction >= LEAST_VISIBLE,
        "too-small": min(item.box.width, item.box.height) >= LEAST_SIDE_PX,
        "not-hit": item.hit,
    }
    failed = next((reason for reason, holds in checks.items() if not holds), "")
    if not failed and not scene.drawn(place):
        failed = "blank"
    return Rejection(failed) if failed else None


def name_visible(screen: Screen | Scene, element: str, pixels: Pixels | None = None) -> bool:
    """
    Tell whether an element's name (by its id) can be read in the picture.

    Its words are spelled on the screen, whole and uncovered, with enough contrast and
    size in the pixels; without pixels, the capture's word is taken.
    """
    scene = scene_of(screen, pixels)
    place = scene.place.get(element)
    return place is not None and scene.legibility(place).readable


def direct(
    screen: Screen | Scene,
    target: str,
    pixels: Pixels | None = None,
    *,
    hidden_names: bool = False,
) -> Expression | Rejection:
    """
    Name a target (by its id): its role and its name, cut at a word where it is long.

    With ``hidden_names`` a name that cannot be read in the picture is good enough.
    """
    scene = scene_of(screen, pixels)
    rejection = check_target(scene, target)
    if rejection is not None:
        return rejection
    place = scene.place[target]
    name = scene.names[place]
    if not sayable(name):
        return Rejection("no-name", name)
    if not hidden_names and not name_visible(scene, target):
        return Rejection("name-not-visible", name)
    shown_name = cut_name(name)
    if not shown_name:
        return Rejection("name-too-long", name)
    cut = shown_name != name
    expression = Expression(role=scene.elements[place].role, name=shown_name, name_cut=cut)
    rejection = prove(scene, expression, place)
    if rejection is None:
        return expression
    return Rejection("name-too-long", name) if cut else rejection


def relational(
    screen: Screen | Scene,
    target: str,
    pixels: Pixels | None = None,
    *,
    seed: int = 0,
    wanted: Mapping[Direction, float] | None = None,
    most: int = 3,
) -> tuple[Expression, ...] | Rejection:
    """
    Place a target (by its id) beside landmarks, without its name: role and direction.

    In each direction the nearest landmarks come first, ``most`` of them at most.
    Directions come by falling weight in ``wanted`` (1 each unless given, those of weight 0
    left out), and in an order drawn by the seed among equals.
    """
    scene = scene_of(screen, pixels)
    rejection = check_target(scene, target)
    if rejection is not None:
        return rejection
    place = scene.place[target]
    found: list[Expression] = []
    failed: list[Rejection] = []
    for direction in _ordered(target, seed, wanted):
        kept, fallen = _beside_landmarks(scene, place, direction, most)
        found += kept
        failed += fallen
    if found:
        return tuple(found)
    return failed[0] if failed else Rejection("no-landmark")


def _beside_landmarks(
    scene: Scene, place: int, direction: Direction, most: int
) -> tuple[list[Expression], list[Rejection]]:
    kept: list[Expression] = []
    failed: list[Rejection] = []
    for landmark in _by_nearness(scene, place, direction):
        expression = Expression(
            role=scene.elements[place].role,
            direction=direction,
            landmark=Expression(text=scene.names[landmark]),
        )
        rejection = prove(scene, expression, place)
        if rejection is not None:
            failed.append(rejection)
        elif len(kept) < most:
            kept.append(expression)
    return kept, failed


def _ordered(target: str, seed: int, wanted: Mapping[Direction, float] | None) -> list[Direction]:
    weights = dict.fromkeys(DIRECTIONS, 1.0) if wanted is None else wanted
    order = [direction for direction in DIRECTIONS if weights.get(direction, 0.0) > 0]
    random_source(seed, "directions", target).shuffle(order)
    return sorted(order, key=lambda item: -weights[item])


def _by_nearness(scene: Scene, target: int, direction: Direction) -> list[int]:
    """Return the landmarks that a target strictly lies in a direction of, nearest first."""
    left, top, right, bottom = scene.boxes[target]
    near: list[tuple[float, int]] = []
    for place in landmark_places(scene):
        if beside(scene, direction, place, "strict")[target] and stands_apart(
            scene, place, target
        ):
            box = scene.text_boxes[place]
            across = max(left - box[2], box[0] - right, 0.0)
            along = max(top - box[3], box[1] - bottom, 0.0)
            near.append((float(across**2 + along**2), place))
    return [item for _, item in sorted(near)]
