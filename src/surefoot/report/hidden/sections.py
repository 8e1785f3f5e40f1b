"""
From the summary of a hidden benchmark to the sections of its report, and to sentences.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Final

from surefoot.report.hidden.figures import histogram_figure, threshold_figure
from surefoot.report.html.figures import Axis, LevelRow, level_plot
from surefoot.report.html.section import Figure, Section, Table
from surefoot.score.hidden_summary import BoxScore, HiddenSummary, Spread
from surefoot.score.stats.intervals import Interval
from surefoot.score.words import counted, interval_words, over_words

__all__ = ["hidden_sections", "hidden_sentences", "sanity_section"]

_BY: Final = {
    "instruction": "Kind of instruction",
    "split": "Split",
    "platform": "Platform",
    "system": "Operating system",
    "size": "Size of the element (thirds; side of a square of the same area)",
}
_HEAD: Final = (
    "model, mask", "n", "sites", "IoU", "interval", "BCP", "interval", "boxes", "unparsed",
    "declined", "failed",
)  # fmt: skip
_REFERENCES: Final = {
    "flat-mask": "nearest mask (flat-mask)",
    "ocr": "words nearby (ocr)",
}


def hidden_sentences(summary: HiddenSummary) -> list[str]:
    """Say each model's scores under each mask in a sentence."""
    return [_sentence(each) for each in summary.scores if each.by == "all"]


def hidden_sections(summary: HiddenSummary) -> tuple[Section, ...]:
    """Lay out all sections of a summary, in the order in which they are read."""
    return (_masks(summary), *_spread(summary), _parts(summary))


def sanity_section(summary: HiddenSummary, references: HiddenSummary | None) -> Section:
    """
    Lay out what is to be had without understanding: the rows that every report has.

    A reference model that was not run has a row that says how to run it.
    """
    lead = (
        "What a mask gives away, and what needs no look at all. The constant box is the best "
        "one found for the split train, in widths and heights of the picture. The nearest-mask "
        "row finds flat rectangles in a colour of their own: where it does well the mask "
        "itself tells the answer, and a model's score says little about understanding."
    )
    known = [*summary.scores, *(references.scores if references else ())]
    scores = [each for each in known if each.by == "all" and each.model in _REFERENCES]
    if references:
        scores += [
            each
            for each in references.scores
            if each.by == "all" and each.model not in _REFERENCES
        ]
    rows = [_row(f"{each.model}, {each.mask}", each) for each in scores]
    missing = [name for name in _REFERENCES if all(each.model != name for each in scores)]
    rows += [(f"{_REFERENCES[name]}: not run", *("",) * (len(_HEAD) - 1)) for name in missing]
    note = "; ".join(f"surefoot run BENCH --model {name}" for name in missing)
    note = f"To fill the empty rows: {note}; then name the runs with --sanity." if missing else ""
    figures = (
        Figure("Best constant box, fitted on train", _constants(summary)),
        Figure("Reference models", Table(_HEAD, tuple(rows)), note=note),
    )
    return Section("sanity", "How much of a score is no understanding", lead, figures)


def _masks(summary: HiddenSummary) -> Section:
    scores = [each for each in summary.scores if each.by == "all"]
    figures = []
    for words, title in (("iou", "Mean IoU, mask by mask"), ("bcp", "BCP, mask by mask")):
        levels = [row for each in scores if (row := _level(each, words)) is not None]
        if levels:
            axis = Axis("mean IoU" if words == "iou" else "share of centres in the target")
            drawing = level_plot(levels, title=title, axis=axis, top=1.0)
            figures.append(Figure(title, _table(scores), drawing))
    lead = (
        "IoU is the mean intersection over union of the predicted box and the target's; a "
        "reply without a box counts 0. BCP is the share of replies whose box has its centre, "
        "or whose point lies, in the target."
    )
    return Section("masks", "Under each mask", lead, tuple(figures))


def _spread(summary: HiddenSummary) -> Iterable[Section]:
    figures = []
    for model in dict.fromkeys(each.model for each in summary.spreads):
        own = [each for each in summary.spreads if each.model == model]
        title = f"{model}: how the IoUs are spread"
        drawn = histogram_figure([(each.mask, each.histogram) for each in own], title=title)
        figures.append(Figure(title, _histogram_table(own), drawn))
        title = f"{model}: replies that reach an IoU"
        curves = [(each.mask, each.shares) for each in own]
        drawn = threshold_figure(curves, own[0].thresholds, title=title)
        figures.append(Figure(title, _curve_table(own), drawn))
    if figures:
        lead = (
            "A mean hides that most boxes are either quite wrong or quite right. The peaks are "
            "IoUs of exactly 0 and of 0.99 or more; between them bins have equal widths."
        )
        yield Section("spread", "How the boxes fit", lead, tuple(figures))


def _parts(summary: HiddenSummary) -> Section:
    figures = []
    for by, title in _BY.items():
        scores = [each for each in summary.scores if each.by == by]
        if scores:
            figures.append(Figure(title, _table(scores)))
    lead = "The same scores by what the questions differ in. Read them as description."
    told = {each.by for each in summary.scores}
    untold = [title.partition(" (")[0].lower() for by, title in _BY.items() if by not in told]
    if untold:
        lead += f" Not told of these questions: {', '.join(untold)}."
    return Section("parts", "By kind, split, platform and size", lead, tuple(figures))


def _table(scores: Sequence[BoxScore]) -> Table:
    rows = (
        _row(", ".join(filter(None, (each.model, each.mask, each.value))), each) for each in scores
    )
    return Table(_HEAD, tuple(rows))


def _row(name: str, each: BoxScore) -> tuple[str, ...]:
    return (
        name,
        f"{each.n:,}",
        f"{each.clusters:,}",
        "points only" if each.iou is None and each.n else _number(each.iou),
        _interval(each.iou_interval),
        _number(each.bcp),
        _interval(each.bcp_interval),
        *(f"{count:,}" for count in (each.boxes, each.unparsed, each.refused, each.failed)),
    )


def _level(score: BoxScore, words: str) -> LevelRow | None:
    value = score.iou if words == "iou" else score.bcp
    interval = score.iou_interval if words == "iou" else score.bcp_interval
    if value is None:
        return None
    ends = None if interval is None else (interval.low, interval.high)
    return LevelRow(f"{score.model}, {score.mask}", value, ends, over_words(interval))


def _histogram_table(spreads: Sequence[Spread]) -> Table:
    edges = spreads[0].histogram.edges
    bins = [f"{low:.2f} to {high:.2f}" for low, high in itertools.pairwise(edges)]
    rows = (
        (
            each.mask,
            *(str(n) for n in (each.histogram.zeros, *each.histogram.counts, each.histogram.ones)),
        )
        for each in spreads
    )
    return Table(("mask", "0", *bins, "0.99 and over"), tuple(rows))


def _curve_table(spreads: Sequence[Spread]) -> Table:
    rows = ((each.mask, *(f"{share:.3f}" for share in each.shares)) for each in spreads)
    heads = (f"{threshold:.2f}" for threshold in spreads[0].thresholds)
    return Table(("mask, IoU from", *heads), tuple(rows))


def _constants(summary: HiddenSummary) -> Table:
    rows = tuple(
        (
            each.split or "none named",
            f"{each.n:,}",
            _number(each.iou),
            _number(each.bcp),
            " ".join(f"{side:.3f}" for side in each.box),
        )
        for each in summary.constants
    )
    return Table(("split", "targets", "IoU", "BCP", "box: left top right bottom"), rows)


def _sentence(score: BoxScore) -> str:
    name = f"{score.model} under the mask '{score.mask}'"
    if not score.n:
        return f"{name}: no reply to {score.failed:,} questions."
    count = f"n = {score.n:,} on {counted(score.clusters, 'sites')}"
    if score.unparsed:
        count += f", {score.unparsed:,} replies unread"
    bcp = f"BCP {_number(score.bcp)} {_interval(score.bcp_interval)}".rstrip()
    if score.iou is None:
        return f"{name}: {bcp}; points only, so no IoU ({count})."
    iou = f"mean IoU {_number(score.iou)} {_interval(score.iou_interval)}".rstrip()
    return f"{name}: {iou}, {bcp} ({count})."


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _interval(interval: Interval | None) -> str:
    words = interval_words(interval, scale=1.0, digits=3)
    return f"[{words}]" if words else ""
