"""
From a summary to the sections of the report: each figure beside a table of its numbers.

What is drawn follows from the metrics: a new metric gets its figures and tables from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal

import msgspec

from surefoot.core.perturbation import variant_title
from surefoot.phrasing.headlines import effect_name
from surefoot.phrasing.tables import Rows, effect_table
from surefoot.phrasing.values import (
    Number,
    Shown,
    Value,
    amount,
    change,
    count,
    ends,
    measured,
    number,
    p_value,
)
from surefoot.phrasing.words import (
    METHOD,
    amount_words,
    comparison_name,
    condition_name,
    confidence_words,
    ends_words,
    interval_words,
    model_name,
    over_words,
    p_words,
    too_few,
    total_name,
    unit_factor,
    unit_words,
)
from surefoot.report.html.figures import (
    Axis,
    HeatCell,
    IntervalRow,
    forest_plot,
    heat_map,
    level_plot,
)
from surefoot.report.html.section import Figure, Section, Table
from surefoot.score.conditions.scores import Score
from surefoot.score.contrasts.comparisons import Comparison, is_claimed
from surefoot.score.contrasts.effects import Effect
from surefoot.score.contrasts.orders import Orders
from surefoot.score.contrasts.totals import Total
from surefoot.score.summary import MetricFacts, Summary

NOT_ASKED: Final = "not asked"
NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_CONTRASTS: Final = {
    "variant": "Each variant against the original",
    "instruction": "Each kind of instruction against the direct one",
    "model": "Each model against the others",
    "reasoning": "With reasoning against without",
}
_TRAITS: Final = {
    "role": "role of the target",
    "size": "size of the target",
    "direction": "direction from the landmark",
    "kind": "kind of instruction",
    "decided": "what decides where content belongs",
    "element": "platform and kind of element",
}


def sections(summary: Summary) -> tuple[Section, ...]:
    """Lay out all sections that follow from the metrics, in the order in which they are read."""
    found = (
        effects(summary),
        changes(summary),
        levels(summary),
        slices(summary),
        lost_replies(summary),
    )
    return tuple(section for section in found if section.figures)


def effects(summary: Summary) -> Section:
    """Lay out what each factor does as a whole, one figure a metric."""
    figures = [
        effect_figure(
            summary, metric, [effect for effect in summary.effects if effect.metric == metric.name]
        )
        for metric in summary.metrics
    ]
    counts = summary.metrics[0].counts if summary.metrics else "elements"
    lead = (
        f"Each effect is measured on all {counts} that both sides share, averaged over all other "
        "conditions. Its interval has the level of its own test: a filled mark is an effect that "
        "the test finds, an open one may be chance."
    )
    drawn = tuple(figure for figure in figures if figure.table.rows)
    return Section("effects", "What each change does", lead, drawn, chapter="fell")


def effect_figure(
    summary: Summary, metric: MetricFacts, chosen: Sequence[Effect], *, most: int = 0
) -> Figure:
    """
    Draw effects on a metric with the intervals of their own tests, beside all as a table.

    Interactions are drawn where they were found. With ``most`` rows levels of a factor are left
    to the table where there are more.
    """
    drawn = [effect for effect in chosen if effect.found or not effect.beside]
    if most and len(drawn) > most:
        drawn = [
            effect
            for effect in drawn
            if not effect.beside and (not effect.value or len(effect.levels) > 1)
        ]
    models = {effect.models for effect in drawn}
    factor = _drawn_factor(metric)
    rows = [
        IntervalRow(
            name if len(models) == 1 else f"{effect.model}, {name}",
            factor * effect.change,
            (factor * effect.interval.low, factor * effect.interval.high),
            over_words(effect.interval),
            f"{p_words(effect.p)} ({confidence_words(1 - effect.level)} interval)",
            effect.found,
        )
        for effect in drawn
        for name in [effect_name(effect, summary.scoring)]
        if effect.change is not None and effect.interval and not too_few(effect, summary.unit)
    ]
    title = f"What each change does to the {metric.title}"
    worse: Literal["left", "right"] = "left" if metric.higher_is_better else "right"
    axis = Axis(f"{_axis(metric)}; intervals at the levels of the tests", worse)
    svg = forest_plot(rows, title=title, axis=axis) if rows else ""
    return Figure(title, Table(*effect_table(summary, metric)), svg)


def _drawn_factor(metric: MetricFacts) -> float:
    return 100.0 if metric.unit in {"share", "ratio", "diagonals"} else 1.0


def changes(summary: Summary) -> Section:
    """Lay out every contrast, one figure a metric."""
    figures = []
    for contrast in dict.fromkeys(comparison.contrast for comparison in summary.comparisons):
        for metric in summary.metrics:
            chosen = [
                comparison
                for comparison in summary.comparisons
                if (comparison.contrast, comparison.metric) == (contrast, metric.name)
            ]
            if chosen:
                figures.append(_change_figure(contrast, metric, chosen, summary.unit))
            totals = [
                total
                for total in summary.totals
                if (total.contrast, total.metric) == (contrast, metric.name)
            ]
            if any(total.comparisons > 1 for total in totals):
                figures.append(_total_figure(figures[-1].title, totals, summary.unit))
    counts = summary.metrics[0].counts if summary.metrics else "elements"
    lead = (
        f"Every change is measured on the same {counts} under both conditions; other conditions "
        f"hold other {counts}, so that two rows may differ because their {counts} do. A filled "
        "mark is a change whose interval leaves out zero and whose test is under 5 % after "
        "Holm's correction; an open one may be chance."
    )
    return Section(
        "changes", "What changed in single conditions", lead, tuple(figures), chapter="fell"
    )


def levels(summary: Summary) -> Section:
    """Lay out every metric of every condition; metrics without a test share one table."""
    figures = [metric_figure(summary, metric) for metric in summary.metrics if metric.compared]
    described = [metric for metric in summary.metrics if not metric.compared]
    if described:
        figures.append(Figure("Beside it, described", wide_table(summary.scores, described)))
    figures += _in_one_table(summary)
    sentence = " ".join(
        f"{metric.title[:1].upper()}{metric.title[1:]}: {metric.summary}."
        for metric in summary.metrics
        if metric.compared
    )
    return Section("metrics", "How it did", sentence, tuple(figures), chapter="fell")


def _in_one_table(summary: Summary) -> Iterator[Figure]:
    """Put all metrics of all variants into one row a model, beside its standard hit rate."""
    metrics = {metric.name: metric for metric in summary.metrics if metric.compared}
    found = {
        (_line(score), score.variant, score.metric): amount(
            score.amount, metrics[score.metric].unit, bare=True
        )
        for score in summary.scores
        if score.metric in metrics
    }
    lines, variants = (list(dict.fromkeys(key[at] for key in found)) for at in (0, 1))
    if len(metrics) < 2 or len(variants) < 2:  # noqa: PLR2004 - one of either is a table already
        return
    head = [
        f"{variant_title(variant)}: {metric.title}{unit_words(metric.unit)}"
        for variant in variants
        for metric in metrics.values()
    ]
    orders = summary.details.get("orders")
    beside = orders.models if isinstance(orders, Orders) else ()
    rates = {
        model_name(order.model, reasoning=order.reasoning): amount(
            order.hit_rate, "share", bare=True
        )
        for order in beside
    }
    rows = [
        (
            line,
            *(found.get((line, variant, name), "") for variant in variants for name in metrics),
            *([rates.get(line, "")] if rates else ()),
        )
        for line in lines
    ]
    standard = ["hit rate on the standard set, %"] if rates else []
    yield Figure("In one table", Table(("model", *head, *standard), tuple(rows)))


def metric_figure(summary: Summary, metric: MetricFacts) -> Figure:
    """Draw one metric of every condition: as a heat map where cells form a grid of shares."""
    scores = [score for score in summary.scores if score.metric == metric.name]
    lines = list(dict.fromkeys(_line(score) for score in scores))
    columns = list(dict.fromkeys(variant_title(score.variant) for score in scores))
    table = _table(scores, metric, summary.unit)
    title = f"{metric.title[:1].upper()}{metric.title[1:]} under each condition"
    if metric.unit == "share" and metric.higher_is_better and len(lines) > 1:
        differ = len({score.n for score in scores}) > 1
        cells = {
            (_line(score), variant_title(score.variant)): _heat(score, metric, counted=differ)
            for score in scores
        }
        svg = heat_map(lines, columns, cells, title=title, absent=NOT_ASKED)
        note = (
            f"The number in brackets counts the {metric.counts} of a cell. They are not the same "
            "in every cell: what a change does is read from the effects, not from two cells."
        )
        return Figure(title, table, svg, note * differ)
    return Figure(title, table, draw_levels(scores, metric, title))


def slices(summary: Summary) -> Section:
    """Lay out the headline metric by every trait that the questions differ in."""
    figures = []
    headline = summary.metrics[0]
    compared = [metric for metric in summary.metrics if metric.compared]
    for trait in dict.fromkeys(score.trait for score in summary.slices):
        words = _TRAITS.get(trait, trait)
        title = f"{headline.title[:1].upper()}{headline.title[1:]} by {words}"
        chosen = [score for score in summary.slices if score.trait == trait]
        drawn = [score for score in chosen if score.metric == headline.name]
        lines = list(dict.fromkeys(condition_name(_whole(score)) for score in drawn))
        columns = list(dict.fromkeys(score.value for score in drawn))
        if headline.unit in {"share", "ratio"} and headline.higher_is_better:
            differ = len({score.n for score in drawn}) > 1
            cells_found = [
                (
                    condition_name(_whole(score)),
                    score.value,
                    _heat(score, headline, counted=differ),
                )
                for score in drawn
            ]
            if len(columns) > len(lines):  # the longer side runs down the page
                lines, columns = columns, lines
                cells_found = [(value, name, cell) for name, value, cell in cells_found]
            cells = {(line, column): cell for line, column, cell in cells_found}
            svg = heat_map(lines, columns, cells, title=title, absent=NOT_ASKED)
        else:
            svg = draw_levels(drawn, headline, title)
        figures.append(Figure(title, wide_table(chosen, compared), svg))
    lead = (
        "Where the scores lie; the number in brackets counts what a cell rests on. Cells hold "
        "different elements: read them as a description, not as a test."
    )
    return Section("kinds", "By kind of question", lead, tuple(figures))


def lost_replies(summary: Summary) -> Section:
    """Lay out what became of every question."""
    headline = summary.metrics[0].name
    rows: Rows = tuple(
        (
            condition_name(score),
            count(score.rows),
            count(score.rows - score.unparsed - score.refused - score.failed),
            *map(count, (score.unparsed, score.refused, score.failed)),
        )
        for score in summary.scores
        if score.metric == headline
    )
    head = ("condition", "asked", "read", "unparsed", "declined", "failed")
    figure = Figure("What became of every question", Table(head, rows))
    lead = "Nothing is dropped in silence: this is what became of every question."
    return Section("unread", "Unparsed, declined, failed", lead, (figure,), chapter="sure")


def _change_figure(
    contrast: str, metric: MetricFacts, chosen: Sequence[Comparison], unit: str
) -> Figure:
    alone = len({comparison.baseline for comparison in chosen}) == 1
    against = f", against {chosen[0].baseline}" * alone
    title = f"{_CONTRASTS.get(contrast, f'By {contrast}{against}')}: {metric.title}"
    factor = _drawn_factor(metric)
    by_condition = chosen[0].varies != "model" and alone
    worse: Literal["left", "right"] = "left" if metric.higher_is_better else "right"
    named = [
        (condition_name(comparison) if by_condition else comparison_name(comparison), comparison)
        for comparison in chosen
    ]
    svg, left_out = draw_changes(
        named, factor, title=title, axis=Axis(_axis(metric), worse), unit=metric.unit
    )
    note = f"{left_out} without an interval stand in the table alone." if left_out else ""
    return Figure(title, _comparison_table(chosen, metric, unit), svg, note)


def draw_changes(
    named: Iterable[tuple[str, Comparison]],
    factor: float,
    *,
    title: str,
    axis: Axis,
    unit: str = "",
) -> tuple[str, int]:
    """
    Draw changes, times a factor, under their names; also count those without an interval.

    ``unit`` is the metric's.
    """
    named = list(named)
    drawn = [
        IntervalRow(
            name,
            factor * comparison.change,
            (factor * comparison.interval.low, factor * comparison.interval.high),
            over_words(comparison.interval),
            f"{p_words(comparison.p_holm)} (by {comparison.interval.over}, Holm)",
            is_claimed(comparison, unit),
        )
        for name, comparison in named
        if comparison.change is not None and comparison.interval is not None
    ]
    svg = forest_plot(drawn, title=title, axis=axis) if drawn else ""
    return svg, len(named) - len(drawn)


def _total_figure(title: str, totals: Sequence[Total], unit: str) -> Figure:
    kinds = list(dict.fromkeys(kind for total in totals for kind in total.kinds))
    head = (
        "comparison", "elements", "before, %", "change, points",
        *(f"change, {kind}" for kind in kinds), "flips, %", *(f"flips, {kind}" for kind in kinds),
        "lost / gained (b / c)", f"significant by {unit}, Holm", "McNemar, Holm",
        "McNemar, uncorrected",
    )  # fmt: skip
    rows: list[tuple[Shown, ...]] = []
    for total in totals:
        parts = [total.kinds.get(kind) for kind in kinds]
        counts = (total.significant, total.significant_mcnemar, total.significant_uncorrected)
        rows.append(
            (
                total_name(total),
                count(total.n),
                number(100 * total.before, ".1f"),
                number(100 * total.change, "+.1f"),
                *(number(100 * part.change if part else None, "+.1f") for part in parts),
                number(100 * total.flip_rate, ".1f"),
                *(number(100 * part.flip_rate if part else None, ".1f") for part in parts),
                Value(
                    f"{total.b:,}{NO_BREAK}/{NO_BREAK}{total.c:,}",
                    (Number(total.b, part="lost"), Number(total.c, part="gained")),
                ),
                *(
                    Value(
                        f"{found} of {total.comparisons}",
                        (Number(found), Number(total.comparisons, part="of")),
                    )
                    for found in counts
                ),
            )
        )
    return Figure(f"{title}, summed over the other conditions", Table(head, tuple(rows)))


def _axis(metric: MetricFacts) -> str:
    words = {
        "share": "percentage points",
        "ratio": "hundredths",
        "diagonals": "hundredths of a diagonal",
    }
    return f"change of the {metric.title}, {words.get(metric.unit, metric.unit)}"


def _comparison_table(chosen: Iterable[Comparison], metric: MetricFacts, unit: str) -> Table:
    chosen = list(chosen)
    flips = [comparison.discordance for comparison in chosen]
    head: tuple[str, ...] = (
        "comparison", metric.counts, unit, "before", "after", "change", "interval", "p", "p, Holm",
        "tests", "detectable", "unmatched", "dropped", "before, dropped", "unparsed",
    )  # fmt: skip
    paired = any(flips)
    if paired:
        head += ("both", "lost (b)", "gained (c)", "neither", "flips", "p McNemar")
    rows: list[tuple[Shown, ...]] = []
    for comparison, flip in zip(chosen, flips, strict=True):
        least = change(comparison.detectable, metric.unit)
        row: tuple[Shown, ...] = (
            comparison_name(comparison),
            count(comparison.n),
            count(comparison.clusters),
            amount(comparison.before, metric.unit),
            amount(comparison.after, metric.unit),
            change(comparison.change, metric.unit),
            ends(comparison.interval, metric.unit, signed=True),
            p_value(comparison.p),
            p_value(comparison.p_holm),
            count(comparison.family),
            msgspec.structs.replace(least, words=least.words.lstrip("+")),
            count(comparison.unmatched),
            count(comparison.dropped),
            amount(comparison.before_dropped, metric.unit),
            count(comparison.unparsed),
        )
        if paired and flip is not None:
            row += (
                *map(count, (flip.both, flip.b, flip.c, flip.neither)),
                amount(flip.flip_rate, "share"),
                p_value(flip.p),
            )
        elif paired:
            row += ("",) * 6
        rows.append(row)
    return Table(head, tuple(rows))


def _table(scores: Iterable[Score], metric: MetricFacts, unit: str) -> Table:
    return Table(
        ("condition", "n", unit, metric.title, "interval", "unparsed", "declined", "failed"),
        tuple(
            (
                condition_name(score),
                count(score.n),
                count(score.clusters),
                amount(score.amount, metric.unit),
                ends(score.interval, metric.unit),
                *map(count, (score.unparsed, score.refused, score.failed)),
            )
            for score in scores
        ),
    )


def wide_table(scores: Iterable[Score], metrics: Sequence[MetricFacts]) -> Table:
    """
    Put several metrics of one condition or slice into one row, numbers with their intervals.

    How many of each there are stands once where metrics count the same, else beside each; so
    does what the intervals rest on.
    """
    found: dict[str, dict[str, Score]] = {}
    for score in scores:
        found.setdefault(condition_name(score), {})[score.metric] = score
    present = {name for known in found.values() for name in known}
    metrics = [metric for metric in metrics if metric.name in present]
    resting = [{score.clusters for score in known.values() if score.n} for known in found.values()]
    overs = {
        score.interval.over
        for known in found.values()
        for score in known.values()
        if score.interval is not None
    }
    shared = len(overs) == 1 and all(len(item) == 1 and 0 not in item for item in resting)
    head = ["condition", *(overs if shared else ())]
    rows: list[list[Shown]] = [
        [name, *([count(max(item))] if shared else ())]
        for name, item in zip(found, resting, strict=True)
    ]
    for counted in dict.fromkeys(metric.counts for metric in metrics):
        own = [metric for metric in metrics if metric.counts == counted]
        tallies = [
            {known[metric.name].n if metric.name in known else None for metric in own}
            for known in found.values()
        ]
        once = all(len(tally) == 1 for tally in tallies)
        for index, metric in enumerate(own):
            if index == 0 or not once:
                head.append(counted if once else "n")
                for row, known in zip(rows, found.values(), strict=True):
                    row.append(count(known[metric.name].n if metric.name in known else None))
            head.append(f"{metric.title}{unit_words(metric.unit)}")
            for row, known in zip(rows, found.values(), strict=True):
                row.append(with_interval(known.get(metric.name), metric, over=not shared))
    return Table(tuple(head), tuple(map(tuple, rows)))


def with_interval(score: Score | None, metric: MetricFacts, *, over: bool = True) -> Shown:
    """
    Write a number and its interval, neither broken over two lines of a narrow cell.

    Without ``over`` what the interval rests on is told elsewhere.
    """
    if score is None:
        return ""
    words = interval_words if over else ends_words
    between = words(score.interval, metric.unit)
    between_words = f" [{between.replace(' ', NO_BREAK)}]" if between else ""
    amount = f"{amount_words(score.amount, metric.unit, bare=True)}{between_words}"
    return measured(amount, score.amount, score.interval, metric.unit)


def draw_levels(scores: Iterable[Score], metric: MetricFacts, title: str) -> str:
    """Draw one metric of every condition with its interval, "" where nothing was measured."""
    factor = unit_factor(metric.unit)
    drawn = [
        IntervalRow(
            condition_name(score),
            factor * score.amount,
            (factor * score.interval.low, factor * score.interval.high)
            if score.interval
            else None,
            over_words(score.interval),
        )
        for score in scores
        if score.amount is not None
    ]
    top = factor * (metric.high or 0.0)
    axis = Axis(f"{metric.title}{unit_words(metric.unit)}")
    digits = 1 if metric.unit == "share" else 2
    return level_plot(drawn, title=title, axis=axis, top=top, digits=digits) if drawn else ""


def _heat(score: Score, metric: MetricFacts, *, counted: bool = False) -> HeatCell:
    words = amount_words(score.amount, metric.unit)
    return HeatCell(score.amount, f"{words}{f' ({score.n:,})' * counted}" if words else NOT_ASKED)


def _line(score: Score) -> str:
    name = model_name(score.model, reasoning=score.reasoning)
    return f"{name}, {score.instruction}" if score.instruction else name


def _whole(score: Score) -> Score:
    return msgspec.structs.replace(score, value="")


def summary_rulers(summary: Summary) -> Iterator[tuple[str, str]]:
    """Say how every number of a summary was measured, and how sure it is."""
    counts = summary.metrics[0].counts if summary.metrics else "elements"
    for metric in summary.metrics:
        yield metric.title, f"{metric.summary} ({metric.reference})"
    yield (
        "Clusters",
        (
            f"{summary.clusters:,} {summary.unit}, {summary.elements:,} {counts}; only the "
            f"{summary.unit} are taken as independent"
        ),
    )
    yield "Intervals", METHOD.format(one=summary.unit[:-1])
    yield "Tests", f"the same t over {summary.unit}; McNemar's takes {counts} as independent"
    yield (
        "Correction",
        (
            "of effects: 5 % for a metric of a model, shared out among the factors; half of a "
            "share for the mean of several levels and half for the levels by Holm, what is found "
            "handing its half on; interactions of what was found by Holm. Of single conditions: "
            "Holm within each contrast, metric and model; between models within each pair"
        ),
    )
    yield "Detectable", "smallest true change found with power 0.8, its own variance counted in"
