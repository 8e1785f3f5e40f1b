"""
Whether an instruction holds on one variant of its screen.
"""

from __future__ import annotations

from surefoot.core.instruction import Expression
from surefoot.core.screen import Screen
from surefoot.refer.generate import check_target, name_visible
from surefoot.refer.landmarks import landmark_place, stands_apart
from surefoot.refer.legible import Pixels
from surefoot.refer.rejection import Rejection
from surefoot.refer.resolve import prove
from surefoot.refer.scene import Scene, scene_of

__all__ = ["holds"]


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

    The target can be acted on, both readings mean it alone, and what the words point to,
    its name or its landmark, can be read in the picture. With ``hidden_names`` the name
    need not be readable; a landmark always must.
    """
    scene = scene_of(screen, pixels)
    rejection = check_target(scene, target)
    if rejection is not None:
        return rejection
    place = scene.place[target]
    rejection = prove(scene, expression, place)
    if rejection is not None:
        return rejection
    if expression.name and not hidden_names and not name_visible(scene, target):
        return Rejection("name-not-visible", expression.name)
    if expression.landmark is None:
        return None
    landmark = landmark_place(scene, expression.landmark)
    if landmark is None or not scene.legibility(landmark).readable:
        return Rejection("landmark-not-visible", expression.landmark.text)
    return None if stands_apart(scene, landmark, place) else Rejection("no-landmark")
