"""
The published form read back: the same questions, screens and pictures, under the same ids.

It is ours and sealed by its manifest, so nothing in it is expected to be bad: the first row
that is ends the import.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from surefoot.benchmarks.benchmark import Funnel
from surefoot.core.canonical import decode, sha256
from surefoot.core.errors import InvalidInputError, NothingKeptError
from surefoot.core.ledger import Ledger
from surefoot.core.question import Question
from surefoot.core.scratch import scratch_database
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.datasets.files.parquet_rows import Row, parquet_rows
from surefoot.datasets.files.pictures import picture_from
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.run.folders.folder import seal
from surefoot.run.folders.lines import ExportedFile, open_table
from surefoot.run.imports.labelled import ImportCounts, ImportResult, kept_or_undone
from surefoot.run.imports.sources import PUBLISHED_FORM, laid_out, source_digests
from surefoot.run.parquet.layout import (
    FURTHER,
    QUESTIONS,
    SCREENS,
    question_from,
    screen_from,
)

R = TypeVar("R", Question, Screen)

VERSION: Final = 3
PATTERNS: Final = ("questions*.parquet", "screens*.parquet")
PNG: Final = b"\x89PNG"
_SEEN: Final = "CREATE TABLE screens (id TEXT PRIMARY KEY, shows TEXT);"
_NAME: Final = re.compile(r"(questions|screens)(?:-(\w+?))??-(\d{5,})\.parquet")


class _Sealed(msgspec.Struct, frozen=True):
    bench: str
    files: dict[str, ExportedFile]


class _Seen:
    """Keep on disk which screens there are, and what they show."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def add(self, screen: Screen) -> None:
        """Note a screen."""
        shows = f"{screen.image} {screen.width} {screen.height}"
        self._connection.execute("INSERT INTO screens VALUES (?, ?)", (screen.id, shows))

    def check(self, question: Question) -> None:
        """Raise InvalidInputError where a question is not about a screen that there is."""
        for shown in question.screen_images:
            shows = f"{shown.image} {shown.width} {shown.height}"
            row = self._connection.execute(
                "SELECT 1 FROM screens WHERE id = ? AND shows = ?", (shown.screen, shows)
            ).fetchone()
            if row is None:
                raise InvalidInputError(
                    f"the screen '{shown.screen}' with the picture of the question",
                    found=f"none for '{question.id}'",
                )


def import_parquet(path: Path, out: Path, *, limit: int = 0) -> ImportResult:
    """
    Read what ``publish`` wrote into the BENCH that it was made from, funnel excepted.

    ``path`` is the folder, or an archive of it; ``limit`` above 0 keeps that many questions.
    Raises InvalidInputError where a file is not as the manifest says or a row is bad, and
    NothingKeptError, with nothing written, where there is no row.
    """
    plan = {
        "kind": "bench",
        "dataset": f"{PUBLISHED_FORM}@{VERSION}",
        "labels": source_digests(path, PATTERNS),
        "limit": limit,
    }
    with (
        kept_or_undone(out),
        Ledger.open(out, plan),
        laid_out(path, out / ".labels.partial") as root,
    ):
        _check_sealed(root)
        exported, splits, refusals = _import(root, out, limit)
        if not any(table.count for table in exported.values()):
            raise NothingKeptError(f"questions or screens in {path}", found="none")
        seal(out, "bench", exported, {"funnel.json": Funnel((), {})})
    counts = ImportCounts(
        questions=exported["questions.jsonl"].count,
        screens=exported["screens.jsonl"].count,
        unpictured=0,
        refusals=refusals,
        left_out={},
        splits=dict(sorted(splits.items())),
    )
    line = f"{counts.questions:,} questions on {counts.screens:,} screens"
    tally = Tally(total=counts.questions, done=counts.questions)
    return ImportResult(Outcome(out, tally, (), (line,)), msgspec.to_builtins(counts))


def _import(
    root: Path, out: Path, limit: int
) -> tuple[dict[str, ExportedFile], Counter[str], int]:
    splits: Counter[str] = Counter()
    refusals = 0
    with contextlib.ExitStack() as stack:
        seen = _Seen(stack.enter_context(scratch_database(_SEEN)))
        screens = stack.enter_context(open_table(out / "screens.jsonl"))
        questions = stack.enter_context(open_table(out / "questions.jsonl"))
        for screen in _ascending(_screens(root, ObjectStore(out))):
            seen.add(screen)
            screens.write(screen)
        for question in itertools.islice(_ascending(_questions(root)), limit or None):
            seen.check(question)
            questions.write(question)
            splits[question.split] += 1
            refusals += not question.answerable
        exported = {"questions.jsonl": questions.exported, "screens.jsonl": screens.exported}
    return exported, splits, refusals


def _check_sealed(root: Path) -> None:
    """Compare the shards with the manifest; the card may have been edited since."""
    try:
        data = (root / "manifest.json").read_bytes()
    except OSError as error:
        raise InvalidInputError(
            "a folder that `surefoot export --format hf` wrote", found=f"no manifest in {root}"
        ) from error
    files = decode(data, _Sealed, what="manifest.json").files
    wanted = {name: file.sha256 for name, file in files.items() if name.endswith(".parquet")}
    found = source_digests(root, PATTERNS)
    if wanted != found:
        other = min(set(wanted.items()) ^ set(found.items()))[0]
        raise InvalidInputError(
            "the shards that manifest.json names, with their hashes",
            found=f"another '{other}', or none",
            remedy="fetch the files again",
        )


def _shards(root: Path, table: str) -> dict[str, list[Path]]:
    """Return a table's shards in order, by the stem of their split."""
    found: dict[str, list[tuple[int, Path]]] = defaultdict(list)
    for path in root.glob(f"{table}*.parquet"):
        parts = _NAME.fullmatch(path.name)
        if parts is None or parts[1] != table:
            raise InvalidInputError("the names of our own shards", found=f"'{path.name}'")
        found[parts[2] or ""].append((int(parts[3]), path))
    return {stem: [path for _, path in sorted(shards)] for stem, shards in found.items()}


def _questions(root: Path) -> Iterator[Question]:
    """Merge the splits, each in the order of its ids, into one order."""
    columns = tuple(QUESTIONS.names)
    tables = [
        (
            _made(row)
            for shard in shards
            for row in parquet_rows(shard, columns, optional=(FURTHER.name,))
        )
        for shards in _shards(root, "questions").values()
    ]
    return heapq.merge(*tables, key=lambda table: table.id)


def _made(row: Row) -> Question:
    try:
        return question_from(row.values)
    except (msgspec.ValidationError, InvalidInputError) as error:
        raise _bad(row, str(error)) from error


def _screens(root: Path, store: ObjectStore) -> Iterator[Screen]:
    columns = tuple(SCREENS.names)
    for shards in _shards(root, "screens").values():
        for shard in shards:
            for row in parquet_rows(shard, columns):
                try:
                    yield _screen(row, store)
                except (msgspec.ValidationError, InvalidInputError) as error:
                    raise _bad(row, str(error)) from error


def _screen(row: Row, store: ObjectStore) -> Screen:
    shown = row.values["image"]
    content = shown.get("bytes") if isinstance(shown, dict) else None
    screen = screen_from(row.values, sha256(content) if isinstance(content, bytes) else "")
    if isinstance(content, bytes):
        pixels = picture_from(content, screen.id).pixels
        if not content.startswith(PNG) or pixels.shape[:2] != (screen.height, screen.width):
            raise InvalidInputError(
                f"a PNG of {screen.width} x {screen.height}",
                found=f"{pixels.shape[1]} x {pixels.shape[0]} for '{screen.id}'",
            )
        store.put(content)
    return screen


def _ascending(records: Iterable[R]) -> Iterator[R]:
    before = ""
    for record in records:
        if record.id <= before:
            raise InvalidInputError("ascending ids", found=f"'{record.id}' after '{before}'")
        before = record.id
        yield record


def _bad(row: Row, found: str) -> InvalidInputError:
    return InvalidInputError(f"a good row {row.number} in {row.file}", found=found)
