"""
Scores and comparisons as tables of words, and all of a summary as lines for a terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from surefoot.core.perturbation import LANGUAGE_NAMES, ORIGINAL, variant_title
from surefoot.phrasing.headlines import effect_name, headline_sentences
from surefoot.phrasing.values import (
    Number,
    Shown,
    Value,
    amount,
    change,
    count,
    ends,
    measured,
    p_value,
)
from surefoot.phrasing.words import (
    amount_words,
    comparison_name,
    condition_name,
    confidence_words,
    effect_verdict,
    ends_words,
    facts,
    model_name,
    order_sentences,
    too_few,
    total_sentence,
    verdict_words,
)
from surefoot.score.conditions.rulers import RulerRate, SizePart
from surefoot.score.conditions.samples import RepeatedSamples, Share
from surefoot.score.conditions.scores import Score
from surefoot.score.contrasts.orders import Orders
from surefoot.score.scorings.multilingual import DIMENSIONS, LanguageProfile
from surefoot.score.stats.intervals import CONFIDENCE
from surefoot.score.summary import MetricFacts, Summary

Head: TypeAlias = tuple[str, ...]
Rows: TypeAlias = tuple[tuple[Shown, ...], ...]


def effect_table(
    summary: Summary, metric: MetricFacts, *, crossed: bool = True
) -> tuple[Head, Rows]:
    """
    Return a head, and every effect on a metric as a row, each with its own test's interval.

    Without ``crossed`` interactions are left out that were not found.
    """
    own = [
        effect
        for effect in summary.without_lost().effects
        if effect.metric == metric.name and (crossed or effect.found or not effect.beside)
    ]
    head = ("effect", metric.counts, "before", "after", "difference", "interval", "at")
    return (
        (*head, "p", "found from", "verdict"),
        tuple(
            (
                f"{effect.model}, {effect_name(effect, summary.scoring)}",
                _of(effect.n, effect.asked),
                amount(effect.before, metric.unit),
                amount(effect.after, metric.unit),
                change(effect.change, metric.unit),
                ends(
                    None if too_few(effect, summary.unit) else effect.interval,
                    metric.unit,
                    signed=True,
                ),
                confidence_words(1 - effect.level),
                p_value(effect.p),
                amount(effect.detectable, metric.unit),
                effect_verdict(effect, metric, summary.unit),
            )
            for effect in own
        ),
    )


def _of(n: int, asked: int) -> Value:
    """Count elements of those that the baseline was asked about."""
    words = f"{n:,} of {asked:,}" if asked > n else f"{n:,}"
    return Value(words, (Number(n), Number(asked, part="of")))


def comparison_table(summary: Summary, metric: MetricFacts) -> tuple[Head, Rows]:
    """Return a head, and every comparison of a metric as a row."""
    own = [
        comparison
        for comparison in summary.without_lost().comparisons
        if comparison.metric == metric.name
    ]
    head = ("what is compared", metric.counts, "before, dropped", "before", "after", "difference")
    return (
        (*head, f"{100 * CONFIDENCE:.0f} % interval", "verdict"),
        tuple(
            (
                comparison_name(comparison),
                _of(comparison.n, comparison.n + comparison.dropped),
                amount(comparison.before_dropped, metric.unit),
                amount(comparison.before, metric.unit),
                amount(comparison.after, metric.unit),
                change(comparison.change, metric.unit),
                ends(comparison.interval, metric.unit, signed=True),
                verdict_words(comparison, metric),
            )
            for comparison in own
        ),
    )


def score_table(summary: Summary, metric: MetricFacts) -> tuple[Head, Rows]:
    """Return a head, and a metric of every condition as a row."""
    lost = ("unparsed", "declined", "failed")
    return (
        ("condition", "n", metric.title, f"{100 * CONFIDENCE:.0f} % interval", *lost),
        tuple(
            (
                condition_name(score),
                count(score.n),
                amount(score.amount, metric.unit),
                ends(score.interval, metric.unit),
                *map(count, (score.unparsed, score.refused, score.failed)),
            )
            for score in summary.scores
            if score.metric == metric.name
        ),
    )


def samples_table(found: Sequence[RepeatedSamples]) -> tuple[Head, Rows]:
    """Return a head, and what repeated samples tell as a row a model and variant."""
    ks = sorted({k for samples in found for k in samples.passes} - {1})  # the first is the mean
    head = ("condition", "questions", "samples of each", "right, mean", "all samples alike")
    return (
        (*head, "pairs alike", *(f"pass@{k}" for k in ks)),
        tuple(
            (
                ", ".join(
                    filter(None, (model_name(samples.model, reasoning=samples.reasoning), variant))
                ),
                count(samples.mean.n),
                count(samples.samples),
                *(
                    _share(share)
                    for share in (samples.mean, samples.consistency, samples.agreement)
                ),
                *(_share(samples.passes.get(k)) for k in ks),
            )
            for samples in found
            for variant in (variant_title(samples.variant) or "all together",)
        ),
    )


def _share(share: Share | None) -> Shown:
    if share is None or share.amount is None:
        return ""
    between = ends_words(share.interval, "share")
    words = amount_words(share.amount, "share") + f" ({between})" * bool(between)
    return measured(words, share.amount, share.interval, "share")


def refusals_table(found: Sequence[Score]) -> tuple[Head, Rows]:
    """Lay out what models decline, of what is not there and of what is, a row a model."""
    ends_of = f"{100 * CONFIDENCE:.0f} % interval"
    rates = {(score.model, score.metric): score for score in found}
    rows: Rows = tuple(
        (
            model,
            *(
                shown
                for metric in ("right_refusals", "wrong_refusals")
                if (one := rates.get((model, metric))) is not None
                for shown in (
                    count(one.n),
                    amount(one.amount, "share"),
                    ends(one.interval, "share"),
                )
            ),
        )
        for model in dict.fromkeys(score.model for score in found)
    )
    head = ("model", "not there", "declined, rightly", ends_of)
    return (*head, "there", "declined, wrongly", ends_of), rows


def rulers_table(found: Sequence[RulerRate]) -> tuple[Head, Rows]:
    """Lay out hit rates at several tolerances, each with its rank among several models."""
    ranked = len(found) > 1
    names = list(found[0].rates)
    head = ("model", "answers", *(f"{name} px" for name in names))
    rows: Rows = tuple(
        (
            model_name(rate.model, reasoning=rate.reasoning),
            count(rate.n),
            *(amount(rate.rates[name], "share") for name in names),
            *(count(rate.ranks[name]) for name in names if ranked),
        )
        for rate in found
    )
    return (*head, *(f"rank at {name} px" for name in names if ranked)), rows


def sizes_table(found: Sequence[SizePart]) -> tuple[Head, Rows]:
    """Lay out how much of each variant's change goes with the size of its targets."""
    head = ("condition", "original", "weighed to its sizes", "here", "goes with size", "left")
    rows: Rows = tuple(
        (
            ", ".join(
                filter(
                    None,
                    (
                        model_name(part.model, reasoning=part.reasoning),
                        part.instruction,
                        variant_title(part.variant),
                    ),
                )
            ),
            *(amount(rate, "share") for rate in (part.original, part.weighed, part.after)),
            change(part.weighed - part.original, "share"),
            change(part.after - part.weighed, "share"),
        )
        for part in found
    )
    return head, rows


def language_title(language: str) -> str:
    """
    Return what a language is called in English, its tag where that is not known.

    >>> language_title("original"), language_title("de")
    ('English', 'de')
    """
    return LANGUAGE_NAMES["en"] if language == ORIGINAL else variant_title(language)


def profiles_table(found: Sequence[LanguageProfile]) -> tuple[Head, Rows]:
    """Lay out accuracy by dimension and FPR-ACC, a row a model and language."""
    asked = [name for name in DIMENSIONS if any(name in profile.accuracy for profile in found)]
    rows: Rows = tuple(
        (
            model_name(profile.model, reasoning=profile.reasoning),
            language_title(profile.language),
            *(amount(profile.accuracy.get(name), "share") for name in asked),
            amount(profile.fpr_acc, "share"),
            ends(profile.interval, "share"),
        )
        for profile in found
    )
    return ("model", "language", *asked, "FPR-ACC", "interval"), rows


def table_lines(head: Head, rows: Rows) -> list[str]:
    """
    Lay a table out for a terminal, each column as wide as its widest word.

    >>> table_lines(("model", "n"), (("ocr", "12"),))
    ['model  n', 'ocr    12']
    """
    lines = [head, *(tuple(map(str, row)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]


def ruler_sentences(summary: Summary) -> list[str]:
    """Say once what every comparison of a summary was measured with."""
    counts = summary.metrics[0].counts if summary.metrics else "elements"
    compared = {comparison.contrast: comparison.family for comparison in summary.comparisons}
    families = ", ".join(f"{count} by {name}" for name, count in compared.items())
    sentences = [f"{facts(summary)}."]
    if summary.effects:
        sentences.append(
            f"An effect is after minus before, averaged within each of the same {counts} over all "
            f"other conditions, and then over {counts}. The level of the tests, 5 % for a model, "
            "is shared out among the factors beforehand, and each interval has the level of its "
            "own test: it leaves out zero where the effect is called a gain or a loss."
        )
    if families:
        sentences.append(
            f"A comparison of single conditions is called a gain or a loss where its interval "
            f"leaves out zero and its test over {summary.unit} is under 5 % after Holm's "
            f"correction (tests: {families}); anything else may be chance. Conditions hold "
            f"different {counts}: '174 of 198' leaves 24 out, which 'before, dropped' tells of."
        )
    return sentences


def summary_lines(summary: Summary) -> list[str]:
    """
    Say a summary on a terminal: what matters in a sentence a model, then tables, then rulers.
    """
    lines = headline_sentences(summary)
    for metric in summary.metrics:
        if not metric.compared:
            continue
        head, effects = effect_table(summary, metric, crossed=False)
        if effects:
            lines += ["", f"Effects on the {metric.title}", *table_lines(head, effects)]
        lines += ["", *table_lines(*score_table(summary, metric))]
        head, compared = comparison_table(summary, metric)
        if compared:
            lines += [
                "",
                f"The {metric.title} by condition, compared",
                *table_lines(head, compared),
            ]
    totals = [total for total in summary.without_lost().totals if total.comparisons > 1]
    headline = summary.metrics[0].name if summary.metrics else ""
    lines += [""] * bool(totals)
    lines += [total_sentence(total) for total in totals if total.metric == headline]
    if repeated := summary.details.get("samples"):
        lines += ["", "Every question asked several times", *table_lines(*samples_table(repeated))]
    if refusals := summary.details.get("refusals"):
        lines += ["", "What is declined", *table_lines(*refusals_table(refusals))]
    if rulers := summary.details.get("rulers"):
        lines += ["", "The hit rate at several tolerances", *table_lines(*rulers_table(rulers))]
    if parts := summary.details.get("size parts"):
        lines += ["", "What goes with the size of targets", *table_lines(*sizes_table(parts))]
    if profiles := summary.details.get("languages"):
        lines += ["", "Dimensions and languages", *table_lines(*profiles_table(profiles))]
    orders = summary.details.get("orders")
    lines += order_sentences(orders) if isinstance(orders, Orders) else []
    return [*lines, "", *ruler_sentences(summary)]
