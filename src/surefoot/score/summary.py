"""
The summary of one or several runs: every score and comparison, with the rulers they share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.core.perturbation import ORIGINAL, variant_title
from surefoot.score.conditions.lost import LostReplies, lost_models
from surefoot.score.conditions.rows import Condition, Rows, rows_of
from surefoot.score.conditions.samples import repeated_samples
from surefoot.score.conditions.scores import (
    Score,
    baseline_scores,
    pooled_scores,
    score_rows,
)
from surefoot.score.contrasts.comparisons import BASES, Comparison, compare_rows, corrected
from surefoot.score.contrasts.effects import Effect, Varied, effects_of
from surefoot.score.contrasts.totals import Total, sum_over_conditions
from surefoot.score.metric import METRICS, Metric, Ruler
from surefoot.score.metrics.refusals import RIGHT_REFUSALS, WRONG_REFUSALS
from surefoot.score.outcomes import Outcomes
from surefoot.score.scoring import Scoring
from surefoot.score.stats.arrays import Floats, Ints, Labels, combine
from surefoot.score.stats.clusters import few_clusters
from surefoot.score.stats.intervals import CONFIDENCE
from surefoot.score.stats.units import Population, Unit

MOST_VALUES: Final = 100  # of a trait that scores are broken down by
# What hits are called where words or options are asked for, and nothing is clicked at.
_RIGHT: Final = {
    "hit": ("accuracy", "the share of answers that are right, in words or by their option"),
    "hit_of_asked": (
        "right of all asked",
        "the share of all questions asked that are answered rightly, one without a reply is none",
    ),
}


class MetricFacts(msgspec.Struct, frozen=True):
    """Hold what tables and figures need to know of a metric."""

    name: str
    version: int
    title: str
    summary: str
    unit: str
    higher_is_better: bool
    low: float | None
    high: float | None
    reference: str
    counts: str
    compared: bool


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold all scores, with the rulers that they share.

    ``scores`` are of whole conditions, ``baselines`` of all that was asked in the original,
    which changes of the screen start from, and ``slices`` of parts of conditions by a trait;
    slices are descriptive. ``effects`` are of factors, pooled over all others, and
    ``comparisons`` of single conditions; ``totals`` are sums of these. ``clusters`` are
    independent, and what one is ``unit`` says ("sites"); both they and the ``elements`` are
    those with an answer. ``population`` is what answers stand for, None of what is no answer.
    The first of ``metrics`` is the headline. ``details`` are what no metric says, by name;
    ``lost`` are the models of which too many replies were lost for any effect to be claimed.
    ``warnings`` are sentences that belong beside the numbers, and ``titles`` what people read in
    place of the variants' names.
    """

    scoring: str
    tolerance: float
    spread: str
    confidence: float
    unit: str
    population: Population | None = None
    elements: int
    clusters: int
    cluster_sizes: tuple[int, float, int]
    answers: int
    failed: int
    metrics: tuple[MetricFacts, ...]
    scores: tuple[Score, ...]
    baselines: tuple[Score, ...]
    slices: tuple[Score, ...]
    effects: tuple[Effect, ...]
    comparisons: tuple[Comparison, ...]
    totals: tuple[Total, ...]
    details: dict[str, Any]
    warnings: tuple[str, ...]
    titles: dict[str, str] = {}

    def metric(self, name: str) -> MetricFacts:
        """Return a metric's facts by its name; raises InvalidInputError."""
        for metric in self.metrics:
            if metric.name == name:
                return metric
        raise InvalidInputError(
            "a metric of this summary", found=name, remedy=", ".join(m.name for m in self.metrics)
        )

    @property
    def lost(self) -> tuple[LostReplies, ...]:
        """Return the models of which nothing can be claimed."""
        found: tuple[LostReplies, ...] = self.details.get("lost", ())
        return found

    def without_lost(self) -> Summary:
        """Return the summary without comparisons of models of which nothing can be claimed."""
        lost = {one.model for one in self.lost}
        return msgspec.structs.replace(
            self,
            effects=tuple(one for one in self.effects if lost.isdisjoint(one.models)),
            comparisons=tuple(
                one
                for one in self.comparisons
                if one.model not in lost and (one.varies != "model" or one.baseline not in lost)
            ),
            totals=tuple(
                one
                for one in self.totals
                if one.model not in lost and (one.contrast != "model" or one.baseline not in lost)
            ),
        )

    def only(self, names: Sequence[str]) -> Summary:
        """Return the summary of some metrics alone, those that it has, in the order named."""
        known = {one.name: one for one in self.metrics}
        return msgspec.structs.replace(
            self,
            metrics=tuple(known[name] for name in names if name in known),
            scores=tuple(one for one in self.scores if one.metric in names),
            baselines=tuple(one for one in self.baselines if one.metric in names),
            slices=tuple(one for one in self.slices if one.metric in names),
            effects=tuple(one for one in self.effects if one.metric in names),
            comparisons=tuple(one for one in self.comparisons if one.metric in names),
            totals=tuple(one for one in self.totals if one.metric in names),
        )


def summarise(
    outcomes: Outcomes, scoring: Scoring, ruler: Ruler | None = None, *, unit: Unit = "site"
) -> Summary:
    """
    Compute every score of a table of answers, as a scoring says.

    Intervals and tests take the units as independent, elements where all are from one site
    (``Outcomes.over``). Raises
    InvalidInputError for an empty table, a bad tolerance, an element in two clusters, and for
    one asked twice where the scoring does not allow that.
    """
    ruler = ruler or Ruler()
    if not len(outcomes):
        raise InvalidInputError("at least one question to score", found="none")
    outcomes = outcomes.over(unit)
    rows = rows_of(outcomes, ruler)
    places = combine(rows.condition, rows.element, rows.elements)[outcomes.sample == 1]
    if scoring.once and np.bincount(places).max() > 1:
        raise InvalidInputError(
            "one answer to a pair under a condition", found="more", remedy="score each run once"
        )
    found = summarise_rows(rows, scoring)
    details = {name: detail(outcomes, ruler) for name, detail in scoring.details.items()}
    if repeated := repeated_samples(outcomes, rows, ruler):
        details["samples"] = repeated
    if lost := lost_models(rows):
        details["lost"] = lost
    if refusals := tuple(_refusals(rows)):
        details["refusals"] = refusals
    clicks = bool(outcomes.asked.for_place[outcomes.question].any())
    return msgspec.structs.replace(
        found,
        population=outcomes.population,
        metrics=found.metrics if clicks else tuple(map(_without_clicks, found.metrics)),
        tolerance=ruler.tolerance,
        spread=ruler.spread,
        details=details,
        warnings=(*found.warnings, *scoring.warn(found.scores, details)),
    )


def summarise_rows(
    rows: Rows, scoring: Scoring, metric_of: Callable[[str], Metric] = METRICS.get
) -> Summary:
    """Compute every score of rows, whatever they are rows of; metrics are found by name."""
    traits = [
        name
        for name in scoring.slices
        if name in rows.traits and 1 < len(_occurring(rows.traits[name])) <= MOST_VALUES
    ]
    metrics: list[Metric] = []
    compared: dict[Metric, Floats] = {}
    scores: list[Score] = []
    slices: dict[str, list[Score]] = {trait: [] for trait in traits}
    for name in (*scoring.metrics, *scoring.descriptive):
        metric = metric_of(name)
        values = rows.measure(metric, slice(None))
        if np.isnan(values).all():
            continue  # the metric says nothing of any row
        metrics.append(metric)
        if name in scoring.metrics:
            compared[metric] = values
        scores += score_rows(rows, metric, values)
        for trait in traits if name in scoring.metrics else ():
            slices[trait] += score_rows(rows, metric, values, trait)
    pooled = pooled_values(rows, compared, scoring)
    comparisons = [
        one
        for contrast in scoring.contrasts
        for one in compare_rows(rows, pooled if contrast.pooled else compared, contrast)
    ]
    # What is apart is a family of its own, and compared with nothing that is not.
    together = corrected(
        [one for one in comparisons if (one.n or one.unmatched) and not _is_apart(one, scoring)]
    )
    tested = (
        *together,
        *corrected([one for one in comparisons if one.n and _is_apart(one, scoring)]),
    )
    sizes = _cluster_sizes(rows)
    failed = int((~rows.answered).sum())
    return Summary(
        scoring=scoring.name,
        tolerance=0.0,
        spread="",
        confidence=CONFIDENCE,
        unit=rows.unit,
        elements=int(sizes.sum()),
        clusters=len(sizes),
        cluster_sizes=(
            (int(sizes.min()), float(np.median(sizes)), int(sizes.max()))
            if len(sizes)
            else (0, 0.0, 0)
        ),
        answers=int(rows.answered.sum()),
        failed=failed,
        metrics=tuple(metric_facts(metric, compared=metric in compared) for metric in metrics),
        scores=tuple(scores),
        baselines=tuple(
            score
            for metric, values in pooled.items()
            for score in baseline_scores(rows, metric, values, ORIGINAL)
        ),
        slices=tuple(score for part in slices.values() for score in part if score.n),
        effects=effects_of(
            Varied(rows, pooled, one, scoring.contrasts) for one in scoring.contrasts
        ),
        comparisons=tested,
        totals=sum_over_conditions(together),
        titles={
            name: variant_title(name)
            for name in sorted({one.variant for one in rows.conditions} - {""})
        },
        details={},
        warnings=_warnings(rows, comparisons, scoring, failed),
    )


def _refusals(rows: Rows) -> Iterator[Score]:
    """Score what each model declines over all conditions, of what is not there and of what is."""
    for metric in (RIGHT_REFUSALS, WRONG_REFUSALS):
        values = rows.measure(metric, slice(None))
        if not np.isnan(values).all():
            yield from pooled_scores(rows, metric, values, lambda _: True)


def _is_apart(one: Comparison, scoring: Scoring) -> bool:
    return scoring.apart(Condition(one.model, one.reasoning, one.instruction, one.variant))


def pooled_values(
    rows: Rows, metrics: Mapping[Metric, Floats], scoring: Scoring
) -> dict[Metric, Floats]:
    """Return each metric's values of all rows that are pooled, NaN of those that are apart."""
    return {metric: _without(scoring.apart, rows, values) for metric, values in metrics.items()}


def _without(apart: Callable[[Condition], bool], rows: Rows, values: Floats) -> Floats:
    """Return values with NaN under the conditions that are apart, unless there are no others."""
    away = np.array([apart(one) for one in rows.conditions], np.bool_)[rows.condition]
    return np.where(away & ~away.all(), np.nan, values)


def _cluster_sizes(rows: Rows) -> Ints:
    """Return how many elements with an answer each cluster has, those without any left out."""
    told = np.zeros(rows.elements, dtype=np.bool_)
    told[rows.element[rows.answered]] = True
    sizes = np.bincount(rows.home[told])
    return sizes[sizes > 0]


def _occurring(labels: Labels) -> set[str]:
    return {labels.names[code] for code in np.unique(labels.codes)} - {""}


def _without_clicks(metric: MetricFacts) -> MetricFacts:
    """Name a metric for questions of which none asks for a place."""
    words = _RIGHT.get(metric.name)
    if words is None:
        return metric
    title, summary = words
    return msgspec.structs.replace(metric, title=title, summary=summary, counts="questions")


def metric_facts(metric: Metric, *, compared: bool) -> MetricFacts:
    """Return what tables and figures need to know of a metric."""
    low, high = (float(end) if np.isfinite(end) else None for end in metric.bounds)
    return MetricFacts(
        name=metric.name,
        version=metric.version,
        title=metric.title,
        summary=metric.summary,
        unit=metric.unit,
        higher_is_better=metric.higher_is_better,
        low=low,
        high=high,
        reference=metric.reference,
        counts=metric.counts,
        compared=compared,
    )


def _warnings(
    rows: Rows, comparisons: list[Comparison], scoring: Scoring, failed: int
) -> tuple[str, ...]:
    said = []
    if few := few_clusters(np.bincount(rows.cluster[rows.answered]), over=rows.unit):
        said.append(few)
    if scoring.contrasts and not comparisons:
        crossed = any(one.over for one in rows.conditions)
        names = ", ".join(one.name for one in scoring.contrasts if crossed or one is not BASES)
        said.append(f"No two conditions can be compared (by {names}), so there is no change.")
    if rows.dealt:
        said.append(
            "Each page was dealt a part of the conditions: effects of changes and words are "
            "fitted together, within elements, and interactions are not tested."
        )
    if failed:
        said.append(
            f"{failed:,} questions got no reply; each comparison counts the elements that it "
            "had to leave out."
        )
    return tuple(said)
