"""
What can be answered without looking: by place, by the commonest option, by words, by form.

Each is fitted on all applications but the one that it answers, so that none knows an answer.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import msgspec

from surefoot.benchmarks.dimensions.options import form_features
from surefoot.refer.scene.names import key_of

FIRST: Final = "en"
LEAK: Final = 0.08  # above chance: what a dimension gives away that leaks
_SMOOTH: Final = 1.0
_Features: TypeAlias = tuple[tuple[str, ...], ...]  # of each option


class AskedOptions(msgspec.Struct, frozen=True):
    """
    Hold what a blind reader has of one question: its words, its options, and not its picture.

    ``keys`` name the options, whatever their words; ``right`` is the place of the right one.
    ``group`` is what is left out at once: the application. ``item`` is what the question asks,
    in whatever ``language``.
    """

    dimension: str
    group: str
    words: str
    keys: tuple[str, ...]
    options: tuple[str, ...]
    right: int
    language: str = "en"
    item: str = ""


class Baseline(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what blind readers have right of ``n`` questions of one dimension, as shares.

    ``position`` takes the place that is right most often, ``majority`` the option that is
    right most often where it stands, ``text`` what the words speak for, ``form`` how an option
    looks beside the others: how long it is, what it shares with them and with the question.
    """

    dimension: str
    language: str
    n: int
    chance: float
    position: float
    majority: float
    text: float
    form: float

    @property
    def leaks(self) -> tuple[str, ...]:
        """Return the readers that are more than eight points better than chance."""
        return tuple(name for name in _READERS if getattr(self, name) > self.chance + LEAK)

    @property
    def worst(self) -> float:
        """Return by how much the best of the readers is better than chance."""
        return max(self.position, self.majority, self.text, self.form) - self.chance


def baselines(asked: Iterable[AskedOptions]) -> tuple[Baseline, ...]:
    """Return what blind readers have right of each dimension, sorted by it and the language."""
    return tuple(
        Baseline(
            dimension=dimension,
            language=language,
            n=len(own),
            chance=sum(1 / len(options.keys) for options in own) / len(own),
            **{name: _share(own, _sums(own, reader)) for name, reader in _READERS.items()},
        )
        for (dimension, language), own in sorted(_by_table(asked).items())
    )


def baseline_lines(readings: Iterable[Baseline]) -> Iterator[str]:
    """
    Say what blind readers have right of a dimension in English, and where else it leaks.

    >>> even = {"position": 0.25, "majority": 0.25, "form": 0.25, "n": 8, "chance": 0.25}
    >>> told = Baseline(dimension="wi", language="fr", text=0.5, **even)
    >>> list(baseline_lines([told]))[0].split(", ")[2:]
    ['text 50.0%', 'form 25.0%; LEAKS by text']
    """
    for reading in readings:
        if reading.language != FIRST and not reading.leaks:
            continue
        shares = ", ".join(f"{name} {getattr(reading, name):.1%}" for name in _READERS)
        where = "" if reading.language == FIRST else f" in {reading.language}"
        leaks = f"; LEAKS by {', '.join(reading.leaks)}" if reading.leaks else ""
        yield f"{reading.dimension}{where}: {reading.n} items; without looking: {shares}{leaks}"


def given_away(asked: Iterable[AskedOptions], reading: Baseline, share: float) -> frozenset[str]:
    """
    Return the items of a dimension in a language that readers of what leaks are surest of.

    It is so large a ``share`` of those that such a reader has right, one at least; where it
    wavers between the right option and another, that is half right.
    """
    own = _by_table(asked)[reading.dimension, reading.language]
    found: set[str] = set()
    for name in reading.leaks:
        margins = []
        for question, sums in zip(own, _sums(own, _READERS[name]), strict=True):
            others = [total for at, total in enumerate(sums) if at != question.right]
            margins.append((sums[question.right] - max(others), question.item))
        right = sorted((margin for margin in margins if margin[0] >= 0), reverse=True)
        found.update(item for _, item in right[: max(1, round(share * len(right)))])
    return frozenset(found)


def _by_table(asked: Iterable[AskedOptions]) -> dict[tuple[str, str], list[AskedOptions]]:
    found: defaultdict[tuple[str, str], list[AskedOptions]] = defaultdict(list)
    for options in asked:
        found[options.dimension, options.language].append(options)
    return dict(found)


def _place_features(one: AskedOptions) -> _Features:
    return tuple((str(at),) for at in range(len(one.keys)))


def _key_features(one: AskedOptions) -> _Features:
    return tuple((key,) for key in one.keys)


def _text_features(one: AskedOptions) -> _Features:
    """Return of each option its words, and the whole of it with each of the question's."""
    words_used = sorted(set(key_of(one.words).words))
    return tuple(
        (
            *sorted(set(key_of(option).words)),
            f"={option}",
            *(f"{word}|{option}" for word in words_used),
        )
        for option in one.options
    )


def _form_features(one: AskedOptions) -> _Features:
    return tuple(form_features(one.words, one.options))


_READERS: Final[Mapping[str, Callable[[AskedOptions], _Features]]] = {
    "position": _place_features,
    "majority": _key_features,
    "text": _text_features,
    "form": _form_features,
}


def _sums(
    asked: Sequence[AskedOptions], reader: Callable[[AskedOptions], _Features]
) -> list[list[float]]:
    """Return what speaks for each option: the log odds of its features (naive Bayes), summed."""
    features = [reader(item) for item in asked]
    seen: defaultdict[str, Counter[tuple[str, bool]]] = defaultdict(Counter)
    for item, options in zip(asked, features, strict=True):
        for at, own in enumerate(options):
            seen[item.group].update((feature, at == item.right) for feature in own)
    whole: Counter[tuple[str, bool]] = Counter()
    for counts in seen.values():
        whole.update(counts)
    return [
        [
            round(
                math.fsum(
                    _log_odds(whole, seen[item.group], feature, len(options) - 1)
                    for feature in own
                ),
                9,
            )
            for own in options
        ]
        for item, options in zip(asked, features, strict=True)
    ]


def _share(asked: Sequence[AskedOptions], sums: Sequence[Sequence[float]]) -> float:
    """Return the share of right answers; a tie among the best counts as a guess between them."""
    hits = 0.0
    for options, totals in zip(asked, sums, strict=True):
        best = [at for at, total in enumerate(totals) if total == max(totals)]
        hits += (options.right in best) / len(best)
    return hits / len(asked)


def _log_odds(
    whole: Counter[tuple[str, bool]], mine: Counter[tuple[str, bool]], feature: str, odds: int
) -> float:
    """Return what a feature speaks for its option, by all questions but one's own."""
    right, wrong = (
        whole[feature, is_right] - mine[feature, is_right] for is_right in (True, False)
    )
    return math.log((right + _SMOOTH) * odds / (wrong + _SMOOTH * odds))
