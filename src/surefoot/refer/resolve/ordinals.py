"""
Ranks among the elements that all other parts fit: the so-manieth, the largest, the smallest.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from surefoot.core.instruction import Expression, Ordinal, Size
from surefoot.refer.resolve.things import outermost, same_thing, several_things
from surefoot.refer.scene.arrangement import Arrangement, arranged, by_columns, in_order
from surefoot.refer.scene.geometry import Mask, Reading
from surefoot.refer.scene.scene import Scene

LEAST_COUNTED: Final = 2
LENIENT_TIMES: Final = 1.25


def arrangement_of(scene: Scene, counted: Mask, key: tuple[object, ...]) -> Arrangement:
    """Arrange elements, things that are one once; ``key`` says which ones they are."""
    if key not in scene.arrangements:
        places = tuple(outermost(scene, np.flatnonzero(counted)))
        scene.arrangements[key] = arranged(scene.boxes[list(places)], places)
    return scene.arrangements[key]


def at_position(
    scene: Scene, ordinal: Ordinal, expression: Expression, fitting: tuple[Mask, Mask | None]
) -> Mask:
    """
    Tell which elements stand at a position among those that an expression fits.

    ``fitting`` are those strictly and, for the lenient reading, those leniently: then an
    element may stand there in either counting, by rows or by columns, and whatever a
    lenient counting cannot order fits.
    """
    strict, loose = fitting
    counting = arrangement_of(scene, strict, (expression, "strict"))
    found = _standing(scene, _position(counting, ordinal) or (), strict)
    if loose is None:
        return found
    wider = arrangement_of(scene, loose, (expression, "lenient"))
    position = _position(wider, ordinal)
    if position is None:
        return loose
    columns = {*by_columns(counting, ordinal), *by_columns(wider, ordinal)}
    return found | _standing(scene, {*position, *columns}, loose)


def of_size(scene: Scene, size: Size, strict: Mask, reading: Reading) -> Mask:
    """
    Tell which elements are the largest or the smallest of those that fit strictly.

    Strictly, two of these at least are not one thing; leniently an area may fall short of
    the first by a quarter.
    """
    width, height = (scene.boxes[:, 2:] - scene.boxes[:, :2]).T
    area = width * height
    ranked = area[strict]
    if not ranked.size or (
        reading == "strict" and not several_things(scene, np.flatnonzero(strict))
    ):
        return np.zeros(len(scene.elements), dtype=bool)
    times = 1.0 if reading == "strict" else LENIENT_TIMES
    found: Mask = (
        area * times >= ranked.max() if size == "largest" else area <= ranked.min() * times
    )
    return found


def _position(counting: Arrangement, ordinal: Ordinal) -> tuple[int, ...] | None:
    enough = len(counting.places) >= LEAST_COUNTED
    return in_order(counting, ordinal) if enough else ()


def _standing(scene: Scene, places: Iterable[int], among: Mask) -> Mask:
    mask = np.zeros(len(scene.elements), dtype=bool)
    for place in places:
        for item in np.flatnonzero(among & scene.kin(place)):
            mask[item] |= same_thing(scene, place, int(item))
    return mask
