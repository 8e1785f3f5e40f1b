"""
Which elements are one thing to a person.

A wrapper and what it wraps are one: of an element and its descendant, one is no rival of
the other where their boxes agree (intersection over union of at least 0.7), or where the
outer holds no other control and no other words, and its centre lies in the inner.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Final

from surefoot.refer.scene.names import key_of
from surefoot.refer.scene.scene import Scene

SAME_BOX: Final = 0.7


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
    others = any(scene.thing[place] and not family[place] for place in scene.below(outer))
    alone = key_of(scene.texts[outer]) == key_of(scene.texts[inner]) and not others
    return alone and inside.contains(outside.center)


def innermost(scene: Scene, places: Iterable[int]) -> list[int]:
    """Return those of the places that are no ancestor of another one."""
    given = [int(place) for place in places]
    outer = {above for item in given for above in scene.above(item)}
    return [item for item in given if item not in outer]


def outermost(scene: Scene, places: Iterable[int]) -> list[int]:
    """Return the places without those that are one thing with one around them."""
    given = [int(item) for item in places]
    kept: set[int] = set()
    for item in sorted(given, key=lambda place: len(list(scene.above(place)))):
        around = kept.intersection(scene.above(item))
        if not any(same_thing(scene, outer, item) for outer in around):
            kept.add(item)
    return [item for item in given if item in kept]


def several_things(scene: Scene, places: Iterable[int]) -> bool:
    """Tell whether two of the places are not one thing."""
    pairs = itertools.combinations([int(place) for place in places], 2)
    return any(not same_thing(scene, item, other) for item, other in pairs)
