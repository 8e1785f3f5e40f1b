"""
Another order of sibling controls, in place: labels travel with their controls.
"""

from __future__ import annotations

import math
from random import Random

from surefoot.core.edit import Edit, Reorder
from surefoot.core.perturbation import Perturbation
from surefoot.core.screen import Screen
from surefoot.core.seeds import random_source

_SMALLEST_GROUP = 2
# Two members are drawn in their own order half of the time.
_MOST_DRAWS = 100


def sibling_groups(screen: Screen) -> dict[str, tuple[str, ...]]:
    """
    Return the ids of each group of two controls or more, in the order of the page.

    A group whose ids are not distinct cannot be put in another order, and is left out.

    >>> from surefoot.perturb.check import PROBE
    >>> sibling_groups(PROBE)["buttons"]
    ('button-0', 'button-1', 'button-2')
    """
    groups: dict[str, list[str]] = {}
    for element in screen.elements:
        if element.group:
            groups.setdefault(element.group, []).append(element.id)
    return {
        group: tuple(members)
        for group, members in groups.items()
        if len(set(members)) == len(members) >= _SMALLEST_GROUP
    }


def draw_shuffle(screen: Screen, seed: int, level: str) -> tuple[Edit, ...]:
    """
    Draw a permutation other than the identity for the level's share of the groups.

    Each group has a generator of its own and the groups are ranked once, so what a milder
    level reorders, a stronger one reorders in the same way.
    """
    groups = sibling_groups(screen)
    ranked = sorted(groups)
    random_source(seed, "groups").shuffle(ranked)
    count = {"one": 1, "half": math.ceil(len(ranked) / 2), "all": len(ranked)}[level]
    chosen = set(ranked[:count])
    return tuple(
        Reorder(group, _other_order(members, random_source(seed, "group", group)))
        for group, members in groups.items()
        if group in chosen
    )


def _other_order(members: tuple[str, ...], random: Random) -> tuple[str, ...]:
    order = list(members)
    for _ in range(_MOST_DRAWS):
        random.shuffle(order)
        if tuple(order) != members:
            return tuple(order)
    return (*members[1:], members[0])


SHUFFLE = Perturbation(
    name="shuffle",
    version=1,
    summary="sibling controls in another order, in place, their labels with them",
    titles={"one": "order of one group", "half": "order of half the groups", "all": "order"},
    levels={"one": 0.1, "half": 0.5, "all": 1.0},
    default="all",
    draw=draw_shuffle,
)
