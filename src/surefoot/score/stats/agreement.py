"""
How far people agree: the raw share, and shares beyond chance, with intervals over clusters.

Ratings are a matrix (items, raters) of categories counted from 0, `UNRATED` where a rater gave
none. Items that fewer than two raters rated tell nothing and are left out.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.score.stats.arrays import Floats, Ints
from surefoot.score.stats.clusters import JACKKNIFE, weight_degrees
from surefoot.score.stats.intervals import CONFIDENCE, Interval

UNRATED: Final = -1
MOST_PAIRED: Final = 50
_TWO: Final = 2
_ALIKE: Final = 1e-12


class AgreementRow(msgspec.Struct, frozen=True):
    """
    Hold one statistic of some persons; ``value`` is None where it is not defined.

    ``items`` counts those that two or more of them rated; ``persons`` is empty where nobody
    is named.
    """

    statistic: str
    persons: tuple[str, ...]
    items: int
    value: float | None
    interval: Interval | None


def agreement_rows(
    ratings: Ints,
    persons: Sequence[str],
    categories: int,
    clusters: Sequence[str],
    *,
    over: str,
) -> list[AgreementRow]:
    """
    Return how far persons agree: all of them, and each two, with intervals over clusters.

    ``categories`` counts those that could be given. Without names of persons, the columns are
    no persons and no two of them are compared; nor are two of over 50, 1,225 pairs already.
    """
    together: Mapping[str, Callable[[Ints], float]] = {
        "share of equal verdicts": raw_agreement,
        "Fleiss' kappa": fleiss_kappa,
        "Gwet's AC1": functools.partial(gwet_ac1, categories=categories),
    }
    found = [
        _row(name, statistic, tuple(persons), ratings, clusters, over)
        for name, statistic in together.items()
        if ratings.shape[1] > 1
    ]
    compared = range(len(persons)) if len(persons) <= MOST_PAIRED else ()
    for pair in itertools.combinations(compared, 2):
        named = tuple(persons[number] for number in pair)
        found.append(
            _row("Cohen's kappa", cohen_kappa, named, ratings[:, list(pair)], clusters, over)
        )
    return found


def raw_agreement(ratings: Ints) -> float:
    """
    Return the share of pairs of ratings of one item that agree, averaged over items.

    NaN without an item that two rated.

    >>> raw_agreement(np.array([[0, 0], [0, 1], [1, UNRATED]]))
    0.5
    """
    counts = _counts(ratings)
    rated = counts.sum(axis=1)
    if not len(counts):
        return math.nan
    return float(((counts * (counts - 1)).sum(axis=1) / (rated * (rated - 1))).mean())


def cohen_kappa(ratings: Ints) -> float:
    """
    Return Cohen's kappa of two raters (Cohen 1960, eq. 1); NaN where chance explains all.

    Raises ValueError for another number of raters.

    >>> round(cohen_kappa(np.array([[0, 0], [0, 0], [1, 1], [0, 1]])), 3)
    0.5
    """
    first, second = ratings[(ratings != UNRATED).all(axis=1)].T
    size = int(ratings.max(initial=0)) + 1
    shares = [np.bincount(rater, minlength=size) / max(1, len(rater)) for rater in (first, second)]
    observed = float((first == second).mean()) if len(first) else math.nan
    return _beyond(observed, float((shares[0] * shares[1]).sum()))


def fleiss_kappa(ratings: Ints) -> float:
    """
    Return Fleiss' kappa (Fleiss 1971, eq. 7); NaN where chance explains all.

    Where items have different numbers of ratings, each item counts the same.

    >>> round(fleiss_kappa(np.array([[0, 0], [0, 0], [1, 1], [0, 1]])), 3)
    0.467
    """
    return _beyond(raw_agreement(ratings), float((_shares(ratings) ** 2).sum()))


def gwet_ac1(ratings: Ints, categories: int) -> float:
    """
    Return Gwet's AC1 for any number of raters (Gwet 2008; irrCAC 0.4.4 computes the same).

    Chance is what raters who are sure of most items would agree on in the others, so it stays
    small where nearly all are of one category. ``categories`` counts those that could be given;
    NaN where that is one.

    >>> round(gwet_ac1(np.array([[0, 0], [0, 0], [1, 1], [0, 1]]), 2), 3)
    0.529
    """
    if categories < _TWO:
        return math.nan
    shares = _shares(ratings)
    return _beyond(raw_agreement(ratings), float((shares * (1 - shares)).sum()) / (categories - 1))


def agreement_interval(
    statistic: Callable[[Ints], float], ratings: Ints, clusters: Sequence[str], *, over: str
) -> Interval | None:
    """
    Return an interval of a statistic by the jackknife: each cluster of items left out once.

    Error and degrees are those of all intervals (``clusters.py``); None where fewer than two
    tell, where a statistic without one of them is not defined, and where it is the same without
    any of them, which says nothing of clusters that were not rated.
    """
    from scipy.special import stdtrit

    is_rated = (ratings != UNRATED).sum(axis=1) >= _TWO
    names, code = np.unique(np.asarray(clusters)[is_rated], return_inverse=True)
    kept = ratings[is_rated]
    count = len(names)
    if count < _TWO:
        return None
    order = np.lexsort(kept.T)
    kept, code = kept[order], code[order]
    without: list[float] = []
    known: dict[bytes, float] = {}  # clusters that were rated alike leave the same behind
    for cluster in range(count):
        own = code == cluster
        key = kept[own].tobytes()
        if key not in known:
            known[key] = statistic(kept[~own])
        without.append(known[key])
    left_out = np.array(without)
    value = statistic(kept)
    if not (np.isfinite(left_out).all() and math.isfinite(value)):
        return None
    if np.ptp(left_out) < _ALIKE:
        return None
    error = math.sqrt(float(((left_out - value) ** 2).sum()))
    degrees = float(weight_degrees(np.bincount(code)[:, None] / len(code))[0])
    reach = float(stdtrit(degrees, (1 + CONFIDENCE) / 2)) * error
    least = 0.0 if statistic is raw_agreement else -1.0
    low, high = max(least, value - reach), min(1.0, value + reach)
    return Interval(
        low, high, JACKKNIFE, clusters=count, over=over, standard_error=error, degrees=degrees
    )


def _counts(ratings: Ints) -> Floats:
    """Return (items, categories): how often each was given, of items that two rated."""
    size = int(ratings.max(initial=0)) + 1
    counts = np.stack([(ratings == category).sum(axis=1) for category in range(size)], axis=1)
    return np.asarray(counts[counts.sum(axis=1) >= _TWO], dtype=np.float64)


def _shares(ratings: Ints) -> Floats:
    """Return the share of each category, averaged over items."""
    counts = _counts(ratings)
    return np.asarray((counts / counts.sum(axis=1, keepdims=True)).mean(axis=0))


def _beyond(observed: float, chance: float) -> float:
    return (observed - chance) / (1 - chance) if chance < 1 else math.nan


def _row(
    name: str,
    statistic: Callable[[Ints], float],
    persons: tuple[str, ...],
    ratings: Ints,
    clusters: Sequence[str],
    over: str,
) -> AgreementRow:
    items = int(((ratings != UNRATED).sum(axis=1) >= _TWO).sum())
    value = statistic(ratings) if items else math.nan
    interval = agreement_interval(statistic, ratings, clusters, over=over) if items else None
    return AgreementRow(name, persons, items, None if math.isnan(value) else value, interval)
