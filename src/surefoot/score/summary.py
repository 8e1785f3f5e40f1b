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
from surefoot.score.conditions.lost import LostReplies
from surefoot.score.conditions.rows import Condition, Rows, rows_of
from surefoot.score.conditions.samples import repeated_samples
from surefoot.score.conditions.scores import ColumnSums, Score, Scored, columns_of, scores_of
from surefoot.score.contrasts.comparisons import BASES, Comparison, comparison_of, corrected
from surefoot.score.contrasts.effects import Effect, judge_effects
from surefoot.score.contrasts.totals import Total, sum_over_conditions
from surefoot.score.metric import METRICS, Metric, Ruler
from surefoot.score.outcomes import Outcomes
from surefoot.score.scoring import Scoring
from surefoot.score.stats.arrays import Ints, combine
from surefoot.score.stats.clusters import few_clusters
from surefoot.score.stats.intervals import CONFIDENCE
from surefoot.score.stats.units import Population, Unit
from surefoot.score.tally import REFUSALS, RowSums, Sums

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
        lost = {replies.model for replies in self.lost}
        return msgspec.structs.replace(
            self,
            effects=tuple(effect for effect in self.effects if lost.isdisjoint(effect.models)),
            comparisons=tuple(
                comparison
                for comparison in self.comparisons
                if comparison.model not in lost
                and (comparison.varies != "model" or comparison.baseline not in lost)
            ),
            totals=tuple(
                total
                for total in self.totals
                if total.model not in lost
                and (total.contrast != "model" or total.baseline not in lost)
            ),
        )

    def only(self, names: Sequence[str]) -> Summary:
        """Return the summary of some metrics alone, those that it has, in the order named."""
        known = {metric.name: metric for metric in self.metrics}
        return msgspec.structs.replace(
            self,
            metrics=tuple(known[name] for name in names if name in known),
            scores=tuple(score for score in self.scores if score.metric in names),
            baselines=tuple(baseline for baseline in self.baselines if baseline.metric in names),
            slices=tuple(score for score in self.slices if score.metric in names),
            effects=tuple(effect for effect in self.effects if effect.metric in names),
            comparisons=tuple(
                comparison for comparison in self.comparisons if comparison.metric in names
            ),
            totals=tuple(total for total in self.totals if total.metric in names),
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
    check_once(outcomes, rows, scoring)
    details = {name: detail(outcomes, ruler) for name, detail in scoring.details.items()}
    if repeated := repeated_samples(outcomes, rows, ruler):
        details["samples"] = repeated
    clicks = bool(outcomes.asked.for_place[outcomes.question].any())
    sums = RowSums(rows, scoring)
    return summarise_table(sums, scoring, ruler, details, outcomes.population, clicks=clicks)


def check_once(outcomes: Outcomes, rows: Rows, scoring: Scoring) -> None:
    """Raise InvalidInputError for an element asked twice where a scoring does not allow that."""
    places = combine(rows.condition, rows.element, rows.elements)[outcomes.sample == 1]
    if scoring.once and np.bincount(places, minlength=1).max() > 1:
        raise InvalidInputError(
            "one answer to a pair under a condition", found="more", remedy="score each run once"
        )


def summarise_table(
    sums: Sums,
    scoring: Scoring,
    ruler: Ruler,
    details: Mapping[str, Any],
    population: Population,
    *,
    clicks: bool,
) -> Summary:
    """Compute every score of a table of answers from its sums, and what goes with them."""
    found = summarise_sums(sums, scoring)
    details = {**details, **_told(sums, found.unit)}
    return msgspec.structs.replace(
        found,
        population=population,
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
    return summarise_sums(RowSums(rows, scoring, metric_of), scoring)


def summarise_sums(sums: Sums, scoring: Scoring) -> Summary:
    """Compute every score from sums, which are of a table at once or of its parts."""
    rows, metrics = sums.rows, sums.metrics()
    compared = {metric.name: metric for metric in metrics if metric.name in scoring.metrics}
    columns = columns_of(rows)
    scores = [
        score
        for metric in metrics
        for score in scores_of(columns, sums.scores(metric), metric, rows.unit)
    ]
    slices = [
        score
        for trait in sums.traits()
        for metric in compared.values()
        for score in scores_of(
            columns_of(rows, trait), sums.scores(metric, trait), metric, rows.unit
        )
    ]
    comparisons = [
        comparison_of(item, change, compared[item.metric], contrast, rows.unit)
        for contrast in scoring.contrasts
        for item, change in sums.comparisons(contrast)
    ]
    # What is apart is a family of its own, and compared with nothing that is not.
    together = corrected(
        [
            comparison
            for comparison in comparisons
            if (comparison.n or comparison.unmatched) and not _is_apart(comparison, scoring)
        ]
    )
    tested = (
        *together,
        *corrected(
            [
                comparison
                for comparison in comparisons
                if comparison.n and _is_apart(comparison, scoring)
            ]
        ),
    )
    elements, answers, failed = sums.sizes()
    sizes = elements[elements > 0]
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
        answers=int(answers.sum()),
        failed=failed,
        metrics=tuple(metric_facts(item, compared=item.name in compared) for item in metrics),
        scores=tuple(scores),
        baselines=tuple(
            score
            for metric in compared.values()
            for score in _of_models(sums.baselines(metric), metric, rows.unit, ORIGINAL)
        ),
        slices=tuple(score for score in slices if score.n),
        effects=judge_effects(
            compared,
            (effect for contrast in scoring.contrasts for effect in sums.effects(contrast)),
        ),
        comparisons=tested,
        totals=sum_over_conditions(together),
        titles={
            name: variant_title(name)
            for name in sorted({condition.variant for condition in rows.conditions} - {""})
        },
        details={},
        warnings=_warnings(rows, answers, comparisons, scoring, failed),
    )


def _told(sums: Sums, unit: str) -> dict[str, Any]:
    """Return which models lost too much, and what each declines over all conditions."""
    details: dict[str, Any] = {}
    if lost := tuple(replies for replies in sums.lost() if replies.most):
        details["lost"] = lost
    refusals = [
        score for metric in REFUSALS for score in _of_models(sums.refusals(metric), metric, unit)
    ]
    known = {score.metric for score in refusals if score.n}
    if refusals := [score for score in refusals if score.metric in known]:
        details["refusals"] = tuple(refusals)
    return details


def _of_models(
    sums: Mapping[str, ColumnSums], metric: Metric, unit: str, variant: str = ""
) -> Iterator[Score]:
    for model, own in sums.items():
        yield from scores_of([Scored(model, variant=variant)], [own], metric, unit)


def _is_apart(one: Comparison, scoring: Scoring) -> bool:
    return scoring.apart(Condition(one.model, one.reasoning, one.instruction, one.variant))


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
    rows: Rows, answers: Ints, comparisons: list[Comparison], scoring: Scoring, failed: int
) -> tuple[str, ...]:
    warnings = []
    if few := few_clusters(answers, over=rows.unit):
        warnings.append(few)
    if scoring.contrasts and not comparisons:
        crossed = any(condition.over for condition in rows.conditions)
        names = ", ".join(
            contrast.name for contrast in scoring.contrasts if crossed or contrast is not BASES
        )
        warnings.append(f"No two conditions can be compared (by {names}), so there is no change.")
    if rows.dealt:
        warnings.append(
            "Each page was dealt a part of the conditions: effects of changes and words are "
            "fitted together, within elements, and interactions are not tested."
        )
    if failed:
        warnings.append(
            f"{failed:,} questions got no reply; each comparison counts the elements that it "
            "had to leave out."
        )
    return tuple(warnings)
