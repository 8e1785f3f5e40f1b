"""
Finished runs, read back: what was asked, what was answered, and the pictures behind it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec

from surefoot.benchmarks.matching import with_reasoning
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import write_atomic
from surefoot.core.ledger import read_plan
from surefoot.core.question import Answer, Question
from surefoot.run.asking.answers import Unanswered
from surefoot.run.folders.folder import (
    cluster_by_site,
    manifest_digest,
    read_answers,
    read_manifest,
    read_questions,
    read_screens,
    read_table,
)
from surefoot.score.outcomes import Outcomes, match
from surefoot.score.scoring import Scoring, tabulate_for

__all__ = [
    "FinishedRun",
    "Reasoning",
    "asked_questions",
    "benchmark_name",
    "open_run",
    "remember_bench",
    "tabulate_runs",
]

Reasoning: TypeAlias = Literal["off", "on", "both"]

_MODES: Final[dict[str, tuple[bool, ...]]] = {
    "off": (False,),
    "on": (True,),
    "both": (False, True),
}
_BENCH: Final = "bench.txt"


class _Choices(msgspec.Struct, frozen=True):
    bench: str
    model: dict[str, object]
    reasoning: Reasoning = "off"
    limit: int = 0


class FinishedRun(msgspec.Struct, frozen=True):
    """Hold one run with its benchmark's folder; questions without an answer failed."""

    folder: Path
    bench: Path
    name: str
    identity: dict[str, object]
    questions: tuple[Question, ...]
    answers: tuple[Answer, ...]
    failures: tuple[Unanswered, ...]


def asked_questions(bench: Path, reasoning: Reasoning, limit: int) -> tuple[Question, ...]:
    """
    Return the questions of a benchmark in the chosen reasoning modes.

    ``limit`` above 0 keeps that many targets, each with all its conditions, so that the
    comparisons stay paired.
    """
    plain = read_questions(bench)
    if limit:
        kept = set(sorted({question.pair for question in plain})[:limit])
        plain = tuple(question for question in plain if question.pair in kept)
    asked: list[Question] = []
    for mode in _MODES[reasoning]:
        asked += with_reasoning(plain) if mode else plain
    return tuple(asked)


def remember_bench(run: Path, bench: Path) -> None:
    """Note beside a run where its benchmark lies; a hint, and no part of the plan."""
    write_atomic(run / _BENCH, os.path.relpath(bench, run).encode() + b"\n")


def open_run(folder: Path, bench: Path | None = None) -> FinishedRun:
    """
    Read a finished run together with its benchmark.

    Raises InvalidInputError where either is unfinished, or where the benchmark is not the
    one that was asked.
    """
    answers = read_answers(folder)
    choices = msgspec.convert(read_plan(folder), _Choices)
    where = bench or _recall(folder)
    if manifest_digest(where, "bench") != choices.bench:
        raise InvalidInputError(
            f"the benchmark that {folder} was asked",
            found=f"another one in {where}",
            remedy="name the right folder with --bench",
        )
    return FinishedRun(
        folder=folder,
        bench=where,
        name=str(choices.model.get("name", folder.name)),
        identity=choices.model,
        questions=cluster_by_site(where, asked_questions(where, choices.reasoning, choices.limit)),
        answers=answers,
        failures=read_table(folder, "failures.jsonl", Unanswered, kind="run"),
    )


def benchmark_name(run: Path, bench: Path | None = None) -> str:
    """
    Return the name of the benchmark that a run was asked, "" for an imported one.

    Raises InvalidInputError where the run or its benchmark is not to be found.
    """
    read_manifest(run, "run")
    where = bench or _recall(run)
    read_manifest(where, "bench")
    name, _, _ = str(read_plan(where).get("benchmark", "")).partition("@")
    return name


def tabulate_runs(runs: Sequence[FinishedRun], scoring: Scoring) -> Outcomes:
    """
    Put all runs into the one table that a scoring needs.

    Raises InvalidInputError for two runs of one model.
    """
    names = [run.name for run in runs]
    for name in names:
        if names.count(name) > 1:
            raise InvalidInputError(
                "runs of different models", found=f"two of '{name}'", remedy="leave one out"
            )
    screens = {}
    if scoring.traits:
        benches = dict.fromkeys(run.bench for run in runs)
        screens = {screen.id: screen for bench in benches for screen in read_screens(bench)}
    records = (record for run in runs for record in match(run.name, run.questions, run.answers))
    return tabulate_for(scoring, records, screens)


def _recall(folder: Path) -> Path:
    path = folder / _BENCH
    try:
        return (folder / path.read_text("utf-8").strip()).resolve()
    except FileNotFoundError as error:
        raise InvalidInputError(
            f"{path}, which says where the benchmark lies",
            found="no such file",
            remedy="name the benchmark with --bench",
        ) from error
