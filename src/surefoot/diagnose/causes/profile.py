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

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.diagnose.causes.confusions import CONFUSIONS, Confusion, ConfusionEvidence, showings
from surefoot.diagnose.findings import Weakness
from surefoot.diagnose.rates import MISSED
from surefoot.diagnose.search.arms import ArmResult
from surefoot.diagnose.search.bandit import Bandit
from surefoot.diagnose.search.features import words_of
from surefoot.refer.scene.scenes import Scenes
from surefoot.score.comparisons import Comparison, Contrast, compare_rows, corrected
from surefoot.score.rows import Condition, measured_rows
from surefoot.score.scores import score_rows
from surefoot.score.stats.clusters import RATE, intervals, p_values, ratio, sum_by_cluster
from surefoot.score.stats.intervals import CONFIDENCE

__all__ = ["profile", "weakness_names", "weaknesses"]

LEVEL: Final = 1 - CONFIDENCE
LEAST_ANSWERS: Final = 10  # on either side of a comparison
LEAST_SHOWN: Final = 5
LEAST_EFFECT: Final = 0.1
SURE: Final = 1.96
WITHOUT: Final = "without"


def profile(answers: Iterable[ArmResult], scenes: Scenes, model: str) -> tuple[Weakness, ...]:
    """
    Return a model's confusions, then its features, the clearest first.

    Features that fewer than 10 answers have, or lack, are left out. A weakness is named where
    its corrected p is under 0.05, its interval above 0, its effect at least 0.1. A confusion
    also needs 5 clicks that show it; a feature also needs that it counts beside all other
    features: its weight in their joint regression (``bandit``) lies 1.96 standard
    deviations above 0. What only comes along with the cause is shown, but not named.
    """
    known = [answer for answer in answers if answer.answered]
    shown = {confusion: list(showings(confusion, known, scenes)) for confusion in CONFUSIONS}
    return weaknesses(known, shown, model)


def weaknesses(
    known: Sequence[ArmResult], shown: Mapping[Confusion, list[ConfusionEvidence]], model: str
) -> tuple[Weakness, ...]:
    """Return what ``profile`` does, from answers and from what they say of each confusion."""
    confusions = [_confusion(*one, model) for one in _explaining(shown)]
    return (*_corrected(confusions), *_corrected(_features(known, model)))


def weakness_names(found: Iterable[Weakness]) -> tuple[str, ...]:
    """Return the words of the weaknesses that are named."""
    return tuple(weakness.words for weakness in found if weakness.named)


def _explaining(
    found: Mapping[Confusion, list[ConfusionEvidence]],
) -> list[tuple[Confusion, list[ConfusionEvidence]]]:
    """
    Order the confusions by the share of the answers that show them, the largest first.

    A click that one of them explains is no evidence for a later one: the largest control of
    a role may by chance be the first as well.
    """
    left, ordered = dict(found), []
    while left:
        first = max(left, key=lambda item: (_shown_share(left[item]), item.name))
        shown = {evidence.question for evidence in left[first] if evidence.shown}
        ordered.append((first, left.pop(first)))
        left = {
            name: [evidence for evidence in several if evidence.question not in shown]
            for name, several in left.items()
        }
    return ordered


def _shown_share(found: Sequence[ConfusionEvidence]) -> float:
    return sum(evidence.shown for evidence in found) / len(found) if found else 0.0


def _features(answers: Sequence[ArmResult], model: str) -> list[Weakness]:
    """Compare the failure rate with each feature to that without it, over all answers."""
    joint = Bandit()
    joint.learn((answer.arm.features, answer.failed) for answer in answers)
    apart = {name for name, (mean, spread) in joint.weights().items() if mean > SURE * spread}
    having = Counter(name for answer in answers for name in set(answer.arm.features))
    names = [
        name
        for name, count in sorted(having.items())
        if min(count, len(answers) - count) >= LEAST_ANSWERS
    ]
    failed = np.array([answer.failed for answer in answers], dtype=np.float64)
    rows = measured_rows(
        [Condition(model)] * len(answers),
        range(len(answers)),
        [answer.arm.question.cluster for answer in answers],
        {MISSED.name: failed},
        {
            name: [name if name in answer.arm.features else WITHOUT for answer in answers]
            for name in names
        },
    )
    found = []
    for name in names:
        contrast = Contrast(name="feature", varies=name, baseline=WITHOUT, paired=False)
        (compared,) = compare_rows(rows, {MISSED: failed}, contrast)
        sides = {one.value: one for one in score_rows(rows, MISSED, failed, name)}
        found.append(
            Weakness(
                words=f"fails more often with {words_of(name)}",
                failed_with=int(sides[name].total),
                n_with=sides[name].n,
                failed_without=int(sides[WITHOUT].total),
                n_without=sides[WITHOUT].n,
                named=name in apart and _large(compared),
                comparison=compared,
            )
        )
    return found


def _confusion(confusion: Confusion, found: Sequence[ConfusionEvidence], model: str) -> Weakness:
    """Compare the share of misses that show a confusion with that of blind choice."""
    rival = [evidence for evidence in found if evidence.on_rival]
    shown = sum(evidence.shown for evidence in found)
    counts = np.array([[evidence.shown, 1.0] for evidence in rival], np.float64).reshape(-1, 2)
    sums = sum_by_cluster([evidence.cluster for evidence in rival], counts)
    share = ratio(sums[:, :1], sums[:, 1:])
    blind = float(np.mean([evidence.chance for evidence in rival])) if rival else 0.0
    effect = float(share.value[0]) - blind if rival else None
    (interval,) = intervals(share, RATE)
    both_sides = float(p_values(share, RATE, null=blind)[0])
    one_side = both_sides / 2 if (effect or 0.0) > 0 else 1 - both_sides / 2
    beyond = interval and msgspec.structs.replace(
        interval, low=interval.low - blind, high=interval.high - blind
    )
    compared = Comparison(
        metric="misses_there",
        contrast="confusion",
        varies=confusion.name,
        model=model,
        reasoning=False,
        instruction="",
        variant="",
        value=confusion.name,
        baseline="blind choice",
        n=len(rival),
        unmatched=0,
        clusters=len(sums),
        unparsed=0,
        before=blind if rival else None,
        after=float(share.value[0]) if rival else None,
        change=effect,
        interval=beyond,
        detectable=None,
        p=one_side if rival else 1.0,
    )
    return Weakness(
        words=confusion.words,
        failed_with=shown,
        n_with=len(found),
        failed_without=len(rival) - shown,
        n_without=len(rival),
        named=shown >= LEAST_SHOWN and _large(compared),
        comparison=compared,
    )


def _large(found: Comparison) -> bool:
    apart = found.interval is not None and found.interval.low > 0
    return apart and (found.change or 0.0) >= LEAST_EFFECT


def _corrected(found: Sequence[Weakness]) -> list[Weakness]:
    tested = corrected([weakness.comparison for weakness in found])
    told = [
        msgspec.structs.replace(
            weakness, comparison=one, named=weakness.named and one.p_holm < LEVEL
        )
        for weakness, one in zip(found, tested, strict=True)
    ]
    return sorted(
        told,
        key=lambda item: (not item.named, -(item.comparison.change or 0.0), item.comparison.value),
    )
