"""
The sums that a summary is made of: taken from rows when they are wanted, or added up over parts.

Both offer the same sums, so each number has one definition, and rows in parts give the same bits
as rows at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol

import numpy as np

from surefoot.core.perturbation import ORIGINAL
from surefoot.score.conditions.lost import LostReplies, lost_models
from surefoot.score.conditions.rows import Rows
from surefoot.score.conditions.scores import (
    ColumnSums,
    sums_of_columns,
    sums_of_models,
)
from surefoot.score.contrasts.comparisons import (
    Compared,
    ComparisonSums,
    Contrast,
    sums_of_comparisons,
)
from surefoot.score.contrasts.effects import FactorSums, Family, Varied, sums_of_effects
from surefoot.score.metric import METRICS, Metric
from surefoot.score.metrics.refusals import RIGHT_REFUSALS, WRONG_REFUSALS
from surefoot.score.scoring import Scoring
from surefoot.score.stats.arrays import Floats, Ints

MOST_VALUES: Final = 100  # of a trait that scores are broken down by
REFUSALS: Final = (RIGHT_REFUSALS, WRONG_REFUSALS)
MetricOf = Callable[[str], Metric]


class Sums(Protocol):
    """Offer the sums of a table, whatever they were made from."""

    rows: Rows

    def metrics(self) -> list[Metric]:
        """Return the metrics of the scoring that say something, in its order."""

    def traits(self) -> list[str]:
        """Return the traits that scores are broken down by."""

    def scores(self, metric: Metric, trait: str = "") -> Iterable[ColumnSums]:
        """Return the sums of conditions, or of a trait's values within them."""

    def baselines(self, metric: Metric) -> Mapping[str, ColumnSums]:
        """Return the sums of each model in the original."""

    def refusals(self, metric: Metric) -> Mapping[str, ColumnSums]:
        """Return the sums of each model over all conditions, of a metric of refusals."""

    def comparisons(self, contrast: Contrast) -> Iterable[tuple[Compared, ComparisonSums]]:
        """Return the sums of what a contrast compares."""

    def effects(self, contrast: Contrast) -> Iterable[tuple[Family, FactorSums]]:
        """Return the sums of what a contrast varies."""

    def sizes(self) -> tuple[Ints, Ints, int]:
        """Return each cluster's elements with an answer, and its answers; and who has none."""

    def lost(self) -> Sequence[LostReplies]:
        """Return what was asked and lost of each model."""


class RowSums:
    """
    Take sums from rows, one after another, when they are wanted.

    Of rows that are a part ``known`` are the metrics that say something of the whole table.
    """

    def __init__(
        self,
        rows: Rows,
        scoring: Scoring,
        metric_of: MetricOf = METRICS.get,
        known: frozenset[str] | None = None,
    ) -> None:
        self.rows = rows
        self.scoring = scoring
        names = dict.fromkeys((*scoring.metrics, *scoring.descriptive))
        self.values = {
            metric: rows.measure(metric, slice(None)) for metric in map(metric_of, names)
        }
        own = [metric for metric in self.values if metric.name in scoring.metrics]
        telling = self.metrics()
        compared = [item for item in own if (item.name in known if known else item in telling)]
        self.compared = {metric: self.values[metric] for metric in compared}
        self.pooled = pooled_values(rows, self.compared, scoring)

    def metrics(self) -> list[Metric]:
        """Return the metrics that say something of a row."""
        return [metric for metric, values in self.values.items() if not np.isnan(values).all()]

    def traits(self) -> list[str]:
        """Return the traits of slices that have some values, and not too many."""
        found = []
        for name in self.scoring.slices:
            if name in self.rows.traits:
                names, present, _ = self.rows.columns(name)
                values = {names[int(code) % len(names)] for code in present} - {""}
                found += [name] if 1 < len(values) <= MOST_VALUES else []
        return found

    def scores(self, metric: Metric, trait: str = "") -> Iterable[ColumnSums]:
        """Yield the sums of conditions, or of a trait's values within them."""
        return sums_of_columns(self.rows, metric, self.values[metric], trait)

    def baselines(self, metric: Metric) -> Mapping[str, ColumnSums]:
        """Return the sums of each model in the original."""
        return sums_of_models(
            self.rows, metric, self.pooled[metric], lambda one: one.variant == ORIGINAL
        )

    def refusals(self, metric: Metric) -> Mapping[str, ColumnSums]:
        """Return the sums of each model over all conditions, of a metric of refusals."""
        values = self.rows.measure(metric, slice(None))
        return sums_of_models(self.rows, metric, values, lambda _: True)

    def comparisons(self, contrast: Contrast) -> Iterator[tuple[Compared, ComparisonSums]]:
        """Yield the sums of what a contrast compares."""
        values = self.pooled if contrast.pooled else self.compared
        return sums_of_comparisons(self.rows, values, contrast)

    def effects(self, contrast: Contrast) -> Iterator[tuple[Family, FactorSums]]:
        """Yield the sums of what a contrast varies."""
        varied = Varied(self.rows, self.pooled, contrast, self.scoring.contrasts)
        return sums_of_effects(varied, self.scoring.contrasts)

    def sizes(self) -> tuple[Ints, Ints, int]:
        """Return each cluster's elements with an answer, and its answers; and who has none."""
        rows = self.rows
        is_answered = np.zeros(rows.elements, dtype=np.bool_)
        is_answered[rows.element[rows.answered]] = True
        elements = np.bincount(rows.home[is_answered], minlength=rows.clusters)
        answers = np.bincount(rows.cluster[rows.answered], minlength=rows.clusters)
        return elements, answers, int(np.count_nonzero(~rows.answered))

    def lost(self) -> Sequence[LostReplies]:
        """Return what was asked and lost of each model."""
        return lost_models(self.rows)


class MergedSums:
    """
    Keep the sums of a part, to which those of other parts add up.

    To the last bit they are then the sums of the whole table, whatever the parts, and in any
    order; the rows of all are numbered by one frame. ``rows`` are none, numbered so.
    """

    def __init__(self, part: RowSums, rows: Rows) -> None:
        self.rows = rows
        self.measured = list(part.values)
        self.sliced = part.traits()
        self.scored = {
            (metric, trait): list(part.scores(metric, trait))
            for metric in part.values
            for trait in ("", *(self.sliced if metric in part.compared else ()))
        }
        found = {ORIGINAL: {metric: part.baselines(metric) for metric in part.compared}}
        found[""] = {metric: part.refusals(metric) for metric in REFUSALS}
        self.of_models = {
            (variant, metric, model): sums
            for variant, metrics in found.items()
            for metric, models in metrics.items()
            for model, sums in models.items()
        }
        contrasts = part.scoring.contrasts
        self.compared = {
            (contrast.name, key): sums
            for contrast in contrasts
            for key, sums in part.comparisons(contrast)
        }
        self.varied = {
            (contrast.name, key): sums
            for contrast in contrasts
            for key, sums in part.effects(contrast)
        }
        self.counts = part.sizes()
        self.losses = list(part.lost())

    def merge(self, other: MergedSums) -> None:
        """Add the sums of other parts, which are not to be used any more."""
        for key, columns in other.scored.items():
            for own, more in zip(self.scored[key], columns, strict=True):
                own.merge(more)
        for at, sums in other.of_models.items():
            self.of_models[at].merge(sums)
        for place, change in other.compared.items():
            self.compared[place].merge(change)
        for where, factor in other.varied.items():
            self.varied[where].merge(factor)
        elements, answers, failed = other.counts
        self.counts = (
            _added(self.counts[0], elements),
            _added(self.counts[1], answers),
            (self.counts[2] + failed),
        )
        self.losses = [
            LostReplies(
                own.model,
                own.asked + loss.asked,
                own.unparsed + loss.unparsed,
                own.failed + loss.failed,
            )
            for own, loss in zip(self.losses, other.losses, strict=True)
        ]

    def metrics(self) -> list[Metric]:
        """Return the metrics that say something, in the order of the scoring."""
        return [
            metric
            for metric in self.measured
            if any(sums.count.any() for sums in self.scored[metric, ""])
        ]

    def traits(self) -> list[str]:
        """Return the traits that scores are broken down by."""
        return self.sliced

    def scores(self, metric: Metric, trait: str = "") -> Iterable[ColumnSums]:
        """Return the sums of conditions, or of a trait's values within them."""
        return self.scored[metric, trait]

    def baselines(self, metric: Metric) -> Mapping[str, ColumnSums]:
        """Return the sums of each model in the original."""
        return self._of_models(ORIGINAL, metric)

    def refusals(self, metric: Metric) -> Mapping[str, ColumnSums]:
        """Return the sums of each model over all conditions, of a metric of refusals."""
        return self._of_models("", metric)

    def _of_models(self, variant: str, metric: Metric) -> dict[str, ColumnSums]:
        return {
            model: sums
            for (own, of, model), sums in self.of_models.items()
            if (own, of) == (variant, metric)
        }

    def comparisons(self, contrast: Contrast) -> Iterator[tuple[Compared, ComparisonSums]]:
        """Yield the sums of what a contrast compares."""
        names = {metric.name for metric in self.metrics()}
        for (name, compared), sums in self.compared.items():
            if name == contrast.name and compared.metric in names:
                yield compared, sums

    def effects(self, contrast: Contrast) -> Iterator[tuple[Family, FactorSums]]:
        """Yield the sums of what a contrast varies."""
        names = {metric.name for metric in self.metrics()}
        for (name, family), sums in self.varied.items():
            if name == contrast.name and family[0] in names:
                yield family, sums

    def sizes(self) -> tuple[Ints, Ints, int]:
        """Return each cluster's elements with an answer, and its answers; and who has none."""
        return self.counts

    def lost(self) -> Sequence[LostReplies]:
        """Return what was asked and lost of each model."""
        return self.losses


def _added(one: Ints, other: Ints) -> Ints:
    return np.asarray(one.astype(np.int64) + other.astype(np.int64))


def pooled_values(
    rows: Rows, metrics: Mapping[Metric, Floats], scoring: Scoring
) -> dict[Metric, Floats]:
    """
    Return each metric's values of all rows that are pooled, NaN of those that are apart.

    Where all conditions are apart, none is.
    """
    apart = np.array([scoring.apart(condition) for condition in rows.conditions], np.bool_)
    if not apart.any() or apart.all():
        return dict(metrics)
    away = apart[rows.condition]
    return {metric: np.where(away, np.nan, values) for metric, values in metrics.items()}
