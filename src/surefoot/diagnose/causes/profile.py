"""
The weakness profile: what a model's failures go with, and how sure that is.

Pages are the clusters. A feature's effect is the difference of the failure rates with and
without it, a confusion's how much more often misses show it than blind choice would; their
intervals are those of a bootstrap over pages, and exact ones (Clopper and Pearson, 1934) or
Newcombe's (1998, for differences) where all pages agree, so that no resample differs. They
are tested by one value a page, so that answers of one page need not be independent (Donner
and Klar, 2000): the difference of the two rates on each page that has both, two-sided; the
mean beyond chance on each page, one-sided. Holm's correction runs over all features, and
over all confusions, each as one family. A click that the confusion with the largest share
explains is left out of the next one's count, and so on. The answers come from a search that
asks what fails; rates are those of what was asked, not of all that could be.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np
from scipy.special import stdtr

from surefoot.core.seeds import derive_seed
from surefoot.diagnose.causes.confusions import CONFUSIONS, Confusion, Showing, showings
from surefoot.diagnose.findings import Weakness
from surefoot.diagnose.rates import exact_counts, exact_interval, has_spread
from surefoot.diagnose.search.arms import Tried
from surefoot.diagnose.search.bandit import Bandit
from surefoot.diagnose.search.features import words_of
from surefoot.diagnose.search.scenes import Scenes
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.bootstrap import percentile_bounds, resampled_ratios
from surefoot.score.stats.intervals import CONFIDENCE, Interval, newcombe
from surefoot.score.stats.multiplicity import holm

__all__ = ["page_test", "profile", "weakness_names", "weaknesses"]

RESAMPLES: Final = 2000
LEVEL: Final = 1 - CONFIDENCE
LEAST_ANSWERS: Final = 10  # on either side of a comparison
LEAST_SHOWN: Final = 5
LEAST_EFFECT: Final = 0.1
SURE: Final = 1.96


def profile(answers: Iterable[Tried], scenes: Scenes, *, seed: int = 0) -> tuple[Weakness, ...]:
    """
    Return a model's confusions, then its features, the clearest first.

    Features that fewer than 10 answers have, or lack, are left out. A weakness is named where
    its corrected p is under 0.05, its interval above 0, its effect at least 0.1. A confusion
    also needs 5 clicks that show it; a feature also needs that it counts beside all other
    features: its weight in their joint regression (``bandit``) lies 1.96 standard
    deviations above 0. What only comes along with the cause is shown, but not named.
    """
    known = [each for each in answers if each.answered]
    shown = {each: list(showings(each, known, scenes)) for each in CONFUSIONS}
    return weaknesses(known, shown, seed=seed)


def weaknesses(
    known: Sequence[Tried], shown: Mapping[Confusion, list[Showing]], *, seed: int = 0
) -> tuple[Weakness, ...]:
    """Return what ``profile`` does, from answers and from what they say of each confusion."""
    confusions = _explaining(shown)
    names = sorted({name for each in known for name in each.arm.features})
    joint = Bandit()
    joint.learn((each.arm.features, each.failed) for each in known)
    apart = {name for name, (mean, spread) in joint.weights().items() if mean > SURE * spread}
    features = [
        _feature(name, known, seed, apart=name in apart)
        for name in names
        if _comparable(name, known)
    ]
    return (*_corrected([_confusion(*each, seed) for each in confusions]), *_corrected(features))


def weakness_names(found: Iterable[Weakness]) -> tuple[str, ...]:
    """Return the words of the weaknesses that are named."""
    return tuple(each.words for each in found if each.named)


def page_test(values: Floats, *, sides: int) -> float:
    """
    Return the p of one value a page being zero on average; one-sided asks for above it.

    It is that of Student's t, and never below that of the sign test with all signs equal,
    which needs no normal values: 1 / 2^m for m pages, twice that for two sides. Fewer than
    two pages, or values that are all zero, give 1.

    >>> round(page_test(np.array([0.5, 0.4, 0.6, 0.5, 0.7, 0.6, 0.5, 0.4]), sides=1), 4)
    0.0039
    """
    count = len(values)
    if count < 2 or not values.any():  # noqa: PLR2004 - one page has no variance
        return 1.0
    mean, spread = float(values.mean()), float(values.std(ddof=1)) / math.sqrt(count)
    size = abs(mean) / spread if spread > 0 else math.inf
    tail = float(stdtr(count - 1, -size))
    if sides == 1:
        return max(tail, 0.5**count) if mean > 0 else 1.0 - tail
    return min(1.0, 2 * max(tail, 0.5**count))


def _explaining(
    found: Mapping[Confusion, list[Showing]],
) -> list[tuple[Confusion, list[Showing]]]:
    """
    Order the confusions by the share of the answers that show them, the largest first.

    A click that one of them explains is no evidence for a later one: the largest control of
    a role may by chance be the first as well.
    """
    left, ordered = dict(found), []
    while left:
        first = max(left, key=lambda each: (_shown_share(left[each]), each.name))
        shown = {each.question for each in left[first] if each.shown}
        ordered.append((first, left.pop(first)))
        left = {
            name: [each for each in several if each.question not in shown]
            for name, several in left.items()
        }
    return ordered


def _shown_share(found: Sequence[Showing]) -> float:
    return sum(each.shown for each in found) / len(found) if found else 0.0


def _comparable(name: str, answers: Sequence[Tried]) -> bool:
    count = sum(name in each.arm.features for each in answers)
    return min(count, len(answers) - count) >= LEAST_ANSWERS


def _feature(name: str, answers: Sequence[Tried], seed: int, *, apart: bool) -> Weakness:
    has = np.array([name in each.arm.features for each in answers], dtype=float)
    failed = np.array([each.failed for each in answers], dtype=float)
    page = _codes([each.arm.question.cluster for each in answers])
    rates = _sums(page, np.stack([has * failed, (1 - has) * failed], axis=1))
    counts = _sums(page, np.stack([has, 1 - has], axis=1))
    resampled = resampled_ratios(
        rates, counts, resamples=RESAMPLES, seed=derive_seed(seed, "feature", name)
    )
    interval = _or_newcombe(_interval(resampled[:, 0] - resampled[:, 1]), rates, counts)
    both = (counts > 0).all(axis=1)
    differences = np.diff(rates[both] / counts[both], axis=1)[:, 0]
    sums = rates.sum(axis=0), counts.sum(axis=0)
    effect = float(sums[0][0] / sums[1][0] - sums[0][1] / sums[1][1])
    return Weakness(
        kind="feature",
        feature=name,
        words=f"fails more often with {words_of(name)}",
        failed_with=int(sums[0][0]),
        n_with=int(sums[1][0]),
        failed_without=int(sums[0][1]),
        n_without=int(sums[1][1]),
        effect=effect,
        interval=interval,
        p=page_test(differences, sides=2),
        p_holm=1.0,
        clusters=len(rates),
        named=apart and effect >= LEAST_EFFECT and interval is not None and interval.low > 0,
    )


def _confusion(confusion: Confusion, found: Sequence[Showing], seed: int) -> Weakness:
    rival = [each for each in found if each.on_rival]
    beyond = np.array([each.shown - each.chance for each in rival])
    page = _codes([each.cluster for each in rival])
    sums = _sums(page, beyond[:, None])
    effect = float(beyond.mean()) if rival else None
    counts = _sums(page, np.ones((len(rival), 1)))
    interval = None
    if rival:
        drawn = derive_seed(seed, "confusion", confusion.name)
        resampled = resampled_ratios(sums, counts, resamples=RESAMPLES, seed=drawn)
        interval = _or_exact(_interval(resampled[:, 0]), rival, len(sums))
    shown = sum(each.shown for each in found)
    strong = effect is not None and effect >= LEAST_EFFECT and shown >= LEAST_SHOWN
    return Weakness(
        kind="confusion",
        feature=confusion.name,
        words=confusion.words,
        failed_with=shown,
        n_with=len(found),
        failed_without=len(rival) - shown,
        n_without=len(rival),
        effect=effect,
        interval=interval,
        p=page_test(sums[:, 0] / counts[:, 0], sides=1),
        p_holm=1.0,
        clusters=len(sums),
        named=strong and interval is not None and interval.low > 0,
    )


def _corrected(found: Sequence[Weakness]) -> list[Weakness]:
    adjusted = holm([each.p for each in found]) if found else []
    corrected = [
        msgspec.structs.replace(each, p_holm=p, named=each.named and p < LEVEL)
        for each, p in zip(found, adjusted, strict=True)
    ]
    rank: Callable[[Weakness], tuple[bool, float, str]] = lambda each: (  # noqa: E731
        not each.named,
        -(each.effect or 0.0),
        each.feature,
    )
    return sorted(corrected, key=rank)


def _interval(values: Floats) -> Interval | None:
    low, high = percentile_bounds(values[:, None])[:, 0]
    if np.isnan(low):
        return None
    return Interval(float(low), float(high), "bootstrap over pages")


def _or_newcombe(interval: Interval | None, failed: Floats, counts: Floats) -> Interval | None:
    """Replace an interval without spread; both matrices are pages by (with, without)."""
    if interval is None or has_spread(interval):
        return interval
    pages = (counts > 0).sum(axis=0)
    table = np.stack([failed.sum(axis=0), counts.sum(axis=0), pages]).astype(int)
    has, lacks = (exact_counts(*map(int, column)) for column in table.T)
    found = newcombe((lacks[0], has[0]), (lacks[1], has[1]))
    return Interval(found.low, found.high, "newcombe, all pages agree")


def _or_exact(interval: Interval | None, rival: Sequence[Showing], pages: int) -> Interval | None:
    """Replace an interval where all pages agree, so that at most chance varies in it."""
    shown = sum(each.shown for each in rival)
    if interval is None or (0 < shown < len(rival) and has_spread(interval)):
        return interval
    exact = exact_interval(shown, len(rival), pages)
    chance = float(np.mean([each.chance for each in rival]))
    return Interval(exact.low - chance, exact.high - chance, exact.method)


def _codes(labels: Sequence[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.intp]]:
    return np.unique(np.array(labels, dtype=object).astype(str), return_inverse=True)[1]


def _sums(codes: np.ndarray[tuple[int, ...], np.dtype[np.intp]], columns: Floats) -> Floats:
    """Add up columns over the rows of each code."""
    total = np.zeros((int(codes.max()) + 1 if len(codes) else 0, columns.shape[1]))
    np.add.at(total, codes, columns)
    return total
