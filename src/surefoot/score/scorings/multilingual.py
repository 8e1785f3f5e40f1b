"""
Scoring by language: the same multiple-choice questions about the same screens, in each language.

A dimension is a kind of question, a language a variant, English the original; so a gap is a
matched pair like any other, clustered by application. What no metric says stands here: the
weighted accuracy over all dimensions, and how far languages agree on one item.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
import numpy as np

from surefoot.core.perturbation import ASKED_IN, ORIGINAL
from surefoot.score.conditions.scores import Score, mean_of
from surefoot.score.contrasts.comparisons import MODELS, REASONING, VARIANTS
from surefoot.score.metric import METRICS, GivenMetric, Ruler
from surefoot.score.outcomes import Outcomes
from surefoot.score.scoring import Scoring
from surefoot.score.stats.arrays import Bools, Floats, Ints, combine
from surefoot.score.stats.clusters import RATE, ClusterEstimate, intervals, weight_degrees
from surefoot.score.stats.intervals import Interval

DIMENSIONS: Final = {
    "wf": "widget function",
    "wi": "way of interaction",
    "au": "effect of an action",
    "ap": "actions for a goal",
    "ael": "absolute location",
    "rel": "relative location",
    "ri": "goal of a long sequence",
    "si": "goal of a short sequence",
}
# FPR-ACC of MPR-GUI (2025): what takes more steps of reasoning weighs more.
WEIGHTS: Final = {name: {"ri": 1.5, "si": 2.0}.get(name, 1.0) for name in DIMENSIONS}
_ALL_RIGHT: Final = GivenMetric(
    name="all_right",
    title="right in every language",
    summary="the share of items that are answered rightly in every language",
    counts="items",
)
_RIGHT: Final = GivenMetric(
    name="right", title="right", summary="the share of right answers", counts="items"
)


class LanguageProfile(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold one model's accuracy in one language by dimension, with the count of its answers.

    ``fpr_acc`` is None unless all eight dimensions were asked, and its interval where one
    cluster alone has a dimension.
    """

    model: str
    reasoning: bool
    language: str
    accuracy: dict[str, float]
    n: dict[str, int]
    fpr_acc: float | None
    interval: Interval | None


class LanguageFlips(msgspec.Struct, frozen=True, kw_only=True):
    """
    Count, of ``n`` items, those right in English alone, and in this language alone.
    """

    language: str
    n: int
    lost: int
    gained: int


class LanguageAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """
    Say how far a model's answers to one item agree over languages.

    ``items`` were answered in all ``languages``; ``all_right`` is the share of them that was
    right in each, ``all_wrong`` in none.
    """

    model: str
    reasoning: bool
    languages: tuple[str, ...]
    items: int
    all_right: Score
    all_wrong: float | None
    flips: tuple[LanguageFlips, ...]


class CrossedScore(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold a model's right answers on a screen ``shown`` in a language, in words ``asked`` in one.

    All of a model's are over the same items.
    """

    model: str
    reasoning: bool
    shown: str
    asked: str
    score: Score


def fpr_acc(accuracy: Mapping[str, float]) -> float | None:
    """
    Return the weighted mean of the accuracies of all eight dimensions, None where one lacks.

    Fine-grained perception and reasoning accuracy (MPR-GUI, 2025): six dimensions weigh 1,
    the goals of long sequences 1.5 and of short ones 2, over 9.5. Of the 42 rows of the
    paper's table 36 follow; those of one family of models, six, do not.

    >>> round(fpr_acc(dict.fromkeys(DIMENSIONS, 0.5) | {"si": 1.0}), 4)
    0.6053
    """
    if not WEIGHTS.keys() <= accuracy.keys():
        return None
    above = sum(weight * accuracy[name] for name, weight in WEIGHTS.items())
    return above / sum(WEIGHTS.values())


def _groups(outcomes: Outcomes) -> Iterator[tuple[str, bool, Bools]]:
    """Yield each model in each mode, with its first answers to each question."""
    model, first = outcomes.model, outcomes.sample == 1
    for code, name in enumerate(model.names):
        for reasoning in (False, True):
            rows = (model.codes == code) & (outcomes.reasoning == reasoning) & first
            if rows.any():
                yield name, reasoning, rows


def _profiles(outcomes: Outcomes, ruler: Ruler) -> tuple[LanguageProfile, ...]:
    hits = METRICS.get("hit").values(outcomes, ruler)
    kinds, languages = outcomes.instruction, outcomes.variant
    found = []
    for model, reasoning, rows in _groups(outcomes):
        for code in _original_first(languages.names):
            own = rows & (languages.codes == code) & ~np.isnan(hits)
            if not own.any():
                continue
            above, below = _sums(hits[own], kinds.codes[own], outcomes.cluster.codes[own])
            count = below.sum(axis=0)
            accuracy = {
                name: float(above[:, kind].sum() / count[kind])
                for kind, name in enumerate(kinds.names[: len(count)])
                if count[kind]
            }
            found.append(
                LanguageProfile(
                    model=model,
                    reasoning=reasoning,
                    language=languages.names[code],
                    accuracy=accuracy,
                    n={name: int(count[kinds.names.index(name)]) for name in accuracy},
                    fpr_acc=fpr_acc(accuracy),
                    interval=_interval(above, below, kinds.names, outcomes.asked.cluster_noun),
                )
            )
    return tuple(found)


def _sums(hits: Floats, kind: Ints, cluster: Ints) -> tuple[Floats, Floats]:
    """Return right answers and answers, (clusters, kinds), clusters without any left out."""
    _, place = np.unique(cluster, return_inverse=True)
    shape = (int(place.max()) + 1, int(kind.max()) + 1)
    at = combine(place, kind, shape[1])
    size = shape[0] * shape[1]
    above, below = (
        np.bincount(at, weights=part, minlength=size).astype(np.float64).reshape(shape)
        for part in (hits, np.ones(len(hits)))
    )
    return above, below


def _interval(above: Floats, below: Floats, names: tuple[str, ...], over: str) -> Interval | None:
    """Return the interval of FPR-ACC: that of a rate as sure as this mean of eight is."""
    columns = [names.index(name) for name in WEIGHTS if name in names[: above.shape[1]]]
    left = below.sum(axis=0) - below
    clusters = len(above)
    if len(columns) < len(WEIGHTS) or clusters < 2 or not left[:, columns].all():  # noqa: PLR2004
        return None
    weights = np.array([*WEIGHTS.values()]) / sum(WEIGHTS.values())
    without = ((above.sum(axis=0) - above)[:, columns] / left[:, columns]) @ weights
    count = below.sum(axis=0)
    value = float((above.sum(axis=0) / count)[columns] @ weights)
    sizes = below.sum(axis=1)
    found = ClusterEstimate(
        value=np.array([value]),
        standard_error=np.sqrt(((without - value) ** 2).sum(keepdims=True)),
        clusters=np.array([clusters]),
        degrees=np.atleast_1d(weight_degrees(sizes[:, None] / sizes.sum())),
        # So many answers would make a plain rate as sure as the weighted mean of eight is.
        count=np.array([1 / (weights**2 / count[columns]).sum()]),
        crowding=np.array([(sizes**2).sum() / sizes.sum()]),
        square=np.array([value]),
    )
    return intervals(found, RATE, over=over)[0]


def _agreements(outcomes: Outcomes, ruler: Ruler) -> tuple[LanguageAgreement, ...]:
    hits = METRICS.get("hit").values(outcomes, ruler)
    order = _original_first(outcomes.variant.names)
    found = []
    for model, reasoning, rows in _groups(outcomes):
        table = _by_item(outcomes, hits, rows)
        asked = [code for code in order if not np.isnan(table[:, code]).all()]
        if len(asked) < 2:  # noqa: PLR2004 - one language agrees with itself
            continue
        home = dict(zip(outcomes.pair.codes[rows], outcomes.cluster.codes[rows], strict=True))
        whole = np.flatnonzero(~np.isnan(table[:, asked]).any(axis=1))
        right: Bools = np.asarray(table[whole][:, asked] > 0)
        agreements = [
            (outcomes.cluster.names[home[item]], float(all(row)))
            for item, row in zip(whole.tolist(), right.tolist(), strict=True)
        ]
        found.append(
            LanguageAgreement(
                model=model,
                reasoning=reasoning,
                languages=tuple(outcomes.variant.names[code] for code in asked),
                items=len(whole),
                all_right=mean_of(_ALL_RIGHT, agreements, model, unit=outcomes.asked.cluster_noun),
                all_wrong=float((~right).all(axis=1).mean()) if len(whole) else None,
                flips=tuple(_flips(table, asked, outcomes.variant.names)),
            )
        )
    return tuple(found)


def _flips(table: Floats, asked: list[int], names: tuple[str, ...]) -> Iterator[LanguageFlips]:
    if names[asked[0]] != ORIGINAL:
        return
    english = table[:, asked[0]]
    for code in asked[1:]:
        both = ~np.isnan(english) & ~np.isnan(table[:, code])
        before, after = english[both] > 0, table[both, code] > 0
        yield LanguageFlips(
            language=names[code],
            n=int(both.sum()),
            lost=int((before & ~after).sum()),
            gained=int((~before & after).sum()),
        )


def _by_item(outcomes: Outcomes, hits: Floats, rows: Bools) -> Floats:
    """Return hits as (items, variants), NaN where there is no answer."""
    table = np.full((len(outcomes.pair.names), len(outcomes.variant.names)), np.nan)
    table[outcomes.pair.codes[rows], outcomes.variant.codes[rows]] = hits[rows]
    return table


def _crossed(outcomes: Outcomes, ruler: Ruler) -> tuple[CrossedScore, ...]:
    hits, names = METRICS.get("hit").values(outcomes, ruler), outcomes.variant.names
    if not any(ASKED_IN in name for name in names):
        return ()
    found = []
    for model, reasoning, rows in _groups(outcomes):
        table = _by_item(outcomes, hits, rows)
        home = dict(zip(outcomes.pair.codes[rows], outcomes.cluster.codes[rows], strict=True))
        # What was executed is asked in the language of its screens alone.
        whole = np.flatnonzero(~np.isnan(table).any(axis=1))
        for code in sorted(range(len(names)), key=lambda code: _languages(names[code])):
            shown, asked = _languages(names[code])
            right = [
                (outcomes.cluster.names[home[item]], float(table[item, code])) for item in whole
            ]
            score = mean_of(_RIGHT, right, model, unit=outcomes.asked.cluster_noun)
            found.append(
                CrossedScore(
                    model=model, reasoning=reasoning, shown=shown, asked=asked, score=score
                )
            )
    return tuple(found)


def _languages(variant: str) -> tuple[str, str]:
    shown, _, asked = variant.replace(ORIGINAL, "en").partition(ASKED_IN)
    return shown, asked or shown


def _original_first(names: tuple[str, ...]) -> list[int]:
    """Return the places of the languages whose screens and words are the same, English first."""
    own = (code for code, name in enumerate(names) if ASKED_IN not in name)
    return sorted(own, key=lambda code: (names[code] != ORIGINAL, names[code]))


MULTILINGUAL: Final = Scoring(
    name="multilingual",
    metrics=("hit",),
    once=True,
    contrasts=(VARIANTS, MODELS, REASONING),
    descriptive=("hit_of_asked", "chance", "letter_hit", "letter_agreement"),
    apart=lambda condition: ASKED_IN in condition.variant,
    slices=("site",),
    details={"languages": _profiles, "agreement": _agreements, "crossed": _crossed},
)
