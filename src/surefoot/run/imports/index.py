"""
What an import remembers: the ids and pictures that it has seen, on disk, not in memory.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.scratch import scratch_database

INDEX: Final = ".import.partial"
_SCHEMA: Final = """
CREATE TABLE records (key BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE shots (
    key BLOB PRIMARY KEY, name TEXT, screen TEXT, sha TEXT, width INTEGER, height INTEGER
) WITHOUT ROWID;
CREATE INDEX pictures ON shots (sha);
"""


class Shot(msgspec.Struct, frozen=True):
    """
    Hold what is known of a picture: its name, its screen's id, its SHA-256, its size.

    ``sha`` is "" where the picture was not at hand.
    """

    name: str
    screen: str
    sha: str
    width: int
    height: int


class ImportIndex:
    """Answer whether an id or a picture was seen before."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def is_new(self, record: str) -> bool:
        """Note a record's id, and tell whether it was seen for the first time."""
        added = self._connection.execute(
            "INSERT OR IGNORE INTO records VALUES (?)", (_key(record),)
        )
        return added.rowcount == 1

    def find(self, name: str) -> Shot | None:
        """Return the picture of a name."""
        return self._shot("key = ?", _key(name))

    def find_same(self, sha: str) -> Shot | None:
        """Return a picture that holds the same bytes."""
        return self._shot("sha = ?", sha)

    def add(self, shot: Shot) -> None:
        """Note a picture of a new name."""
        self._connection.execute(
            "INSERT INTO shots VALUES (?, ?, ?, ?, ?, ?)",
            (_key(shot.name), *msgspec.structs.astuple(shot)),
        )

    def _shot(self, where: str, value: bytes | str) -> Shot | None:
        query = f"SELECT name, screen, sha, width, height FROM shots WHERE {where} LIMIT 1"  # noqa: S608 - two fixed conditions
        row = self._connection.execute(query, (value,)).fetchone()
        return Shot(*row) if row else None


@contextlib.contextmanager
def open_index(folder: Path) -> Iterator[ImportIndex]:
    """Open an empty index in a folder whose ledger is open; it is gone afterwards."""
    with scratch_database(_SCHEMA, folder / INDEX) as connection:
        yield ImportIndex(connection)


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
