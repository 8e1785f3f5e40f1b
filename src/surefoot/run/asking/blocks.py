"""
Runs in blocks: all questions about some elements with their answers, few enough to hold at once.

The tables of folders are sorted by ids, which tell nothing of elements. So one pass deals the
lines of both tables out to files of blocks, an element by its pair's checksum, and each block is
then a small benchmark with small runs. What is held of a question meanwhile are ten bytes.
"""

from __future__ import annotations

import itertools
import pickle
import tempfile
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Self, TypeVar

import msgspec
import numpy as np

from surefoot.benchmarks.matching import sample_id
from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Answer, Question
from surefoot.run.asking.runs import (
    Asked,
    RunFolder,
    asked_of,
    by_name,
    check_names,
    group_runs,
    ids_asked,
    screens_looked_at,
    site_noun,
)
from surefoot.run.engine.progress import Progress
from surefoot.run.folders.folder import read_manifest
from surefoot.run.folders.tables import (
    NamedQuestion,
    placed_by_site,
    site_places,
    stream_chunks,
)
from surefoot.score.columns import RECORD, AnswerColumns, PlacedAnswer, QuestionIds, columns_of
from surefoot.score.outcomes import Outcomes, Run
from surefoot.score.scoring import Scoring, tabulate_for
from surefoot.score.stats.arrays import Bools, Ints

MANY: Final = 3_000_000  # answers that are no more held at once
ROWS: Final = 1_000_000  # answers of a block, of about 120 bytes
QUESTIONS: Final = 250_000  # of a block, of about 500 bytes
MOST_BLOCKS: Final = 200  # as many files are open at once for each table
CHUNK: Final = 50_000
_RAW: Final = b',"raw":'


class RunBlocks:
    """
    Deal the questions of runs and their answers out to blocks, in a folder that is then gone.

    The folder, in the system's folder for temporary files, takes about as much as the tables do
    without the replies in their own words.
    """

    def __init__(
        self, runs: Sequence[RunFolder], scoring: Scoring, progress: Progress, count: int = 0
    ) -> None:
        check_names(runs)
        self.runs = runs
        self.scoring = scoring
        self.progress = progress
        self.groups = group_runs(runs)
        self.count = count or self._count()
        self.noun = site_noun(asked.bench for asked in self.groups)
        self.screens = screens_looked_at(runs, scoring)
        self.places = {asked.bench: site_places(asked.bench) for asked in self.groups}
        metrics = scoring.chosen((*scoring.metrics, *scoring.descriptive))
        self.whole = any(metric.measure for metric in metrics)  # which may read the reply itself
        self._folder = tempfile.TemporaryDirectory(prefix="surefoot-blocks-")
        self.folder = Path(self._folder.name)

    def __enter__(self) -> Self:
        steps = sum(answers_of([run]) // CHUNK for run in self.runs) + 2 * self.count
        self.progress.begin(total=steps, kept=0, failed=0)
        for number, (asked, group) in enumerate(self.groups.items()):
            dealt = self._deal_questions(number, asked)
            for at, parts in enumerate(by_name(group).values()):
                self._deal_answers(f"{number}-{at}", parts, dealt)
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def tables(self) -> Iterator[Outcomes]:
        """Yield the table of each block; the first time they are made, and then kept."""
        for block in range(self.count):
            kept = self.folder / f"{block}.table"
            if not kept.is_file():
                table = self._table(block)
                with kept.open("wb") as stream:
                    pickle.dump(table, stream, protocol=5)
                for ending in ("jsonl", "answers"):
                    for path in self.folder.glob(f"{block}.*.{ending}"):
                        path.unlink()
            else:
                with kept.open("rb") as stream:
                    table = pickle.load(stream)  # noqa: S301 - written above, in our own folder
            yield table
            self.progress.advance()

    def _count(self) -> int:
        questions = sum(
            read_manifest(asked.bench, "bench").files["questions.jsonl"].count
            for asked in self.groups
        )
        wanted = max(answers_of(self.runs) / ROWS, questions / QUESTIONS)
        return min(MOST_BLOCKS, int(wanted) + 1)

    def _deal_questions(self, number: int, asked: Asked) -> _DealtIds:
        """Deal out a benchmark's questions, and say where the answers to them go."""
        keys, homes, places, plain = array("q"), array("B"), array("i"), array("b")
        counts = [0] * self.count
        with _BlockFiles(self.folder, f"{number}", self.count) as files:
            chunks = stream_chunks(asked.bench, "questions.jsonl", NamedQuestion, kind="bench")
            for question, line in itertools.chain.from_iterable(itertools.starmap(zip, chunks)):
                block = zlib.crc32(question.pair.encode()) % self.count
                files.put(block, line)
                is_plain = not self.whole and is_about_one_box(question)
                for name in _names_asked(asked, question.id):
                    keys.append(hash(name))
                    homes.append(block)
                    places.append(counts[block])
                    plain.append(is_plain)
                    counts[block] += 1
        found = np.array(keys, dtype=np.int64)
        order = np.argsort(found, kind="stable")
        found = found[order]
        if len(found) > 1 and not np.diff(found).all():
            raise InvalidInputError(
                "questions whose ids have different checksums",
                found="two of one",
                remedy="score once more: checksums are drawn anew by every command",
            )
        return _DealtIds(
            found,
            np.array(homes, dtype=np.uint8)[order],
            np.array(places, dtype=np.int32)[order],
            np.array(plain, dtype=np.bool_)[order],
        )

    def _deal_answers(self, name: str, parts: Sequence[RunFolder], dealt: _DealtIds) -> None:
        """
        Deal out a run's answers: to questions about one box as numbers, and all others as lines.

        Those to no question go to the first block, which says so.
        """
        with (
            _BlockFiles(self.folder, name, self.count) as files,
            _BlockFiles(self.folder, name, self.count, "answers") as columns,
        ):
            for run in parts:
                done = 0
                chunks = stream_chunks(run.tables, "answers.jsonl", PlacedAnswer, kind="run")
                for answers, lines in chunks:
                    at, known = dealt.find(answers)
                    is_plain = known & dealt.plain[at]
                    home = np.where(known, dealt.homes[at], 0)
                    records = columns_of(answers)
                    records["at"] = dealt.places[at]
                    for block, own in _by_block(home[is_plain], self.count):
                        columns.put(block, records[is_plain][own].tobytes())
                    others = ~is_plain if run.only is None else ~is_plain & known
                    for place in np.flatnonzero(others).tolist():
                        line = lines[place]
                        files.put(home[place], line if self.whole else without_words(line))
                    done += len(lines)
                    for _ in range(done // CHUNK):
                        self.progress.advance()
                    done %= CHUNK

    def _table(self, block: int) -> Outcomes:
        groups = []
        for number, (asked, group) in enumerate(self.groups.items()):
            questions = list(_read(self.folder / f"{block}.{number}.jsonl", Question))
            named = (name for one in questions for name in _names_asked(asked, one.id))
            ids = QuestionIds(tuple(named))
            runs: list[Run] = []
            for at, name in enumerate(by_name(group)):
                files = self.folder / f"{block}.{number}-{at}"
                records = np.fromfile(f"{files}.answers", dtype=RECORD)
                others = _read(Path(f"{files}.jsonl"), Answer)
                runs.append((name, AnswerColumns(ids, records, others)))
            groups.append((self._asked(asked, questions), runs))
        return tabulate_for(self.scoring, groups, self.screens, site_noun=self.noun)

    def _asked(self, asked: Asked, plain: Sequence[Question]) -> Iterator[Question]:
        every = asked_of(lambda: plain, asked.reasoning, asked.samples)
        counted = (one for one in every if asked.only is None or one.first_sample in asked.only)
        return placed_by_site(self.places[asked.bench], counted)


def answers_of(runs: Iterable[RunFolder]) -> int:
    """Count the answers of runs, as their manifests do."""
    return sum(read_manifest(run.tables).files["answers.jsonl"].count for run in runs)


def without_words(line: bytes) -> bytes:
    r"""
    Return the line of an answer without the reply in its own words, and what it cost.

    >>> without_words(b'{"parsed":["point",1,2],"question":"9f","raw":"At, \\"raw\\": 1"}\n')
    b'{"parsed":["point",1,2],"question":"9f","raw":""}\n'
    """
    at = line.rfind(_RAW)  # within a string its quotes would be escaped
    return line if at < 0 else line[:at] + b',"raw":""}\n'


class _DealtIds(msgspec.Struct, frozen=True, eq=False):
    """
    Hold the checksums of all ids in their order, and of each its block and its place there.

    ``plain`` tells which are of questions about one box.
    """

    keys: Ints
    homes: Ints
    places: Ints
    plain: Bools

    def find(self, answers: Sequence[PlacedAnswer]) -> tuple[Ints, Bools]:
        """Return where the question of each answer is, and which are there at all."""
        asked = np.fromiter((hash(one.question) for one in answers), np.int64, len(answers))
        if not len(self.keys):
            return np.zeros(len(asked), dtype=np.int64), np.zeros(len(asked), dtype=np.bool_)
        at = np.minimum(np.searchsorted(self.keys, asked), len(self.keys) - 1)
        return at, np.asarray(self.keys[at] == asked)


def is_about_one_box(question: NamedQuestion | Question) -> bool:
    """Tell whether a reply to a question is judged by its one box alone."""
    special = question.polygon or question.boxes or question.answers
    return question.asks == "place" and question.answerable and not special


def _names_asked(asked: Asked, plain: str) -> Iterator[str]:
    """Yield the ids of all that is asked by a question of a benchmark and counts."""
    for first in ids_asked(plain, asked.reasoning):
        if asked.only is None or first in asked.only:
            for sample in range(1, asked.samples + 1):
                yield sample_id(first, sample)


def _by_block(home: Ints, count: int) -> Iterator[tuple[int, Ints]]:
    """Yield each block that has answers, with their places."""
    order = np.argsort(home, kind="stable")
    ends = np.cumsum(np.bincount(home, minlength=count)).tolist()
    for block, (start, end) in enumerate(itertools.pairwise([0, *ends])):
        if end > start:
            yield block, order[start:end]


class _BlockFiles:
    """Write lines, or other bytes, to files of blocks, many at a time."""

    def __init__(self, folder: Path, name: str, count: int, ending: str = "jsonl") -> None:
        self._paths = [folder / f"{block}.{name}.{ending}" for block in range(count)]
        self._lines: list[list[bytes]] = [[] for _ in range(count)]
        self._held = 0

    def __enter__(self) -> Self:
        self._files = [path.open("wb") for path in self._paths]
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        for file in self._files:
            file.close()

    def put(self, block: int, line: bytes) -> None:
        """Add a line to a block."""
        self._lines[block].append(line)
        self._held += 1
        if self._held >= CHUNK:
            self._flush()

    def _flush(self) -> None:
        for file, lines in zip(self._files, self._lines, strict=True):
            file.write(b"".join(lines))
            lines.clear()
        self._held = 0


R = TypeVar("R", bound=Question | Answer)


def _read(path: Path, record: type[R]) -> Iterator[R]:
    decoder = msgspec.json.Decoder(record)
    with path.open("rb") as stream:
        yield from map(decoder.decode, stream)
