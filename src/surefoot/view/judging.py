"""
What people say of samples: every verdict is on the disk before it is acknowledged.

The file is one SQLite table that only grows; of a person's verdicts on one sample the latest
counts. A verdict that is sent again, since its acknowledgement was lost, is kept once.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Final, Literal, Self, TypeAlias

import msgspec
import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.core.faults import database_error
from surefoot.score.stats.agreement import UNRATED, AgreementRow, agreement_rows

__all__ = ["VERDICTS", "Judgement", "Judgements", "SentJudgement", "agreements"]

VerdictName: TypeAlias = Literal["right", "wrong", "unclear"]
VERDICTS: Final[dict[VerdictName, str]] = {
    "right": "the words mean the marked element, and nothing else",
    "wrong": "they do not",
    "unclear": "it cannot be told",
}
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS judgements (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    stamp TEXT NOT NULL UNIQUE,
    person TEXT NOT NULL,
    bench TEXT NOT NULL,
    question TEXT NOT NULL,
    site TEXT NOT NULL,
    verdict TEXT NOT NULL,
    note TEXT NOT NULL
) STRICT
"""
_LATEST: Final = """
SELECT person, bench, question, site, verdict, note FROM judgements WHERE number IN
(SELECT MAX(number) FROM judgements GROUP BY person, bench, question) ORDER BY number
"""
_ADD: Final = "INSERT OR IGNORE INTO judgements VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)"


class SentJudgement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hold what a page sends; ``stamp`` is drawn by the page, one for each key that was struck."""

    stamp: Annotated[str, msgspec.Meta(min_length=8, max_length=64)]
    bench: Annotated[int, msgspec.Meta(ge=0)]
    question: Annotated[str, msgspec.Meta(max_length=1000)]
    verdict: VerdictName
    note: Annotated[str, msgspec.Meta(max_length=4000)] = ""


class Judgement(msgspec.Struct, frozen=True):
    """Hold what one person says of one sample; ``bench`` is the digest of its benchmark."""

    person: str
    bench: str
    question: str
    site: str
    verdict: VerdictName
    note: str


class Judgements:
    """Keep judgements in a file, for one server at a time or several."""

    def __init__(self, path: Path, person: str) -> None:
        if not person.strip():
            raise InvalidInputError("a name of who judges", found="none", remedy="name yourself")
        self.path = path
        self.person = person.strip()
        self._lock = threading.Lock()
        with self._telling():
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute(_TABLE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def add(self, sent: SentJudgement, bench: str, site: str) -> None:
        """Keep what was sent; on return it is committed, however often it was sent."""
        row = (sent.stamp, self.person, bench, sent.question, site, sent.verdict, sent.note)
        with self._lock, self._telling():
            self._connection.execute(_ADD, row)

    def latest(self) -> list[Judgement]:
        """Return each person's latest judgement of each sample."""
        with self._lock, self._telling():
            rows = self._connection.execute(_LATEST).fetchall()
        names = Judgement.__struct_fields__
        return [msgspec.convert(dict(zip(names, row, strict=True)), Judgement) for row in rows]

    @contextlib.contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise database_error(error, self.path) from error


def agreements(judgements: Sequence[Judgement]) -> list[AgreementRow]:
    """
    Return how far the persons agree: all of them, and each two, with intervals over sites.
    """
    persons = tuple(sorted({one.person for one in judgements}))
    samples = {(one.bench, one.question): one.site for one in judgements}
    place = {sample: number for number, sample in enumerate(samples)}
    codes = {verdict: code for code, verdict in enumerate(VERDICTS)}
    ratings = np.full((len(samples), len(persons)), UNRATED, dtype=np.int64)
    for one in judgements:
        ratings[place[one.bench, one.question], persons.index(one.person)] = codes[one.verdict]
    sites = list(samples.values())
    return agreement_rows(ratings, persons, len(VERDICTS), sites, over="sites")
