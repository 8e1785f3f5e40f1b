"""
From scores of forms to the sections of their report: each figure beside its numbers.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Final

from surefoot.forms.scoring.cases import CONDITIONS
from surefoot.forms.scoring.changes import Change
from surefoot.forms.scoring.episodes import FieldRate, Level
from surefoot.forms.scoring.shares import Share
from surefoot.forms.scoring.summary import AgentScore, Cut, FormsSummary, Strayed
from surefoot.report.forms.figures import RateCurve, line_plot
from surefoot.report.forms.words import LEVEL_WORDS, percent, rate_of, span
from surefoot.report.html.figures import Axis, ForestRow, HeatCell, forest_plot, heat_map
from surefoot.report.html.section import Figure, Section, Table
from surefoot.score.words import is_clear, over_words, p_words

__all__ = ["forms_sections"]

_NESTED: Final[tuple[Level, ...]] = ("mentioned", "typed", "in_field", "submitted")
_SHOWN: Final = 40
_CHANGE: Final = Axis("change of the share of values submitted, percentage points")


def forms_sections(summary: FormsSummary) -> tuple[Section, ...]:
    """Lay out all sections of a summary, in the order in which they are read."""
    made = (
        _levels(summary),
        _episodes(summary),
        _strayed(summary),
        _kinds(summary),
        _sizes(summary),
        _conditions(summary),
        _texts(summary),
    )
    return tuple(each for each in made if each.figures)


def _levels(summary: FormsSummary) -> Section:
    lead = (
        "Four questions about each value, each stricter than the one before: does it appear in "
        "the reply or the form at all (mentioned, the published measure), did some field ever "
        "hold it (typed), does its own field hold it at the end (in its field), and did the "
        "server accept it there (submitted)? A gap between two neighbours says where values "
        "are lost: in the wrong field, overwritten, or never handed in."
    )
    agents = [each for each in summary.agents if each.levels]
    columns = [LEVEL_WORDS[level] for level in LEVEL_WORDS]
    grid = [[_heat(rate_of(each, level)) for level in LEVEL_WORDS] for each in agents]
    title = "How far values came"
    rows = tuple(
        (each.agent, str(each.asked), *(_rate(rate_of(each, level)) for level in LEVEL_WORDS))
        for each in agents
    )
    svg = heat_map([each.agent for each in agents], columns, grid, title=title)
    table = Table(("agent", "fields", *columns), rows)
    note = (
        "'exact' compares the raw text with the value as the form takes it, where 'submitted' "
        "compares what both mean; 'clicked' says that a click hit the field or an option of it."
    )
    return Section("levels", title, lead, (Figure(title, table, svg, note), _gaps(agents)))


def _gaps(agents: Sequence[AgentScore]) -> Figure:
    pairs = list(itertools.pairwise(_NESTED))
    rows = tuple(
        (
            each.agent,
            *(
                f"{100 * (rate_of(each, loose).rate - rate_of(each, strict).rate):.1f} points"
                for loose, strict in pairs
            ),
        )
        for each in agents
    )
    head = tuple(f"{LEVEL_WORDS[loose]} but not {LEVEL_WORDS[strict]}" for loose, strict in pairs)
    return Figure("Where values were lost", Table(("agent", *head), rows))


def _episodes(summary: FormsSummary) -> Section:
    lead = (
        "A form is right when the server accepted it, every value arrived in its field and "
        "nothing else was touched; a page likewise. The paper's episodic measures beside it, as "
        "we rebuilt them, ask only that every value is mentioned, and every field clicked."
    )
    head = ("agent", "forms right", "pages right", "accepted", "all mentioned", "all clicked")
    right = tuple(
        (
            each.agent,
            *map(
                _share, (each.right, each.pages, each.accepted, each.published, each.clicked_all)
            ),
        )
        for each in summary.agents
    )
    counts = tuple(
        (
            each.agent,
            str(each.refusals),
            str(each.corrections),
            f"{each.collateral} of {each.unasked}",
            str(each.strayed),
            ", ".join(f"{end or 'open'} {count}" for end, count in each.ended.items()),
        )
        for each in summary.agents
    )
    faults = ("agent", "refused values", "corrections", "needlessly filled in", "values strayed")
    figures = (
        Figure("Forms and pages that were wholly right", Table(head, right)),
        Figure("What went wrong, and how attempts ended", Table((*faults, "ended"), counts)),
    )
    return Section("episodes", "Whole forms", lead, figures)


def _strayed(summary: FormsSummary) -> Section:
    lead = (
        "Values that ended in another field than their own, as a matrix: the row is the kind of "
        "field a value belongs to, the column the kind it was found in, the share is of all "
        "values of the row's kind. Ticks and choices cannot stray."
    )
    figures = []
    for agent in dict.fromkeys(each.agent for each in summary.strayed):
        found = [each for each in summary.strayed if each.agent == agent]
        rows = sorted({each.value_of for each in found})
        columns = sorted({each.found_in for each in found})
        cells = {(each.value_of, each.found_in): each for each in found}
        grid = [[_stray(cells, row, column) for column in columns] for row in rows]
        title = f"{agent}: values found in a wrong field"
        table = Table(
            ("form", "value of", "found in", "times"),
            tuple(
                (each.form, each.value_of, each.found_in, str(each.count))
                for each in summary.misplaced[agent][:_SHOWN]
            ),
        )
        svg = heat_map([f"value of: {row}" for row in rows], columns, grid, title=title)
        note = f"The table lists single fields, at most {_SHOWN}, the commonest first."
        figures.append(Figure(title, table, svg, note))
    return Section("strayed", "Right value, wrong field", lead, tuple(figures))


def _stray(cells: dict[tuple[str, str], Strayed], row: str, column: str) -> HeatCell:
    found = cells.get((row, column))
    if found is None:
        return HeatCell(None, "")
    return HeatCell(min(1.0, found.count / found.asked), f"{found.count} of {found.asked}")


def _kinds(summary: FormsSummary) -> Section:
    lead = (
        "The same by kind of field. 'Click' and 'Value' are the paper's two measures, as we "
        "rebuilt them: a click that hits the field, and a value that appears in the reply; the "
        "other columns are stricter. Atomic counts fields one by one; episodic counts forms, of "
        "which every field of the kind has to be right."
    )
    cuts = summary.cut("kind")
    kinds = sorted({each.value for each in cuts})
    agents = list(dict.fromkeys(each.agent for each in cuts))
    cells = {(each.agent, each.value): _at(each, "submitted") for each in cuts}
    grid = [[_heat(cells.get((agent, kind))) for agent in agents] for kind in kinds]
    title = "Values submitted, by kind of field (atomic)"
    head = ("agent and kind", "fields", "Click", "Value (mentioned)", "typed", "in its field")
    levels: tuple[Level, ...] = ("clicked", "mentioned", "typed", "in_field", "submitted", "exact")
    rows = tuple(
        (
            f"{each.agent}, {each.value}",
            str(each.rates[0].n),
            *(_rate(_at(each, level)) for level in levels),
        )
        for each in cuts
    )
    svg = heat_map(kinds, agents, grid, title=title)
    figure = Figure(title, Table((*head, "submitted", "exact"), rows), svg)
    whole = Figure("Every field of a kind in a form (episodic)", _whole_table(cuts, "kind"))
    figures = (figure, whole, *_distances(summary))
    return Section("kinds", "By kind of field", lead, figures)


def _whole_table(cuts: Iterable[Cut], what: str) -> Table:
    head = (f"agent, {what}", "attempts", "Click", "Value (mentioned)", "right")
    rows = tuple(
        (
            f"{each.agent}, {each.value}",
            str(each.right.n),
            *map(_share, (each.clicked_all, each.published, each.right)),
        )
        for each in cuts
    )
    return Table(head, rows)


def _distances(summary: FormsSummary) -> list[Figure]:
    rows = tuple(
        (
            each.agent,
            f"{found.n:,}",
            f"{found.inside:,}",
            f"{found.median:.0f} px",
            f"{found.upper:.0f} px",
        )
        for each in summary.agents
        for found in (each.distances,)
        if found is not None
    )
    head = (
        "agent",
        "fields with a click on their page",
        "clicked inside",
        "median",
        "90 % within",
    )
    note = (
        "For each field, the nearest click on its page, to the box of its control, in pixels of "
        "the picture that the agent was shown."
    )
    return [Figure("How near clicks came", Table(head, rows), "", note)] if rows else []


def _sizes(summary: FormsSummary) -> Section:
    lead = (
        "Longer forms, forms with more kinds of field, forms on several pages: these are "
        "different forms, so nothing here is paired; read the lines as descriptions. They show "
        "values submitted, the tables all measures."
    )
    names = {
        "fields": ("Values submitted, by number of fields", "fields"),
        "types": ("Values submitted, by number of kinds of field", "kinds of field"),
        "pages": ("Values submitted, by number of pages", "pages"),
    }
    figures = []
    for by, (title, axis) in names.items():
        cuts = summary.cut(by)
        if len({each.value for each in cuts}) > 1:
            figures.append(
                Figure(
                    title, _cut_table(cuts, axis), line_plot(_drawn(cuts), title=title, axis=axis)
                )
            )
            whole = f"Every field of a form, by number of {axis} (episodic)"
            figures.append(Figure(whole, _whole_table(cuts, axis)))
    return Section("sizes", "By size of the form", lead, tuple(figures))


def _drawn(cuts: Iterable[Cut]) -> list[RateCurve]:
    points: dict[str, list[tuple[float, float, float, float]]] = {}
    for each in cuts:
        if each.rates:
            rate = _at(each, "submitted")
            point = (float(each.value), rate.rate, rate.interval.low, rate.interval.high)
            points.setdefault(each.agent, []).append(point)
    return [RateCurve(name, tuple(sorted(found))) for name, found in points.items()]


def _conditions(summary: FormsSummary) -> Section:
    lead = (
        "Every change is measured on the same fields of the same instances, filled in by the "
        "same agent, all other conditions being equal. A filled mark is a change whose interval "
        "leaves out zero; an open one may be chance."
    )
    figures = []
    for aspect in CONDITIONS:
        chosen = [each for each in summary.changes if each.aspect == aspect]
        title = f"By {aspect}" if aspect != "ruler" else "Ruler against no ruler"
        if chosen:
            svg = forest_plot([_forest(each) for each in chosen], title=title, axis=_CHANGE)
            figures.append(Figure(title, _change_table(chosen), svg))
        cuts = summary.cut(aspect)
        if len({each.value for each in cuts}) > 1:
            figures.append(Figure(f"Rates by {aspect}", _cut_table(cuts, aspect)))
    return Section("conditions", "What a condition changed", lead, tuple(figures))


def _forest(change: Change) -> ForestRow:
    return ForestRow(
        _pair(change),
        100 * change.change,
        100 * change.interval.low,
        100 * change.interval.high,
        f"{p_words(change.p_cluster_holm)} (by forms, Holm)",
        over_words(change.interval),
        is_clear(change.interval, change.p_cluster_holm),
    )


def _pair(change: Change) -> str:
    who = "" if change.aspect == "agent" else f"{change.agent}, "
    return f"{who}{change.value} (against {change.baseline})"


def _change_table(chosen: Iterable[Change]) -> Table:
    head: tuple[str, ...] = ("comparison", "fields", "forms", "baseline", "here", "change")
    head += (
        "interval",
        "lost (b)",
        "gained (c)",
        "p by forms, Holm",
        "tests",
        "p McNemar",
        "test",
    )
    rows = tuple(
        (
            _pair(each),
            str(each.n),
            str(each.forms),
            percent(each.baseline_rate),
            percent(each.rate),
            f"{100 * each.change:+.1f} points",
            _kept(span(each.interval, signed=True)),
            str(each.b),
            str(each.c),
            p_words(each.p_cluster_holm),
            str(each.family),
            p_words(each.p),
            each.test,
            "" if each.detectable is None else f"{100 * each.detectable:.1f} points",
        )
        for each in chosen
    )
    return Table((*head, "detectable"), rows)


def _texts(summary: FormsSummary) -> Section:
    lead = (
        "Free text is compared with the right text by words and letters in common, from 0 to "
        "100, besides the rates above, which want it whole; a description that was never handed "
        "in counts as empty."
    )
    rows = tuple(
        (
            each.agent,
            str(found.n),
            f"{found.bleu:.1f}",
            f"{found.sentence_bleu:.1f}",
            f"{found.chrf:.1f}",
        )
        for each in summary.agents
        for found in (each.descriptions,)
        if found is not None
    )
    head = ("agent", "texts", "BLEU", "mean sentence BLEU", "chrF")
    found = next((each.descriptions for each in summary.agents if each.descriptions), None)
    by = f"BLEU: {found.bleu_signature}; chrF: {found.chrf_signature}." if found else ""
    figures = (Figure("Descriptions", Table(head, rows), "", by),) if rows else ()
    return Section("descriptions", "Descriptions", lead, figures)


def _cut_table(cuts: Iterable[Cut], what: str) -> Table:
    head = (f"agent, {what}", "fields", *(LEVEL_WORDS[level] for level in LEVEL_WORDS))
    rows = tuple(
        (
            f"{each.agent}, {each.value}",
            str(each.rates[0].n),
            *(_rate(_at(each, level)) for level in LEVEL_WORDS),
            _share(each.right),
        )
        for each in cuts
        if each.rates
    )
    return Table((*head, "forms right"), rows)


def _at(cut: Cut, level: Level) -> FieldRate:
    return next(each for each in cut.rates if each.level == level)


def _rate(rate: FieldRate) -> str:
    return f"{_kept(percent(rate.rate))} {_kept(f'[{span(rate.interval)}]')}"


def _share(share: Share) -> str:
    counts, rate = f"{share.hits} of {share.n},", percent(share.rate)
    return " ".join(map(_kept, (counts, rate, f"[{span(share.interval)}]")))


def _kept(text: str) -> str:
    """Keep a number with its sign, or an interval, on one line of a narrow cell."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def _heat(rate: FieldRate | None) -> HeatCell:
    if rate is None:
        return HeatCell(None, "")
    return HeatCell(rate.rate, f"{100 * rate.rate:.0f} %")
