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
    NamedAnswer,
    NamedQuestion,
    placed_by_site,
    site_places,
    stream_lines,
)
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
            keys, homes = self._deal_questions(number, asked)
            for at, parts in enumerate(by_name(group).values()):
                self._deal_answers(f"{number}-{at}", parts, keys, homes)
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
                for path in self.folder.glob(f"{block}.*.jsonl"):
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

    def _deal_questions(self, number: int, asked: Asked) -> tuple[Ints, Ints]:
        """Deal out a benchmark's questions; return the sorted keys of all ids, and blocks."""
        keys, homes = array("q"), array("B")
        with _BlockFiles(self.folder, f"{number}", self.count) as files:
            lines = stream_lines(asked.bench, "questions.jsonl", NamedQuestion, kind="bench")
            for question, line in lines:
                block = zlib.crc32(question.pair.encode()) % self.count
                files.put(block, line)
                for first in ids_asked(question.id, asked.reasoning):
                    if asked.only is None or first in asked.only:
                        for sample in range(1, asked.samples + 1):
                            keys.append(hash(sample_id(first, sample)))
                            homes.append(block)
        found = np.array(keys, dtype=np.int64)
        order = np.argsort(found, kind="stable")
        found, home = found[order], np.array(homes, dtype=np.uint8)[order]
        if len(found) > 1 and not np.diff(found).all():
            raise InvalidInputError(
                "questions whose ids have different checksums",
                found="two of one",
                remedy="score once more: checksums are drawn anew by every command",
            )
        return found, home

    def _deal_answers(
        self, name: str, parts: Sequence[RunFolder], keys: Ints, homes: Ints
    ) -> None:
        """Deal out a run's answers; those to no question go to the first block, which tells it."""
        with _BlockFiles(self.folder, name, self.count) as files:
            for run in parts:
                lines = stream_lines(run.tables, "answers.jsonl", NamedAnswer, kind="run")
                while chunk := list(itertools.islice(lines, CHUNK)):
                    asked = np.array([hash(one.question) for one, _ in chunk], dtype=np.int64)
                    home, known = _looked_up(asked, keys, homes)
                    told = np.arange(len(chunk)) if run.only is None else np.flatnonzero(known)
                    for block, at in zip(home[told].tolist(), told.tolist(), strict=True):
                        line = chunk[at][1]
                        files.put(block, line if self.whole else without_words(line))
                    self.progress.advance()

    def _table(self, block: int) -> Outcomes:
        groups = []
        for number, (asked, group) in enumerate(self.groups.items()):
            questions = list(_read(self.folder / f"{block}.{number}.jsonl", Question))
            runs: list[Run] = [
                (name, _read(self.folder / f"{block}.{number}-{at}.jsonl", Answer))
                for at, name in enumerate(by_name(group))
            ]
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


class _BlockFiles:
    """Write lines to files of blocks, many at a time."""

    def __init__(self, folder: Path, name: str, count: int) -> None:
        self._paths = [folder / f"{block}.{name}.jsonl" for block in range(count)]
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


def _looked_up(asked: Ints, keys: Ints, homes: Ints) -> tuple[Ints, Bools]:
    """Return the block of each key, 0 of one that is not known, and which are known."""
    if not len(keys):
        return np.zeros(len(asked), dtype=np.int64), np.zeros(len(asked), dtype=np.bool_)
    place = np.minimum(np.searchsorted(keys, asked), len(keys) - 1)
    known = np.asarray(keys[place] == asked)
    return np.where(known, homes[place], 0), known


R = TypeVar("R", bound=Question | Answer)


def _read(path: Path, record: type[R]) -> Iterator[R]:
    decoder = msgspec.json.Decoder(record)
    with path.open("rb") as stream:
        yield from map(decoder.decode, stream)
