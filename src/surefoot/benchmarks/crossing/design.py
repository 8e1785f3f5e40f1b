"""
Designs: which conditions of the screen a page is asked in, where not in all of them.

A condition is a base and what a benchmark does over it. The first base and the first variant
are what all others are compared with.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.seeds import random_source

ScreenCell: TypeAlias = tuple[str, str]
DesignKind: TypeAlias = Literal["full", "one-at-a-time", "fraction"]
USUAL_CELLS: Final = 6
FEWEST_CELLS: Final = 2
# What cannot be told apart, by the kind of a design.
ALIASES: Final[dict[DesignKind, str]] = {
    "full": "no effect is mixed with another: every condition is asked of every page",
    "one-at-a-time": "each change is measured beside the original alone, and no interaction can "
    "be told: what two changes do together is not asked",
    "fraction": "main effects are estimated together, each page in a part of the conditions; "
    "interactions are mixed with them evenly, and are not tested",
}


class Design(msgspec.Struct, frozen=True):
    """Say which conditions a page is asked in: all, one change each, or ``cells`` dealt ones."""

    kind: DesignKind = "full"
    cells: int = USUAL_CELLS

    def deal(
        self, bases: Sequence[str], variants: Sequence[str], pages: Mapping[str, str], seed: int
    ) -> dict[str, tuple[ScreenCell, ...]]:
        """
        Return the conditions of each page; ``pages`` maps each to its site.

        A fraction has the plain condition on every page, and others from one shuffled deck of
        all, which the sites draw from in turns and which is shuffled anew when it is used up.

        >>> dealt = Design("fraction", 2).deal(("original", "dark"), ("original", "crop"),
        ...                                    {"p": "a", "q": "b", "r": "a"}, 0)
        >>> sorted(cells[1] for cells in dealt.values())
        [('dark', 'crop'), ('dark', 'original'), ('original', 'crop')]
        """
        every = tuple(itertools.product(bases, variants))
        plain, *others = every
        if self.kind == "one-at-a-time":
            every = tuple(item for item in every if item[0] == plain[0] or item[1] == plain[1])
        if self.kind != "fraction" or self.cells >= len(every):
            return dict.fromkeys(pages, every)
        deck = _cards(others, seed)
        dealt: dict[str, tuple[ScreenCell, ...]] = {}
        for page in in_turns(pages, seed):
            hand: dict[ScreenCell, None] = {}
            held: list[ScreenCell] = []
            while len(hand) < self.cells - 1:
                card = next(deck)
                if card in hand:
                    held.append(card)  # of the next shuffle: another page's
                hand[card] = None
            deck = itertools.chain(held, deck)
            dealt[page] = (plain, *(item for item in every if item in hand))
        return dealt


def read_design(text: str) -> Design:
    """
    Read "full", "one-at-a-time", "fraction" or "fraction:CELLS".

    >>> read_design("fraction:4")
    Design(kind='fraction', cells=4)
    """
    kind, colon, cells = text.partition(":")
    count = cells if kind == "fraction" and colon else str(USUAL_CELLS)
    if kind not in ALIASES or (colon and kind != "fraction") or not count.isdecimal():
        raise InvalidInputError(
            "a design: full, one-at-a-time, fraction or fraction:CELLS", found=f"'{text}'"
        )
    if int(count) < FEWEST_CELLS:
        raise InvalidInputError(f"{FEWEST_CELLS} conditions a page or more", found=count)
    return Design(kind, int(count))


def in_turns(pages: Mapping[str, str], seed: int) -> list[str]:
    """
    Return pages so that their sites take turns; the seed shuffles both.

    >>> [{"p": "a", "q": "a", "r": "b"}[page] for page in in_turns(
    ...     {"p": "a", "q": "a", "r": "b"}, 3)][:2] in (["a", "b"], ["b", "a"])
    True
    """
    order = sorted(pages)
    random_source(seed, "design", "pages").shuffle(order)
    turns: dict[str, int] = {}
    ranked = []
    for place, page in enumerate(order):
        turns[pages[page]] = turns.get(pages[page], 0) + 1
        ranked.append((turns[pages[page]], place, page))
    return [page for *_, page in sorted(ranked)]


def _cards(cells: Sequence[ScreenCell], seed: int) -> Iterator[ScreenCell]:
    for number in itertools.count():
        deck = list(cells)
        random_source(seed, "design", "deck", str(number)).shuffle(deck)
        yield from deck
