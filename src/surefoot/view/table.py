"""
Everything that can be filtered and sorted by, as columns made once: a row a question.

What was answered stands in one more dimension, the model. Columns are small numbers, so a
filter over 100,000 questions is a few passes over arrays; words, replies and screens stay in
their files, and are read when they are looked at.
"""

from __future__ import annotations

import enum
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from surefoot.benchmarks.matching import with_reasoning, with_samples
from surefoot.benchmarks.proofs import proof_of
from surefoot.core.perturbation import ORIGINAL
from surefoot.core.question import Answer, Question
from surefoot.core.screen import Screen
from surefoot.failures.shares import NOT_JUDGED
from surefoot.run.asking.runs import (
    Asked,
    RunFolder,
    group_runs,
    site_noun,
    stream_questions,
)
from surefoot.run.folders.folder import read_manifest
from surefoot.run.folders.tables import cluster_by_site, stream_table
from surefoot.score.hits import hits
from surefoot.score.outcomes import AskedQuestions, Outcomes, Run, Status, tabulate_runs
from surefoot.score.sizes import size_bins
from surefoot.score.stats.arrays import Bools, Floats, Ints, Labels
from surefoot.score.stats.units import Unit
from surefoot.view.lines import TableLines
from surefoot.view.opening import GivenFolders, benchmark_of
from surefoot.view.text import SearchedTexts


class AnswerOutcome(enum.IntEnum):
    """Say what became of a question that was put to a model."""

    NOT_ASKED = -1
    HIT = 0
    MISS = 1
    REFUSED = 2
    UNPARSED = 3
    FAILED = 4


# What counts in a rate: a question without a reply tells nothing of the model.
REPLIED: Final = [
    AnswerOutcome.HIT,
    AnswerOutcome.MISS,
    AnswerOutcome.REFUSED,
    AnswerOutcome.UNPARSED,
]


class Flip(enum.IntEnum):
    """Say how an answer under a variant differs from the one on the original."""

    NONE = 0
    LOST = 1
    GAINED = 2


class BenchFiles(msgspec.Struct, frozen=True, eq=False):
    """Hold a benchmark's folder and name, its tables, and the line of each screen by its id."""

    folder: Path
    name: str
    questions: TableLines[Question]
    screens: TableLines[Screen] | None
    screen_lines: dict[str, int]

    def screen(self, name: str) -> Screen | None:
        """Return a screen by its id, None where the benchmark does not have it."""
        line = self.screen_lines.get(name)
        return None if line is None or self.screens is None else self.screens.read(line)


class QuestionTable(msgspec.Struct, eq=False):
    """
    Hold one row per question, and per model and question where something was answered.

    ``ids`` are unique within a benchmark, whose place is in ``bench``; ``line`` is the place of
    a question in its file. ``group`` is shared by questions that differ in their variant alone.
    ``before`` is the row that each is compared with, -1 without one.
    ``labels`` are the columns that can be filtered by; ``texts`` are the instructions together
    with the replies. Of shape (models, questions) are ``outcome``, ``mode`` (the place in
    MODES, or NOT_JUDGED until ``told`` is set), ``flip``, ``miss`` (the distance in pixels from
    the target's box, NaN without a place) and ``rows`` (the place in ``outcomes``, -1 where
    nothing was asked).
    ``answer_lines`` are each model's, by the question's id.
    """

    given: GivenFolders
    benches: tuple[BenchFiles, ...]
    models: tuple[str, ...]
    runs: tuple[RunFolder, ...]
    outcomes: Outcomes
    ids: list[str]
    bench: Ints
    line: Ints
    reasoning: Bools
    sample: Ints
    group: Ints
    before: Ints
    truth: Floats
    labels: dict[str, Labels]
    texts: SearchedTexts
    outcome: Ints
    flip: Ints
    miss: Floats
    mode: Ints
    answer_lines: tuple[dict[str, int], ...]
    answers: tuple[TableLines[Answer], ...]
    rows: Ints
    places: dict[tuple[int, str], int]
    told: threading.Event

    def __len__(self) -> int:
        return len(self.ids)

    def plain(self, row: int) -> Question:
        """Return the question of a row as it stands in its benchmark."""
        return self.benches[int(self.bench[row])].questions.read(int(self.line[row]))

    def question(self, row: int) -> Question:
        """Return the question of a row, as it was asked."""
        question = self.plain(row)
        plain = with_reasoning([question]) if self.reasoning[row] else [question]
        sample = int(self.sample[row])
        return with_samples(plain, sample)[-1]

    def original(self, row: int) -> int | None:
        """Return the row that a question is compared with, None where there is none."""
        before = int(self.before[row])
        return before if before >= 0 else None

    def variants(self, row: int) -> list[int]:
        """Return the rows that differ in their variant alone, the original first."""
        names = self.labels["variant"]
        rows = np.flatnonzero(self.group == self.group[row]).tolist()
        named = {other: names.names[names.codes[other]] for other in rows}
        return sorted(rows, key=lambda other: (named[other] != ORIGINAL, named[other], other))

    def samples(self, row: int) -> list[int]:
        """Return the rows of all times that the question of a row was asked, in order."""
        same = (self.bench == self.bench[row]) & (self.line == self.line[row])
        rows = np.flatnonzero(same & (self.reasoning == self.reasoning[row])).tolist()
        return sorted(rows, key=lambda other: int(self.sample[other]))

    def answer(self, model: int, row: int) -> Answer | None:
        """Return what a model answered to a question, None where there is no answer."""
        line = self.answer_lines[model].get(self.ids[row])
        same = self.runs[model].bench == self.benches[int(self.bench[row])].folder
        return self.answers[model].read(line) if line is not None and same else None


class _Notes:
    """Note what the table of outcomes does not keep, while it is made."""

    def __init__(self, benches: Mapping[Path, int]) -> None:
        self.numbers = benches
        self.places: dict[tuple[int, str], int] = {}
        self.place_of_asked: list[int] = []
        self.first: list[int] = []
        self.line: list[int] = []
        self.words: list[str] = []
        self.proofs: list[str] = []
        self.replies: list[dict[str, str]] = []
        self.answer_lines: list[dict[str, int]] = []
        self.runs: list[RunFolder] = []

    def group(
        self, same: Asked, runs: Iterable[RunFolder]
    ) -> tuple[Iterator[Question], list[Run]]:
        """Return the questions and the runs of one group, noted as they are read."""
        asked = cluster_by_site(same.bench, stream_questions(same))
        members: list[Run] = []
        for run in runs:
            self.runs.append(run)
            self.replies.append({})
            self.answer_lines.append({})
            members.append((run.name, self._answers(run, len(self.runs) - 1)))
        return self._questions(same, asked), members

    def texts(self) -> Iterator[tuple[str, ...]]:
        """Yield what each question can be found by: its words, and what was replied to it."""
        for words, (number, name) in zip(self.words, self.places, strict=True):
            replies = zip(self.runs, self.replies, strict=True)
            own = (
                told.get(name, "") for run, told in replies if self.numbers[run.bench] == number
            )
            yield (words, *own)

    def _questions(self, same: Asked, asked: Iterable[Question]) -> Iterator[Question]:
        number, lines = self.numbers[same.bench], _lines_of(same)
        for question in asked:
            key = (number, question.id)
            if key not in self.places:
                self.places[key] = len(self.first)
                self.first.append(len(self.place_of_asked))
                self.line.append(lines[question.first_sample])
                self.proofs.append(proof_of(question))
                self.words.append(f"{question.instruction.text}\t{question.pair}\t{question.id}")
            self.place_of_asked.append(self.places[key])
            yield question

    def _answers(self, run: RunFolder, number: int) -> Iterator[Answer]:
        stream = stream_table(run.tables, "answers.jsonl", Answer, kind="run")
        for line, answer in enumerate(stream):
            self.answer_lines[number][answer.question] = line
            self.replies[number][answer.question] = answer.raw
            yield answer


def _lines_of(same: Asked) -> dict[str, int]:
    """Return the line of each question of a benchmark, whether it was asked or not."""
    plain = TableLines(same.bench / "questions.jsonl", Question).ids()
    lines = {name: line for line, name in enumerate(plain)}
    if same.reasoning != "off":  # there, questions have ids of their own
        reasoned = stream_questions(Asked(same.bench, "on", 0))
        lines |= {question.id: line for line, question in enumerate(reasoned)}
    return lines


def build_table(
    given: GivenFolders, *, tolerance: float = 0.0, unit: Unit = "site"
) -> QuestionTable:
    """
    Read benchmarks and runs once, and return the table.

    ``tolerance`` in pixels is that of ``hits``, ``unit`` what the questions are a sample of.
    Raises InvalidInputError where a folder is
    unfinished or damaged.
    """
    numbers = {folder: number for number, folder in enumerate(given.benches)}
    notes = _Notes(numbers)
    asked_of = group_runs(given.runs)
    whole = {same.bench for same in asked_of if not same.limit and same.only is None}
    bare = [folder for folder in given.benches if folder not in whole]
    outcomes = tabulate_runs(
        [
            *(notes.group(same, runs) for same, runs in asked_of.items()),
            *(notes.group(Asked(folder, "off", 0), ()) for folder in bare),
        ],
        traits=("said",),
        describe=lambda question: {"said": question.instruction.text},
        site_noun=site_noun(given.benches),
    ).over(unit)
    asked, first = outcomes.asked, np.array(notes.first, dtype=np.int64)
    bench = np.fromiter((number for number, _ in notes.places), np.int16, len(first))
    labels = {**_labels(asked, first, bench, given), "proof": _named(notes.proofs)}
    group = _groups(asked, first, bench)
    before = compared_with(group, labels["variant"], asked.over)
    shape = (len(notes.runs), len(first))
    outcome = np.full(shape, AnswerOutcome.NOT_ASKED, dtype=np.int8)
    miss = np.full(shape, np.nan, dtype=np.float64)
    rows = np.full(shape, -1, dtype=np.int64)
    found, away = _outcomes(outcomes, tolerance), _distances(outcomes)
    places = np.array(notes.place_of_asked, dtype=np.int64)
    for number, run in enumerate(notes.runs):
        own = np.flatnonzero(outcomes.model.codes == outcomes.model.names.index(run.name))
        at = places[outcomes.question[own]]
        outcome[number, at], miss[number, at], rows[number, at] = found[own], away[own], own
    return QuestionTable(
        given=given,
        benches=tuple(map(_files, given.benches)),
        models=tuple(run.name for run in notes.runs),
        runs=tuple(notes.runs),
        outcomes=outcomes,
        ids=[name for _, name in notes.places],
        bench=bench,
        line=np.array(notes.line, dtype=np.int64),
        reasoning=asked.reasoning[first],
        sample=asked.sample[first],
        group=group,
        truth=asked.truth[first],
        labels=labels,
        texts=SearchedTexts(notes.texts()),
        outcome=outcome,
        before=before,
        flip=_flips(outcome, before),
        miss=miss,
        mode=np.full(shape, NOT_JUDGED, dtype=np.int8),
        answer_lines=tuple(notes.answer_lines),
        answers=tuple(TableLines(run.tables / "answers.jsonl", Answer) for run in notes.runs),
        rows=rows,
        places=notes.places,
        told=threading.Event(),
    )


def _files(folder: Path) -> BenchFiles:
    questions = TableLines(folder / "questions.jsonl", Question)
    screens = None
    if "screens.jsonl" in read_manifest(folder, "bench").files:
        screens = TableLines(folder / "screens.jsonl", Screen)
    lines = {name: line for line, name in enumerate(screens.ids())} if screens else {}
    return BenchFiles(folder, benchmark_of(folder), questions, screens, lines)


def _labels(
    asked: AskedQuestions, first: Ints, bench: Ints, given: GivenFolders
) -> dict[str, Labels]:
    named = [f"{benchmark_of(folder)} ({folder.name})" for folder in given.benches]
    modes = Labels(("answers at once", "reasons first"), asked.reasoning.astype(np.int8))
    samples = _samples(asked.sample)
    columns: dict[str, Callable[[], Labels]] = {
        "variant": lambda: asked.variant,
        "kind": lambda: asked.instruction,
        "role": lambda: asked.role,
        "size": lambda: size_bins(asked),
        "site": lambda: asked.site,
        "reasoning": lambda: modes,
        "sample": lambda: samples,
    }
    found = {name: column().take(first) for name, column in columns.items()}
    return {**found, "bench": Labels(tuple(named), bench)}


def _named(names: Sequence[str]) -> Labels:
    different = tuple(dict.fromkeys(names))
    places = {name: at for at, name in enumerate(different)}
    return Labels(different, np.fromiter((places[name] for name in names), np.int64, len(names)))


def _samples(sample: Ints) -> Labels:
    most = int(sample.max(initial=1))
    return Labels(tuple(map(str, range(1, most + 1))), sample - 1)


def _groups(asked: AskedQuestions, first: Ints, bench: Ints) -> Ints:
    """
    Give questions that differ in their variant alone one number.

    Where an element is asked for in several words under one variant, only equal words are.
    """
    parts = (asked.pair.codes, asked.instruction.codes, asked.reasoning, asked.sample)
    group: Ints = bench.astype(np.int64)
    for part in parts:
        group = _combined(group, part[first])
    _, at, count = np.unique(
        _combined(group, asked.variant.codes[first]), return_inverse=True, return_counts=True
    )
    several = np.isin(group, group[count[at] > 1])
    return _combined(group, np.where(several, asked.traits["said"].codes[first] + 1, 0))


def _combined(one: Ints, other: Ints | Bools) -> Ints:
    """Give each pair of numbers one number, from 0."""
    key = one * (int(other.max(initial=0)) + 1) + other
    return np.asarray(np.unique(key, return_inverse=True)[1], dtype=np.int64)


def _outcomes(outcomes: Outcomes, tolerance: float) -> Ints:
    """Return the AnswerOutcome of each row of answers."""
    names = {
        Status.REFUSAL: AnswerOutcome.REFUSED,
        Status.UNPARSED: AnswerOutcome.UNPARSED,
        Status.FAILED: AnswerOutcome.FAILED,
    }
    of_status = np.array(
        [names.get(status, AnswerOutcome.MISS) for status in Status], dtype=np.int8
    )
    hit = hits(outcomes, tolerance=tolerance)
    return np.where(hit, np.int8(AnswerOutcome.HIT), of_status[outcomes.status])


def _distances(outcomes: Outcomes) -> Floats:
    """Return how far each place lies outside its target's box, in pixels, NaN without one."""
    left, top, right, bottom = outcomes.truth.T
    x, y = outcomes.place.T
    across = np.maximum(np.maximum(left - x, x - right), 0.0)
    down = np.maximum(np.maximum(top - y, y - bottom), 0.0)
    return np.asarray(np.where(outcomes.answerable, np.hypot(across, down), np.nan))


def compared_with(group: Ints, variant: Labels, over: Mapping[str, str]) -> Ints:
    """
    Return the row that each row is compared with: that on the original, -1 without one.

    What a benchmark does over a base, by the variant in ``over``, is compared with the base as
    it is.

    >>> names = Labels(("original", "static", "theme", "theme+static"), np.arange(4))
    >>> over = {"theme": "theme", "theme+static": "theme"}
    >>> compared_with(np.zeros(4, np.int64), names, over).tolist()
    [0, 0, 0, 2]
    """
    code = {name: at for at, name in enumerate(variant.names)}
    bases = (over.get(name, ORIGINAL) for name in variant.names)
    plain = [ORIGINAL if base == name else base for name, base in zip(code, bases, strict=True)]
    wanted = np.array([code.get(name, -1) for name in plain], dtype=np.int64)[variant.codes]
    key, sought = (group * len(code) + codes for codes in (variant.codes, wanted))
    order = np.argsort(key, kind="stable")
    at = np.searchsorted(key[order], sought, side="right") - 1
    found = order[np.maximum(at, 0)]
    return np.where((wanted >= 0) & (key[found] == sought), found, -1)


def _flips(outcome: Ints, before: Ints) -> Ints:
    """Compare each answer under a variant with the same model's on what it is compared with."""
    flips = np.zeros(outcome.shape, dtype=np.int8)
    compared = (before >= 0) & (before != np.arange(len(before)))
    for own, flip in zip(outcome, flips, strict=True):
        asked = compared & np.isin(own, REPLIED) & np.isin(own[before], REPLIED)
        was, is_now = own[before] == AnswerOutcome.HIT, own == AnswerOutcome.HIT
        flip[asked & was & ~is_now] = Flip.LOST
        flip[asked & ~was & is_now] = Flip.GAINED
    return flips
