"""
From diagnoses to sections: how often a model fails, with what, and what that looks like.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from surefoot.diagnose.findings import Diagnosis, Transfer, Weakness
from surefoot.diagnose.rates import RATES
from surefoot.failures.modes import MODES, FailureMode
from surefoot.phrasing.values import Shown, change, count, ends, measured, number, p_value
from surefoot.phrasing.words import amount_words, interval_words
from surefoot.report.answers.sections import draw_changes, draw_levels, wide_table
from surefoot.report.diagnosis.breakdown import (
    plan_section,
    rounds_figure,
    said_section,
    selection_figure,
    sizes_section,
)
from surefoot.report.diagnosis.causes import cause_figures
from surefoot.report.html.figures import Axis, HeatCell, heat_map
from surefoot.report.html.section import Figure, Section, Table
from surefoot.score.conditions.scores import Score
from surefoot.score.summary import metric_facts

_MOST_DRAWN: Final = 20
NOT_JUDGED: Final = "not judged"  # only a thought could show it, and no reply has one
_PROFILES: Final = (
    (
        "reply",
        "what its replies show",
        "share of the failures that show it, percent",
    ),
    (
        "feature",
        "which questions it fails",
        "failures in the slice minus failures without it, percentage points",
    ),
    (
        "confusion",
        "where its clicks land",
        "misses that land there beyond misses without the mistake, percentage points",
    ),
)


def diagnosis_sections(
    diagnoses: Sequence[Diagnosis], transfers: Sequence[Transfer]
) -> tuple[Section, ...]:
    """Lay out all sections, in the order in which they are read."""
    found = [_transfer(transfer) for transfer in transfers]
    if not diagnoses:
        return tuple(found)
    return (
        _success(diagnoses),
        *said_section(diagnoses),
        *sizes_section(diagnoses),
        _profile(diagnoses),
        _taxonomy(diagnoses),
        *found,
        _elements(diagnoses),
        *plan_section(diagnoses),
    )


def _rate(score: Score) -> str:
    if score.amount is None:
        return "none"
    between = interval_words(score.interval)
    return f"{amount_words(score.amount, 'share')}{f' [{between}]' * bool(between)}"


def _ratio(diagnosis: Diagnosis) -> Shown:
    if diagnosis.ratio is None:
        return ""
    between = interval_words(diagnosis.ratio_interval, "", digits=2)
    words = f"{diagnosis.ratio:.2f}{f' [{between}]' * bool(between)}"
    return measured(words, diagnosis.ratio, diagnosis.ratio_interval, "")


def _success(diagnoses: Sequence[Diagnosis]) -> Section:
    lead = (
        "An element counts as failed where at least one instruction that the resolver proves "
        "valid was missed. What it cost is told in questions; those for shrinking and for the "
        "random baseline stand apart."
    )
    failed, *others = (metric_facts(metric, compared=False) for metric in RATES)
    scores = [
        score
        for diagnose in diagnoses
        for score in (
            diagnose.success,
            diagnose.per_hundred,
            diagnose.agreement,
            diagnose.baseline_per_hundred,
        )
        if score.n
    ]
    title = "Elements with an instruction that fails"
    svg = draw_levels((diagnose.success for diagnose in diagnoses), failed, title)
    head: tuple[str, ...] = ("model", "failures", "questions", "times as many as random")
    head += ("questions to shrink", "questions of the baseline", "unanswered")
    costs = tuple(
        (
            diagnose.model,
            count(diagnose.failures),
            count(diagnose.questions),
            _ratio(diagnose),
            count(diagnose.shrink_questions),
            count(diagnose.baseline_questions),
            count(diagnose.unanswered),
        )
        for diagnose in diagnoses
    )
    figures = (
        Figure(title, wide_table(scores, [failed, *others]), svg),
        *rounds_figure(diagnoses),
        Figure("What it cost", Table(head, costs)),
        *selection_figure(diagnoses),
    )
    return Section("success", "How often it fails", lead, figures, chapter="fell")


def _profile(diagnoses: Sequence[Diagnosis]) -> Section:
    lead = (
        "What makes the model fail, one finding a cause, by the share of all failures that it "
        "explains. First come those that fresh questions confirm, with pictures and with what to "
        "do; then all that was looked at. A filled mark is an effect whose interval leaves out "
        "zero and whose test outlasts correction."
    )
    figures: list[Figure] = []
    for diagnose in diagnoses:
        figures += cause_figures(diagnose)
        for kind, words, axis in _PROFILES:
            chosen = [
                weakness for weakness in diagnose.profile if weakness.comparison.contrast == kind
            ]
            if chosen:
                figures.append(
                    _profile_figure(f"{diagnose.model}: {words}", chosen, axis, diagnose.unit)
                )
        if diagnose.unnameable:
            title = f"{diagnose.model}: what could not be named, whatever its effect"
            rows = tuple((words,) for words in diagnose.unnameable)
            note = f"Too few {diagnose.unit} or answers have it, or lack it."
            figures.append(Figure(title, Table(("slice",), rows), "", note))
    return Section("profile", "Weaknesses", lead, tuple(figures))


def _profile_figure(title: str, chosen: Sequence[Weakness], axis: str, unit: str) -> Figure:
    named = [
        (f"{'named: ' * weakness.said}{weakness.words}", weakness.comparison)
        for weakness in chosen
    ]
    worse = Axis(axis, worse="right")
    svg, bare = draw_changes(named[:_MOST_DRAWN], 100.0, title=title, axis=worse)
    left_out = bare + len(named[_MOST_DRAWN:])
    note = f"{left_out} more stand in the table alone." if left_out else ""
    return Figure(title, _profile_table(chosen, unit), svg, note)


def _profile_table(chosen: Iterable[Weakness], unit: str) -> Table:
    head = ("weakness", "named", "failed with", "of", "failed without", "of", "effect", "explains")
    fresh = ("fresh, failed with", "of", "fresh, failed without", "of", "hit once changed", "of")
    chosen = list(chosen)
    where = ("benchmarks",) * any(weakness.pillars for weakness in chosen)
    return Table(
        (*head, "interval", unit, "p", "p, Holm", "tests", "name of the feature", *fresh, *where),
        tuple(
            (
                weakness.words,
                _named(weakness),
                count(weakness.failed_with),
                count(weakness.n_with),
                count(weakness.failed_without),
                count(weakness.n_without),
                change(comparison.change, "share"),
                number(100 * weakness.explains, ".0f") if weakness.named else "",
                ends(comparison.interval, signed=True),
                count(comparison.clusters),
                p_value(comparison.p),
                p_value(comparison.p_holm),
                count(comparison.family),
                comparison.value,
                *_fresh(weakness),
                *([" and ".join(weakness.pillars)] * len(where)),
            )
            for weakness in chosen
            for comparison in (weakness.comparison,)
        ),
    )


def _named(weakness: Weakness) -> str:
    if weakness.said:
        return "yes, could not be confirmed" if weakness.unconfirmed else "yes"
    return "not confirmed" if weakness.named else "no"


def _fresh(weakness: Weakness) -> tuple[Shown, ...]:
    confirmation = weakness.confirmed
    if confirmation is None:
        return ("",) * 6
    return (
        count(confirmation.failed_inside),
        count(confirmation.inside),
        count(confirmation.failed_outside),
        count(confirmation.outside),
        count(confirmation.mended),
        count(confirmation.changed),
    )


def _taxonomy(diagnoses: Sequence[Diagnosis]) -> Section:
    lead = (
        "What each failure looks like, by rule where the evidence decides it: "
        + "; ".join(f"{name}: {meaning}" for name, meaning in MODES.items())
        + ". What only a thought before the answer can show is not judged where no reply has one. "
        "Beside each count stands what it would be if the model missed here as it misses other "
        "elements: only a mode that is more frequent than that tells something."
    )
    names = [diagnose.model for diagnose in diagnoses]
    cells: dict[tuple[str, str], HeatCell] = {
        (mode, diagnose.model): HeatCell(
            failed / (sum(diagnose.taxonomy.values()) or 1), f"{failed:,}"
        )
        for diagnose in diagnoses
        for mode, failed in diagnose.taxonomy.items()
    }
    title = "Failures by what they look like"
    table = Table(
        (
            "mode",
            *(
                column
                for name in names
                for column in (name, f"{name}, as elsewhere", f"{name}, tells")
            ),
        ),
        tuple(
            (mode, *(cell for diagnose in diagnoses for cell in _beside_usual(diagnose, mode)))
            for mode in MODES
        ),
    )
    svg = heat_map(list(MODES), names, cells, title=title, absent=NOT_JUDGED)
    return Section("taxonomy", "What the failures look like", lead, (Figure(title, table, svg),))


def _beside_usual(diagnosis: Diagnosis, mode: FailureMode) -> tuple[Shown, Shown, Shown]:
    usual = diagnosis.usual_taxonomy.get(mode)
    return (
        _count(diagnosis.taxonomy.get(mode)),
        "" if usual is None else number(usual, ",.1f"),
        "yes" if mode in diagnosis.telling else "no",
    )


def _count(found: int | None) -> Shown:
    return NOT_JUDGED if found is None else count(found)


def _transfer(transfer: Transfer) -> Section:
    lead = (
        "How often each model fails the instructions that another one failed. A row is where "
        "they were found, a column who was asked; its own column is nearly full by "
        "construction."
    )
    cells = {
        (f"found on {item.found_on}", item.asked_of): HeatCell(
            item.failed.amount, _rate(item.failed)
        )
        for item in transfer.cells
    }
    title = "Failure rate on what failed another"
    table = Table(
        ("found on", "asked of", "failed", "of", "rate", "of random questions", "unanswered"),
        tuple(
            (
                cell.found_on,
                cell.asked_of,
                number(cell.failed.total, ",.0f"),
                count(cell.failed.n),
                measured(_rate(cell.failed), cell.failed.amount, cell.failed.interval, "share"),
                "" if cell.base is None else number(100 * cell.base, ".0f"),
                count(cell.unanswered),
            )
            for cell in transfer.cells
        ),
    )
    rows = [f"found on {name}" for name in transfer.models]
    svg = heat_map(rows, transfer.models, cells, title=title, absent="not asked")
    return Section("transfer", "Does it fail others too?", lead, (Figure(title, table, svg),))


def _elements(diagnoses: Sequence[Diagnosis]) -> Section:
    head: tuple[str, ...] = (
        "element",
        "model",
        "page",
        "toolkit",
        "valid instructions",
        "rounds",
    )
    head += ("questions", "first failure at", "failures", "unanswered", "what hit was like")
    rows = tuple(
        (
            element.shown,
            diagnosis.model,
            element.page_name,
            element.toolkit or element.platform,
            *map(count, (element.pool, element.rounds, element.asked)),
            count(element.first_failure) if element.failures else "none",
            *map(count, (len(element.failures), element.unanswered)),
            ", ".join(element.easy),
        )
        for diagnosis in diagnoses
        for element in diagnosis.elements
    )
    lead = "What was asked about each element, and what it took to make the model fail."
    figure = Figure("The search, element by element", Table(head, rows))
    return Section("elements", "Every element", lead, (figure,), chapter="measured")
