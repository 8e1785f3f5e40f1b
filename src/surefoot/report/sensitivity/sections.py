"""
From a sensitivity summary to sections: each figure beside a table of its numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from surefoot.report.html.figures import (
    Axis,
    ForestRow,
    HeatCell,
    LevelRow,
    forest_plot,
    heat_map,
    level_plot,
)
from surefoot.report.html.section import Figure, Section, Table
from surefoot.score.matched import ORIGINAL
from surefoot.score.sensitivity.differences import Contrast, Difference
from surefoot.score.sensitivity.grid import METRICS, Metric
from surefoot.score.sensitivity.rows import By, Estimate, SensitivityRow
from surefoot.score.sensitivity.summary import SensitivitySummary
from surefoot.score.sensitivity.words import METRIC_WORDS, estimate_words, name_of
from surefoot.score.stats.intervals import Interval
from surefoot.score.words import interval_words, over_words, p_words

__all__ = ["reference_sections", "sensitivity_sections"]

_UNITS: Final[dict[Metric, str]] = {
    "s_mean": "s_mean, diagonals of the target's box",
    "s_worst": "s_worst, diagonals of the target's box",
    "s_oob": "s_oob, share of instructions",
}
_TRAITS: Final[tuple[tuple[By, str], ...]] = (
    ("kind", "By kind of expression"),
    ("specificity", "By specificity"),
    ("wording", "By wording"),
    ("toolkit", "By toolkit"),
    ("platform", "By platform"),
    ("site", "By site or program"),
)
_CONTRASTS: Final[tuple[tuple[Contrast, str], ...]] = (
    ("view", "Each view against the original"),
    ("model", "Each model against the others"),
)


def sensitivity_sections(summary: SensitivitySummary) -> tuple[Section, ...]:
    """Lay out all sections of a summary, in the order in which they are read."""
    found = (_views(summary), _changes(summary), _kinds(summary), _ranks(summary))
    return (*(each for each in found if each.figures or each.id == "ranks"), _unread(summary))


def reference_sections(references: SensitivitySummary | None) -> tuple[Section, ...]:
    """Lay out the metrics of reference models, where there are any."""
    if references is None:
        return ()
    lead = (
        "Reference models say whether the benchmark itself is sound: the oracle, which is told "
        "the target, should have all three at 0; a model that always clicks one place has "
        "s_mean 0 and s_oob near 1."
    )
    title = "Metrics of the reference models"
    figure = Figure(title, _row_table(references.views), _levels(references.views, "s_oob"))
    return (Section("sanity", "Checks on the benchmark", lead, (figure,)),)


def _views(summary: SensitivitySummary) -> Section:
    lead = (
        "Many instructions, all valid, name the same element; a sound model clicks the same "
        "place for all of them. s_mean is how far its clicks lie from their middle on average, "
        "s_worst how far the worst one does, both in diagonals of the target's box; s_oob is "
        "the share of instructions without a click in the box. Read the three together: a "
        "model that always clicks the same wrong place has s_mean 0 and s_oob 1."
    )
    figures = [
        Figure(
            f"{metric}: {METRIC_WORDS[metric]}",
            _row_table(summary.views, (metric,)),
            _levels(summary.views, metric),
        )
        for metric in METRICS
    ]
    return Section("metrics", "The three metrics", lead, tuple(figures))


def _levels(rows: Sequence[SensitivityRow], metric: Metric) -> str:
    drawn = [
        LevelRow(
            _label(row), estimate.value, _ends(estimate.interval), over_words(estimate.interval)
        )
        for row in rows
        if (estimate := _of(row, metric)).value is not None
    ]
    axis = Axis(_UNITS[metric])
    return level_plot(drawn, title=_UNITS[metric], axis=axis) if drawn else ""


def _of(row: SensitivityRow, metric: Metric) -> Estimate:
    return {"s_mean": row.s_mean, "s_worst": row.s_worst, "s_oob": row.s_oob}[metric]


def _ends(interval: Interval | None) -> tuple[float, float] | None:
    return (interval.low, interval.high) if interval else None


def _label(row: SensitivityRow) -> str:
    name = f"{name_of(row.model, reasoning=row.reasoning)}, {row.view}"
    return name if row.by == "view" else f"{name}: {row.value}"


def _row_table(rows: Iterable[SensitivityRow], metrics: Sequence[Metric] = METRICS) -> Table:
    head = ("model and view", *metrics, "elements", "sites", "instructions", "measured elements")
    head += ("measured clicks", "outside", "unparsed", "declined", "failed", "interval of s_oob")
    return Table(
        head,
        tuple(
            (
                _label(row),
                *(estimate_words(_of(row, metric)) for metric in metrics),
                *(f"{count:,}" for count in _counts(row)),
                row.s_oob.interval.method if row.s_oob.interval else "",
            )
            for row in rows
        ),
    )


def _counts(row: SensitivityRow) -> tuple[int, ...]:
    lost = (row.outside, row.unparsed, row.refused, row.failed)
    return (row.elements, row.clusters, row.instructions, row.measured, row.clicks, *lost)


def _changes(summary: SensitivitySummary) -> Section:
    lead = (
        "Differences on the elements that both sides share; views are compared on the "
        "instructions that both have. A filled mark is a change whose "
        "interval leaves out zero; to the right is worse. s_mean and s_worst are in hundredths "
        "of the target's diagonal, s_oob in percentage points."
    )
    figures = []
    for contrast, title in _CONTRASTS:
        chosen = [each for each in summary.differences if each.contrast == contrast]
        if chosen:
            figures.append(_difference_figure(title, chosen))
    return Section("changes", "What changed", lead, tuple(figures))


def _difference_figure(
    title: str, chosen: Sequence[Difference], metrics: Sequence[Metric] = METRICS
) -> Figure:
    drawn = [
        ForestRow(
            f"{_difference_label(each)}: {each.metric}",
            100 * each.change,
            100 * each.interval.low,
            100 * each.interval.high,
            f"{p_words(each.p_holm)} (Holm)",
            over_words(each.interval),
        )
        for each in chosen
        if each.metric in metrics and each.change is not None and each.interval is not None
    ]
    axis = Axis("change, hundredths of a diagonal or percentage points", worse="right")
    svg = forest_plot(drawn, title=title, axis=axis) if drawn else ""
    left_out = sum(each.metric in metrics for each in chosen) - len(drawn)
    note = f"{left_out} without an interval stand in the table alone." if left_out else ""
    return Figure(title, _difference_table(chosen), svg, note)


def _difference_label(each: Difference) -> str:
    name = name_of(each.model, reasoning=each.reasoning)
    if each.contrast == "model":
        return f"{name} - {each.baseline}, {each.view}"
    if each.contrast == "view":
        return f"{name}: {each.view}"
    return f"{name}, {each.view}: {each.value}"


def _difference_table(chosen: Iterable[Difference]) -> Table:
    head: tuple[str, ...] = (
        "comparison",
        "metric",
        "against",
        "elements",
        "sites",
        "there",
        "here",
        "change",
    )
    head += ("interval", "p", "p, Holm", "tests", "test")
    return Table(
        head,
        tuple(
            (
                _difference_label(each),
                each.metric,
                each.baseline,
                f"{each.elements:,}",
                f"{each.clusters:,}",
                *(_number(value) for value in (each.before, each.after)),
                "" if each.change is None else f"{each.change:+.3f}",
                _signed(each.interval),
                p_words(each.p),
                p_words(each.p_holm),
                str(each.family),
                each.test,
            )
            for each in chosen
        ),
    )


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _signed(interval: Interval | None) -> str:
    return interval_words(interval, scale=1.0, digits=3, signed=True) or "none"


def _kinds(summary: SensitivitySummary) -> Section:
    lead = (
        "Which instructions and which screens it is. A kind's clicks are measured from the "
        "middle of all clicks at the element, so a high s_mean is a kind that leads away from "
        "the others."
    )
    figures = []
    for by, title in _TRAITS:
        rows = [row for row in summary.slices if row.by == by]
        if rows:
            figures += _slice_figures(by, title, rows)
        chosen = [each for each in summary.differences if each.contrast == by]
        if chosen:
            against = f"{title}: s_oob against {chosen[0].baseline}, on the same elements"
            figures.append(_difference_figure(against, chosen, ("s_oob",)))
    return Section("kinds", "Where it wavers", lead, tuple(figures))


def _slice_figures(by: By, title: str, rows: Sequence[SensitivityRow]) -> list[Figure]:
    drawn = [row for row in rows if row.view == ORIGINAL or by == "wording"]
    figures = [
        Figure(f"{title}: s_oob in the original view", _row_table(rows), _levels(drawn, "s_oob"))
        if drawn
        else Figure(title, _row_table(rows))
    ]
    if len({row.view for row in rows}) > 1:
        figures.append(
            Figure(f"{title}: s_oob in every view", _row_table(rows), _map(rows, title))
        )
    return figures


def _map(rows: Sequence[SensitivityRow], title: str) -> str:
    views = sorted({row.view for row in rows}, key=lambda each: (each != ORIGINAL, each))
    lines = list(dict.fromkeys((row.model, row.reasoning, row.value) for row in rows))
    found = {(row.model, row.reasoning, row.value, row.view): row for row in rows}
    grid = [[_heat(found.get((*line, view))) for view in views] for line in lines]
    names = [f"{name_of(model, reasoning=mode)}: {value}" for model, mode, value in lines]
    return heat_map(names, views, grid, title=f"{title}: s_oob in every view")


def _heat(row: SensitivityRow | None) -> HeatCell:
    if row is None or row.s_oob.value is None:
        return HeatCell(None, "not asked")
    share = row.s_oob.value
    return HeatCell(share, f"{100 * share:.0f} % of {row.instructions:,}")


def _ranks(summary: SensitivitySummary) -> Section:
    lead = summary.no_ranks or (
        f"Models ordered by their hit rate on {summary.standard}, and by each metric in the "
        "original view. tau-b is 1 where both orders are the same. Its interval draws sites "
        "anew and keeps the models, so it says nothing about models that were not asked."
    )
    ranked = sorted(summary.ranks, key=lambda each: (-each.hit_rate, each.model))
    head = ("model", "hit rate", *METRICS)
    rows = tuple(
        (
            name_of(each.model, reasoning=each.reasoning),
            f"{100 * each.hit_rate:.1f} %",
            *(_number(value) for value in (each.s_mean, each.s_worst, each.s_oob)),
        )
        for each in ranked
    )
    orders = Table(
        ("metric", "models", "tau-b", "interval", "p"),
        tuple(
            (
                each.metric,
                str(each.models),
                "all tied" if each.tau is None else f"{each.tau:.2f}",
                interval_words(each.interval, scale=1.0, digits=2),
                "" if each.p is None else p_words(each.p),
            )
            for each in summary.orders
        ),
    )
    figures = [Figure("The models, the best hit rate first", Table(head, rows))] if rows else []
    figures += [Figure("How far the orders agree", orders)] if orders.rows else []
    return Section("ranks", "Does the hit rate tell it?", lead, tuple(figures))


def _unread(summary: SensitivitySummary) -> Section:
    rows = tuple(
        (
            _label(row),
            *(f"{count:,}" for count in (row.instructions, _located(row))),
            *(f"{count:,}" for count in (row.unparsed, row.refused, row.failed)),
        )
        for row in summary.views
    )
    head = ("model and view", "asked", "named a place", "unparsed", "declined", "failed")
    lead = (
        "Nothing is dropped in silence. An answer that names no place counts as outside in "
        "s_oob, and cannot count in s_mean and s_worst."
    )
    figure = Figure("What became of every question", Table(head, rows))
    return Section("unread", "Unparsed, declined, failed", lead, (figure,))


def _located(row: SensitivityRow) -> int:
    return row.instructions - row.unparsed - row.refused - row.failed
