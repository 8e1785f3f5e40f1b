"""
Which of many wrong options are shown, so that none of the four stands out by its words.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, Protocol, TypeVar

from surefoot.refer.scene.names import key_of

__all__ = ["SaidOption", "drawn_wrong"]

WRONG: Final = 3
POOL: Final = 8  # of wrong options, the most tempting, of which three are drawn


class SaidOption(Protocol):
    """What an option of an item has: a key among its site's, and its words by language."""

    @property
    def key(self) -> str:
        """Return what tells it from others of its site."""

    @property
    def words(self) -> dict[str, str]:
        """Return how it is said, by language."""


Option = TypeVar("Option", bound=SaidOption)


def drawn_wrong(
    right: Option,
    wrong: Sequence[Option],
    language: str,
    *,
    rank: int,
    often: Mapping[str, int],
    random: Random,
) -> list[Option]:
    """
    Draw three wrong options that tempt, of those that tempt most come first.

    They are chosen for what they share with the right one, so that of the four it would be the
    one that shares most words with the others, in a language. ``rank`` says how many of the
    others shall share more; ``often`` counts how often a key was wrong already.
    """
    pool = wrong[:POOL]
    parts = [{*key_of(option.words[language]).words} for option in (right, *pool)]
    shared = [[len(one & other) / max(1, len(one | other)) for other in parts] for one in parts]

    def cost(drawn: tuple[int, ...]) -> tuple[int, float]:
        places = (0, *(place + 1 for place in drawn))
        sums = [sum(shared[one][other] for other in places if other != one) for one in places]
        more = sum(share > sums[0] for share in sums[1:])
        seen = sum(often.get(pool[place].key, 0) + place / POOL for place in drawn)
        return abs(more - rank), seen + random.random()

    best = min(itertools.combinations(range(len(pool)), WRONG), key=cost)
    return [pool[place] for place in best]
