"""
What can be answered without looking: by position, by the commonest option, by the words.

Each is fitted on all applications but the one that it answers, so that none knows an answer.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import msgspec

from surefoot.refer.scene.names import key_of

__all__ = ["LEAK", "AskedOptions", "Baseline", "baseline_line", "baselines"]

LEAK: Final = 0.08  # above chance: what a dimension gives away that leaks
_SMOOTH: Final = 1.0
_Features: TypeAlias = tuple[tuple[str, ...], ...]  # of each option


class AskedOptions(msgspec.Struct, frozen=True):
    """
    Hold what a blind reader has of one question: its words, its options, and not its picture.

    ``keys`` name the options, whatever their words; ``right`` is the place of the right one.
    ``group`` is what is left out at once: the application.
    """

    dimension: str
    group: str
    words: str
    keys: tuple[str, ...]
    options: tuple[str, ...]
    right: int


class Baseline(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what three blind readers have right of ``n`` questions of one dimension, as shares.

    ``position`` takes the place that is right most often, ``majority`` the option that is
    right most often where it stands, ``text`` what the words speak for (naive Bayes).
    """

    dimension: str
    n: int
    chance: float
    position: float
    majority: float
    text: float

    @property
    def leaks(self) -> tuple[str, ...]:
        """Return the readers that are more than eight points better than chance."""
        found = {"position": self.position, "majority": self.majority, "text": self.text}
        return tuple(name for name, share in found.items() if share > self.chance + LEAK)


def baselines(asked: Iterable[AskedOptions]) -> tuple[Baseline, ...]:
    """Return what blind readers have right of each dimension, sorted by its name."""
    by_dimension: defaultdict[str, list[AskedOptions]] = defaultdict(list)
    for one in asked:
        by_dimension[one.dimension].append(one)
    return tuple(_baseline(name, own) for name, own in sorted(by_dimension.items()))


def baseline_line(told: Baseline) -> str:
    """
    Say what blind readers have right of a dimension, and whether it leaks.

    >>> even = {"position": 0.25, "majority": 0.25}
    >>> baseline_line(Baseline(dimension="wi", n=8, chance=0.25, text=0.5, **even))
    'wi: 8 items; without looking: position 25.0%, majority 25.0%, text 50.0%; LEAKS by text'
    """
    shares = f"position {told.position:.1%}, majority {told.majority:.1%}, text {told.text:.1%}"
    leaks = f"; LEAKS by {', '.join(told.leaks)}" if told.leaks else ""
    return f"{told.dimension}: {told.n} items; without looking: {shares}{leaks}"


def _baseline(dimension: str, asked: Sequence[AskedOptions]) -> Baseline:
    n = len(asked)
    readers: dict[str, Sequence[_Features]] = {
        "position": [tuple((str(at),) for at in range(len(one.keys))) for one in asked],
        "majority": [tuple((key,) for key in one.keys) for one in asked],
        "text": [_text_features(one) for one in asked],
    }
    right = {name: _hits(asked, features) / n for name, features in readers.items()}
    chance = sum(1 / len(one.keys) for one in asked) / n
    return Baseline(dimension=dimension, n=n, chance=chance, **right)


def _text_features(one: AskedOptions) -> _Features:
    """Return of each option its words, and the whole of it with each of the question's."""
    said = sorted(set(key_of(one.words).words))
    return tuple(
        (*sorted(set(key_of(option).words)), f"={option}", *(f"{word}|{option}" for word in said))
        for option in one.options
    )


def _hits(asked: Sequence[AskedOptions], features: Sequence[_Features]) -> float:
    """
    Count right answers of a reader that sums the log odds of an option's features.

    A tie among the best counts as a guess between them.
    """
    seen: defaultdict[str, Counter[tuple[str, bool]]] = defaultdict(Counter)
    for one, options in zip(asked, features, strict=True):
        for at, own in enumerate(options):
            seen[one.group].update((feature, at == one.right) for feature in own)
    whole: Counter[tuple[str, bool]] = Counter()
    for counts in seen.values():
        whole.update(counts)
    hits = 0.0
    for one, options in zip(asked, features, strict=True):
        mine, odds = seen[one.group], len(options) - 1
        sums = [
            round(math.fsum(_log_odds(whole, mine, feature, odds) for feature in own), 9)
            for own in options
        ]
        best = [at for at, total in enumerate(sums) if total == max(sums)]
        hits += (one.right in best) / len(best)
    return hits


def _log_odds(
    whole: Counter[tuple[str, bool]], mine: Counter[tuple[str, bool]], feature: str, odds: int
) -> float:
    """Return what a feature speaks for its option, by all questions but one's own."""
    right, wrong = (whole[feature, told] - mine[feature, told] for told in (True, False))
    return math.log((right + _SMOOTH) * odds / (wrong + _SMOOTH * odds))
