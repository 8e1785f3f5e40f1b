"""
Pillars: benchmarks of one model side by side, all in one rate, judged as one family of tests.

Each pillar keeps its own elements, conditions and contrasts. What they share is the level: the
factors of all pillars of a model are one family (``contrasts/effects.py``), so that an interval
holds together with those of all that is tested beside it. A rate says little by itself; so
each pillar brings what chance has on the very questions that all its changes start from.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

import msgspec
import numpy as np

from surefoot.core.perturbation import ORIGINAL
from surefoot.score.conditions.rows import Rows, rows_of
from surefoot.score.conditions.scores import Score, pooled_scores, score_rows
from surefoot.score.contrasts.comparisons import Contrast
from surefoot.score.contrasts.effects import Effect, Varied, effects_of
from surefoot.score.metric import Ruler
from surefoot.score.metrics.hit import HIT
from surefoot.score.outcomes import Outcomes
from surefoot.score.scoring import Scoring
from surefoot.score.stats.arrays import Bools, Floats
from surefoot.score.stats.intervals import CONFIDENCE, Interval
from surefoot.score.stats.paired import paired_change
from surefoot.score.stats.units import Unit
from surefoot.score.summary import Summary, metric_facts, summarise
from surefoot.score.tally import pooled_values

GUESSING: Final = "guessing"
LEVELS: Final = ("oracle", "center", "random")  # models that say where a rate can lie
_BETWEEN: Final = ": "  # a pillar's name and that of its contrast, while all are judged


class AboveChance(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold a model's rate minus that of ``reference`` on the questions that changes start from.

    ``reference`` is a model that does not read, or "guessing": an even click, or an even
    choice among the options. ``amount`` is its rate; ``found`` where the model's is higher
    beyond chance.
    """

    model: str
    reference: str
    amount: float
    n: int
    change: float
    interval: Interval | None
    found: bool


class Pillar(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what one benchmark says of models; ``summary`` has one metric, the rate.

    ``standings`` are rates of questions that belong together, models and references alike:
    first those that changes start from, by kind of words, and then all changed ones. ``above``
    says of each model what chance has.
    """

    name: str
    summary: Summary
    standings: tuple[Score, ...] = ()
    above: tuple[AboveChance, ...] = ()

    def stands_above(self, model: str) -> bool:
        """Tell whether a model is better than all that does not read, where it was asked."""
        own = [chance.found for chance in self.above if chance.model == model]
        return bool(own) and all(own)

    def effects_on(self, model: str) -> tuple[Effect, ...]:
        """Return the effects of factors on one model, none of one whose replies were lost."""
        effects = self.summary.without_lost().effects
        return tuple(effect for effect in effects if effect.models == (model,))


class MeasuredPillar(msgspec.Struct, frozen=True, eq=False):
    """Hold a pillar before it is judged with others, and what is varied in it, in HIT."""

    pillar: Pillar
    varied: tuple[Varied, ...]


def measure_pillar(
    name: str, outcomes: Outcomes, scoring: Scoring, ruler: Ruler, unit: Unit
) -> MeasuredPillar:
    """
    Score a table of answers by hits, with the contrasts of its own scoring.

    Raises InvalidInputError as ``summarise`` does.
    """
    plain = by_hits(scoring)
    outcomes = outcomes.over(unit)
    summary = summarise(outcomes, plain, ruler, unit=unit)
    rows = rows_of(outcomes, ruler)
    values = rows.measure(HIT, slice(None))
    if not summary.metrics:  # nothing was answered, which is to be told
        facts, scores = metric_facts(HIT, compared=True), score_rows(rows, HIT, values)
        summary = msgspec.structs.replace(summary, metrics=(facts,), scores=tuple(scores))
    pooled = pooled_values(rows, {HIT: values}, plain)
    varied = tuple(Varied(rows, pooled, contrast, plain.contrasts) for contrast in plain.contrasts)
    pillar = Pillar(
        name=name,
        summary=summary,
        standings=tuple(_standings(rows, pooled[HIT], plain)),
        above=tuple(_above(rows, pooled[HIT], _guessed(outcomes))),
    )
    return MeasuredPillar(pillar, varied)


def by_hits(scoring: Scoring) -> Scoring:
    """Return a scoring that measures hits alone, its questions and contrasts being the same."""
    return Scoring(
        name=scoring.name,
        metrics=(HIT.name,),
        once=scoring.once,
        contrasts=scoring.contrasts,
        apart=scoring.apart,
        arrange=scoring.arrange,
        traits=scoring.traits,
        looks=scoring.looks,
        describe=scoring.describe,
    )


def judge_together(measured: Sequence[MeasuredPillar]) -> tuple[Pillar, ...]:
    """
    Return the pillars, in their order, with the effects of all judged as one family.

    Each effect is named as in its pillar's own summary.
    """
    found: dict[str, list[Effect]] = {pillar.pillar.name: [] for pillar in measured}
    for effect in effects_of(
        msgspec.structs.replace(varied, contrast=_within(pillar.pillar, varied.contrast))
        for pillar in measured
        for varied in pillar.varied
    ):
        name, _, factor = effect.factor.rpartition(_BETWEEN)
        beside = effect.beside.rpartition(_BETWEEN)[2]
        found[name].append(msgspec.structs.replace(effect, factor=factor, beside=beside))
    return tuple(_judged(pillar.pillar, found[pillar.pillar.name]) for pillar in measured)


def _within(pillar: Pillar, contrast: Contrast) -> Contrast:
    return msgspec.structs.replace(contrast, name=f"{pillar.name}{_BETWEEN}{contrast.name}")


def _judged(pillar: Pillar, effects: Iterable[Effect]) -> Pillar:
    (metric,) = (facts for facts in pillar.summary.metrics if facts.compared)
    own = tuple(msgspec.structs.replace(effect, metric=metric.name) for effect in effects)
    summary = msgspec.structs.replace(pillar.summary, effects=own)
    return msgspec.structs.replace(pillar, summary=summary)


def _standings(rows: Rows, values: Floats, scoring: Scoring) -> Iterator[Score]:
    """Yield the rates that changes start from, by kind of words, and that of all changes."""
    known = [condition for condition in rows.conditions if not scoring.apart(condition)]
    kinds: Iterable[str] = ("",)
    if any(contrast.varies == "instruction" for contrast in scoring.contrasts):
        plain = {condition.instruction for condition in known if condition.variant == ORIGINAL}
        kinds = sorted(plain, key=lambda kind: (kind != "direct", kind)) or kinds
    for kind in kinds:
        yield from pooled_scores(
            rows,
            HIT,
            values,
            lambda one, kind=kind: (  # type: ignore[misc]
                one.variant == ORIGINAL
                and kind in ("", one.instruction)
                and not scoring.apart(one)
            ),
            instruction=kind,
            variant=ORIGINAL,
        )
    yield from pooled_scores(
        rows, HIT, values, lambda one: one.variant != ORIGINAL and not scoring.apart(one)
    )


def _guessed(outcomes: Outcomes) -> Floats:
    """Return how likely an even guess is right: a click anywhere, or one of the options."""
    truth, size = outcomes.truth, outcomes.size
    area = (truth[:, 2] - truth[:, 0]) * (truth[:, 3] - truth[:, 1])
    share = np.divide(area, size.prod(axis=1), out=np.zeros(len(area)), where=area > 0)
    options = ~np.isnan(outcomes.chance)
    place = outcomes.placed & outcomes.asked.for_place[outcomes.question]
    return np.where(options, np.nan_to_num(outcomes.chance), np.where(place, share, 0.0))


def _above(rows: Rows, values: Floats, guessed: Floats) -> Iterator[AboveChance]:
    """Hold each model against whatever does not read, on the elements that both know."""
    models = dict.fromkeys(condition.model for condition in rows.conditions)
    own = {name: _means(rows, values, {name}) for name in models}
    even = _means(rows, np.where(np.isnan(values), np.nan, guessed), models.keys())
    blind = {name: own[name] for name in LEVELS[1:] if name in own}
    for name in [name for name in models if name not in LEVELS]:
        for reference, level in ((GUESSING, even), *blind.items()):
            known = ~np.isnan(own[name]) & ~np.isnan(level)
            if not known.any():
                continue
            change = paired_change(
                own[name][known] - level[known], rows.home[known], 1.0, over=rows.unit
            )
            yield AboveChance(
                model=name,
                reference=reference,
                amount=float(level[known].mean()),
                n=change.n,
                change=change.mean,
                interval=change.interval(),
                found=change.mean > 0 and change.p < 1 - CONFIDENCE,
            )


def _means(rows: Rows, values: Floats, models: Collection[str]) -> Floats:
    """Return (elements,): the mean on the original screens, NaN where nothing is known."""
    at: Bools = np.array(
        [
            condition.variant == ORIGINAL and condition.model in models
            for condition in rows.conditions
        ],
        np.bool_,
    )
    own = at[rows.condition] & ~np.isnan(values)
    total = np.bincount(rows.element[own], values[own], rows.elements)
    count = np.bincount(rows.element[own], minlength=rows.elements)
    means: Floats = np.full(rows.elements, np.nan)
    return np.divide(total, count, out=means, where=count > 0)
