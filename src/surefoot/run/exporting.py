"""
The work behind ``surefoot export``: a BENCH in another format, with its pictures beside it.

Everything is written into a folder beside ``out`` that takes its name when it is whole.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import urllib.parse
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.canonical import canonical_json, decode, readable_json
from surefoot.core.errors import InvalidInputError, NothingKeptError, UnknownNameError
from surefoot.core.files import sync_folder, write_atomic
from surefoot.core.question import Question
from surefoot.core.registry import suggest
from surefoot.core.scratch import scratch_database
from surefoot.core.screen import Screen
from surefoot.core.store import ObjectStore
from surefoot.datasets.exports.exporter import EXPORTS, LOST, Exporter, Part, Sample, parts_of
from surefoot.datasets.labelled import Platform
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.run.folders.folder import manifest_digest
from surefoot.run.folders.tables import stream_table

_SCHEMA: Final = """
CREATE TABLE screens (
    id TEXT PRIMARY KEY, platform TEXT, site TEXT, locale TEXT
) WITHOUT ROWID;
CREATE TABLE questions (
    screen TEXT, id TEXT, payload BLOB, PRIMARY KEY (screen, id)
) WITHOUT ROWID;
"""
_SELECT: Final = """
SELECT payload, platform, site, locale
FROM questions LEFT JOIN screens ON screens.id = questions.screen
ORDER BY questions.screen, questions.id
"""
_PLATFORMS: Final[tuple[Platform, ...]] = ("web", "desktop", "mobile")
PARQUET: Final = "hf"
DOCUMENT: Final = "export.json"


class BenchSamples:
    """
    Give a benchmark's samples in the order of their screens, as often as asked.

    With an exporter only those that its format holds are given.
    """

    def __init__(self, connection: sqlite3.Connection, exporter: Exporter | None = None) -> None:
        self._connection = connection
        self._exporter = exporter

    def held(self, exporter: Exporter) -> BenchSamples:
        """Return the samples that a format holds."""
        return BenchSamples(self._connection, exporter)

    def __iter__(self) -> Iterator[Sample]:
        drops = self._exporter.dropped if self._exporter else frozenset()
        for payload, platform, site, locale in self._connection.execute(_SELECT):
            question = decode(payload, Question, what="a question")
            sample = _sample(question, platform or "", site or "", locale or "")
            if not drops & parts_of(sample):
                yield sample


@contextlib.contextmanager
def open_samples(bench: Path) -> Iterator[BenchSamples]:
    """
    Read a BENCH into an index on disk that is gone with the block.

    Raises InvalidInputError as ``stream_table`` does.
    """
    questions = stream_table(bench, "questions.jsonl", Question, kind="bench")
    screens = stream_table(bench, "screens.jsonl", Screen, kind="bench")
    with scratch_database(_SCHEMA) as connection:
        connection.executemany(
            "INSERT INTO screens VALUES (?, ?, ?, ?)",
            ((screen.id, screen.platform, screen.site, screen.locale) for screen in screens),
        )
        connection.executemany(
            "INSERT INTO questions VALUES (?, ?, ?)",
            ((question.screen, question.id, canonical_json(question)) for question in questions),
        )
        yield BenchSamples(connection)


def _sample(question: Question, platform: str, site: str, locale: str) -> Sample:
    platform_name = question.platform or platform
    known: Platform = next((literal for literal in _PLATFORMS if literal == platform_name), "")
    name = question.image or urllib.parse.quote(question.screen, safe="")
    return Sample(question, f"{name}.png", known, site, locale)


class ExportCounts(msgspec.Struct, frozen=True, kw_only=True):
    """
    Count what an export kept, what it left out and what it kept without, by what it is.
    """

    questions: int
    pictures: int
    unpictured: int
    left_out: dict[str, int]
    lost: dict[str, int]


def export_names() -> tuple[str, ...]:
    """Return the names of all formats, the published form first."""
    return (PARQUET, *EXPORTS.entries)


def export_bench(bench: Path, out: Path, name: str = PARQUET) -> Outcome:
    """
    Write a BENCH in a format; the lines say what the format could not hold.

    Raises UnknownNameError, InvalidInputError where ``bench`` is no finished BENCH or lacks a
    picture, or ``out`` is not empty, and NothingKeptError where the format holds no question.
    """
    if name == PARQUET:
        from surefoot.run.parquet.shards import publish  # the other formats do without pyarrow

        publish(bench, out)
        return Outcome(out, Tally())
    if name.partition("@")[0] not in EXPORTS.entries:
        raise UnknownNameError(
            "a known format", found=f"'{name}'", remedy=suggest(name, list(export_names()))
        )
    exporter = EXPORTS.get(name)
    digest = manifest_digest(bench, "bench")
    partial = partial_beside(out)
    try:
        counts = _write(bench, partial, exporter)
        about = {"format": f"{exporter.name}@{exporter.version}", "bench": digest}
        write_atomic(partial / DOCUMENT, readable_json({**about, "counts": counts}))
        partial.replace(out)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    sync_folder(out.parent)
    return Outcome(out, Tally(counts.questions, 0, counts.questions), (), _lines(exporter, counts))


def partial_beside(out: Path) -> Path:
    """Make an empty folder beside ``out``, which must itself be absent or empty."""
    if out.exists() and not (out.is_dir() and not any(out.iterdir())):
        raise InvalidInputError(
            f"{out} to be absent or empty", found="something in it", remedy="name another folder"
        )
    partial = out.resolve().with_name(f".{out.resolve().name}.export.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    return partial


def _write(bench: Path, folder: Path, exporter: Exporter) -> ExportCounts:
    with open_samples(bench) as samples:
        left_out, lost = _count(samples, exporter)
        kept = samples.held(exporter)
        questions = sum(1 for _ in kept)
        if not questions:
            raise NothingKeptError(
                f"a benchmark with questions that {exporter.name} holds",
                found=_reasons(left_out) or "no questions at all",
                remedy="choose another format",
            )
        exporter.write(kept, folder)
        pictures, unpictured = _copy(kept, ObjectStore(bench), folder / exporter.pictures)
    return ExportCounts(
        questions=questions,
        pictures=pictures,
        unpictured=unpictured,
        left_out=_sorted(left_out),
        lost=_sorted(lost),
    )


def _count(samples: Iterable[Sample], exporter: Exporter) -> tuple[Counter[Part], Counter[Part]]:
    """Count each question that is left out under its first reason, and all that is lost."""
    left_out: Counter[Part] = Counter()
    lost: Counter[Part] = Counter()
    for sample in samples:
        parts = parts_of(sample)
        if dropped := [part for part in Part if part in parts & exporter.dropped]:
            left_out[dropped[0]] += 1
        else:
            lost.update(parts & exporter.loses)
    return left_out, lost


def _copy(samples: Iterable[Sample], store: ObjectStore, folder: Path) -> tuple[int, int]:
    """Copy each picture once; return how many there are, and how many screens have none."""
    pictures = unpictured = 0
    before = ""
    for sample in samples:
        question = sample.question
        unpictured += not question.image and question.screen != before
        before = question.screen
        path = folder / sample.picture
        if question.image and not path.exists():
            folder.mkdir(exist_ok=True)
            write_atomic(path, store.get(question.image))
            pictures += 1
    return pictures, unpictured


def _lines(exporter: Exporter, counts: ExportCounts) -> tuple[str, ...]:
    lines = [
        f"{count:,} {part} left out: {exporter.name} cannot hold them"
        for part, count in counts.left_out.items()
    ]
    lines += [f"{count:,} {part}: {LOST[Part(part)]}" for part, count in counts.lost.items()]
    if counts.unpictured:
        lines.append(f"{counts.unpictured:,} screens without a picture")
    lines.append(f"{counts.questions:,} questions, {counts.pictures:,} pictures")
    return tuple(lines)


def _reasons(left_out: Counter[Part]) -> str:
    return ", ".join(f"{count:,} {part}" for part, count in _sorted(left_out).items())


def _sorted(counts: Counter[Part]) -> dict[str, int]:
    return {part.value: counts[part] for part in Part if counts[part]}
