"""
Directions balanced by design: one direction for each group, none preferred.

Groups are first shared out as evenly as what each of them offers allows. The result is an
optimal semi-matching (Harvey, Ladner, Lovasz and Tamir, "Semi-matchings for bipartite
graphs and load balancing", 2006): no other choice has a smaller sum of squares, nor a
smaller maximum, nor more groups under any ceiling. Only then, if asked, surplus is dropped.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Mapping
from typing import Final

from surefoot.core.instruction import Direction
from surefoot.core.seeds import random_source
from surefoot.refer.scene.geometry import DIRECTIONS

__all__ = ["balance"]

LEAST_SHARE: Final = 0.2
MOST_SHARE: Final = 0.3


def balance(
    available: Mapping[str, Collection[Direction]], seed: int = 0, *, drop_surplus: bool = False
) -> dict[str, Direction]:
    """
    Choose one of the directions that each group offers, as evenly as can be.

    Groups that offer nothing are left out. With ``drop_surplus``, groups are given up
    until each direction has 20 % to 30 % of what is kept, or at least none over 30 %,
    where some number of groups allows that; else all are kept. The same seed gives the
    same choice.

    >>> balance({"a": ["above", "below"], "b": ["above"]})
    {'a': 'below', 'b': 'above'}
    """
    offers = {group: set(available[group]) for group in sorted(available) if available[group]}
    chosen = _shared_out(offers, seed)
    if drop_surplus:
        chosen = _trimmed(chosen, seed)
    return {group: chosen[group] for group in offers if group in chosen}


def _fair(count: int, total: int) -> bool:
    return 10 * count >= round(10 * LEAST_SHARE) * total and _allowed(count, total)


def _allowed(count: int, total: int) -> bool:
    return 10 * count <= round(10 * MOST_SHARE) * total


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


def _trimmed(chosen: Mapping[str, Direction], seed: int) -> dict[str, Direction]:
    counts = Counter(chosen.values())
    room = _room(counts)
    order = sorted(chosen)
    random_source(seed, "surplus").shuffle(order)
    kept: dict[str, Direction] = {}
    for group in order:
        direction = chosen[group]
        if room[direction] > 0:
            room[direction] -= 1
            kept[group] = direction
    return kept


def _room(counts: Counter[Direction]) -> Counter[Direction]:
    """Return how many groups of each direction to keep: as many in all as is fair."""
    for test in (_fair, _allowed):
        for total in range(counts.total(), 0, -1):
            room = _levelled(counts, total)
            if all(test(room[direction], total) for direction in DIRECTIONS):
                return room
    return counts.copy()


def _levelled(counts: Counter[Direction], total: int) -> Counter[Direction]:
    """Lower the largest counts, as evenly as can be, until ``total`` is left in all."""
    room: Counter[Direction] = Counter()
    left = total
    ordered = sorted(DIRECTIONS, key=lambda item: counts[item])
    for index, direction in enumerate(ordered):
        share = left // (len(ordered) - index)
        room[direction] = min(counts[direction], share)
        left -= room[direction]
    return room
