"""
Landmarks: words on the screen that are easy to find and easy to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from surefoot.core.instruction import Expression
from surefoot.core.pictures import Pixels
from surefoot.core.screen import Element, Screen
from surefoot.refer.resolve.resolve import fits, is_one_thing
from surefoot.refer.resolve.things import innermost
from surefoot.refer.scene.names import cut_name, key_of, spoken
from surefoot.refer.scene.scene import Scene, scene_of

SHORTEST: Final = 2


def landmarks(screen: Screen | Scene, pixels: Pixels | None = None) -> tuple[Element, ...]:
    """
    Return the elements whose words can serve as landmarks, in the screen's order.

    Their words are visible, readable, spell the name, have two letters or digits at
    least, six words and 40 characters at most, and are alike to no other words on the
    screen, and no control is among them. Of elements that wrap one another, the innermost
    is the landmark.
    """
    scene = scene_of(screen, pixels)
    return tuple(scene.elements[place] for place in landmark_places(scene))


def landmark_places(scene: Scene) -> tuple[int, ...]:
    """Return the places of a scene's landmarks."""
    if scene.landmarks is None:
        known = {scene.names[place]: place for place in _readable(scene)}
        alone = (
            place for words, place in known.items() if is_one_thing(scene, Expression(text=words))
        )
        scene.landmarks = tuple(sorted(alone))
    return scene.landmarks


def _readable(scene: Scene) -> Iterator[int]:
    for index, element in enumerate(scene.elements):
        words = scene.names[index]
        if not scene.plain[index] or not element.name_boxes or not _said(words):
            continue
        if any(scene.thing[inside] for inside in scene.below(index)):
            continue
        if key_of(words) == key_of(scene.texts[index]) and scene.legibility(index).readable:
            yield index


def landmark_place(scene: Scene, landmark: Expression) -> int | None:
    """Return the place of the element that a landmark's words strictly mean, or None."""
    inner = innermost(scene, np.flatnonzero(fits(scene, landmark, "strict")))
    return inner[0] if inner else None


def stands_apart(scene: Scene, landmark: int, target: int) -> bool:
    """
    Tell whether a landmark is a thing of its own beside the target.

    It is neither in the target nor around it, by the tree or by their boxes, and its
    words are not what the target is called.
    """
    if scene.kin(target)[landmark]:
        return False
    words = key_of(scene.names[landmark])
    if any(key_of(label) == words for label in scene.labels[target]):
        return False
    one, other = scene.elements[target].box, scene.elements[landmark].box
    return one.intersection(other) not in (one, other)


def _said(words: str) -> bool:
    signs = sum(word.isalnum() for word in words)
    return signs >= SHORTEST and cut_name(words) == spoken(words)
