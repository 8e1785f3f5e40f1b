"""
Runs, read back: what was asked, what was answered, and the pictures behind it.
"""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from surefoot.benchmarks.matching import reasoning_id, sample_id, with_reasoning, with_samples
from surefoot.core.canonical import canonical_json, decode, digest
from surefoot.core.errors import InvalidInputError, SurefootError
from surefoot.core.files import write_atomic
from surefoot.core.ledger import Ledger, note_hint, read_plan
from surefoot.core.question import Answer, Question
from surefoot.core.screen import Screen
from surefoot.datasets.dataset import DATASETS
from surefoot.datasets.labelled import LABELLED
from surefoot.run.asking.answers import UnansweredQuestion
from surefoot.run.asking.partial import PartialRun, is_partial, read_partial
from surefoot.run.folders.folder import (
    manifest_digest,
    read_answers,
    read_manifest,
    read_questions,
    read_screens,
    read_table,
)
from surefoot.run.folders.tables import cluster_by_site, stream_table
from surefoot.run.turns import in_turns
from surefoot.score.outcomes import Outcomes
from surefoot.score.scoring import Scoring, tabulate_for
from surefoot.score.stats.units import SITES

Reasoning: TypeAlias = Literal["off", "on", "both"]

R = TypeVar("R", bound="RunFolder")

_MODES: Final[dict[str, tuple[bool, ...]]] = {
    "off": (False,),
    "on": (True,),
    "both": (False, True),
}
BY_SITE: Final = "site"
_BENCH: Final = "bench.txt"
_CHECK: Final = "self-check"  # the hint of a ledger that holds what the check saw


class _Choices(msgspec.Struct, frozen=True):
    bench: str
    model: dict[str, object]
    reasoning: Reasoning = "off"
    limit: int = 0
    limit_by: str = ""
    samples: int = 1


class KeptCheck(msgspec.Struct, frozen=True):
    """Hold how many targets of the self-check's drawn screens were hit before the run."""

    asked: int
    hits: int
    seen: str


class RunFolder(msgspec.Struct, frozen=True):
    """
    Hold where one run and its benchmark lie, and what was asked of which model.

    ``only`` are the ids of the questions that count, None for all that were asked; each counts
    with all of its ``samples``. ``check`` is None where no self-check was kept, ``partial``
    where the run is finished. ``shard_of`` is the same of all shards of one run, "" of a whole
    one.
    """

    folder: Path
    bench: Path
    name: str
    identity: dict[str, object]
    reasoning: Reasoning
    limit: int
    samples: int = 1
    only: frozenset[str] | None = None
    check: KeptCheck | None = None
    partial: PartialRun | None = None
    shard_of: str = ""

    @property
    def tables(self) -> Path:
        """Return the folder that has the tables of answers and of failures."""
        return self.folder if self.partial is None else self.partial.folder


class Asked(NamedTuple):
    """Say which questions runs were asked, how often each, and which of them count."""

    bench: Path
    reasoning: Reasoning
    limit: int
    samples: int = 1
    only: frozenset[str] | None = None


class FinishedRun(RunFolder, frozen=True, kw_only=True):
    """Hold one run whole; questions that count and have no answer failed."""

    questions: tuple[Question, ...]
    answers: tuple[Answer, ...]
    failures: tuple[UnansweredQuestion, ...]


def asked_questions(
    bench: Path, reasoning: Reasoning, limit: int, samples: int = 1
) -> tuple[Question, ...]:
    """
    Return the questions of a benchmark in the chosen reasoning modes, each in all its samples.

    ``limit`` above 0 keeps that many targets, from all sites in turn, each with all its
    conditions, so that the comparisons stay paired. Below 0 it keeps as many, the first by
    name: so earlier versions took them, and their runs are read.
    """
    plain = read_questions(bench)
    if limit:
        sites = {question.pair: question.cluster for question in cluster_by_site(bench, plain)}
        pairs = sorted(sites, key=lambda pair: digest([pair]))  # of all pages of a site
        turns = in_turns(pairs, sites.__getitem__) if limit > 0 else sorted(sites)
        kept = set(turns[: abs(limit)])
        plain = tuple(question for question in plain if question.pair in kept)
    asked: list[Question] = []
    for mode in _MODES[reasoning]:
        asked += with_reasoning(plain) if mode else plain
    return with_samples(asked, samples)


def remember_bench(run: Path, bench: Path) -> None:
    """Note beside a run where its benchmark lies; a hint, and no part of the plan."""
    write_atomic(run / _BENCH, os.path.relpath(bench, run).encode() + b"\n")


def remember_check(run: Path, check: KeptCheck) -> None:
    """Note in a run's ledger what its self-check saw; no part of the plan."""
    note_hint(run, _CHECK, canonical_json(check).decode())


def find_run(folder: Path, bench: Path | None = None) -> RunFolder:
    """
    Find a run together with its benchmark, without reading their tables.

    Of a run that was stopped, or goes on, what it has so far is read. Raises InvalidInputError
    where it has nothing, where the benchmark is unfinished, or where that is not the one that
    was asked.
    """
    unfinished = is_partial(folder)
    if not unfinished:
        read_manifest(folder, "run")
    choices = msgspec.convert(read_plan(folder), _Choices)
    where = bench or _recall(folder)
    if manifest_digest(where, "bench") != choices.bench:
        raise InvalidInputError(
            f"the benchmark that {folder} was asked",
            found=f"another one in {where}",
            remedy="name the right folder with --bench",
        )
    name = str(choices.model.get("name", folder.name))
    limit = choices.limit if choices.limit_by == BY_SITE else -choices.limit
    partial = None
    if unfinished:
        questions = asked_questions(where, choices.reasoning, limit, choices.samples)
        partial = read_partial(folder, questions, choices.model)
    return RunFolder(
        folder,
        where,
        name,
        choices.model,
        choices.reasoning,
        limit,
        choices.samples,
        only=None if partial is None else partial.through,
        check=_recall_check(folder),
        partial=partial,
    )


def open_run(folder: Path, bench: Path | None = None) -> FinishedRun:
    """Read a finished run together with its benchmark; raises as ``find_run`` does."""
    found = find_run(folder, bench)
    questions, _ = asked_and_answered(found)
    return FinishedRun(
        **msgspec.structs.asdict(found),
        questions=tuple(questions),
        answers=read_answers(found.tables),
        failures=read_table(found.tables, "failures.jsonl", UnansweredQuestion, kind="run"),
    )


def asked_and_answered(run: RunFolder) -> tuple[Iterator[Question], Iterator[Answer]]:
    """Yield the questions of a run that count, and its answers to them, record by record."""
    (asked,) = group_runs([run])
    answers = _answers_of(run)
    return iter(cluster_by_site(run.bench, stream_questions(asked))), iter(answers)


def tabulate_folders(runs: Sequence[RunFolder], scoring: Scoring) -> Outcomes:
    """
    Put all runs into the table that a scoring needs, reading record by record.

    Raises InvalidInputError for two runs of one name; ``label_runs`` tells them apart.
    """
    check_names(runs)
    groups = group_runs(runs)
    screens = screens_looked_at(runs, scoring)
    return tabulate_for(
        scoring,
        (
            (
                cluster_by_site(asked.bench, stream_questions(asked)),
                [
                    (name, itertools.chain.from_iterable(map(_answers_of, shards)))
                    for name, shards in by_name(group).items()
                ],
            )
            for asked, group in groups.items()
        ),
        screens,
        site_noun=site_noun(asked.bench for asked in groups),
    )


def _answers_of(run: RunFolder) -> Iterator[Answer]:
    return stream_table(run.tables, "answers.jsonl", Answer, kind="run", wanted=counted(run))


def by_name(runs: Sequence[R]) -> dict[str, list[R]]:
    """Group runs by their names; those of one name are shards of one run."""
    found: dict[str, list[R]] = {}
    for run in runs:
        found.setdefault(run.name, []).append(run)
    return found


def check_names(runs: Sequence[RunFolder]) -> None:
    """
    Raise InvalidInputError for two runs of one name that are no shards of one.

    ``label_runs`` tells them apart.
    """
    wholes = {(run.name, run.shard_of or str(at)) for at, run in enumerate(runs)}
    names = [name for name, _ in wholes]
    for name in names:
        if names.count(name) > 1:
            raise InvalidInputError(
                "runs of different names", found=f"two of '{name}'", remedy="name them by --label"
            )


def screens_looked_at(runs: Sequence[RunFolder], scoring: Scoring) -> dict[str, Screen]:
    """Return the screens of all benchmarks by their ids, where a scoring looks at them."""
    benches = dict.fromkeys(run.bench for run in runs) if scoring.looks else ()
    return {screen.id: screen for bench in benches for screen in read_screens(bench)}


def site_noun(benches: Iterable[Path]) -> str:
    """
    Return the plural of what the sites of benchmarks are, "sites" where they differ.

    An imported set says it; of everything else they are web sites, apps and programs.
    """
    found = set()
    for bench in benches:
        name = str(read_plan(bench).get("dataset", "")).partition("@")[0]
        known = LABELLED.entries.get(name) or DATASETS.entries.get(name)
        found.add(known.clusters if known is not None else SITES)
    return found.pop() if len(found) == 1 else SITES


def group_runs(runs: Sequence[R]) -> dict[Asked, list[R]]:
    """Group runs that were asked the same."""
    groups: dict[Asked, list[R]] = {}
    for run in runs:
        asked = Asked(run.bench, run.reasoning, run.limit, run.samples, run.only)
        groups.setdefault(asked, []).append(run)
    return groups


def stream_questions(asked: Asked) -> Iterator[Question]:
    """Yield the questions that count, read record by record where nothing is limited."""
    bench, reasoning, limit, samples, only = asked
    found: Iterable[Question] = _stream_all(bench, reasoning, samples)
    if limit:
        found = asked_questions(bench, reasoning, limit, samples)
    yield from (q for q in found if only is None or q.first_sample in only)


def counted(run: RunFolder) -> frozenset[str] | None:
    """Return the ids of the questions that count, every sample by its own; None for all."""
    if run.only is None or run.samples == 1:
        return run.only
    numbers = range(1, run.samples + 1)
    return frozenset(sample_id(name, number) for name in run.only for number in numbers)


def _stream_all(bench: Path, reasoning: Reasoning, samples: int) -> Iterator[Question]:
    return asked_of(
        lambda: stream_table(bench, "questions.jsonl", Question, kind="bench"), reasoning, samples
    )


def asked_of(
    plain: Callable[[], Iterable[Question]], reasoning: Reasoning, samples: int
) -> Iterator[Question]:
    """Yield questions in the chosen reasoning modes, each in all its samples, mode by mode."""
    for mode in _MODES[reasoning]:
        for item in plain():
            question = with_reasoning([item])[0] if mode else item
            yield from with_samples([question], samples)


def ids_asked(plain: str, reasoning: Reasoning) -> Iterator[str]:
    """Yield the ids that a question of a benchmark has in the chosen modes, of first samples."""
    for mode in _MODES[reasoning]:
        yield reasoning_id(plain) if mode else plain


def benchmark_name(run: Path, bench: Path | None = None) -> str:
    """
    Return the name of the benchmark, or of the imported set, that a run was asked.

    "" for anything else, such as replies that others published. Raises InvalidInputError
    where the run or its benchmark is not to be found.
    """
    if not is_partial(run):
        read_manifest(run, "run")
    where = bench or _recall(run)
    read_manifest(where, "bench")
    return benchmark_of(where)


def benchmark_of(bench: Path) -> str:
    """Return the name of the benchmark, or of the imported set, that a BENCH is."""
    plan = read_plan(bench)
    benchmark, dataset = (
        str(plan.get(key, "")).partition("@")[0] for key in ("benchmark", "dataset")
    )
    return benchmark or (dataset if dataset in LABELLED.entries else "")


def _recall_check(run: Path) -> KeptCheck | None:
    with contextlib.suppress(SurefootError), Ledger.read(run) as ledger:
        if kept := ledger.hint(_CHECK):
            return decode(kept.encode(), KeptCheck, what=f"the self-check kept in {run}")
    return None


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
