"""
Runs over a benchmark, scored as it says, with what a user may choose about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.benchmarks.benchmark import BENCHMARKS
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import write_atomic
from surefoot.datasets.labelled import LABELLED
from surefoot.failures.shares import draw_failures, failure_shares
from surefoot.report.answers.standing import beside_standard
from surefoot.report.html.section import csv_text
from surefoot.run.asking.blocks import MANY, RunBlocks, answers_of
from surefoot.run.asking.failures import FailureExample, judge_failures, read_verdicts
from surefoot.run.asking.runs import (
    RunFolder,
    asked_and_answered,
    benchmark_name,
    tabulate_folders,
)
from surefoot.run.asking.shards import join_shards
from surefoot.run.asking.side_by_side import draw_elements, label_runs, share_questions
from surefoot.run.engine.progress import Progress
from surefoot.run.ratings import ITEM
from surefoot.run.selecting import selection_words
from surefoot.score.calibration import calibrate
from surefoot.score.conditions.lost import LostReplies
from surefoot.score.conditions.rulers import size_parts
from surefoot.score.contrasts.orders import compare_orders
from surefoot.score.in_parts import summarise_parts
from surefoot.score.metric import Ruler
from surefoot.score.scoring import Scoring
from surefoot.score.scorings.hits import HITS, HITS_OF_SEVERAL
from surefoot.score.stats.units import Unit
from surefoot.score.summary import Summary, summarise

if TYPE_CHECKING:
    from rich.console import Console

_UNBUILT: Final = {"": HITS, "failing": HITS_OF_SEVERAL}  # sets that no benchmark builds


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """
    Hold what a user may choose about scores and reports.

    ``cards`` is the largest number of pictures of each model, and ``seed`` chooses them.
    ``unit`` is what the questions are a sample of, and intervals are over. ``metrics`` are
    computed beside those of the benchmark. ``sanity`` are runs of
    reference models, ``standard`` runs on standard sets. ``labels`` name the runs, and
    with ``shared_only`` what any of them was not asked is left out. Into the folder ``tables``
    the report's tables are written. ``verdicts`` are files of modes that somebody told of
    failures, and ``to_judge`` is where the failures are written as a sheet to fill in.
    ``calibrate`` asks of each run whether it was read in the wrong space. ``sample`` is how many
    answers are scored, about, of elements that are drawn; 0 for all.
    """

    title: str = ""
    ruler: Ruler = Ruler()
    seed: int = 0
    cards: int = 12
    bench: Path | None = None
    unit: Unit = "site"
    metrics: tuple[str, ...] = ()
    sanity: tuple[Path, ...] = ()
    standard: tuple[Path, ...] = ()
    labels: tuple[str, ...] = ()
    shared_only: bool = False
    tables: Path | None = None
    verdicts: tuple[Path, ...] = ()
    to_judge: Path | None = None
    calibrate: bool = False
    sample: int = 0


def scoring_of(runs: Sequence[Path], bench: Path | None = None) -> Scoring:
    """
    Return how runs are scored: as the benchmark that they were asked says.

    Imported sets are scored by hits unless they say otherwise, and so is what ``surefoot
    diagnose`` found. Raises
    InvalidInputError for runs that are scored differently, and UnknownNameError for a
    benchmark that is not installed.
    """
    names = dict.fromkeys(benchmark_name(run, bench) for run in runs)
    found = {name: scoring_named(name) for name in names}
    chosen = list(found.values())
    if any(scoring != chosen[0] for scoring in chosen):
        raise InvalidInputError(
            "runs of benchmarks that are scored alike",
            found=" and ".join(f"'{name}'" for name in sorted(found)),
            remedy="score each kind of benchmark by itself",
        )
    return chosen[0]


def scoring_named(benchmark: str) -> Scoring:
    """
    Return how a benchmark or an imported set is scored, by its name.

    Raises as ``scoring_of`` does.
    """
    if benchmark in LABELLED.entries:
        return LABELLED.get(benchmark).scoring
    return _UNBUILT.get(benchmark) or BENCHMARKS.get(benchmark).scoring


def score_runs(
    runs: Sequence[RunFolder],
    scoring: Scoring,
    choices: Choices,
    *,
    standard: Sequence[RunFolder] = (),
    console: Console | None = None,
) -> Summary:
    """
    Score finished runs, those with very many answers in parts.

    ``standard`` are runs on standard sets: their hit rates stand beside those of a scoring by
    hits, and order the models of one by scatter. Raises InvalidInputError as ``label_runs``,
    ``share_questions`` and ``summarise`` do.
    """
    named = label_runs(join_shards(runs), choices.labels)
    asked, further_warnings = share_questions(named, shared_only=choices.shared_only)
    if choices.sample:
        asked, drawn = draw_elements(asked, choices.sample, choices.seed)
        further_warnings = (*further_warnings, *drawn)
    summary = _score_in_parts(asked, scoring, choices, console)
    if summary is None:
        summary, _ = score_with_examples(asked, scoring, choices, standard=standard)
    return msgspec.structs.replace(summary, warnings=(*further_warnings, *summary.warnings))


def _score_in_parts(
    runs: Sequence[RunFolder], scoring: Scoring, choices: Choices, console: Console | None
) -> Summary | None:
    """Score runs of very many answers; None of others, and where answers have to be held."""
    held = choices.calibrate or choices.standard or choices.to_judge or choices.verdicts
    answers = answers_of(runs)
    scoring = scoring.with_metrics(choices.metrics)
    if held or choices.sample or answers <= MANY or not scoring.in_parts:
        return None
    with Progress("score", console) as progress, RunBlocks(runs, scoring, progress) as blocks:
        found = summarise_parts(blocks.tables, scoring, choices.ruler, unit=choices.unit)
    if found is None:
        return None
    summary, missing = found
    lost_words = (
        f"Of {answers:,} answers no table is held, which leaves out {_and(missing)}: "
        "surefoot score --sample 1000000 tells them of targets that are drawn."
    )
    return _with_runs(summary, runs, dict(summary.details), [lost_words] * bool(missing))


def score_with_examples(
    runs: Sequence[RunFolder],
    scoring: Scoring,
    choices: Choices,
    *,
    standard: Sequence[RunFolder] = (),
) -> tuple[Summary, tuple[FailureExample, ...]]:
    """Score finished runs, and give examples of how they failed where that is told."""
    scoring = scoring.with_metrics(choices.metrics)
    table = tabulate_folders(runs, scoring).over(choices.unit)
    summary = summarise(table, scoring, choices.ruler, unit=choices.unit)
    details = dict(summary.details)
    examples: tuple[FailureExample, ...] = ()
    if scoring.modes:
        drawn = draw_failures(table, choices.ruler, seed=choices.seed)
        known, seed = read_verdicts(choices.verdicts), choices.seed
        judged, examples = judge_failures(runs, table, drawn, seed=seed, verdicts=known)
        if choices.to_judge is not None:
            every = judge_failures(runs, table, drawn, verdicts=known, most=len(table))[1]
            _write_sheet(every, choices.to_judge)
        details["failures"] = failure_shares(table, judged)
    if choices.calibrate:
        details["calibrations"] = tuple(
            calibrate(
                *asked_and_answered(run),
                model=run.name,
                overlap=scoring.name == "overlap",
                tolerance=choices.ruler.tolerance,
                unit=choices.unit,
                seed=choices.seed,
            )
            for run in runs
        )
    if scoring.name == "scatter":
        others = tabulate_folders(standard, HITS).over(choices.unit) if standard else None
        details["orders"] = compare_orders(
            table, scoring.metrics, choices.ruler, standard=others, seed=choices.seed
        )
    if scoring.name == "hits" and standard:
        sets = _standard_sets(standard, choices)
        details["standard"] = beside_standard(summary, sets)
    return _with_runs(summary, runs, details), examples


def _with_runs(
    summary: Summary,
    runs: Sequence[RunFolder],
    details: dict[str, object],
    further: Sequence[str] = (),
) -> Summary:
    """Add what follows from the scores, and what is to be told of the runs beside them."""
    if missed := missed_checks(runs, summary):
        details["lost"] = (*summary.lost, *missed)
    if parts := tuple(size_parts(summary.slices)):
        details["size parts"] = parts
    warnings_of_runs = [
        f"{run.name}, {run.partial.advice}" for run in runs if run.partial is not None
    ]
    warnings_of_runs += [line for run in runs for line in selection_words(run.bench)]
    warnings = (*dict.fromkeys(warnings_of_runs), *further, *summary.warnings)
    return msgspec.structs.replace(summary, details=details, warnings=warnings)


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _write_sheet(failures: Iterable[FailureExample], out: Path) -> None:
    """Write failures as a sheet whose column ``mode`` somebody fills in, for ``read_verdicts``."""
    head = (ITEM, "model", "variant", "instruction", "reply", "by rule", "why", "mode")
    lines = (
        (
            *(failure.question.id, failure.model, failure.question.cell.variant),
            *(
                failure.question.instruction.text,
                failure.answer.raw,
                failure.verdict.mode,
                failure.verdict.why,
                "",
            ),
        )
        for failure in failures
    )
    write_atomic(out, csv_text([head, *lines]).encode("utf-8-sig"))


def _standard_sets(standard: Sequence[RunFolder], choices: Choices) -> dict[str, Summary]:
    """Score the runs on each standard set by themselves."""
    sets: dict[str, list[RunFolder]] = {}
    for run in standard:
        sets.setdefault(benchmark_name(run.folder) or run.bench.name, []).append(run)
    return {
        name: summarise(tabulate_folders(runs, HITS), HITS, choices.ruler, unit=choices.unit)
        for name, runs in sets.items()
    }


def missed_checks(runs: Sequence[RunFolder], summary: Summary) -> tuple[LostReplies, ...]:
    """Return the models that hit no target of their self-check, and are not lost anyway."""
    lost = {replies.model for replies in summary.lost}
    return tuple(
        LostReplies(
            run.name,
            check.asked,
            0,
            0,
            f"the self-check before the run hit {check.hits} of {check.asked} plain buttons",
        )
        for run in runs
        if (check := run.check) is not None and not check.hits and run.name not in lost
    )
