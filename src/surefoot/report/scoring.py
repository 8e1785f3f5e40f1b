"""
Which scores and which report runs get: a table from the name of their benchmark.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.report.diagnosis.page import is_diagnosis, write_diagnoses
from surefoot.report.forms.page import is_forms
from surefoot.report.hidden.page import score_hidden, write_hidden
from surefoot.report.hidden.sections import hidden_sentences
from surefoot.report.hits.page import ReportOptions, write_report
from surefoot.report.sensitivity.page import score_sensitivity, write_sensitivity
from surefoot.run.asking.runs import benchmark_name, open_run, tabulate_runs
from surefoot.score.sensitivity.rows import Ruler
from surefoot.score.sensitivity.words import sentences
from surefoot.score.spread import Spread
from surefoot.score.summary import summarise
from surefoot.score.words import cell_line, sentence

__all__ = ["DIAGNOSES", "SCORINGS", "Choices", "Scored", "Scoring", "scoring_of"]


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what a user may choose about scores and reports.

    ``tolerance`` is in pixels, the total growth of each side of a box. ``by_site`` tells
    whether sites are taken as independent, or single pairs. ``sanity`` are runs of reference
    models, ``standard`` runs that order the models, and ``spread`` how a click's deviation
    is measured; each is refused where the scores have no use for it.
    """

    title: str = ""
    tolerance: float = 0.0
    seed: int = 0
    cards: int = 12
    bench: Path | None = None
    by_site: bool = True
    sanity: tuple[Path, ...] = ()
    standard: tuple[Path, ...] = ()
    spread: Spread = "centroid"


class Scored(msgspec.Struct, frozen=True):
    """Hold scores for people, as lines, and for programs, as one value for JSON."""

    lines: tuple[str, ...]
    numbers: object


class Scoring(msgspec.Struct, frozen=True):
    """Score runs of one kind of benchmark, or write their report and return its sentences."""

    score: Callable[[Sequence[Path], Choices], Scored]
    write: Callable[[Sequence[Path], Path, Choices], list[str]]


def scoring_of(runs: Sequence[Path], bench: Path | None = None) -> Scoring:
    """
    Return how runs are scored, by the name of the benchmark that they were asked.

    Diagnoses have a report alone. Raises InvalidInputError for what is scored differently.
    """
    for run in runs:
        _check_no_forms(run)
    kinds = [is_diagnosis(run) for run in runs]
    if all(kinds):
        return DIAGNOSES
    if any(kinds):
        raise InvalidInputError(
            "runs or diagnoses", found="both", remedy="give each kind by itself"
        )
    found = {name: SCORINGS.get(name, _HITS) for name in (benchmark_name(r, bench) for r in runs)}
    chosen = list(found.values())
    if any(each is not chosen[0] for each in chosen):
        raise InvalidInputError(
            "runs of benchmarks that are scored alike",
            found=" and ".join(f"'{name}'" for name in sorted(found)),
            remedy="score each kind of benchmark by itself",
        )
    return chosen[0]


def _check_no_forms(run: Path) -> None:
    if is_forms(run):
        raise InvalidInputError(
            "runs over a benchmark",
            found=f"{run}, a run over forms",
            remedy="use surefoot forms score or surefoot forms report",
        )


def _score_hits(runs: Sequence[Path], choices: Choices) -> Scored:
    _check_hits(choices)
    outcomes = tabulate_runs(open_run(run, choices.bench) for run in runs)
    summary = summarise(
        outcomes, tolerance=choices.tolerance, seed=choices.seed, cluster=choices.by_site
    )
    lines = [cell_line(cell) for cell in summary.cells]
    lines += [sentence(comparison) for comparison in summary.comparisons]
    return Scored((*lines, *_warned(summary.warnings)), summary)


def _write_hits(runs: Sequence[Path], out: Path, choices: Choices) -> list[str]:
    _check_hits(choices)
    return write_report(
        runs, out, sanity=choices.sanity, bench=choices.bench, options=_options(choices)
    )


def _options(choices: Choices) -> ReportOptions:
    return ReportOptions(
        title=choices.title, tolerance=choices.tolerance, seed=choices.seed, cards=choices.cards
    )


def _check_hits(choices: Choices) -> None:
    if choices.standard or choices.spread != "centroid":
        raise InvalidInputError(
            "runs of the benchmark 'sensitivity' with --standard or --spread",
            found="another benchmark",
            remedy="leave the option out",
        )


def _score_sensitivity(runs: Sequence[Path], choices: Choices) -> Scored:
    summary = score_sensitivity(
        [open_run(run, choices.bench) for run in runs],
        _ruler(choices),
        standard=[open_run(run) for run in choices.standard],
    )
    return Scored((*sentences(summary), *_warned(summary.warnings)), summary)


def _write_sensitivity(runs: Sequence[Path], out: Path, choices: Choices) -> list[str]:
    return write_sensitivity(
        runs,
        out,
        _ruler(choices),
        title=choices.title,
        cards=choices.cards,
        bench=choices.bench,
        others=(choices.standard, choices.sanity),
    )


def _score_hidden(runs: Sequence[Path], choices: Choices) -> Scored:
    _check_hidden(choices)
    opened = [open_run(run, choices.bench) for run in runs]
    tabulate_runs(opened)
    summary = score_hidden(opened, tolerance=choices.tolerance, seed=choices.seed)
    return Scored((*hidden_sentences(summary), *_warned(summary.warnings)), summary)


def _write_hidden(runs: Sequence[Path], out: Path, choices: Choices) -> list[str]:
    _check_hidden(choices)
    return write_hidden(
        runs, out, options=_options(choices), bench=choices.bench, sanity=choices.sanity
    )


def _check_hidden(choices: Choices) -> None:
    _check_hits(choices)
    if not choices.by_site:
        raise InvalidInputError(
            "intervals over sites for the benchmark 'hidden'",
            found="--by-sample",
            remedy="leave it out; targets of one site are never independent",
        )


def _score_diagnoses(runs: Sequence[Path], choices: Choices) -> Scored:
    del choices
    raise InvalidInputError(
        "runs",
        found=f"{runs[0]}, a diagnosis",
        remedy="read it with surefoot report, or run the benchmark in its folder failing",
    )


def _write_diagnoses(runs: Sequence[Path], out: Path, choices: Choices) -> list[str]:
    given = Choices(title=choices.title, cards=choices.cards, seed=choices.seed)
    if choices != given:
        raise InvalidInputError(
            "no option but --title, --cards and --out for a diagnosis",
            found="another one",
            remedy="leave it out; what was measured is written in the diagnosis",
        )
    return write_diagnoses(runs, out, title=choices.title, cards=choices.cards)


def _ruler(choices: Choices) -> Ruler:
    if not choices.by_site:
        raise InvalidInputError(
            "intervals over sites for the benchmark 'sensitivity'",
            found="--by-sample",
            remedy="leave it out; instructions about one element are never independent",
        )
    return Ruler(tolerance=choices.tolerance, spread=choices.spread, seed=choices.seed)


def _warned(warnings: Sequence[str]) -> list[str]:
    return [f"warning: {warning}" for warning in warnings]


_HITS: Final = Scoring(_score_hits, _write_hits)
SCORINGS: Final[dict[str, Scoring]] = {
    "perturbed": _HITS,
    "sensitivity": Scoring(_score_sensitivity, _write_sensitivity),
    "hidden": Scoring(_score_hidden, _write_hidden),
}
DIAGNOSES: Final = Scoring(_score_diagnoses, _write_diagnoses)
