"""
Repeated samples: how often a model is right that is asked one question several times.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np

from surefoot.score.conditions.rows import Rows
from surefoot.score.conditions.scores import sum_clusters
from surefoot.score.hits import hits
from surefoot.score.metric import Ruler
from surefoot.score.outcomes import Outcomes
from surefoot.score.stats.arrays import Bools, Floats, Ints, combine
from surefoot.score.stats.clusters import RATE, intervals, ratio
from surefoot.score.stats.intervals import Interval

MOST_LISTED = 10  # values of k that are all told; of more, the powers of two


class Share(msgspec.Struct, frozen=True):
    """Hold a mean over questions and its interval, None where no question tells it."""

    n: int
    amount: float | None
    interval: Interval | None


class RepeatedSamples(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold how a model fared that was asked each question up to ``samples`` times.

    ``variant`` is "" for all of them together. Every number is a mean over questions:
    ``mean`` the share of samples that are right, ``consistency`` whether all samples came out
    alike, all right or all wrong, ``agreement`` the share of pairs of samples that did, and
    ``passes`` by k whether any of k samples is right. Samples without a reply are left out,
    and with them questions of which fewer than two, or than k, remain.
    """

    model: str
    reasoning: bool
    variant: str
    samples: int
    mean: Share
    consistency: Share
    agreement: Share
    passes: dict[int, Share]


def pass_at(k: int, samples: Ints, right: Ints) -> Floats:
    """
    Return for each question how likely one of k samples is right, NaN with fewer than k.

    It is the unbiased estimate from ``right`` of ``samples``: 1 minus the share of all
    choices of k that hold no right one (Chen et al., Evaluating Large Language Models Trained
    on Code, 2021, equation 1).

    >>> pass_at(2, np.array([4, 4, 1]), np.array([2, 4, 1])).round(3).tolist()
    [0.833, 1.0, nan]
    """
    wrong = samples - right
    missed = np.ones(len(samples))
    for drawn in range(k):
        missed *= np.maximum(wrong - drawn, 0) / np.maximum(samples - drawn, 1)
    return np.where(samples >= k, 1 - missed, np.nan)


def repeated_samples(outcomes: Outcomes, rows: Rows, ruler: Ruler) -> tuple[RepeatedSamples, ...]:
    """
    Tell how each model fared that was asked questions several times; none for the others.

    ``rows`` are those of ``outcomes``. Intervals take their clusters as independent.
    """
    if not (outcomes.sample > 1).any():
        return ()
    key = combine(outcomes.model.codes, outcomes.first, len(outcomes.asked))
    _, at, question = np.unique(key, return_index=True, return_inverse=True)
    known = outcomes.answered
    right = known & hits(outcomes, tolerance=ruler.tolerance)
    samples, hit = (np.bincount(question[chosen], minlength=len(at)) for chosen in (known, right))
    asked = np.zeros(len(at), dtype=np.int64)
    np.maximum.at(asked, question, outcomes.sample)
    return tuple(_by_condition(rows, at, asked, samples, hit))


def _by_condition(
    rows: Rows, at: Ints, asked: Ints, samples: Ints, right: Ints
) -> Iterator[RepeatedSamples]:
    condition, cluster = rows.condition[at], rows.cluster[at]
    wholes = dict.fromkeys((item.model, item.reasoning) for item in rows.conditions)
    for model, reasoning in wholes:
        own = [
            item for item in rows.conditions if (item.model, item.reasoning) == (model, reasoning)
        ]
        variants = list(dict.fromkeys(item.variant for item in own))
        for variant in ("", *variants) if len(variants) > 1 else ("",):
            wanted = [
                place
                for place, item in enumerate(rows.conditions)
                if item in own and variant in ("", item.variant)
            ]
            chosen = np.isin(condition, wanted)
            most = int(asked[chosen].max(initial=0))
            if most < 2:  # noqa: PLR2004 - asked once
                continue
            home = cluster[chosen], rows.clusters, rows.unit
            n, hit = samples[chosen], right[chosen]
            pairs = n * (n - 1)
            alike = hit * (hit - 1) + (n - hit) * (n - hit - 1)
            several = pairs > 0
            yield RepeatedSamples(
                model=model,
                reasoning=reasoning,
                variant=variant,
                samples=most,
                mean=_share(hit / np.maximum(n, 1), n > 0, home),
                consistency=_share((alike == pairs).astype(np.float64), several, home),
                agreement=_share(alike / np.maximum(pairs, 1), several, home),
                passes={k: _share(pass_at(k, n, hit), n >= k, home) for k in _told(most)},
            )


def _told(most: int) -> list[int]:
    if most <= MOST_LISTED:
        return list(range(1, most + 1))
    return [*(2**power for power in range(most.bit_length()) if 2**power < most), most]


def _share(values: Floats, known: Bools, home: tuple[Ints, int, str]) -> Share:
    cluster, clusters, unit = home
    one = np.zeros(int(known.sum()), dtype=np.int64)
    sums = sum_clusters((values[known], np.ones(len(one))), cluster[known], one, (clusters, 1))
    found = ratio(*sums)
    (interval,) = intervals(found, RATE, over=unit)
    amount = float(found.value[0]) if len(one) else None
    return Share(len(one), amount, interval)
