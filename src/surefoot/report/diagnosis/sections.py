"""
From diagnoses to sections: how often a model fails, with what, and what that looks like.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from surefoot.diagnose.findings import Diagnosis, Rate, Transfer, Weakness
from surefoot.failures.modes import MODES
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
from surefoot.score.stats.clusters import POSITIVE, intervals, ratio, sum_by_cluster
from surefoot.score.stats.intervals import Interval
from surefoot.score.words import interval_words, is_clear, over_words, p_words

__all__ = ["diagnosis_sections", "diagnosis_sentences", "failures_per_hundred"]

_MOST_DRAWN: Final = 20
NOT_JUDGED: Final = "not judged"  # only a thought could show it, and no reply has one
_PROFILES: Final = (
    (
        "feature",
        "what its instructions are like",
        "failures with the feature minus failures without it, percentage points",
    ),
    (
        "confusion",
        "where its clicks land",
        "misses that land there beyond blind choice, percentage points",
    ),
)


def failures_per_hundred(diagnosis: Diagnosis) -> tuple[float, Interval | None] | None:
    """Return the failures found per 100 questions of the search; None where none was asked."""
    counts = np.array([[len(each.failures), each.asked] for each in diagnosis.elements], float)
    sums = 100 * sum_by_cluster(
        [each.cluster for each in diagnosis.elements], counts.reshape(-1, 2)
    )
    found = ratio(sums[:, :1], sums[:, 1:] / 100)
    (interval,) = intervals(found, POSITIVE)
    return None if np.isnan(found.value[0]) else (float(found.value[0]), interval)


def diagnosis_sentences(diagnosis: Diagnosis) -> list[str]:
    """Say what one diagnosis found, without claiming more than its intervals hold."""
    success = diagnosis.success
    opening = (
        f"{diagnosis.model}: a valid instruction that fails was found for {_rate(success)} of "
        f"{success.total:,} elements, with the planner '{diagnosis.planner}' in "
        f"{diagnosis.questions:,} questions ({_per_hundred(diagnosis)} failures per 100)."
    )
    said = [opening]
    if diagnosis.ratio is not None and diagnosis.baseline_per_hundred is not None:
        interval = diagnosis.ratio_interval
        told = f" [{interval_words(interval, '', digits=2)}]" if interval else ""
        said.append(
            f"{diagnosis.model}: random valid instructions find "
            f"{diagnosis.baseline_per_hundred:.1f} per 100; the planner finds "
            f"{diagnosis.ratio:.2f} times as many{told}."
        )
    said += [f"{diagnosis.model}: {name}." for name in diagnosis.names]
    if not diagnosis.names:
        said.append(f"{diagnosis.model}: the evidence names no weakness.")
    return said


def diagnosis_sections(
    diagnoses: Sequence[Diagnosis], transfers: Sequence[Transfer]
) -> tuple[Section, ...]:
    """Lay out all sections, in the order in which they are read."""
    found = [_transfer(each) for each in transfers]
    if not diagnoses:
        return tuple(found)
    return (
        _success(diagnoses),
        _profile(diagnoses),
        _taxonomy(diagnoses),
        *found,
        _elements(diagnoses),
    )


def _rate(rate: Rate) -> str:
    if rate.rate is None:
        return "none"
    return f"{100 * rate.rate:.1f} %{_interval(rate.interval)}"


def _interval(interval: Interval | None) -> str:
    return f" [{interval_words(interval)}]" if interval else ""


def _per_hundred(diagnosis: Diagnosis) -> str:
    found = failures_per_hundred(diagnosis)
    if found is None:
        known = diagnosis.per_hundred
        return "unknown" if known is None else f"{known:.1f}"
    rate, interval = found
    told = interval_words(interval, unit="", digits=1) or "no interval"
    return f"{rate:.1f} [{told}]"


def _success(diagnoses: Sequence[Diagnosis]) -> Section:
    lead = (
        "An element counts as failed where at least one instruction that the resolver proves "
        "valid was missed. What it cost is told in questions; those for shrinking and for the "
        "random baseline stand apart."
    )
    head: tuple[str, ...] = (
        "model",
        "planner",
        "elements",
        "failed",
        "share",
        "failures",
        "questions",
    )
    head += ("failures per 100", "random per 100", "ratio", "questions to shrink")
    head += ("questions of the baseline", "unanswered", "second resolver agrees")
    table = Table(head, tuple(_cost(each) for each in diagnoses))
    drawn = [
        LevelRow(
            each.model,
            each.success.rate,
            _ends(each.success.interval),
            over_words(each.success.interval),
        )
        for each in diagnoses
        if each.success.rate is not None
    ]
    title = "Elements with an instruction that fails"
    axis = Axis("share of elements")
    svg = level_plot(drawn, title=title, axis=axis, top=1.0) if drawn else ""
    return Section("success", "How often it fails", lead, (Figure(title, table, svg),))


def _cost(each: Diagnosis) -> tuple[str, ...]:
    ratio, interval = each.ratio, each.ratio_interval
    told = f" [{interval_words(interval, '', digits=2)}]" if interval else ""
    random = each.baseline_per_hundred
    return (
        each.model,
        each.planner,
        f"{each.success.total:,}",
        f"{each.success.count:,}",
        _rate(each.success),
        f"{each.failures:,}",
        f"{each.questions:,}",
        _per_hundred(each),
        "not asked" if random is None else f"{random:.1f}",
        "" if ratio is None else f"{ratio:.2f}{told}",
        f"{each.shrink_questions:,}",
        f"{each.baseline_questions:,}",
        f"{each.unanswered:,}",
        f"{_rate(each.agreement)} of {each.agreement.total:,}",
    )


def _ends(interval: Interval | None) -> tuple[float, float] | None:
    return (interval.low, interval.high) if interval else None


def _profile(diagnoses: Sequence[Diagnosis]) -> Section:
    lead = (
        "What makes the model fail, against the same pool of instructions without it. A filled "
        "mark is an effect whose interval leaves out zero; only those that also outlast "
        "correction are named as weaknesses."
    )
    figures = []
    for each in diagnoses:
        for kind, words, axis in _PROFILES:
            chosen = [weakness for weakness in each.profile if weakness.kind == kind]
            if chosen:
                figures.append(_profile_figure(f"{each.model}: {words}", chosen, axis))
    return Section("profile", "Weaknesses", lead, tuple(figures))


def _profile_figure(title: str, chosen: Sequence[Weakness], axis: str) -> Figure:
    ordered = sorted(chosen, key=lambda each: (not each.named, -(each.effect or 0.0)))
    drawn = [
        ForestRow(
            f"{'named: ' if each.named else ''}{each.words}",
            100 * each.effect,
            100 * each.interval.low,
            100 * each.interval.high,
            f"{p_words(each.p_holm)} (Holm)",
            over_words(each.interval),
            is_clear(each.interval, each.p_holm),
        )
        for each in ordered
        if each.effect is not None and each.interval is not None
    ]
    svg = ""
    if drawn:
        svg = forest_plot(drawn[:_MOST_DRAWN], title=title, axis=Axis(axis, worse="right"))
    left_out = len(chosen) - len(drawn[:_MOST_DRAWN])
    note = f"{left_out} more stand in the table alone." if left_out else ""
    return Figure(title, _profile_table(ordered), svg, note)


def _profile_table(chosen: Iterable[Weakness]) -> Table:
    head = ("weakness", "named", "failed with", "of", "failed without", "of", "effect")
    return Table(
        (*head, "interval", "sites", "p", "p, Holm", "name of the feature"),
        tuple(
            (
                each.words,
                "yes" if each.named else "no",
                f"{each.failed_with:,}",
                f"{each.n_with:,}",
                f"{each.failed_without:,}",
                f"{each.n_without:,}",
                "" if each.effect is None else f"{100 * each.effect:+.1f}",
                _interval(each.interval).strip(),
                f"{each.clusters:,}",
                p_words(each.p),
                p_words(each.p_holm),
                each.feature,
            )
            for each in chosen
        ),
    )


def _taxonomy(diagnoses: Sequence[Diagnosis]) -> Section:
    lead = (
        "What each failure looks like, by rule where the evidence decides it: "
        + "; ".join(f"{name}: {meaning}" for name, meaning in MODES.items())
        + ". What only a thought before the answer can show is not judged where no reply has one."
    )
    columns = list(MODES)
    names = [each.model for each in diagnoses]
    grid = [
        [
            HeatCell(
                count / total if (total := sum(each.taxonomy.values())) else None, f"{count:,}"
            )
            if count is not None
            else HeatCell(None, NOT_JUDGED)
            for name in columns
            for count in (each.taxonomy.get(name),)
        ]
        for each in diagnoses
    ]
    title = "Failures by what they look like"
    table = Table(
        ("mode", *names),
        tuple(
            (name, *(_count(each.taxonomy.get(name)) for each in diagnoses)) for name in columns
        ),
    )
    turned = [list(line) for line in zip(*grid, strict=True)]
    svg = heat_map(columns, names, turned, title=title)
    return Section("taxonomy", "What the failures look like", lead, (Figure(title, table, svg),))


def _count(count: int | None) -> str:
    return NOT_JUDGED if count is None else f"{count:,}"


def _transfer(transfer: Transfer) -> Section:
    lead = (
        "How often each model fails the instructions that another one failed. A row is where "
        "they were found, a column who was asked; its own column is nearly full by "
        "construction."
    )
    found = {(each.found_on, each.asked_of): each for each in transfer.cells}
    grid = [
        [
            HeatCell(cell.failed.rate, _rate(cell.failed))
            if (cell := found.get((row, column)))
            else HeatCell(None, "not asked")
            for column in transfer.models
        ]
        for row in transfer.models
    ]
    title = "Failure rate on what failed another"
    table = Table(
        ("found on", "asked of", "failed", "of", "rate", "unanswered"),
        tuple(
            (
                each.found_on,
                each.asked_of,
                f"{each.failed.count:,}",
                f"{each.failed.total:,}",
                _rate(each.failed),
                f"{each.unanswered:,}",
            )
            for each in transfer.cells
        ),
    )
    rows = [f"found on {name}" for name in transfer.models]
    svg = heat_map(rows, transfer.models, grid, title=title)
    return Section("transfer", "Does it fail others too?", lead, (Figure(title, table, svg),))


def _elements(diagnoses: Sequence[Diagnosis]) -> Section:
    head: tuple[str, ...] = (
        "element",
        "model",
        "role",
        "page",
        "toolkit",
        "valid instructions",
        "rounds",
    )
    head += ("questions", "first failure at", "failures", "unanswered", "what hit was like")
    rows = tuple(
        (
            each.target,
            diagnosis.model,
            each.role,
            each.page_name,
            each.toolkit or each.platform,
            *(f"{count:,}" for count in (each.pool, each.rounds, each.asked)),
            f"{each.first_failure:,}" if each.failures else "none",
            *(f"{count:,}" for count in (len(each.failures), each.unanswered)),
            ", ".join(each.easy),
        )
        for diagnosis in diagnoses
        for each in diagnosis.elements
    )
    lead = "What was asked about each element, and what it took to make the model fail."
    figure = Figure("The search, element by element", Table(head, rows))
    return Section("elements", "Every element", lead, (figure,))
