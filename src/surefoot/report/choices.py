"""
What ``surefoot score`` and ``surefoot report`` do with the folders that they are given.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.core.errors import InvalidInputError
from surefoot.report.answers.page import write_report
from surefoot.report.answers.scored import Choices, score_runs, scoring_of
from surefoot.report.diagnosis.page import write_diagnoses
from surefoot.report.exploration import write_exploration
from surefoot.run.asking.runs import find_run
from surefoot.run.folders.folder import is_kind
from surefoot.score.metric import Ruler
from surefoot.score.summary import Summary

if TYPE_CHECKING:
    from rich.console import Console


def score_folders(
    folders: Sequence[Path], choices: Choices, *, console: Console | None = None
) -> Summary:
    """
    Score folders RUN; raises InvalidInputError for diagnoses, runs over forms, and a mixture.

    Where there are very many answers, progress is shown on the console.
    """
    if _diagnoses(folders):
        raise InvalidInputError(
            "runs",
            found=f"{folders[0]}, a diagnosis",
            remedy="read it with surefoot report, or run the benchmark in its folder failing",
        )
    scoring = scoring_of(folders, choices.bench)
    _check(choices, scoring.name)
    runs = [find_run(folder, choices.bench) for folder in folders]
    standard = [find_run(folder) for folder in choices.standard]
    return score_runs(runs, scoring, choices, standard=standard, console=console)


def write_report_on(folders: Sequence[Path], out: Path, choices: Choices) -> list[str]:
    """
    Write the report on runs, on diagnoses or on an exploration, and return its sentences.

    Raises InvalidInputError for runs over forms, a mixture, and options without a use.
    """
    if len(folders) == 1 and is_kind(folders[0], "screens"):
        return write_exploration(folders[0], out, title=choices.title, cards=choices.cards)
    if not _diagnoses(folders):
        _check(choices, scoring_of(folders, choices.bench).name)
        return write_report(folders, out, choices)
    given = Choices(
        title=choices.title, cards=choices.cards, seed=choices.seed, tables=choices.tables
    )
    if choices != given:
        raise InvalidInputError(
            "no option but --title, --cards, --tables and --out for a diagnosis",
            found="another one",
            remedy="leave it out; what was measured is written in the diagnosis",
        )
    return write_diagnoses(
        folders, out, title=choices.title, cards=choices.cards, tables=choices.tables
    )


def _diagnoses(folders: Sequence[Path]) -> bool:
    for folder in folders:
        if is_kind(folder, "forms"):
            raise InvalidInputError(
                "runs over a benchmark",
                found=f"{folder}, a run over forms",
                remedy="use surefoot forms score or surefoot forms report",
            )
    kinds = [is_kind(folder, "diagnosis") for folder in folders]
    if any(kinds) and not all(kinds):
        raise InvalidInputError(
            "runs or diagnoses", found="both", remedy="give each kind by itself"
        )
    return all(kinds)


def _check(choices: Choices, scoring: str) -> None:
    if scoring != "scatter" and choices.ruler.spread != Ruler().spread:
        raise InvalidInputError(
            "runs of the benchmark 'sensitivity' with --spread",
            found="another benchmark",
            remedy="leave the option out",
        )
    if scoring not in {"hits", "scatter"} and choices.standard:
        raise InvalidInputError(
            "runs that are scored by hits, or of 'sensitivity', with --standard",
            found="another benchmark",
            remedy="leave the option out",
        )
