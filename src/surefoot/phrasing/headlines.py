"""
What a person would say aloud of each model: a few sentences, and the three numbers behind them.

The first sentence says whether the model survives a change of the screen, the next what other
words do to it, whichever way they come out. Both are decided before anything is measured, and
each is quoted with the interval of its own test. A single level is named only where its own
test finds it, and a cell only through an interaction that was found (``effects.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from surefoot.phrasing.factors import original_words, phrases_of
from surefoot.phrasing.words import (
    FEWEST_ELEMENTS,
    amount_words,
    change_words,
    cluster_words,
    confidence_words,
    effect_verdict,
    ends_words,
    from_words,
    population_sentence,
    too_few,
)
from surefoot.score.conditions.lost import LostReplies
from surefoot.score.conditions.scores import Score
from surefoot.score.contrasts.effects import Effect, SimpleEffect
from surefoot.score.scorings.hits import ABSENT
from surefoot.score.stats.intervals import CONFIDENCE, Interval
from surefoot.score.summary import MetricFacts, Summary

_FAMILIAR: Final = ("hit", "bcp", "submitted")  # rates that people know, best first
_OUTSIDE: Final = "s_oob"  # what is no hit
_RATES: Final = {
    "hit": "hits {} {}",
    "bcp": "hits {} {} with the middle of its box",
    "submitted": "hands in {} {}",
}
_TITLES: Final = {"bcp": "targets hit with the middle of the box (BCP)"}
PAIR: Final = 2  # models that are compared in a sentence
_NEAR_END: Final = 0.02  # of 0 or 100 %, where a rate has nowhere to go


class KeyNumber(msgspec.Struct, frozen=True):
    """
    Hold a number in words, what it means, and the ends of its interval, "" for none.

    ``note`` is what is to be known beside it.
    """

    value: str
    meaning: str
    ends: str = ""
    confidence: float = CONFIDENCE
    note: str = ""

    @property
    def words(self) -> str:
        """Say what the number means, with its interval."""
        interval = f"{confidence_words(self.confidence)} interval {self.ends}" * bool(self.ends)
        return ", ".join(filter(None, (self.meaning, self.note, interval)))


class Headline(msgspec.Struct, frozen=True):
    """
    Hold one model's sentences and its numbers; none where nothing can be claimed.

    What is said of several models at once has the model "".
    """

    model: str
    sentence: str
    numbers: tuple[KeyNumber, ...] = ()
    more: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return all sentences, in the order in which they are read."""
        return (self.sentence, *self.more)


def headline_metric(summary: Summary) -> MetricFacts | None:
    """Return the metric that people know: a rate of hits, or else the first that is compared."""
    known = {metric.name: metric for metric in summary.metrics if metric.compared}
    familiar = [known[name] for name in _FAMILIAR if name in known]
    return next(iter((*familiar, *known.values())), None)


def headlines(summary: Summary) -> tuple[Headline, ...]:
    """Say what matters of each model, in the metric that people know."""
    summary = with_hits(summary)
    lost = {replies.model: replies for replies in summary.lost}
    metric = headline_metric(summary)
    broken = [Headline(name, lost_sentence(replies)) for name, replies in lost.items()]
    if metric is None:
        return tuple(broken)
    speech = _Speech(summary, metric)
    scored = dict.fromkeys(score.model for score in summary.scores if score.metric == metric.name)
    models = [name for name in scored if name not in lost]
    contrast = speech.contrast() if len(models) + len(lost) == PAIR else []
    sample = summary.population
    scope = [Headline("", population_sentence(sample))] if sample and sample.unit != "site" else []
    return (*broken, *contrast, *map(speech.model, models), *scope)


def headline_sentences(summary: Summary) -> list[str]:
    """Return what is said first of a summary, model by model."""
    return [sentence for line in headlines(summary) for sentence in line.sentences]


def headline_rows(lines: Sequence[Headline]) -> tuple[tuple[str, ...], ...]:
    """
    Return the numbers of models as a table of words, the head first; none of the others.

    >>> numbers = KeyNumber("82 %", "hit rate"), KeyNumber("9", "answers"), KeyNumber("5", "lost")
    >>> headline_rows([Headline("a", "a hits.", numbers), Headline("b", "no result")])
    (('model', 'hit rate', 'answers', 'lost'), ('a', '82 %', '9', '5'))
    """
    counted = [line for line in lines if line.numbers]
    longest = max((line.numbers for line in counted), key=len, default=())
    heads = [number.meaning for number in longest]
    rows = []
    for line in counted:
        cells = []
        for head, number in zip(heads, line.numbers, strict=False):
            other = number.meaning if number.meaning != head else ""
            beside = "; ".join(filter(None, (other, number.note, number.ends)))
            cells.append(f"{number.value} ({beside})" if beside else number.value)
        rows.append((line.model, *cells, *[""] * (len(heads) - len(cells))))
    return (("model", *heads), *rows)


def factor_sentences(summary: Summary, metric: MetricFacts, model: str) -> list[str]:
    """Say of a model what each factor does to a metric."""
    return [
        sentence
        for sentences, _ in _Speech(summary, metric).factors(model)
        for sentence in sentences
    ]


def found_words(summary: Summary, metric: MetricFacts, effect: Effect) -> str:
    """Say what an effect that was found comes to, to stand behind the name of what it is of."""
    speech = _Speech(summary, metric)
    return f"{speech.moves('it', effect)}: {speech.sides(effect, 'it')} {speech.between(effect)}"


def contrast_sentences(summary: Summary, metric: MetricFacts) -> list[str]:
    """Say how the only two models of a summary differ, on what both were asked."""
    return [line.sentence for line in _Speech(summary, metric).contrast()]


def refusal_sentences(summary: Summary, model: str) -> list[str]:
    """Say what a model declines of what is not there, and of what is; nothing where none is."""
    found: tuple[Score, ...] = summary.details.get("refusals", ())
    parts = [
        f"{amount_words(row.amount, 'share')} of {cluster_words(row.n, 'questions')} about what "
        f"{where}{f' ({confidence_words(CONFIDENCE)} interval {ends})' * bool(ends)}"
        for metric, where in (("right_refusals", "is not there"), ("wrong_refusals", "is there"))
        for row in found
        if (row.model, row.metric) == (model, metric) and row.amount is not None
        for ends in (ends_words(row.interval, "share"),)
    ]
    return [f"{model} declines {', and '.join(parts)}."] if parts else []


def effect_name(effect: Effect, scoring: str) -> str:
    """Name what an effect is of, to stand behind a model's name and a comma."""
    if effect.varies == "model":
        what = f"against {effect.baseline}"
    else:
        phrases = phrases_of(scoring, effect.factor)
        what = phrases.effect(effect.value, effect.baseline, len(effect.levels))
    if effect.beside:
        other = phrases_of(scoring, effect.beside)
        sides = (effect.beside_value, effect.beside_baseline)
        here, there = (other.value(side, effect.beside_baseline) for side in sides)
        what += f", {here} more than {there}"
    return what


def with_hits(summary: Summary) -> Summary:
    """Turn a rate of misses into one of hits, which people know."""
    if not any(metric.name == _OUTSIDE for metric in summary.metrics):
        return summary
    outside = summary.only([_OUTSIDE])
    (metric,) = outside.metrics
    return msgspec.structs.replace(
        outside,
        metrics=(
            msgspec.structs.replace(metric, name="hit", title="hit rate", higher_is_better=True),
        ),
        scores=tuple(map(_hits, outside.scores)),
        baselines=tuple(map(_hits, outside.baselines)),
        effects=tuple(
            msgspec.structs.replace(
                effect,
                metric="hit",
                before=None if effect.before is None else 1 - effect.before,
                after=None if effect.after is None else 1 - effect.after,
                change=None if effect.change is None else -effect.change,
                interval=_mirrored(effect.interval, 0.0),
                simple=_mirrored_sides(effect.simple),
                turned=_mirrored_sides(effect.turned),
            )
            for effect in outside.effects
        ),
        comparisons=(),
    )


def _hits(score: Score) -> Score:
    return msgspec.structs.replace(
        score,
        metric="hit",
        total=score.n - score.total,
        amount=None if score.amount is None else 1 - score.amount,
        interval=_mirrored(score.interval, 1.0),
    )


def _mirrored_sides(sides: Iterable[SimpleEffect]) -> tuple[SimpleEffect, ...]:
    return tuple(
        msgspec.structs.replace(
            side,
            before=1 - side.before,
            after=1 - side.after,
            change=-side.change,
            interval=_mirrored(side.interval, 0.0),
        )
        for side in sides
    )


def _asks(metric: MetricFacts) -> bool:
    """Tell whether a rate is of questions that are answered, and not of targets."""
    return metric.name == "hit" and metric.counts == "questions"


def _turned(effect: Effect) -> Effect:
    """Tell an interaction from the side of its other factor."""
    return msgspec.structs.replace(
        effect,
        factor=effect.beside,
        value=effect.beside_value,
        levels=(effect.beside_value,),
        baseline=effect.beside_baseline,
        beside=effect.factor,
        beside_value=effect.value,
        beside_baseline=effect.baseline,
        simple=effect.turned,
        turned=effect.simple,
    )


def _mirrored(interval: Interval | None, whole: float) -> Interval | None:
    if interval is None:
        return None
    return msgspec.structs.replace(interval, low=whole - interval.high, high=whole - interval.low)


def lost_sentence(lost: LostReplies) -> str:
    """
    Say that a model's replies are no result.

    >>> lost_sentence(LostReplies("ocr", 20, 15, 0))
    'ocr: no result. 15 of 20 replies could not be read, so no effect is claimed.'
    """
    parts: tuple[str, ...] = (
        f"{lost.unparsed:,} of {lost.asked:,} replies could not be read" * bool(lost.unparsed),
        f"{lost.failed:,} of {lost.asked:,} questions got no reply" * bool(lost.failed),
    )
    if lost.check:
        parts = (lost.check,)
    return (
        f"{lost.model}: no result. {' and '.join(filter(None, parts))}, so no effect is claimed."
    )


class _Speech(msgspec.Struct, frozen=True):
    """Say what a summary's effects on one metric come to."""

    summary: Summary
    metric: MetricFacts

    def model(self, model: str) -> Headline:
        """Say what matters of one model."""
        level, number = self._level(model)
        if number is None:
            return Headline(model, level)
        factors = list(self.factors(model))
        sentences = [sentence for spoken, _ in factors for sentence in spoken]
        numbers = [number, *(change for _, change in factors[:PAIR])]
        if len(numbers) <= PAIR:
            numbers += self._counts(model)[: PAIR + 1 - len(numbers)]
        sentence, *more = (*sentences, level) if sentences else (level,)
        more += refusal_sentences(self.summary, model)
        return Headline(model, sentence, tuple(numbers), tuple(more))

    def factors(self, model: str) -> Iterator[tuple[list[str], KeyNumber]]:
        """Yield what each factor does to a model, in sentences and as a number."""
        effects = [
            effect
            for effect in self.summary.without_lost().effects
            if effect.metric == self.metric.name and effect.models == (model,)
        ]
        name = model
        for factor in dict.fromkeys(effect.factor for effect in effects):
            own = [effect for effect in effects if effect.factor == factor]
            own += [_turned(other) for other in effects if other.beside == factor and other.value]
            yield self._factor(name, own), self._number(own[0])
            name = "it"

    def contrast(self) -> list[Headline]:
        """Say how the only two models differ, on what both were asked."""
        found = [
            effect
            for effect in self.summary.without_lost().effects
            if effect.metric == self.metric.name and effect.varies == "model" and not effect.beside
        ]
        return [Headline("", self._contrast(effect)) for effect in found[:1]]

    def _contrast(self, found: Effect) -> str:
        metric = self.metric
        title = _TITLES.get(metric.name, metric.title)
        after, before = (amount_words(part, metric.unit) for part in (found.after, found.before))
        where = f"on the same {cluster_words(found.n, metric.counts)}"
        if short := too_few(found, self.summary.unit):
            tail = f"; {title} {after} and {before} {where}" * (found.n >= FEWEST_ELEMENTS)
            return f"{found.model} and {found.baseline}: {short}{tail}."
        change = change_words(found.change, metric.unit)
        if not found.found:
            return (
                f"{found.model} and {found.baseline} do not differ beyond chance: {title} {after} "
                f"and {before} {where}, {change} {self.between(found)}."
                f"{self._sight(found, 'difference')}"
            )
        better = ((found.change or 0.0) > 0) == metric.higher_is_better
        first, second = (found.model, after), (found.baseline, before)
        (name, high), (other, low) = (first, second) if better else (second, first)
        if (found.change or 0.0) < 0:  # the difference is said without its sign
            mirrored = _mirrored(found.interval, 0.0)
            found = msgspec.structs.replace(found, interval=mirrored)
        return (
            f"{name} does better than {other}: {title} {high} against {low} {where}, a difference "
            f"of {change.lstrip('+-')} {self.between(found)}."
        )

    def _factor(self, name: str, own: Sequence[Effect]) -> list[str]:
        """Say what a factor does: as a whole, at the level that changes most, and crossed."""
        whole, *parts = own
        sentences = [self._whole(name, whole)]
        found = [part for part in parts if part.found and not too_few(part, self.summary.unit)]
        for choices, say in (
            ([part for part in found if not part.beside], self._named),
            ([part for part in found if part.beside], self._crossing),
        ):
            if choices:
                most = max(choices, key=lambda part: abs(part.change or 0.0))
                sentences.append(say(most, whole))
        return sentences

    def _whole(self, name: str, found: Effect) -> str:
        phrases = phrases_of(self.summary.scoring, found.factor)
        what = phrases.effect(found.value, found.baseline, len(found.levels))
        opening = f"{what[:1].upper()}{what[1:]}"
        if short := too_few(found, self.summary.unit):
            tail = f"; {self.sides(found, name)}" * (found.n >= FEWEST_ELEMENTS)
            return f"{opening}: {short}{tail}."
        if found.found:
            return (
                f"{opening}, {self.moves(name, found)}: {self.sides(found, 'it')} "
                f"{self.between(found)}."
            )
        change = change_words(found.change, self.metric.unit)
        fall = "fall" if self.metric.higher_is_better else "rise"
        return (
            f"{opening}, {name} shows no change beyond chance: {self.sides(found, 'it')}"
            f"{f', {change}' * bool(found.change)} {self.between(found)}."
            f"{self._end(found) or self._sight(found, fall)}"
        )

    def _named(self, found: Effect, whole: Effect) -> str:
        """Name the level that changes most of those whose own tests find them."""
        phrases = phrases_of(self.summary.scoring, found.factor)
        what = phrases.effect(found.value, found.baseline, 1)
        alike = whole.found and (found.change or 0.0) * (whole.change or 0.0) > 0
        opening = f"Most of all {what}" if alike else f"Yet {what}"
        return (
            f"{opening}, {self.moves('it', found)}: {self.sides(found, 'it')} "
            f"{self.between(found)}."
        )

    def _crossing(self, found: Effect, _whole: Effect) -> str:
        """Say both simple effects of an interaction, on the elements that have both."""
        scoring, unit = self.summary.scoring, self.metric.unit
        beside = phrases_of(scoring, found.beside)
        phrases = phrases_of(scoring, found.factor)
        what = phrases.effect(found.value, found.baseline, len(found.levels))
        sides = []
        for side in found.simple:
            ends = ends_words(side.interval, unit, signed=True)
            where = beside.value(side.value, found.beside_baseline)
            sides.append(f"{change_words(side.change, unit)} {where}{f' ({ends})' * bool(ends)}")
        return (
            f"{what[:1].upper()}{what[1:]} it is {sides[0]}, but {sides[1]}, on the same "
            f"{cluster_words(found.n, self.metric.counts)}: {change_words(found.change, unit)} "
            f"between the two {self.between(found)}."
        )

    def moves(self, name: str, found: Effect) -> str:
        """Say in which direction an effect moves, and how far."""
        verb = "falls" if (found.change or 0.0) < 0 else "rises"
        change = change_words(found.change, self.metric.unit).lstrip("+-")
        if self.metric.name in _RATES:
            return f"{name} {verb} by {change}"
        whose = "its" if name == "it" else f"{name}'s"
        return f"{whose} {self.metric.title} {verb} by {change}"

    def sides(self, found: Effect, name: str) -> str:
        """Say both numbers on the elements that both sides share."""
        metric = self.metric
        after, before = (amount_words(part, metric.unit) for part in (found.after, found.before))
        elements = cluster_words(found.n, metric.counts)
        if found.asked > found.n:
            elements = f"{found.n:,} of {cluster_words(found.asked, metric.counts)}"
        if phrase := self._rate_phrase:
            does = phrase.format(f"{after} instead of {before} of the same", elements)
            return f"{name} {does}"
        return f"{after} instead of {before} on the same {elements}"

    @property
    def _rate_phrase(self) -> str:
        """Return what a model does with so many of something, "" for what is no rate."""
        return "answers {} {} rightly" if _asks(self.metric) else _RATES.get(self.metric.name, "")

    def between(self, found: Effect) -> str:
        """Say between which ends an effect lies, at the level of its own test."""
        ends = ends_words(found.interval, self.metric.unit, signed=True)
        return (
            f"({confidence_words(1 - found.level)} interval {ends})" if ends else "(no interval)"
        )

    def _sight(self, found: Effect, noun: str) -> str:
        """Say how small a change would have been found."""
        if found.detectable is None:
            clusters = cluster_words(found.clusters, self.summary.unit)
            return f" {clusters} cannot tell how small a {noun} would have been found."
        least = change_words(found.detectable, self.metric.unit).lstrip("+")
        return f" A {noun} of more than {least} would have been found in 8 of 10 such runs."

    def _end(self, found: Effect) -> str:
        """Say that a rate has hardly anything to lose, where that is so."""
        metric, before = self.metric, found.before
        if metric.unit != "share" or before is None or not metric.higher_is_better:
            return ""
        if before > max(_NEAR_END, found.detectable or 0.0):
            return ""
        return f" At {amount_words(before, metric.unit)} it has hardly anything to lose."

    def _number(self, found: Effect) -> KeyNumber:
        """Return the number that stands for a factor: its effect as a whole."""
        phrases = phrases_of(self.summary.scoring, found.factor)
        elements = cluster_words(found.n, self.metric.counts)
        what = phrases.effect(found.value, found.baseline, len(found.levels))
        if too_few(found, self.summary.unit):
            home = from_words(found.clusters, self.summary.unit)
            return KeyNumber("too few to say", what, note=f"{elements}{home}")
        return KeyNumber(
            change_words(found.change, self.metric.unit),
            what,
            ends_words(found.interval, self.metric.unit, signed=True),
            1 - found.level,
            f"{effect_verdict(found, self.metric, self.summary.unit)}, {elements}",
        )

    def _level(self, model: str) -> tuple[str, KeyNumber | None]:
        """Say how a model does on what all changes start from, and of what that is a mix."""
        summary, metric = self.summary, self.metric
        own, base = (
            [score for score in scores if (score.metric, score.model) == (metric.name, model)]
            for scores in (summary.scores, summary.baselines)
        )
        score = base[0] if base else own[0]
        where = f" {original_words(summary.scoring)}" * bool(base and len(own) > 1)
        title = _TITLES.get(metric.name, metric.title)
        if not score.n:
            return f"{model} gave no answer that can be scored.", None
        known = min(score.n, summary.elements)
        if known < FEWEST_ELEMENTS:
            few = cluster_words(known, metric.counts)
            return (
                f"{model}: too few to say, {few} where {FEWEST_ELEMENTS} are needed.",
                KeyNumber("too few to say", f"{title}{where}", note=few),
            )
        kinds: dict[str, int] = {}
        for part in own:
            if part.instruction not in ("", ABSENT) and part.variant == score.variant:
                kinds[part.instruction] = kinds.get(part.instruction, 0) + part.n
        whole = cluster_words(score.n, metric.counts)
        if len(kinds) > 1:
            mix = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items())
            whole = f"{cluster_words(score.n, 'questions')} ({mix})"
        whole += from_words(score.clusters, summary.unit)
        amount, ends = (
            amount_words(score.amount, metric.unit),
            ends_words(score.interval, metric.unit),
        )
        interval = f"{confidence_words(CONFIDENCE)} interval {ends}" if ends else "no interval"
        does = f"has a {metric.title} of {amount}"
        if phrase := self._rate_phrase:
            does = phrase.format(f"{amount} of its", "questions" if _asks(metric) else "targets")
        sentence = f"{model} {does}{where}: {whole}, {interval}."
        return sentence, KeyNumber(amount, f"{title}{where}", ends, note=whole)

    def _counts(self, model: str) -> list[KeyNumber]:
        summary, metric = self.summary, self.metric
        own = [
            score
            for score in summary.scores
            if (score.metric, score.model) == (metric.name, model)
        ]
        rows = sum(score.rows for score in own)
        lost = sum(item.unparsed + item.failed for item in own)
        return [
            KeyNumber(f"{rows:,}", "questions asked"),
            KeyNumber(f"{lost:,}", "of them unparsed or failed"),
        ]
