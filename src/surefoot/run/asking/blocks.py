"""
Runs in blocks: all questions about some elements with their answers, few enough to hold at once.

The tables of folders are sorted by ids, which tell nothing of elements. So one pass deals the
lines of both tables out to files of blocks, an element by its pair's checksum, and each block is
then a small benchmark with small runs. What is held of a question meanwhile are fourteen bytes.
"""

from __future__ import annotations

import functools
import itertools
import pickle
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
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
from surefoot.run.folders.lines import read_parts
from surefoot.run.folders.tables import (
    NamedQuestion,
    placed_by_site,
    site_places,
    split_lines,
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
HELD: Final = 2**25  # bytes of lines that wait to be written
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

    def _deal_questions(self, number: int, asked: Asked) -> DealtIds:
        """Deal out a benchmark's questions, and say where the answers to them go."""
        keys, homes, places, plain = (list[np.ndarray]() for _ in range(4))
        counts = np.zeros(self.count, dtype=np.int64)
        with _BlockFiles(self.folder, f"{number}", self.count) as files:
            chunks = stream_chunks(asked.bench, "questions.jsonl", NamedQuestion, kind="bench")
            for questions, part in chunks:
                blocks = [
                    zlib.crc32(question.pair.encode()) % self.count for question in questions
                ]
                files.put_all(blocks, split_lines(part))
                names, several = _every_name(asked, [question.id for question in questions])
                keys.append(np.fromiter(map(hash, names), np.int64, len(names)))
                home = np.repeat(np.array(blocks, dtype=np.uint8), several)
                homes.append(home)
                places.append(counts[home] + _ranks(home, self.count))
                is_plain = [
                    not self.whole and is_about_one_box(question) for question in questions
                ]
                plain.append(np.repeat(np.array(is_plain, dtype=np.bool_), several))
                counts += np.bincount(home, minlength=self.count)
        if not keys:
            return DealtIds(*(np.zeros(0, kind) for kind in ("i8", "u1", "i4", "?")))
        found = np.concatenate(keys)
        if not np.diff(np.sort(found)).all():
            raise InvalidInputError(
                "questions whose ids have different checksums",
                found="two of one",
                remedy="score once more: checksums are drawn anew by every command",
            )
        return DealtIds(
            found,
            np.concatenate(homes),
            np.concatenate(places, dtype=np.int32, casting="same_kind"),
            np.concatenate(plain),
        )

    def _deal_answers(self, name: str, parts: Sequence[RunFolder], dealt: DealtIds) -> None:
        """
        Deal out a run's answers: to questions about one box as numbers, and all others as lines.

        Those to no question go to the first block, which says so.
        """
        with (
            _BlockFiles(self.folder, name, self.count) as files,
            _BlockFiles(self.folder, name, self.count, "answers") as columns,
        ):
            for run in parts:
                done = near = 0
                chunks = stream_chunks(run.tables, "answers.jsonl", PlacedAnswer, kind="run")
                for answers, part in chunks:
                    at, known = dealt.find(answers, near)
                    near = int(at[-1]) + 1
                    is_plain = known & dealt.plain[at]
                    home = np.where(known, dealt.homes[at], 0)
                    records = columns_of(answers)
                    records["at"] = dealt.places[at]
                    for block, own in _by_block(home, is_plain, self.count):
                        columns.put(block, records[own].tobytes())
                    others = ~is_plain if run.only is None else ~is_plain & known
                    if others.any():
                        self._deal_lines(files, home, others, split_lines(part))
                    done += len(answers)
                    for _ in range(done // CHUNK):
                        self.progress.advance()
                    done %= CHUNK

    def _deal_lines(
        self, files: _BlockFiles, home: Ints, others: Bools, lines: Sequence[bytes]
    ) -> None:
        places = np.flatnonzero(others).tolist()
        words = lines.__getitem__ if self.whole else lambda place: without_words(lines[place])
        files.put_all(home[others].tolist(), list(map(words, places)))

    def _table(self, block: int) -> Outcomes:
        groups = []
        for number, (asked, group) in enumerate(self.groups.items()):
            questions = list(_read(self.folder / f"{block}.{number}.jsonl", Question))
            ids = QuestionIds(_every_name(asked, [question.id for question in questions])[0])
            runs: list[Run] = []
            for at, name in enumerate(by_name(group)):
                files = self.folder / f"{block}.{number}-{at}"
                records = np.fromfile(f"{files}.answers", dtype=RECORD)
                others = _read(Path(f"{files}.jsonl"), Answer)
                runs.append((name, AnswerColumns(ids, records, others)))
            groups.append((self._asked(asked, questions), runs))
        return tabulate_for(self.scoring, groups, self.screens, site_noun=self.noun)

    def _asked(self, asked: Asked, plain: Sequence[Question]) -> Iterator[Question]:
        counted = asked_of(lambda: plain, asked.reasoning, asked.samples)
        if (only := asked.only) is not None:
            counted = (question for question in counted if question.first_sample in only)
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


class DealtIds(msgspec.Struct, frozen=True, eq=False, dict=True):
    """
    Hold the checksums of all ids in the order of the questions, and where each is dealt to.

    Each has its block and its place there; ``plain`` tells which are of questions about one box.
    """

    keys: Ints
    homes: Ints
    places: Ints
    plain: Bools

    def find(self, answers: Sequence[PlacedAnswer], near: int) -> tuple[Ints, Bools]:
        """
        Return where the question of each answer is, and which are there at all.

        Answers stand in the order of their questions, so that most are found from ``near`` on.
        """
        count = len(answers)
        names = map(attrgetter("question"), answers)
        asked = np.fromiter(map(hash, names), np.int64, count)
        if not len(self.keys):
            return np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.bool_)
        if np.array_equal(self.keys[near : near + count], asked):
            return np.arange(near, near + count), np.ones(count, dtype=np.bool_)
        window = self.keys[near : near + 2 * count]
        at, known = _search(window, np.argsort(window), asked)
        at += near
        if not known.all():
            at[~known], known[~known] = _search(self.keys, self._order, asked[~known])
        return at, known

    @functools.cached_property
    def _order(self) -> Ints:
        return np.argsort(self.keys).astype(np.int32)


def _search(keys: Ints, order: Ints, asked: Ints) -> tuple[Ints, Bools]:
    """Return the place of each number among keys, and which are there at all."""
    if not len(keys):
        return np.zeros(len(asked), dtype=np.int64), np.zeros(len(asked), dtype=np.bool_)
    after = np.searchsorted(keys, asked, sorter=order)
    at = order[np.minimum(after, len(keys) - 1)].astype(np.int64)
    return at, np.asarray(keys[at] == asked)


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


def _every_name(asked: Asked, plain: Sequence[str]) -> tuple[Sequence[str], Ints | int]:
    """Return the ids of all that is asked by questions and counts, and how many each has."""
    if asked.only is None and asked.samples == 1 and [*ids_asked("", asked.reasoning)] == [""]:
        return plain, 1
    names = [tuple(_names_asked(asked, item)) for item in plain]
    several = np.fromiter(map(len, names), np.int64, len(names))
    return tuple(itertools.chain.from_iterable(names)), several


def _ranks(home: Ints, count: int) -> Ints:
    """
    Return the place of each among those of its block.

    >>> _ranks(np.array([1, 0, 1, 1]), 2).tolist()
    [0, 0, 1, 2]
    """
    order = np.argsort(home, kind="stable")
    sizes = np.bincount(home, minlength=count)
    ranks = np.empty(len(home), dtype=np.int64)
    ranks[order] = np.arange(len(home)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return ranks


def _by_block(home: Ints, chosen: Bools, count: int) -> Iterator[tuple[int, Ints]]:
    """Yield each block that has chosen answers, with their places."""
    places = np.flatnonzero(chosen)
    own = home[places]
    order = places[np.argsort(own, kind="stable")]
    ends = np.cumsum(np.bincount(own, minlength=count)).tolist()
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
        self._held += len(line)
        if self._held >= HELD:
            self._flush()

    def put_all(self, blocks: Sequence[int], lines: Sequence[bytes]) -> None:
        """Add lines, each to its block."""
        for block, line in zip(blocks, lines, strict=True):
            self._lines[block].append(line)
        self._held += sum(map(len, lines))
        if self._held >= HELD:
            self._flush()

    def _flush(self) -> None:
        for file, lines in zip(self._files, self._lines, strict=True):
            file.write(b"".join(lines))
            lines.clear()
        self._held = 0


R = TypeVar("R", bound=Question | Answer)


def _read(path: Path, record: type[R]) -> Iterator[R]:
    decoder = msgspec.json.Decoder(record)
    for _, part in read_parts(path):
        yield from decoder.decode_lines(part)
