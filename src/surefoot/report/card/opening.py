"""
Folders of runs as pillars: which belong to one benchmark, and what was asked and answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.diagnose.findings import Diagnosis
from surefoot.diagnose.folder import read_diagnosis
from surefoot.report.answers.scored import missed_checks, scoring_named
from surefoot.report.forms.page import FormsRun, open_forms
from surefoot.run.asking.runs import RunFolder, benchmark_name, find_run, tabulate_folders
from surefoot.run.asking.side_by_side import label_runs
from surefoot.run.folders.folder import is_kind
from surefoot.run.selecting import selection_words
from surefoot.score.metric import Ruler
from surefoot.score.pillars import LEVELS, MeasuredPillar, by_hits, measure_pillar
from surefoot.score.scoring import Scoring
from surefoot.score.stats.units import Unit


class OpenedPillar(msgspec.Struct, frozen=True):
    """Hold the runs over one benchmark, those of references among them."""

    name: str
    bench: Path
    scoring: Scoring
    runs: tuple[RunFolder, ...]


class CardSources(msgspec.Struct, frozen=True):
    """
    Hold what a card is made from.

    ``references`` are the names of models that stand beside, and of whom the card is not.
    """

    pillars: tuple[OpenedPillar, ...]
    forms: tuple[FormsRun, ...]
    diagnoses: tuple[Diagnosis, ...]
    references: frozenset[str]


def open_sources(folders: Sequence[Path], scale: Sequence[Path] = ()) -> CardSources:
    """
    Sort folders into pillars: runs by their benchmark, runs over forms, diagnoses.

    Runs in ``scale``, and those of the oracle and of models that do not look, are references.
    Raises InvalidInputError where there is nothing but these, for a reference to a benchmark
    that no model was asked, and as ``find_run`` does.
    """
    runs: list[RunFolder] = []
    forms: list[Path] = []
    diagnoses: list[Diagnosis] = []
    for folder in folders:
        if is_kind(folder, "forms"):
            forms.append(folder)
        elif is_kind(folder, "diagnosis"):
            diagnoses.append(read_diagnosis(folder))
        else:
            runs.append(find_run(folder))
    return arrange_sources(runs, [find_run(one) for one in scale], open_forms(forms), diagnoses)


def arrange_sources(
    runs: Iterable[RunFolder],
    scale: Iterable[RunFolder],
    forms: Iterable[FormsRun] = (),
    diagnoses: Iterable[Diagnosis] = (),
) -> CardSources:
    """Arrange runs that are open already; raises as ``open_sources`` does."""
    known = [*runs]
    references = [*scale, *(run for run in known if run.name in LEVELS)]
    models = [run for run in known if run.name not in LEVELS]
    opened = tuple(forms)
    if not models and not opened:
        raise InvalidInputError(
            "a run of a model that the card is about",
            found=f"none but {', '.join(sorted({run.name for run in references}))}"
            if references
            else "none",
            remedy="name its runs, as surefoot run writes them",
        )
    benches = dict.fromkeys(run.bench.resolve() for run in models)
    for run in references:
        if run.bench.resolve() not in benches:
            raise InvalidInputError(
                "references over benchmarks that a model was asked",
                found=f"{run.folder}, over {run.bench}",
                remedy="leave it out, or name the model's own run over that benchmark",
            )
    names = {bench: _name(bench, models) for bench in benches}
    titles = [*names.values()]
    pillars = []
    for bench, name in names.items():
        own = [run for run in models if run.bench.resolve() == bench]
        beside = [run for run in references if run.bench.resolve() == bench]
        labelled = label_runs(
            list({run.folder.resolve(): run for run in [*own, *beside]}.values())
        )
        title = name if titles.count(name) == 1 else f"{name} ({bench.name})"
        pillars.append(OpenedPillar(title, bench, scoring_named(_known(own[0])), tuple(labelled)))
    told = frozenset(
        label.name
        for pillar in pillars
        for label in pillar.runs
        if any(label.folder == run.folder for run in references)
    )
    return CardSources(tuple(pillars), opened, tuple(diagnoses), told)


def measure(pillar: OpenedPillar, ruler: Ruler, unit: Unit) -> MeasuredPillar:
    """Score the runs of a pillar by hits; raises InvalidInputError as ``summarise`` does."""
    outcomes = tabulate_folders(pillar.runs, by_hits(pillar.scoring))
    found = measure_pillar(pillar.name, outcomes, pillar.scoring, ruler, unit)
    summary = found.pillar.summary
    told = [f"{run.name}, {run.partial.advice}" for run in pillar.runs if run.partial is not None]
    told += [line for run in pillar.runs for line in selection_words(run.bench)]
    lost = (*summary.lost, *missed_checks(pillar.runs, summary))
    summary = msgspec.structs.replace(
        summary,
        details={**summary.details, "lost": lost} if lost else summary.details,
        warnings=(*dict.fromkeys(told), *summary.warnings),
    )
    whole = msgspec.structs.replace(found.pillar, summary=summary)
    return msgspec.structs.replace(found, pillar=whole)


def _name(bench: Path, runs: Iterable[RunFolder]) -> str:
    first = next(run for run in runs if run.bench.resolve() == bench)
    return _known(first) or bench.name


def _known(run: RunFolder) -> str:
    return benchmark_name(run.folder)
