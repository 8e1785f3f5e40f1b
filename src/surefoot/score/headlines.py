"""
What a person would say aloud of each model: one sentence, and the three numbers behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from surefoot.core.perturbation import ORIGINAL, variant_title
from surefoot.score.comparisons import Comparison
from surefoot.score.lost import LostReplies
from surefoot.score.scores import Score
from surefoot.score.stats.intervals import CONFIDENCE, Interval
from surefoot.score.summary import MetricFacts, Summary
from surefoot.score.words import (
    amount_words,
    change_words,
    cluster_words,
    ends_words,
    from_words,
    is_by_picture,
    is_claimed,
    is_clear,
    model_name,
    verdict_words,
)

__all__ = [
    "Headline",
    "KeyNumber",
    "headline_metric",
    "headline_rows",
    "headlines",
    "lost_sentence",
]

_FAMILIAR: Final = ("hit", "bcp", "submitted")  # rates that people know, best first
_OUTSIDE: Final = "s_oob"  # what is no hit
_SAID: Final = {
    "hit": "hits {} of its targets",
    "bcp": "hits {} of its targets with the middle of its box",
    "submitted": "hands in {} of the values",
}
_TITLES: Final = {"bcp": "targets hit with the middle of the box (BCP)"}
_WITHIN: Final = ("variant", "instruction", "renderer", "language", "layout")
PAIR: Final = 2  # models that are compared in a sentence
_ARROW: Final = "\N{RIGHTWARDS ARROW}"


class KeyNumber(msgspec.Struct, frozen=True):
    """Hold a number in words, what it means, and the ends of its interval, "" for none."""

    value: str
    meaning: str
    ends: str = ""

    @property
    def words(self) -> str:
        """Say what the number means, with its interval."""
        told = f", {100 * CONFIDENCE:.0f} % interval {self.ends}" if self.ends else ""
        return f"{self.meaning}{told}"


class Headline(msgspec.Struct, frozen=True):
    """
    Hold one model's sentence and its three numbers; none where nothing can be claimed.

    ``mode`` is "reasoning" where the model was to reason first. What is said of several
    models at once has the model "".
    """

    model: str
    sentence: str
    numbers: tuple[KeyNumber, ...] = ()
    mode: str = ""

    @property
    def name(self) -> str:
        """Return the model's name with its mode."""
        return model_name(self.model, reasoning=bool(self.mode))


def headline_metric(summary: Summary) -> MetricFacts | None:
    """Return the metric that people know: a rate of hits, or else the first that is compared."""
    known = {metric.name: metric for metric in summary.metrics if metric.compared}
    familiar = [known[name] for name in _FAMILIAR if name in known]
    return next(iter((*familiar, *known.values())), None)


def headlines(summary: Summary) -> tuple[Headline, ...]:
    """Say what matters of each model, in the metric that people know."""
    summary = _with_hits(summary)
    lost = {one.model: one for one in summary.lost}
    metric = headline_metric(summary)
    scores = [one for one in summary.scores if metric is not None and one.metric == metric.name]
    said = []
    for model, reasoning in dict.fromkeys((one.model, one.reasoning) for one in scores):
        own = [one for one in scores if (one.model, one.reasoning) == (model, reasoning)]
        if metric is not None and model not in lost:
            said.append(_headline(summary, metric, own))
    broken = (Headline(name, lost_sentence(one)) for name, one in lost.items())
    models = {line.model for line in said} | lost.keys()
    contrast = [] if metric is None or len(models) != PAIR else _contrast(summary, metric)
    return (*broken, *contrast, *said)


def _contrast(summary: Summary, metric: MetricFacts) -> list[Headline]:
    """Say how the only two models differ, on what both were asked."""
    found = [
        one
        for one in summary.without_lost().comparisons
        if (one.metric, one.varies) == (metric.name, "model")
        and one.change is not None
        and one.clusters > 1
        and one.variant in ("", ORIGINAL)
        and not one.value
    ]
    return [Headline("", _contrast_sentence(one, metric)) for one in found[:1]]


def _contrast_sentence(found: Comparison, metric: MetricFacts) -> str:
    pooled = not (found.instruction or found.variant)
    asked = "questions" if pooled else f"{metric.counts} of the original screens"
    where = f"of the {found.n:,} {asked} that both were asked"
    after, before = (_rounded(part, metric) for part in (found.after, found.before))
    if not is_clear(found.interval, found.p_holm):
        return (
            f"{found.model} and {found.baseline} do not differ beyond chance: {_title(metric)} "
            f"{after} and {before} {where}."
        )
    better = (found.change or 0.0) * (1 if metric.higher_is_better else -1) > 0
    first, second = (found.model, after), (found.baseline, before)
    (name, high), (other, low) = (first, second) if better else (second, first)
    return f"{name} does better than {other}: {_title(metric)} {high} against {low} {where}."


def headline_rows(told: Sequence[Headline]) -> tuple[tuple[str, ...], ...]:
    """
    Return the numbers of models as a table of words, the head first; none of the others.

    >>> numbers = KeyNumber("82 %", "hit rate"), KeyNumber("9", "answers"), KeyNumber("5", "lost")
    >>> headline_rows([Headline("a", "a hits.", numbers), Headline("b", "no result")])
    (('model', 'hit rate', 'beside it', 'and'), ('a', '82 %', '9 answers', '5 lost'))
    """
    counted = [one for one in told if one.numbers]
    changed = all(_ARROW in one.numbers[1].value for one in counted)
    heads = ("what changed most", "by how much") if changed else ("beside it", "and")
    return (
        ("model", *(one.numbers[0].meaning for one in counted[:1]), *heads),
        *(
            (
                one.name,
                _with_ends(first.value, first.ends),
                f"{second.value} {second.meaning}",
                _with_ends(f"{third.value}{', ' * changed or ' '}{third.meaning}", third.ends),
            )
            for one in counted
            for first, second, third in (one.numbers,)
        ),
    )


def _with_ends(words: str, ends: str) -> str:
    return f"{words} ({ends})" if ends else words


def _title(metric: MetricFacts) -> str:
    return _TITLES.get(metric.name, metric.title)


def _with_hits(summary: Summary) -> Summary:
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
        scores=tuple(
            msgspec.structs.replace(
                one,
                metric="hit",
                total=one.n - one.total,
                amount=None if one.amount is None else 1 - one.amount,
                interval=_mirrored(one.interval, 1.0),
            )
            for one in outside.scores
        ),
        comparisons=tuple(
            msgspec.structs.replace(
                one,
                metric="hit",
                before=None if one.before is None else 1 - one.before,
                after=None if one.after is None else 1 - one.after,
                change=None if one.change is None else -one.change,
                interval=_mirrored(one.interval, 0.0),
            )
            for one in outside.comparisons
        ),
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


def _headline(summary: Summary, metric: MetricFacts, own: Sequence[Score]) -> Headline:
    one = own[0]
    mode = "reasoning" * one.reasoning
    name = model_name(one.model, reasoning=one.reasoning)
    plain = [score for score in own if score.variant == ORIGINAL]
    level = _Level(metric, plain or own, on_original=bool(plain) and len(plain) < len(own))
    if not level.n:
        return Headline(one.model, f"{name} gave no answer that can be scored.")
    changes = [
        found
        for found in summary.comparisons
        if (found.metric, found.model, found.reasoning) == (metric.name, one.model, one.reasoning)
        and found.varies in _WITHIN
        and found.change is not None
        and not is_by_picture(found, metric.unit)
    ]
    clear = [found for found in changes if is_claimed(found, metric.unit)]
    worst = _worst(clear or changes, metric)
    first = KeyNumber(amount_words(level.amount, metric.unit), level.meaning, level.ends)
    if worst is None:
        return Headline(
            one.model,
            f"{name} {level.said}{_only_one(summary)}.",
            (first, *_counts(summary, own)),
            mode,
        )
    second = KeyNumber(_from_to(worst, metric), _what(worst))
    third = KeyNumber(
        change_words(worst.change, metric.unit),
        verdict_words(worst, metric),
        ends_words(worst.interval, metric.unit, signed=True),
    )
    if clear:
        sentence = f"{name} {level.said}; {_what(worst)}, {_moved(worst, metric)}."
        return Headline(one.model, sentence, (first, second, third), mode)
    if alone := _only_one(summary):
        return Headline(one.model, f"{name} {level.said}{alone}.", (first, second, third), mode)
    none = f"none of {len(changes)} changes of screen or words made a difference beyond chance"
    if len(changes) == 1:
        none = "the one change made no difference beyond chance"
    sentence = f"{name} {level.said}; {none}."
    return Headline(one.model, sentence, (first, second, third), mode)


class _Level:
    """Pool the scores of the conditions that everything is compared with."""

    def __init__(self, metric: MetricFacts, scores: Sequence[Score], *, on_original: bool) -> None:
        self.n = sum(score.n for score in scores)
        self.amount = sum(score.total for score in scores) / self.n if self.n else None
        where = " on the original screens" if on_original else ""
        amount = amount_words(self.amount, metric.unit)
        if metric.unit == "share" and self.amount is not None:
            amount = f"{100 * self.amount:.0f} %"
        said = _SAID.get(metric.name, f"has a {metric.title} of {{}}")
        self.said = f"{said.format(amount)}{where}"
        interval = scores[0].interval if len(scores) == 1 else None
        self.ends = ends_words(interval, metric.unit)
        self.meaning = f"{_title(metric)}{where}"


def _worst(found: Iterable[Comparison], metric: MetricFacts) -> Comparison | None:
    """Return the greatest loss, or else the greatest gain."""
    sign = 1 if metric.higher_is_better else -1
    ranked = sorted(found, key=lambda one: sign * (one.change or 0.0))
    if not ranked:
        return None
    return ranked[0] if sign * (ranked[0].change or 0.0) < 0 else ranked[-1]


def _what(found: Comparison) -> str:
    """Name a change and the rest of its condition, to stand before a comma."""
    if found.varies == "instruction":
        under = f" ({variant_title(found.variant)})" if found.variant else ""
        return f"with {found.instruction} instructions instead of {found.baseline} ones{under}"
    asked = f" with {found.instruction} instructions" if found.instruction else ""
    value = variant_title(found.variant) if found.varies == "variant" else found.value
    return f"under {value}{asked}"


def _moved(found: Comparison, metric: MetricFacts) -> str:
    before, after = (_rounded(part, metric) for part in (found.before, found.after))
    verb = "falls" if (found.change or 0.0) < 0 else "rises"
    return f"it {verb} from {before} to {after} of the same {metric.counts}"


def _rounded(amount: float | None, metric: MetricFacts) -> str:
    if metric.unit == "share" and amount is not None:
        return f"{100 * amount:.0f} %"
    return amount_words(amount, metric.unit)


def _from_to(found: Comparison, metric: MetricFacts) -> str:
    return f"{_rounded(found.before, metric)} {_ARROW} {_rounded(found.after, metric)}"


def _only_one(summary: Summary) -> str:
    """Say that one cluster stands for itself alone; "" for several."""
    if summary.clusters > 1:
        return ""
    return f", all from one {summary.unit[:-1]}, which says nothing of others"


def _counts(summary: Summary, own: Sequence[Score]) -> tuple[KeyNumber, KeyNumber]:
    rows = sum(one.rows for one in own)
    lost = sum(one.unparsed + one.failed for one in own)
    clusters = from_words(summary.clusters, summary.unit)
    return (
        KeyNumber(
            f"{rows:,}", f"answers about {cluster_words(summary.elements, 'elements')}{clusters}"
        ),
        KeyNumber(f"{lost:,}", "of them unparsed or failed"),
    )
