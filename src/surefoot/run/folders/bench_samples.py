"""
A BENCH's questions, screen by screen, any number of times, in constant memory.
"""

from __future__ import annotations

import contextlib
import sqlite3
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from surefoot.core.canonical import canonical_json, decode
from surefoot.core.question import Question
from surefoot.core.screen import Screen
from surefoot.datasets.exports.exporter import Exporter, Sample, parts_of
from surefoot.datasets.labelled import Platform
from surefoot.run.folders.table_reading import stream_table

__all__ = ["BenchSamples", "open_samples"]

_SCHEMA: Final = """
PRAGMA journal_mode = OFF;
PRAGMA cache_size = -4096;
CREATE TABLE screens (
    id TEXT PRIMARY KEY, platform TEXT, site TEXT, locale TEXT
) WITHOUT ROWID;
CREATE TABLE questions (
    screen TEXT, id TEXT, payload BLOB, PRIMARY KEY (screen, id)
) WITHOUT ROWID;
BEGIN;
"""
_SELECT: Final = """
SELECT payload, platform, site, locale
FROM questions LEFT JOIN screens ON screens.id = questions.screen
ORDER BY questions.screen, questions.id
"""
_PLATFORMS: Final[tuple[Platform, ...]] = ("web", "desktop", "mobile")


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
        drops = self._exporter.drops if self._exporter else frozenset()
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
    with contextlib.closing(sqlite3.connect("", isolation_level=None)) as connection:
        connection.executescript(_SCHEMA)
        connection.executemany(
            "INSERT INTO screens VALUES (?, ?, ?, ?)",
            ((each.id, each.platform, each.site, each.locale) for each in screens),
        )
        connection.executemany(
            "INSERT INTO questions VALUES (?, ?, ?)",
            ((each.screen, each.id, canonical_json(each)) for each in questions),
        )
        yield BenchSamples(connection)


def _sample(question: Question, platform: str, site: str, locale: str) -> Sample:
    told = question.platform or platform
    known: Platform = next((each for each in _PLATFORMS if each == told), "")
    name = question.image or urllib.parse.quote(question.screen, safe="")
    return Sample(question, f"{name}.png", known, site, locale)
