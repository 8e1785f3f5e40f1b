"""
Scores and comparisons as tables of words, and all of a summary as lines for a terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from surefoot.core.perturbation import variant_title
from surefoot.score.headlines import headlines
from surefoot.score.orders import Orders
from surefoot.score.samples import RepeatedSamples, Share
from surefoot.score.stats.intervals import CONFIDENCE
from surefoot.score.summary import MetricFacts, Summary
from surefoot.score.values import Shown, amount, change, count, ends, measured
from surefoot.score.words import (
    amount_words,
    comparison_name,
    condition_name,
    ends_words,
    facts,
    model_name,
    order_sentences,
    total_sentence,
    verdict_words,
)

__all__ = [
    "Head",
    "Rows",
    "comparison_table",
    "ruler_sentences",
    "samples_table",
    "score_table",
    "summary_lines",
    "table_lines",
]

Head: TypeAlias = tuple[str, ...]
Rows: TypeAlias = tuple[tuple[Shown, ...], ...]


def comparison_table(summary: Summary, metric: MetricFacts) -> tuple[Head, Rows]:
    """Return a head, and every comparison of a metric as a row."""
    own = [one for one in summary.without_lost().comparisons if one.metric == metric.name]
    head = ("what is compared", metric.counts, "before", "after", "difference")
    return (
        (*head, f"{100 * CONFIDENCE:.0f} % interval", "verdict"),
        tuple(
            (
                comparison_name(one),
                count(one.n),
                amount(one.before, metric.unit),
                amount(one.after, metric.unit),
                change(one.change, metric.unit),
                ends(one.interval, metric.unit, signed=True),
                verdict_words(one, metric),
            )
            for one in own
        ),
    )


def score_table(summary: Summary, metric: MetricFacts) -> tuple[Head, Rows]:
    """Return a head, and a metric of every condition as a row."""
    lost = ("unparsed", "declined", "failed")
    return (
        ("condition", "n", metric.title, f"{100 * CONFIDENCE:.0f} % interval", *lost),
        tuple(
            (
                condition_name(one),
                count(one.n),
                amount(one.amount, metric.unit),
                ends(one.interval, metric.unit),
                *map(count, (one.unparsed, one.refused, one.failed)),
            )
            for one in summary.scores
            if one.metric == metric.name
        ),
    )


def samples_table(found: Sequence[RepeatedSamples]) -> tuple[Head, Rows]:
    """Return a head, and what repeated samples tell as a row a model and variant."""
    ks = sorted({k for one in found for k in one.passes} - {1})  # the first is the mean
    head = ("condition", "questions", "samples of each", "right, mean", "all samples alike")
    return (
        (*head, "pairs alike", *(f"pass@{k}" for k in ks)),
        tuple(
            (
                ", ".join(filter(None, (model_name(one.model, reasoning=one.reasoning), variant))),
                count(one.mean.n),
                count(one.samples),
                *(_share(share) for share in (one.mean, one.consistency, one.agreement)),
                *(_share(one.passes.get(k)) for k in ks),
            )
            for one in found
            for variant in (variant_title(one.variant) or "all together",)
        ),
    )


def _share(share: Share | None) -> Shown:
    if share is None or share.amount is None:
        return ""
    between = ends_words(share.interval, "share")
    words = amount_words(share.amount, "share") + f" ({between})" * bool(between)
    return measured(words, share.amount, share.interval, "share")


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
    compared = {one.contrast: one.family for one in summary.comparisons}
    families = ", ".join(f"{count} by {name}" for name, count in compared.items())
    said = [f"{facts(summary)}."]
    if families:
        said.append(
            f"A difference is after minus before, on the same {counts}. It is called a gain or a "
            f"loss where its interval leaves out zero and its test over {summary.unit} outlasts "
            f"Holm's correction (tests: {families}); anything else may be chance."
        )
    return said


def summary_lines(summary: Summary) -> list[str]:
    """
    Say a summary on a terminal: what matters in a sentence a model, then tables, then rulers.
    """
    said = [line.sentence for line in headlines(summary)]
    for metric in summary.metrics:
        if not metric.compared:
            continue
        said += ["", *table_lines(*score_table(summary, metric))]
        head, compared = comparison_table(summary, metric)
        if compared:
            said += ["", f"The {metric.title}, compared", *table_lines(head, compared)]
    totals = [one for one in summary.without_lost().totals if one.comparisons > 1]
    headline = summary.metrics[0].name if summary.metrics else ""
    said += [""] * bool(totals)
    said += [total_sentence(one) for one in totals if one.metric == headline]
    if repeated := summary.details.get("samples"):
        said += ["", "Every question asked several times", *table_lines(*samples_table(repeated))]
    orders = summary.details.get("orders")
    said += order_sentences(orders) if isinstance(orders, Orders) else []
    return [*said, "", *ruler_sentences(summary)]
