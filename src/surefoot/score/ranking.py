"""
Models in the order of their rates, as far as the same elements tell them apart.

An element's value is the mean over the pillars that ask for it, each the mean over its
conditions, so that no element weighs more because more was asked about it. Every two models are
compared by a paired test on all elements, with sites as clusters and Holm's correction over all
pairs: two that no test tells apart are tied, whatever their rates. The level of the intervals is
shared out over all that are told, so that they hold together.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

import msgspec
import numpy as np

from surefoot.score.contrasts.comparisons import LEVEL
from surefoot.score.stats.clusters import RATE, interval_bounds, ratio
from surefoot.score.stats.intervals import Interval
from surefoot.score.stats.multiplicity import holm_steps
from surefoot.score.stats.paired import paired_change

Values: TypeAlias = Mapping[str, float]  # of elements, by their pairs
OVERALL: Final = ""


class RankedRate(msgspec.Struct, frozen=True, kw_only=True):
    """Hold what a model has in a pillar, or over all of them; None for an interval of one site."""

    model: str
    pillar: str
    n: int
    amount: float
    interval: Interval | None


class RankedPair(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold a model's rate minus that of another on the same elements.

    They are told apart, ``found``, where p is under the ``level`` of the test, which the
    interval has too.
    """

    model: str
    other: str
    n: int
    change: float
    interval: Interval | None
    p: float
    level: float
    found: bool


class Ranking(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold models, the highest rate first.

    ``places`` are the best and the worst that a model can have, from 1: before it are all that
    are surely better, behind it all that are surely worse. ``ties`` are the largest groups of
    models of which no two are told apart. ``rates`` have further those of models that were not
    asked everything, and of references, which have no place.
    """

    models: tuple[str, ...]
    places: dict[str, tuple[int, int]]
    ties: tuple[tuple[str, ...], ...]
    rates: tuple[RankedRate, ...]
    pairs: tuple[RankedPair, ...]

    def rate(self, model: str, pillar: str = OVERALL) -> RankedRate | None:
        """Return a model's rate in a pillar, or over all; None where it was not asked."""
        found = (rate for rate in self.rates if (rate.model, rate.pillar) == (model, pillar))
        return next(found, None)


def rank(
    values: Mapping[str, Mapping[str, Values]],
    sites: Mapping[str, str],
    *,
    beside: Iterable[str] = (),
) -> Ranking:
    """
    Rank models by the values of elements, given by model and pillar.

    ``sites`` has the site of each element. Models ``beside`` have rates and no place, and so has
    one that was not asked about every pillar.

    >>> right, half = {"a": 1.0, "b": 1.0}, {"a": 1.0, "b": 0.0}
    >>> found = rank({"x": {"p": half}, "y": {"p": right}}, {"a": "s", "b": "t"})
    >>> found.models, found.places, found.ties
    (('y', 'x'), {'y': (1, 2), 'x': (1, 2)}, (('y', 'x'),))
    """
    pillars = {pillar for own in values.values() for pillar in own}
    overall = {model: _joined(own.values()) for model, own in values.items() if {*own} == pillars}
    many = sum(len(own) + (model in overall) for model, own in values.items())
    rates = []
    for model, own in values.items():
        parts = {**own, OVERALL: overall[model]} if model in overall else own
        for pillar, part in parts.items():
            n, amount, interval = mean_rate(part, sites, LEVEL / max(many, 1))
            rates.append(
                RankedRate(model=model, pillar=pillar, n=n, amount=amount, interval=interval)
            )
    means = {rate.model: rate.amount for rate in rates if rate.pillar == OVERALL}
    ranked = sorted(means.keys() - {*beside}, key=lambda model: (-means[model], model))
    pairs = _told_apart(overall, ranked, sites)
    better = dict.fromkeys(ranked, 0)
    worse = dict(better)
    for pair in pairs:
        if pair.found:
            first, second = (pair.model, pair.other)[:: 1 if pair.change > 0 else -1]
            worse[first] += 1
            better[second] += 1
    return Ranking(
        models=tuple(ranked),
        places={model: (1 + better[model], len(ranked) - worse[model]) for model in ranked},
        ties=_ties(ranked, pairs),
        rates=tuple(rates),
        pairs=tuple(pairs),
    )


def mean_rate(
    values: Values, sites: Mapping[str, str], level: float = LEVEL
) -> tuple[int, float, Interval | None]:
    """Return how many elements there are, their mean value, and its interval over sites."""
    homes = sorted({sites[pair] for pair in values})
    place = {site: at for at, site in enumerate(homes)}
    sums = np.zeros((3, len(homes), 1))
    for pair, value in values.items():
        sums[:, place[sites[pair]], 0] += (value, 1.0, value**2)
    found = ratio(sums[0], sums[1], sums[2])
    low, high = interval_bounds(found, RATE, confidence=1 - level)[:, 0]
    interval = None
    if not np.isnan(low):
        interval = Interval(
            float(low), float(high), "", confidence=1 - level, clusters=len(homes), over="sites"
        )
    return len(values), float(found.value[0]), interval


def _joined(parts: Iterable[Values]) -> dict[str, float]:
    """Return each element's mean over the pillars that ask for it."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for part in parts:
        for pair, value in part.items():
            found[pair].append(value)
    return {pair: sum(own) / len(own) for pair, own in found.items()}


def _told_apart(
    overall: Mapping[str, Values], ranked: Sequence[str], sites: Mapping[str, str]
) -> list[RankedPair]:
    """Compare every two models on the elements that both were asked about."""
    tested = []
    for item, other in itertools.combinations(ranked, 2):
        shared = sorted(overall[item].keys() & overall[other].keys())
        homes = {site: at for at, site in enumerate(sorted({sites[pair] for pair in shared}))}
        changes = np.array([overall[item][pair] - overall[other][pair] for pair in shared])
        home = np.array([homes[sites[pair]] for pair in shared], np.int64)
        tested.append((item, other, paired_change(changes, home, 1.0)))
    steps = holm_steps([change.p for _, _, change in tested], LEVEL)
    return [
        RankedPair(
            model=item,
            other=other,
            n=change.n,
            change=change.mean,
            interval=change.interval(1 - step),
            p=change.p,
            level=step,
            found=change.p < step,
        )
        for (item, other, change), step in zip(tested, steps, strict=True)
    ]


def _ties(ranked: Sequence[str], pairs: Iterable[RankedPair]) -> tuple[tuple[str, ...], ...]:
    """
    Return the largest groups of which no two are told apart (Piepho's insert and absorb, 2004).
    """
    groups: list[frozenset[str]] = [frozenset(ranked)]
    for pair in pairs:
        if pair.found:
            split = [
                part
                for group in groups
                for part in (
                    [group - {pair.model}, group - {pair.other}]
                    if {pair.model, pair.other} <= group
                    else [group]
                )
            ]
            groups = [
                fromkey
                for fromkey in dict.fromkeys(split)
                if not any(fromkey < two for two in split)
            ]
    groups_ranked = [
        tuple(model for model in ranked if model in group) for group in groups if group
    ]
    return tuple(sorted(groups_ranked, key=lambda group: [ranked.index(model) for model in group]))
