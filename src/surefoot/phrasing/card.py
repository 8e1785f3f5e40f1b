"""
What is said of a model over several pillars: where it stands, what hurts it, what is open.

The rules are those of a single report (``headlines.py``); the level of each test is shared out
over all pillars. Nothing is said of a change in a pillar whose questions are answered, on
unchanged screens, no better than by what does not look.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from surefoot.phrasing.factors import original_words, phrases_of
from surefoot.phrasing.headlines import (
    PAIR,
    Headline,
    KeyNumber,
    contrast_sentences,
    effect_name,
    factor_sentences,
    found_words,
    headline_metric,
    lost_sentence,
    refusal_sentences,
)
from surefoot.phrasing.words import (
    FEWEST_ELEMENTS,
    amount_words,
    change_words,
    cluster_words,
    confidence_words,
    ends_words,
    population_sentence,
    too_few,
)
from surefoot.score.conditions.lost import LostReplies
from surefoot.score.conditions.scores import Score
from surefoot.score.contrasts.effects import Effect
from surefoot.score.pillars import LEVELS, Pillar
from surefoot.score.stats.intervals import CONFIDENCE
from surefoot.score.summary import MetricFacts, Summary

ALSO: Final = 3  # further effects that the first screen names
_DOES: Final = {"submitted": "hands in"}


class PillarEffect(msgspec.Struct, frozen=True):
    """Hold an effect with the pillar that it was measured in."""

    pillar: Pillar
    effect: Effect

    @property
    def words(self) -> str:
        """Name what was changed, and in which pillar."""
        name = effect_name(self.effect, self.pillar.summary.scoring)
        return f"{name} ({self.pillar.name})"

    @property
    def change(self) -> float:
        """Return the change, below 0 for a loss."""
        return self.effect.change or 0.0

    @property
    def sure(self) -> float:
        """Return what of the change is sure: the end of its interval that is nearest to none."""
        interval = self.effect.interval
        return self.change if interval is None else min(interval.low, interval.high, key=abs)


def models_of(pillars: Iterable[Pillar]) -> list[str]:
    """Return the models that the pillars are about, the references left out."""
    scores = (score for pillar in pillars for score in pillar.summary.scores)
    return list(
        dict.fromkeys(item.model for item in scores if item.model not in (*LEVELS, "null"))
    )


def rate_of(pillar: Pillar) -> MetricFacts:
    """Return the one metric of a pillar."""
    metric = headline_metric(pillar.summary)
    assert metric is not None, "a pillar has its rate"  # noqa: S101 - for the type checker
    return metric


def plain_score(pillar: Pillar, model: str) -> Score | None:
    """Return a model's rate on unchanged screens, None where it was not asked on them."""
    summary = pillar.summary
    found = summary.baselines or (summary.scores if summary.scoring == "forms" else ())
    return next((score for score in found if score.model == model and score.n), None)


def speaks(pillar: Pillar, model: str) -> bool:
    """Tell whether anything follows from what a pillar's changes do to a model."""
    score = plain_score(pillar, model)
    return (
        score is not None
        and pillar.stands_above(model)
        and pillar.summary.elements >= FEWEST_ELEMENTS
    )


def losses(pillars: Iterable[Pillar], model: str, *, gains: bool = False) -> list[PillarEffect]:
    """
    Return the losses of a model that the tests find, the surest first; or its gains.

    A loss of few elements can be large by chance, so they are ordered by what of them is sure.
    A factor has one: its levels together where each of them, or none, is found by itself, else
    the level that surely loses most.
    """
    sign = -1 if gains else 1
    factors: dict[tuple[str, str], list[PillarEffect]] = {}
    for pillar in pillars:
        for effect in pillar.effects_on(model) if speaks(pillar, model) else ():
            pillar_effect = PillarEffect(pillar, effect)
            lost = effect.found and sign * pillar_effect.change < 0
            if lost and not effect.beside and not too_few(effect, pillar.summary.unit):
                factors.setdefault((pillar.name, effect.factor), []).append(pillar_effect)
    chosen = []
    for found in factors.values():
        levels = [item for item in found if item.effect.value]
        whole = [item for item in found if not item.effect.value]
        together = whole and len(levels) in (0, len(whole[0].effect.levels))
        chosen += whole if together else [min(levels, key=lambda one: sign * one.sure)]
    return sorted(chosen, key=lambda one: sign * one.sure)


def card_headline(model: str, pillars: Sequence[Pillar]) -> Headline:
    """Say of a model where it stands and what hurts it most, over all pillars."""
    asked = [pillar for pillar in pillars if _was_asked(pillar, model)]
    lost = {pillar.name: loss for pillar in asked if (loss := _lost(pillar, model))}
    read = [pillar for pillar in asked if pillar.name not in lost]
    broken = tuple(f"{name}: {lost_sentence(loss)}" for name, loss in lost.items())
    stands = _stands(model, read)
    if not stands:
        first, *rest = (
            *broken,
            f"{model} was asked nothing on unchanged screens, so nothing follows.",
        )
        return Headline(model, first, (), tuple(rest))
    tested = _tested(read, model)
    hurts = losses(read, model)
    declined = [
        f"{pillar.name}: {sentence}"
        for pillar in read
        for sentence in refusal_sentences(pillar.summary, model)
    ]
    more = [*broken, *_also(read, model, hurts), *declined, *nothing_follows(model, read)]
    return Headline(
        model,
        f"{stands}; {_worst(hurts, tested, len(read))}.",
        tuple(_numbers(model, read, hurts, tested)),
        tuple(more),
    )


def pillar_sentences(pillar: Pillar, model: str) -> list[str]:
    """Say of one pillar all that may be said of a model."""
    if loss := _lost(pillar, model):
        return [lost_sentence(loss)]
    if not speaks(pillar, model):
        return list(nothing_follows(model, [pillar]))
    return [
        _plain_sentence(pillar, model),
        *factor_sentences(pillar.summary, rate_of(pillar), model),
        *refusal_sentences(pillar.summary, model),
    ]


def between_models(pillars: Iterable[Pillar], models: Sequence[str]) -> list[str]:
    """Say of each pillar how two models differ in it, nothing of one model or of many."""
    if len(models) != PAIR:
        return []
    return [
        f"{pillar.name}: {sentence}"
        for pillar in pillars
        for sentence in contrast_sentences(_of_models(pillar, models), rate_of(pillar))
    ]


def nothing_follows(model: str, pillars: Iterable[Pillar]) -> Iterator[str]:
    """Say of which pillars nothing follows for a model, and why."""
    for pillar in pillars:
        score, metric = plain_score(pillar, model), rate_of(pillar)
        where = original_words(pillar.summary.scoring)
        changes = "what its changes cost"
        if pillar.summary.scoring == "overlap":
            changes = "what hiding costs"
        if loss := _lost(pillar, model):
            yield f"{pillar.name}: {lost_sentence(loss)}"
        elif pillar.summary.elements < FEWEST_ELEMENTS:
            few = cluster_words(pillar.summary.elements, metric.counts)
            yield f"{pillar.name}: too few to say, {few} where {FEWEST_ELEMENTS} are needed."
        elif score is None:
            yield (
                f"{pillar.name}: the same questions were not asked {where}, so nothing follows "
                f"about {changes}."
            )
        elif not pillar.stands_above(model):
            below = [item for item in pillar.above if item.model == model and not item.found]
            chance = " and ".join(
                f"{item.reference} {amount_words(item.amount, metric.unit)}" for item in below
            )
            yield (
                f"{pillar.name}: {model} hits {amount_words(score.amount, metric.unit)} {where} "
                f"({_between(score, metric)}), {chance or 'chance is not known'}: not above "
                f"chance, so nothing follows about {changes}."
            )


def population_sentences(pillars: Iterable[Pillar]) -> list[str]:
    """Say for whom the numbers of each pillar hold."""
    return [
        f"{pillar.name}: {population_sentence(sample)}"
        for pillar in pillars
        if (sample := pillar.summary.population) is not None
    ]


def _was_asked(pillar: Pillar, model: str) -> bool:
    return any(score.model == model for score in pillar.summary.scores)


def _lost(pillar: Pillar, model: str) -> LostReplies | None:
    return next((replies for replies in pillar.summary.lost if replies.model == model), None)


def _of_models(pillar: Pillar, models: Sequence[str]) -> Summary:
    effects = tuple(
        effect
        for effect in pillar.summary.effects
        if effect.varies == "model" and set(effect.models) == set(models)
    )
    return msgspec.structs.replace(pillar.summary, effects=effects)


def _stands(model: str, pillars: Sequence[Pillar]) -> str:
    """Say how often a model is right on unchanged screens, pillar by pillar."""
    parts = []
    for pillar in pillars:
        score = plain_score(pillar, model)
        if score is not None:
            chance = "" if pillar.stands_above(model) else ", not above chance"
            rate = amount_words(score.amount, rate_of(pillar).unit)
            values = f" of all {rate_of(pillar).counts}" * (rate_of(pillar).name in _DOES)
            parts.append(f"{rate}{values} ({pillar.name}{chance})")
    *first, last = parts or [""]
    listed = f"{', '.join(first)} and {last}" if first else last
    return f"On unchanged screens {model} is right in {listed}" if parts else ""


def _worst(hurts: Sequence[PillarEffect], tested: int, pillars: int) -> str:
    over = f"{cluster_words(tested, 'changes')} tested over {cluster_words(pillars, 'pillars')}"
    if not tested:
        return "no change of anything was tested that it could be hurt by"
    if not hurts:
        return f"of {over} none is found to hurt it"
    worst = hurts[0]
    change_words = found_words(worst.pillar.summary, rate_of(worst.pillar), worst.effect)
    return f"of {over} it surely loses most {worst.words}, where {change_words}"


def _tested(pillars: Iterable[Pillar], model: str) -> int:
    """Count the factors that share the level of a model's tests."""
    return len(
        {
            (pillar.name, effect.factor)
            for pillar in pillars
            for effect in pillar.effects_on(model)
            if not effect.beside
        }
    )


def _also(pillars: Sequence[Pillar], model: str, hurts: Sequence[PillarEffect]) -> Iterator[str]:
    """Say what else is found, beside the worst: crossings of it, other losses, gains."""
    for hurt in hurts[:1]:
        yield from _crossed(hurt)
    rest = hurts[1:]
    if rest:
        more = f"; and {len(rest) - ALSO} more" if len(rest) > ALSO else ""
        yield f"Also found to hurt it: {'; '.join(map(_short, rest[:ALSO]))}{more}."
    if not hurts and (sights := sorted(_sights(pillars, model))):
        least, most = (change_words(end, "share").lstrip("+") for end in (sights[0], sights[-1]))
        yield (
            f"The sharpest of these tests would have found a loss of {least} in 8 of 10 such "
            f"runs, the bluntest one of {most}."
        )
    helped = losses(pillars, model, gains=True)
    if helped:
        yield f"Found to help it: {'; '.join(map(_short, helped[:ALSO]))}."


def _sights(pillars: Iterable[Pillar], model: str) -> list[float]:
    """Return the least changes that the tests of whole factors would have found."""
    whole: dict[tuple[str, str], Effect] = {}  # comes before the levels of its factor
    for pillar in pillars:
        for effect in pillar.effects_on(model) if speaks(pillar, model) else ():
            if not effect.beside:
                whole.setdefault((pillar.name, effect.factor), effect)
    return [item.detectable for item in whole.values() if item.detectable is not None]


def _crossed(one: PillarEffect) -> Iterator[str]:
    """Say where the effect of a factor differs by the value of another factor."""
    metric, summary = rate_of(one.pillar), one.pillar.summary
    factor = (one.effect.factor, one.effect.value)
    for crossing in one.pillar.effects_on(one.effect.model):
        if crossing.found and crossing.beside and (crossing.factor, crossing.value) == factor:
            beside = phrases_of(summary.scoring, crossing.beside)
            sides = [
                f"{change_words(side.change, metric.unit)} "
                f"{beside.value(side.value, crossing.beside_baseline)} "
                f"({ends_words(side.interval, metric.unit, signed=True)})"
                for side in crossing.simple
            ]
            yield f"That is {', but '.join(sides)}."


def _short(one: PillarEffect) -> str:
    unit = rate_of(one.pillar).unit
    ends = ends_words(one.effect.interval, unit, signed=True)
    between = f", {confidence_words(1 - one.effect.level)} interval {ends}" * bool(ends)
    return f"{one.words} {change_words(one.change, unit)}{between}"


def _plain_sentence(pillar: Pillar, model: str) -> str:
    score, metric = plain_score(pillar, model), rate_of(pillar)
    assert score is not None, "it speaks"  # noqa: S101 - for the type checker
    does = _DOES.get(metric.name, "hits")
    rate = amount_words(score.amount, metric.unit)
    where = f" {original_words(pillar.summary.scoring)}" * bool(score.variant)
    return f"{model} {does} {rate}{where} ({_between(score, metric)})."


def _between(score: Score, metric: MetricFacts) -> str:
    ends = ends_words(score.interval, metric.unit)
    return f"{confidence_words(CONFIDENCE)} interval {ends}" if ends else "no interval"


def _numbers(
    model: str, pillars: Sequence[Pillar], hurts: Sequence[PillarEffect], tested: int
) -> Iterator[KeyNumber]:
    scored = [(pillar, score) for pillar in pillars if (score := plain_score(pillar, model))]
    pillar, score = scored[0]
    metric = rate_of(pillar)
    yield KeyNumber(
        amount_words(score.amount, metric.unit),
        f"{metric.title} on unchanged screens, {pillar.name}",
        ends_words(score.interval, metric.unit),
        note=cluster_words(score.n, "questions"),
    )
    if hurts:
        worst = hurts[0]
        yield KeyNumber(
            change_words(worst.change, rate_of(worst.pillar).unit),
            worst.words,
            ends_words(worst.effect.interval, rate_of(worst.pillar).unit, signed=True),
            1 - worst.effect.level,
            f"loss, {cluster_words(worst.effect.n, rate_of(worst.pillar).counts)}",
        )
    else:
        least = max(_sights(pillars, model), default=None)
        yield KeyNumber("none", "found to hurt it")
        if least is not None:
            words = change_words(least, metric.unit).lstrip("+")
            yield KeyNumber(words, "lost by any change would have been found in 8 of 10 runs")
            return
    yield KeyNumber(
        f"{len(hurts)} of {tested}", "changes found to hurt it", note="5 % for all together"
    )
