"""
Folders of runs as pillars: which belong to one benchmark, and what was asked and answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import read_plan
from surefoot.diagnose.findings import Diagnosis
from surefoot.diagnose.folder import read_diagnosis
from surefoot.report.answers.scored import missed_checks, scoring_named
from surefoot.report.forms.page import FormsRun, open_forms
from surefoot.run.asking.runs import RunFolder, benchmark_name, find_run, tabulate_folders
from surefoot.run.asking.side_by_side import ENOUGH, label_runs
from surefoot.run.folders.folder import is_kind, read_questions
from surefoot.run.selecting import selection_words
from surefoot.score.metric import Ruler
from surefoot.score.pillars import LEVELS, MeasuredPillar, by_hits, measure_pillar
from surefoot.score.scoring import Scoring
from surefoot.score.stats.units import Unit


class OpenedPillar(msgspec.Struct, frozen=True):
    """Hold the runs over one benchmark, or its copies, those of references among them."""

    name: str
    benches: tuple[Path, ...]
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
    return arrange_sources(runs, [find_run(path) for path in scale], open_forms(forms), diagnoses)


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
    groups = _grouped(models)
    asked = {bench for group in groups for bench in group}
    for run in references:
        if run.bench.resolve() not in asked:
            raise InvalidInputError(
                "references over benchmarks that a model was asked",
                found=f"{run.folder}, over {run.bench}",
                remedy="leave it out, or name the model's own run over that benchmark",
            )
    names = [_name(group[0]) for group in groups]
    pillars = []
    for group, name in zip(groups, names, strict=True):
        own = [run for run in (*models, *references) if run.bench.resolve() in group]
        labelled = label_runs(list({run.folder.resolve(): run for run in own}.values()))
        title = name if names.count(name) == 1 else f"{name} ({group[0].name})"
        scoring = scoring_named(benchmark_name(own[0].folder, own[0].bench))
        pillars.append(OpenedPillar(title, group, scoring, tuple(labelled)))
    looks = frozenset(
        label.name
        for pillar in pillars
        for label in pillar.runs
        if any(label.folder == run.folder for run in references)
    )
    return CardSources(tuple(pillars), opened, tuple(diagnoses), looks)


def measure(pillar: OpenedPillar, ruler: Ruler, unit: Unit) -> MeasuredPillar:
    """Score the runs of a pillar by hits; raises InvalidInputError as ``summarise`` does."""
    outcomes = tabulate_folders(pillar.runs, by_hits(pillar.scoring))
    found = measure_pillar(pillar.name, outcomes, pillar.scoring, ruler, unit)
    summary = found.pillar.summary
    warnings_of_runs = [
        f"{run.name}, {run.partial.advice}" for run in pillar.runs if run.partial is not None
    ]
    warnings_of_runs += [line for run in pillar.runs for line in selection_words(run.bench)]
    lost = (*summary.lost, *missed_checks(pillar.runs, summary))
    summary = msgspec.structs.replace(
        summary,
        details={**summary.details, "lost": lost} if lost else summary.details,
        warnings=(*dict.fromkeys(warnings_of_runs), *summary.warnings),
    )
    whole = msgspec.structs.replace(found.pillar, summary=summary)
    return msgspec.structs.replace(found, pillar=whole)


def _grouped(runs: Sequence[RunFolder]) -> list[tuple[Path, ...]]:
    """
    Group benchmarks into pillars: each by itself, but for one that each model has a copy of.

    So published replies are imported. Copies have one name and share most targets, and no
    model has a run over two of them.
    """
    models: dict[Path, set[str]] = {}
    for run in runs:
        models.setdefault(run.bench.resolve(), set()).add(run.name)
    groups: list[list[Path]] = []
    for bench, own in models.items():
        for group in groups:
            taken = set().union(*(models[path] for path in group))
            alike = _name(bench) == _name(group[0]) and taken.isdisjoint(own)
            if alike and _share_targets(bench, group[0]):
                group.append(bench)
                break
        else:
            groups.append([bench])
    return [tuple(group) for group in groups]


def _share_targets(*benches: Path) -> bool:
    one, other = ({asked.pair for asked in read_questions(bench)} for bench in benches)
    return len(one & other) >= ENOUGH * max(len(one), len(other))


def _name(bench: Path) -> str:
    """Return the name of a benchmark or a set, or else of its folder."""
    plan = read_plan(bench)
    named = str(plan.get("benchmark") or plan.get("dataset") or "").partition("@")[0]
    return named or bench.name
