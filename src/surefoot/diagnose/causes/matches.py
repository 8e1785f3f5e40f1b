"""
Loose matches: what else an instruction could be excused for meaning.
"""

from __future__ import annotations

import numpy as np

from surefoot.core.instruction import Expression
from surefoot.diagnose.findings import LooseMatch
from surefoot.refer.resolve.resolve import fits
from surefoot.refer.resolve.sizes import parts_of, without
from surefoot.refer.resolve.things import same_thing
from surefoot.refer.scene.scene import Scene


def loose_matches(scene: Scene, expression: Expression, target: int) -> tuple[LooseMatch, ...]:
    """
    Return the elements that fit an expression leniently but for one part of it.

    They are one word away from the target (by its place): of two failing instructions the
    one with fewer of them leaves the model less excuse, so the fewest mark the best. The
    definition is ours; an expression of one part has none. Things that are one with the
    target do not count. In the order of the scene's elements.
    """
    parts = parts_of(expression)
    if len(parts) < 2:  # noqa: PLR2004 - without its only part an expression fits everything
        return ()
    lets: dict[int, list[str]] = {}
    for part in parts:
        for place in np.flatnonzero(fits(scene, without(expression, part), "lenient")):
            if not same_thing(scene, int(place), target):
                lets.setdefault(int(place), []).append(part)
    return tuple(
        LooseMatch(scene.elements[place].id, tuple(found)) for place, found in sorted(lets.items())
    )
