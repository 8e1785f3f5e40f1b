"""
Which of many wrong options are shown, so that the right one stands out by nothing.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Final, Protocol, TypeVar

WRONG: Final = 3
PER_SITE: Final = 60  # items of a dimension that rests on what was executed
POOL: Final = 9  # of wrong options, the most tempting, of which three are drawn
MANY_WORDS: Final = 6


class SaidOption(Protocol):
    """Require of an option a key of its own on its site, and its words by language."""

    @property
    def key(self) -> str:
        """Return what tells it from others of its site."""

    @property
    def words(self) -> dict[str, str]:
        """Return how it is said, by language."""

    def say(self, language: str, shown: str) -> str:
        """Return how it is said in a language, with the names that are shown in another."""


Option = TypeVar("Option", bound=SaidOption)


def drawn_wrong(
    right: Option,
    wrong: Sequence[Option],
    languages: Sequence[str],
    *,
    rank: int,
    often: Mapping[str, int],
    random: Random,
) -> list[Option]:
    """
    Draw three wrong options from a list whose most tempting come first.

    They are chosen for how they look beside the right one, which would else be the one that
    shares most words with the others, or the longest. ``rank`` says how many of the others
    shall share more, and be longer, in each of the languages; ``often`` counts how often a key
    was wrong already.
    """
    pool = wrong[:POOL]
    forms = [
        _Forms("", [option.words[language] for option in (right, *pool)]) for language in languages
    ]

    def cost(places: tuple[int, ...]) -> tuple[int, float]:
        seen = sum(often.get(pool[at - 1].key, 0) + at / POOL for at in places)
        return sum(form.apart((0, *places), rank) for form in forms), seen + random.random()

    best = min(itertools.combinations(range(1, len(pool) + 1), WRONG), key=cost)
    return [pool[at - 1] for at in best]


class KeyBalance:
    """
    Draw wrong options that are words for all items, so that none gives itself away.

    In every language each shall be wrong three times as often as it is right; those that lack
    most come first. Two stand beside each other where either could be the right one: a corner
    that is shown with its side as a wrong option alone is known to be wrong. ``wanted`` counts
    how often a key is right, by dimension and language; ``beside`` holds dimensions with a
    right key and a wrong one that an item may have.
    """

    def __init__(
        self, wanted: Mapping[tuple[str, str, str], int], beside: Collection[tuple[str, str, str]]
    ) -> None:
        self._wanted, self._beside = wanted, beside
        self._wrong = Counter[tuple[str, str, str]]()

    def drawn(
        self,
        dimension: str,
        right: str,
        wrong: Sequence[str],
        languages: Sequence[str],
        *,
        always: str = "",
        random: Random,
    ) -> list[str]:
        """Draw three, among them ``always`` where it is wrong, and remember them."""
        pool = [*wrong]
        random.shuffle(pool)
        pool.sort(
            key=lambda key: (
                key != always,
                (dimension, key, right) not in self._beside,
                -self._lacking(dimension, key, languages),
            )
        )
        for key in pool[:WRONG]:
            self._wrong.update((dimension, language, key) for language in languages)
        return pool[:WRONG]

    def _lacking(self, dimension: str, key: str, languages: Sequence[str]) -> float:
        """Return the share of the questions still to come that shall have a wrong option."""
        own = [(dimension, language, key) for language in languages]
        wanted = {item: WRONG * max(1, self._wanted.get(item, 0)) for item in own}
        return sum(1 - self._wrong[item] / count for item, count in wanted.items())


class _Forms:
    """Hold what can be told of options beside each other in one language, by their places."""

    def __init__(self, asked: str, options: Sequence[str]) -> None:
        question = words_in(asked)
        parts = [words_in(words) for words in options]
        self._lengths = [len(words) for words in options]
        self._echoes = [len(question & part) for part in parts]
        self._shared = [
            [len(item & other) / max(1, len(item | other)) for other in parts] for item in parts
        ]
        self._alone = [
            (
                f"words {min(MANY_WORDS, len(words.split()))}",
                f"digits {any(map(str.isdigit, words))}",
                f"ends {words[-1:].isalnum()}",
            )
            for words in options
        ]

    def apart(self, shown: Sequence[int], rank: int) -> int:
        """Return how far the first is from the rank it shall have among those that are shown."""
        lengths = [self._lengths[at] for at in shown]
        shared = [sum(self._shared[at][other] for other in shown) for at in shown]
        # Which is the longest and which shares most go round against each other.
        longer = (rank * 3 + 1) % (WRONG + 1)
        return abs(_above(shared, 0) - rank) + 2 * abs(_above(lengths, 0) - longer)

    def features(self, shown: Sequence[int]) -> list[tuple[str, ...]]:
        """Return the features of those of the options that are shown."""
        lengths = [self._lengths[at] for at in shown]
        echoes = [self._echoes[at] for at in shown]
        shared = [round(sum(self._shared[at][other] for other in shown), 9) for at in shown]
        return [
            (
                f"longer {_above(lengths, place)}",
                f"closer {_above(shared, place)}",
                f"echoing {_above(echoes, place)}",
                *self._alone[at],
            )
            for place, at in enumerate(shown)
        ]


def words_in(text: str) -> set[str]:
    """
    Return the words that a reader sees in a text, whatever sign stands between them.

    >>> sorted(words_in('The page "Quay:Query" opens'))
    ['opens', 'page', 'quay', 'query', 'the']
    """
    return {*re.findall(r"\w+", text.casefold())}


def form_features(asked: str, options: Sequence[str]) -> list[tuple[str, ...]]:
    """
    Return of each option how it looks beside the others, whatever it says.

    How many are longer, share more words with all, and share more with the question; how many
    words it has, whether there are digits in it, and whether it ends with a letter.

    >>> form_features("Where is it?", ["Left", "Top left", "Top", "Right"])[1]
    ('longer 0', 'closer 0', 'echoing 0', 'words 2', 'digits False', 'ends True')
    """
    return _Forms(asked, options).features(range(len(options)))


def _above(values: Sequence[float], place: int) -> int:
    """Return how many values are above the one at a place."""
    return sum(other > values[place] for other in values)
