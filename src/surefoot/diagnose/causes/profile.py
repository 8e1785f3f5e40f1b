"""
The weakness profile: what a model's failures go with, and how sure that is.

Sites are the clusters. A feature's effect is the difference of the failure rates with and
without it, a confusion's how much more often misses show it than blind choice would; their
intervals and tests are those of ``score.stats.clusters``, two-sided for a feature, one-sided
for a confusion. Holm's correction runs over all features, and over all confusions, each as
one family. A click that the confusion with the largest share explains is left out of the
next one's count, and so on. The answers come from a search that asks what fails; rates are
those of what was asked, not of all that could be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.diagnose.causes.confusions import CONFUSIONS, Confusion, Showing, showings
from surefoot.diagnose.findings import Weakness
from surefoot.diagnose.search.arms import Tried
from surefoot.diagnose.search.bandit import Bandit
from surefoot.diagnose.search.features import words_of
from surefoot.refer.scene.scenes import Scenes
from surefoot.score.stats.clusters import (
    CHANGE,
    RATE,
    difference_of_ratios,
    p_values,
    ratio,
    single_interval,
    sum_by_cluster,
)
from surefoot.score.stats.intervals import CONFIDENCE
from surefoot.score.stats.multiplicity import holm

__all__ = ["profile", "weakness_names", "weaknesses"]

LEVEL: Final = 1 - CONFIDENCE
LEAST_ANSWERS: Final = 10  # on either side of a comparison
LEAST_SHOWN: Final = 5
LEAST_EFFECT: Final = 0.1
SURE: Final = 1.96


def profile(answers: Iterable[Tried], scenes: Scenes) -> tuple[Weakness, ...]:
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
    return weaknesses(known, shown)


def weaknesses(
    known: Sequence[Tried], shown: Mapping[Confusion, list[Showing]]
) -> tuple[Weakness, ...]:
    """Return what ``profile`` does, from answers and from what they say of each confusion."""
    confusions = _explaining(shown)
    names = sorted({name for each in known for name in each.arm.features})
    joint = Bandit()
    joint.learn((each.arm.features, each.failed) for each in known)
    apart = {name for name, (mean, spread) in joint.weights().items() if mean > SURE * spread}
    features = [
        _feature(name, known, apart=name in apart) for name in names if _comparable(name, known)
    ]
    return (*_corrected([_confusion(*each) for each in confusions]), *_corrected(features))


def weakness_names(found: Iterable[Weakness]) -> tuple[str, ...]:
    """Return the words of the weaknesses that are named."""
    return tuple(each.words for each in found if each.named)


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


def _feature(name: str, answers: Sequence[Tried], *, apart: bool) -> Weakness:
    has = np.array([name in each.arm.features for each in answers], dtype=float)
    failed = np.array([each.failed for each in answers], dtype=float)
    columns = np.stack([(1 - has) * failed, 1 - has, has * failed, has], axis=1)
    sums = sum_by_cluster([each.arm.question.cluster for each in answers], columns)
    found = difference_of_ratios((sums[:, :1], sums[:, 1:2]), (sums[:, 2:3], sums[:, 3:]))
    effect, interval = float(found.value[0]), single_interval(found, CHANGE)
    without, lacks, failing, having = sums.sum(axis=0)
    return Weakness(
        kind="feature",
        feature=name,
        words=f"fails more often with {words_of(name)}",
        failed_with=int(failing),
        n_with=int(having),
        failed_without=int(without),
        n_without=int(lacks),
        effect=effect,
        interval=interval,
        p=float(p_values(found, CHANGE)[0]),
        p_holm=1.0,
        clusters=len(sums),
        named=apart and effect >= LEAST_EFFECT and interval.low > 0,
    )


def _confusion(confusion: Confusion, found: Sequence[Showing]) -> Weakness:
    """Compare the share of misses that show a confusion with that of blind choice."""
    rival = [each for each in found if each.on_rival]
    shown = sum(each.shown for each in found)
    weakness = Weakness(
        kind="confusion",
        feature=confusion.name,
        words=confusion.words,
        failed_with=shown,
        n_with=len(found),
        failed_without=len(rival) - shown,
        n_without=len(rival),
        effect=None,
        interval=None,
        p=1.0,
        p_holm=1.0,
        clusters=len({each.cluster for each in rival}),
        named=False,
    )
    if not rival:
        return weakness
    counts = np.array([[float(each.shown), 1.0] for each in rival])
    sums = sum_by_cluster([each.cluster for each in rival], counts)
    share = ratio(sums[:, :1], sums[:, 1:])
    blind = float(np.mean([each.chance for each in rival]))
    effect, interval = float(share.value[0]) - blind, single_interval(share, RATE)
    beyond = msgspec.structs.replace(
        interval, low=interval.low - blind, high=interval.high - blind
    )
    both_sides = float(p_values(share, RATE, null=blind)[0])
    return msgspec.structs.replace(
        weakness,
        effect=effect,
        interval=beyond,
        p=both_sides / 2 if effect > 0 else 1 - both_sides / 2,
        named=effect >= LEAST_EFFECT and shown >= LEAST_SHOWN and beyond.low > 0,
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
