"""
The work behind ``surefoot build`` from an imported set: as large as it is, in constant memory.

Questions are grouped by their screens on disk, screens are worked on as they are read, and
what is made of them is sorted on disk. A unit of work is a screen with its questions; all
of one screen's are in memory at once.

What a build remembers (who asks about which screen, and what was made) lies on disk too.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from surefoot.benchmarks.benchmark import Benchmark, BuildOptions, Fall, Funnel, PageResult
from surefoot.benchmarks.proofs import count_proofs
from surefoot.core.canonical import canonical_json, decode, digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.ledger import Failure, Ledger
from surefoot.core.question import Question
from surefoot.core.scratch import scratch_database
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.run.building.machine_facts import on_engine
from surefoot.run.building.units import funnel_words, plan_of, require_kept, unit_of, workers_of
from surefoot.run.engine.outcome import Outcome, record_of
from surefoot.run.engine.pool import Unit, run_stream
from surefoot.run.engine.progress import Progress
from surefoot.run.engine.shards import Shard, end_part, part_of, plan_of_part
from surefoot.run.folders.folder import manifest_digest, seal
from surefoot.run.folders.lines import open_table
from surefoot.run.folders.objects import pictures_held
from surefoot.run.folders.tables import stream_table

if TYPE_CHECKING:
    from rich.console import Console


INDEX: Final = ".set.partial"
_SCHEMA: Final = """
CREATE TABLE asked (screen TEXT, line BLOB);
CREATE TABLE questions (id TEXT PRIMARY KEY, pair TEXT, page TEXT, line BLOB);
CREATE TABLE screens (id TEXT PRIMARY KEY, line BLOB);
"""


class SetIndex:
    """Group a set's questions by their screens, and sort what is made of them."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def ask(self, question: Question) -> None:
        """Note a question of the set."""
        row = (question.screen, canonical_json(question))
        self._connection.execute("INSERT INTO asked VALUES (?, ?)", row)

    def group(self) -> None:
        """Make the questions of a screen quick to find, once all are noted."""
        self._connection.execute("CREATE INDEX asked_of ON asked (screen)")

    def asked(self, screen: str) -> tuple[Question, ...]:
        """Return the questions about a screen, in the order in which they were noted."""
        query = "SELECT line FROM asked WHERE screen = ? ORDER BY rowid"
        rows = self._connection.execute(query, (screen,))
        return tuple(decode(line, Question, what=f"a question on {screen}") for (line,) in rows)

    def keep_question(self, question: Question) -> None:
        """Note a question that was made; raises InvalidInputError for a second of its id."""
        row = (question.id, question.pair, question.page_name, canonical_json(question))
        self._keep("INSERT INTO questions VALUES (?, ?, ?, ?)", row)

    def keep_screen(self, screen: Screen) -> None:
        """Note a screen that is asked about; raises InvalidInputError for a second of its id."""
        self._keep("INSERT INTO screens VALUES (?, ?)", (screen.id, canonical_json(screen)))

    def questions(self) -> Iterator[bytes]:
        """Yield the questions that were made as canonical JSON, sorted by id."""
        for (line,) in self._connection.execute("SELECT line FROM questions ORDER BY id"):
            yield line

    def screens(self) -> Iterator[bytes]:
        """Yield the screens that are asked about as canonical JSON, sorted by id."""
        for (line,) in self._connection.execute("SELECT line FROM screens ORDER BY id"):
            yield line

    def counts(self) -> tuple[int, int]:
        """Count the targets (pairs) of the questions that were made, and their pages."""
        query = "SELECT COUNT(DISTINCT pair), COUNT(DISTINCT page) FROM questions"
        pairs, pages = self._connection.execute(query).fetchone()
        return pairs, pages

    def _keep(self, insert: str, row: tuple[str | bytes, ...]) -> None:
        try:
            self._connection.execute(insert, row)
        except sqlite3.IntegrityError as error:
            raise InvalidInputError(
                f"one record of the id '{row[0]!s}'", found="a second one"
            ) from error


@contextlib.contextmanager
def open_set_index(folder: Path) -> Iterator[SetIndex]:
    """Open an empty index in a folder whose ledger is open; it is gone afterwards."""
    with scratch_database(_SCHEMA, folder / INDEX) as connection:
        yield SetIndex(connection)


class _Units:
    """Iterate, as often as is wanted, over the screens that have a picture and questions."""

    def __init__(self, benches: Sequence[Path], index: SetIndex, plan: dict[str, Any]) -> None:
        self._benches, self._index, self._plan = benches, index, plan

    def __iter__(self) -> Iterator[Unit]:
        """Yield a unit for each screen."""
        for _, screen, questions in self.screens():
            unit = unit_of(screen, self._plan)
            asked = msgspec.to_builtins(questions)
            key, body = digest([unit.key, asked]), {**unit.body, "questions": asked}
            yield msgspec.structs.replace(unit, key=key, body=body)

    def screens(self) -> Iterator[tuple[Path, Screen, tuple[Question, ...]]]:
        """Yield each screen with its questions, and the set's folder."""
        for bench, mark in _marked(self._benches):
            for screen in stream_table(bench, "screens.jsonl", Screen, kind="bench"):
                own = msgspec.structs.replace(screen, id=f"{mark}{screen.id}")
                if screen.image and (asked := self._index.asked(own.id)):
                    yield bench, own, asked


def build_from_set(  # noqa: PLR0913 - what a build is made of, all by name
    benchmark: Benchmark,
    benches: Sequence[Path],
    out: Path,
    options: BuildOptions,
    *,
    shard: Shard | None = None,
    workers: int = 2,
    engine: str = "",
    retry_failed: bool = False,
    console: Console | None = None,
) -> Outcome:
    """
    Build a benchmark from the own words, boxes and splits of one imported set, or of several.

    Raises InvalidInputError where the benchmark is made of captured screens alone, or what
    was chosen needs a live interface, and NothingKeptError where nothing failed and no question
    is left.
    """
    if benchmark.labelled is None:
        raise InvalidInputError(
            f"captured screens for the benchmark '{benchmark.name}'",
            found=f"{benches[0]}, a benchmark",
            remedy="name a folder that `surefoot capture` wrote",
        )
    if options.site_targets:
        raise InvalidInputError(
            "captured screens for --site-targets",
            found=f"{benches[0]}, a benchmark",
            remedy="leave it out: a set's questions are all taken",
        )
    if options.language != BuildOptions().language:
        raise InvalidInputError(
            "a set's own words",
            found=f"--language {options.language}",
            remedy="leave --language out",
        )
    if options.over or options.budget or options.design != BuildOptions().design:
        raise InvalidInputError(
            "captured screens for --over, --design and --budget",
            found=f"{benches[0]}, a benchmark",
            remedy="name what is done to a set's pictures by --variants alone",
        )
    benchmark.check_labelled(options)
    digests = [manifest_digest(bench, "bench") for bench in benches]
    plan = {
        "bench": digests[0] if len(digests) == 1 else digests,
        "renderer": None,
        **plan_of(benchmark, options),
    }
    with (
        Ledger.open(out, plan_of_part(plan, shard), retry_failed=retry_failed) as ledger,
        open_set_index(out) as index,
    ):
        units = _Units(benches, index, plan)
        _take_in(benches, out, index, units)
        made = on_engine(workers_of(benchmark.name, out, options, workers, {}), engine, {}, ())
        with Progress("building", console) as progress:
            part = part_of(units, shard)
            tally = run_stream(part, ledger, made, progress=progress, whole=pictures_held(out))
        if shard:
            return end_part(out, ledger, tally, shard)
        funnel, unread, proofs = _gather(units, ledger, index)
        failures = (*ledger.failures(), *unread)
        pairs, pages = index.counts()
        require_kept(pairs, funnel, failures)
        _write(out, index, funnel)
    words = funnel_words(funnel, proofs=proofs, pairs=pairs, pages=pages)
    return Outcome(out, tally, failures, tuple(words))


def _marked(benches: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Yield sets with what tells their names apart: of several sets each counts from 1."""
    for number, bench in enumerate(benches, start=1):
        yield bench, f"{number}/" if len(benches) > 1 else ""


def _take_in(benches: Sequence[Path], out: Path, index: SetIndex, units: _Units) -> None:
    """Note the questions, and copy the pictures of those screens that are asked about."""
    for bench, mark in _marked(benches):
        for question in stream_table(bench, "questions.jsonl", Question, kind="bench"):
            names = {name: f"{mark}{getattr(question, name)}" for name in ("id", "pair", "screen")}
            index.ask(msgspec.structs.replace(question, **names))
    index.group()
    target = ObjectStore(out)
    for bench, screen, _ in units.screens():
        target.put(ObjectStore(bench).get(screen.image))


def _gather(
    units: _Units, ledger: Ledger, index: SetIndex
) -> tuple[Funnel, list[Failure], Counter[str]]:
    """Sort what the units came to into the index; add up falls, what is unreadable, and proofs."""
    total: Counter[tuple[str, str]] = Counter()
    proofs: Counter[str] = Counter()
    unread: list[Failure] = []
    for unit in units:
        if ledger.state(unit.key) != "done":
            continue
        result = record_of(unit.key, ledger.payload(unit.key), PageResult)
        if isinstance(result, Failure):
            unread.append(result)
            continue
        for fall in result.falls:
            total[fall.stage, fall.reason] += fall.count
        for question in result.questions:
            index.keep_question(question)
        proofs.update(count_proofs(result.questions))
        used = {question.screen for question in result.questions}
        for screen in result.screens:
            if screen.id in used:
                index.keep_screen(screen)
    falls = (Fall(*key, count) for key, count in sorted(total.items()) if count)
    return Funnel(tuple(falls), {}), unread, proofs


def _write(out: Path, index: SetIndex, funnel: Funnel) -> None:
    tables = {"questions.jsonl": index.questions(), "screens.jsonl": index.screens()}
    exported = {}
    for name, lines in tables.items():
        with open_table(out / name) as table:
            for line in lines:
                table.write_line(line)
            exported[name] = table.exported
    seal(out, "bench", exported, {"funnel.json": funnel})
