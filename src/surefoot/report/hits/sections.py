"""
From a summary to the sections of the report: each figure beside a table of its numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from surefoot.report.html.figures import ForestRow, HeatCell, forest_plot, heat_map
from surefoot.report.html.section import Figure, Section, Table
from surefoot.score.breakdown import Share
from surefoot.score.cells import CellScore, Units
from surefoot.score.compare import Comparison
from surefoot.score.direction import Bias
from surefoot.score.summary import Summary
from surefoot.score.words import interval_words, over_words, p_words

__all__ = ["rates_figure", "sections"]


def sections(summary: Summary) -> tuple[Section, ...]:
    """Lay out all sections of a summary, in the order in which they are read."""
    return (
        _changes(summary),
        _rates(summary),
        _pairs(summary),
        _directions(summary),
        _kinds(summary),
        _errors(summary),
    )


def _changes(summary: Summary) -> Section:
    figures = []
    for contrast, title in (
        ("variant", "Each variant against the original"),
        ("instruction", "Relational against direct instructions"),
    ):
        chosen = [each for each in summary.comparisons if each.contrast == contrast]
        if chosen:
            figures.append(
                Figure(
                    title,
                    _comparison_table(chosen, summary.units),
                    forest_plot(_forest(chosen), title=title),
                )
            )
    lead = (
        "Every change is measured on the same targets under both conditions. A filled mark is "
        "a change whose interval leaves out zero; an open one may be chance."
    )
    return Section("changes", "What changed", lead, tuple(figures))


def _forest(chosen: Iterable[Comparison]) -> list[ForestRow]:
    return [
        ForestRow(
            _name(each),
            100 * each.change,
            100 * each.interval.low,
            100 * each.interval.high,
            f"{p_words(each.p_cluster_holm)} (by {each.units}, Holm)",
            over_words(each.interval),
        )
        for each in chosen
        if each.change is not None and each.interval is not None
    ]


def _comparison_table(chosen: Iterable[Comparison], units: Units) -> Table:
    head: tuple[str, ...] = (
        "comparison",
        "n",
        units,
        "baseline",
        "here",
        "change",
        "interval",
        "lost (b)",
    )
    head += ("gained (c)", "flips", f"p by {units}, Holm", "p McNemar", "p McNemar, Holm", "test")
    head += ("detectable", "unparsed")
    rows = tuple(
        (
            _name(each),
            str(each.n),
            str(each.clusters),
            _percent(each.baseline_rate),
            _percent(each.rate),
            _points(each.change),
            interval_words(each.interval, signed=True),
            str(each.b),
            str(each.c),
            _percent(each.flip_rate),
            p_words(each.p_cluster_holm),
            p_words(each.p),
            p_words(each.p_holm),
            each.test,
            "" if each.mde_cluster is None else f"{100 * each.mde_cluster:.1f} points",
            str(each.unparsed),
        )
        for each in chosen
    )
    return Table(head, rows)


def rates_figure(summary: Summary) -> Figure:
    """Draw the hit rate of each model in each cell."""
    lines = sorted({(cell.model, cell.instruction, cell.reasoning) for cell in summary.cells})
    columns = list(dict.fromkeys(cell.variant for cell in summary.cells))
    found = {(c.model, c.instruction, c.reasoning, c.variant): c for c in summary.cells}
    grid = [[_heat(found.get((*line, column))) for column in columns] for line in lines]
    title = "Hit rate of each model in each cell"
    names = [_row_name(*line) for line in lines]
    drawing = heat_map(names, columns, grid, title=title)
    return Figure(title, _cell_table(summary.cells), drawing)


def _rates(summary: Summary) -> Section:
    lead = (
        "The share of replies that click inside the target, or, where that is asked for, "
        "decline what the screen does not show, or have the right words or option. Other "
        "replies are misses; failed questions, which got no reply, stand outside."
    )
    return Section("rates", "How often it hit", lead, (rates_figure(summary),))


def _heat(cell: CellScore | None) -> HeatCell:
    if cell is None or cell.rate is None:
        return HeatCell(None, "not asked")
    return HeatCell(cell.rate, f"{100 * cell.rate:.1f} %")


def _cell_table(cells: Iterable[CellScore]) -> Table:
    head: tuple[str, ...] = (
        "cell",
        "n",
        "hits",
        "rate",
        "interval",
        "Wilson",
        "unparsed",
        "declined",
        "failed",
    )
    head += (
        "mean distance, diagonals of the target",
        "MSE, areas of the target",
        "mean distance, diagonals of the image",
        "MSE, px²",
        "bias x, px",
        "bias y, px",
    )
    shown = list(cells)
    words, options = _asked(shown)
    head += ("token F1", "interval of F1") * words + ("chance",) * options
    rows = tuple(
        (
            f"{_row_name(each.model, each.instruction, each.reasoning)}, {each.variant}",
            str(each.n),
            str(each.hits),
            _percent(each.rate),
            interval_words(each.interval),
            interval_words(each.wilson),
            str(each.unparsed),
            str(each.refused),
            str(each.failed),
            _number(each.normalised_distance, 2),
            _number(each.normalised_mse, 1),
            _number(each.image_distance, 4),
            _number(each.mse, 0),
            _number(each.bias_x, 1),
            _number(each.bias_y, 1),
            *(_percent(each.f1), interval_words(each.f1_interval)) * words,
            *(_percent(each.chance),) * options,
        )
        for each in shown
    )
    return Table(head, rows)


def _asked(cells: Sequence[CellScore]) -> tuple[bool, bool]:
    """Tell whether any cell asks for words, and whether any gives options."""
    return (
        any(each.f1 is not None for each in cells),
        any(each.chance is not None for each in cells),
    )


def _pairs(summary: Summary) -> Section:
    chosen = [each for each in summary.comparisons if each.contrast == "variant" and each.n]
    columns = ["hit in both", "lost", "gained", "missed in both"]
    grid = [
        [
            HeatCell(count / each.n, str(count))
            for count in (each.both, each.b, each.c, each.neither)
        ]
        for each in chosen
    ]
    title = "Matched pairs: original against variant"
    table = Table(
        ("comparison", *columns, "flip rate"),
        tuple(
            (_name(each), *(cell.caption for cell in line), _percent(each.flip_rate))
            for each, line in zip(chosen, grid, strict=True)
        ),
    )
    figure = Figure(
        title, table, heat_map([_name(each) for each in chosen], columns, grid, title=title)
    )
    lead = (
        "The same target, asked for in the same words, on the original and on the variant. "
        "A small net change can hide many flips in both directions."
    )
    return Section("pairs", "Pairs and flips", lead, (figure,))


def _directions(summary: Summary) -> Section:
    figures = []
    shares = [each for each in summary.by_direction if each.value]
    if shares:
        title = "Hit rate by the direction from the landmark"
        figures.append(Figure(title, _share_table(shares), _share_map(shares, title)))
    figures.append(Figure("To which side the misses fall", _bias_table(summary.bias)))
    lead = (
        "For relational instructions, where the target lies from its landmark; and the mean "
        "signed error of every located reply, in pixels to the right and down."
    )
    return Section("directions", "Directions", lead, tuple(figures))


def _bias_table(biases: Iterable[Bias]) -> Table:
    head: tuple[str, ...] = ("cell", "direction", "located", "misses", "mean x, px", "mean y, px")
    head += ("left", "right", "above", "below")
    rows = tuple(
        (
            f"{_row_name(each.model, each.instruction, each.reasoning)}, {each.variant}",
            each.direction or "(none)",
            str(each.located),
            str(each.misses),
            f"{each.mean_x:+.1f}",
            f"{each.mean_y:+.1f}",
            *(_percent(share) for share in (each.left, each.right, each.above, each.below)),
        )
        for each in biases
    )
    return Table(head, rows)


def _kinds(summary: Summary) -> Section:
    figures = []
    for title, shares in (
        ("By the target's role", summary.by_role),
        ("By the target's size (shorter side, px)", summary.by_size),
    ):
        known = [each for each in shares if each.value]
        if known:
            figures.append(Figure(title, _share_table(known), _share_map(known, title)))
    lead = (
        "Where the hits and misses lie. Other kinds are other targets: read "
        "this as a description, not as a test."
    )
    return Section("kinds", "By kind of target", lead, tuple(figures))


def _share_map(shares: Sequence[Share], title: str) -> str:
    columns = list(dict.fromkeys(each.value for each in shares))
    lines = list(dict.fromkeys(_share_line(each) for each in shares))
    found = {(_share_line(each), each.value): each for each in shares}
    grid = [[_share_cell(found.get((line, column))) for column in columns] for line in lines]
    return heat_map(lines, columns, grid, title=title)


def _share_cell(share: Share | None) -> HeatCell:
    if share is None:
        return HeatCell(None, "")
    return HeatCell(share.rate, f"{100 * share.rate:.0f} % of {share.n}")


def _share_line(share: Share) -> str:
    return f"{_row_name(share.model, share.instruction, share.reasoning)}, {share.variant}"


def _share_table(shares: Iterable[Share]) -> Table:
    return Table(
        ("cell", "kind", "n", "hits", "rate", "interval", "unparsed"),
        tuple(
            (
                _share_line(each),
                each.value,
                str(each.n),
                str(each.hits),
                _percent(each.rate),
                interval_words(each.interval),
                str(each.unparsed),
            )
            for each in shares
        ),
    )


def _errors(summary: Summary) -> Section:
    rows = tuple(
        (
            f"{_row_name(each.model, each.instruction, each.reasoning)}, {each.variant}",
            str(each.n + each.failed),
            str(each.located),
            str(each.n - each.located - each.unparsed - each.refused),
            str(each.unparsed),
            str(each.refused),
            str(each.failed),
        )
        for each in summary.cells
    )
    head: tuple[str, ...] = ("cell", "asked", "named a place", "said something else")
    head += ("unparsed", "declined", "failed")
    lead = (
        "Nothing is dropped in silence: this is what became of every question. Something else "
        "is an answer in words where these are asked for, or a place where there is none."
    )
    figure = Figure("What became of every question", Table(head, rows))
    return Section("unread", "Unparsed, declined, failed", lead, (figure,))


def _name(each: Comparison) -> str:
    what = each.variant if each.contrast == "variant" else f"on {each.variant}"
    return f"{_row_name(each.model, each.instruction, each.reasoning)}: {what}"


def _row_name(model: str, instruction: str, reasoning: bool) -> str:  # noqa: FBT001 - a cell's part
    return f"{model}, {instruction}" + (", reasoning" if reasoning else "")


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"


def _points(change: float | None) -> str:
    return "" if change is None else f"{100 * change:+.1f}"


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:,.{digits}f}"
