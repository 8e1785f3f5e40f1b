"""
Directions balanced by design: one direction for each group, none preferred.

Groups are first shared out as evenly as what each of them offers allows. The result is an
optimal semi-matching (Harvey, Ladner, Lovasz and Tamir, "Semi-matchings for bipartite
graphs and load balancing", 2006): no other choice has a smaller sum of squares, nor a
smaller maximum, nor more groups under any ceiling. None is given up: what is scarce in one
direction would else cost what the others have.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Mapping

from surefoot.core.instruction import Direction
from surefoot.core.seeds import random_source
from surefoot.refer.scene.geometry import DIRECTIONS


def balance(available: Mapping[str, Collection[Direction]], seed: int = 0) -> dict[str, Direction]:
    """
    Choose one of the directions that each group offers, as evenly as can be.

    Groups that offer nothing are left out. The same seed gives the same choice.

    >>> balance({"a": ["above", "below"], "b": ["above"]})
    {'a': 'below', 'b': 'above'}
    """
    offers = {group: set(available[group]) for group in sorted(available) if available[group]}
    chosen = _shared_out(offers, seed)
    return {group: chosen[group] for group in offers}


def _shared_out(offers: Mapping[str, set[Direction]], seed: int) -> dict[str, Direction]:
    order = list(offers)
    random_source(seed, "balance").shuffle(order)
    chosen: dict[str, Direction] = {}
    counts: Counter[Direction] = Counter()
    for group in order:
        offer = [direction for direction in DIRECTIONS if direction in offers[group]]
        chosen[group] = min(offer, key=lambda item: counts[item])
        counts[chosen[group]] += 1
    while path := _improving_path(offers, chosen, order):
        chosen.update(path)
    return chosen


def _improving_path(
    offers: Mapping[str, set[Direction]], chosen: Mapping[str, Direction], order: list[str]
) -> list[tuple[str, Direction]]:
    """Return moves that take one group off a direction for one that has two fewer."""
    counts = Counter(chosen.values())
    movable = {(chosen[group], to): group for group in order for to in offers[group]}
    for start in sorted(DIRECTIONS, key=lambda direction: -counts[direction]):
        came: dict[Direction, Direction | None] = {start: None}
        waiting = deque([start])
        while waiting:
            here = waiting.popleft()
            if counts[here] <= counts[start] - 2:
                return _moves(came, here, movable)
            for there in DIRECTIONS:
                if there not in came and (here, there) in movable:
                    came[there] = here
                    waiting.append(there)
    return []


def _moves(
    came: Mapping[Direction, Direction | None],
    end: Direction,
    movable: Mapping[tuple[Direction, Direction], str],
) -> list[tuple[str, Direction]]:
    moves: list[tuple[str, Direction]] = []
    there, here = end, came[end]
    while here is not None:
        moves.append((movable[here, there], there))
        there, here = here, came[here]
    return moves
