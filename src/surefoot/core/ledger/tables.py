"""
The tables of a ledger: what a record is made of, its checksum, and the sums over all records.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import struct
from collections.abc import Iterable, Sequence
from typing import Final

from surefoot.core.archives import PACKED, packed, unpacked
from surefoot.core.errors import InvalidInputError

FORMAT: Final = 3
UNPACKED: Final = 2  # the format before long payloads were packed
UNCHECKED: Final = 1  # the format before records had checksums
LEAST_PACKED: Final = 1024  # bytes of a payload
_SCHEMA: Final = """
CREATE TABLE plan (digest TEXT NOT NULL);
CREATE TABLE units (
    key TEXT PRIMARY KEY, payload BLOB NOT NULL, seconds REAL NOT NULL, checksum BLOB NOT NULL
);
CREATE TABLE failures (
    key TEXT PRIMARY KEY, reason TEXT NOT NULL, message TEXT NOT NULL, seconds REAL NOT NULL,
    checksum BLOB NOT NULL
);
CREATE TABLE conflicts (key TEXT NOT NULL, payload BLOB NOT NULL, checksum BLOB NOT NULL);
CREATE TABLE dropped (
    key TEXT PRIMARY KEY, payload BLOB NOT NULL, seconds REAL NOT NULL, checksum BLOB NOT NULL
);
CREATE TABLE totals (name TEXT PRIMARY KEY, count INTEGER NOT NULL, sum BLOB NOT NULL)
"""
# Whatever helps people, and no result depends on.
HINTS: Final = """
CREATE TABLE IF NOT EXISTS hints (name TEXT PRIMARY KEY, value TEXT NOT NULL, checksum BLOB)
"""
# What a record of a table is made of, beside its checksum.
COLUMNS: Final[dict[str, tuple[tuple[str, type], ...]]] = {
    "units": (("key", str), ("payload", bytes), ("seconds", float)),
    "failures": (("key", str), ("reason", str), ("message", str), ("seconds", float)),
    "conflicts": (("key", str), ("payload", bytes)),
}
UNCHECKED_ROWS: Final = {
    "units": "SELECT key, payload, coalesce(seconds, 0.0), NULL"
    " FROM units LEFT JOIN timings USING (key)",
    "failures": "SELECT key, reason, message, coalesce(seconds, 0.0), NULL"
    " FROM failures LEFT JOIN timings USING (key)",
    "conflicts": "SELECT key, payload, NULL FROM conflicts",
}
# One statement sees one state, also beside a writer.
CHECKED_ROWS: Final = """
SELECT {0}, checksum, (SELECT count FROM totals WHERE name = '{1}'),
    (SELECT sum FROM totals WHERE name = '{1}')
FROM {1} ORDER BY {2}
"""
_INSERT: Final = "INSERT INTO {} VALUES ({})"
COUNTS: Final = """
SELECT (SELECT count FROM totals WHERE name = '{0}'),
    (SELECT sum FROM totals WHERE name = '{0}'), (SELECT count(*) FROM {0})
"""
_CHECKSUM_BYTES: Final = 32
_MODULUS: Final = 2 ** (8 * _CHECKSUM_BYTES)


class Totals:
    """Gather what a transaction adds to the count and the sum of each table."""

    def __init__(self) -> None:
        self._changes: dict[str, tuple[int, int]] = {}
        self._cleared: set[str] = set()

    def add(self, table: str, proof: bytes) -> None:
        """Count a record that was added, by its checksum."""
        count, total = self._changes.get(table, (0, 0))
        self._changes[table] = count + 1, total + int.from_bytes(proof, "big")

    def remove(self, table: str, proof: bytes) -> None:
        """Count a record that was deleted, by its checksum."""
        count, total = self._changes.get(table, (0, 0))
        self._changes[table] = count - 1, total - int.from_bytes(proof, "big")

    def clear(self, table: str) -> None:
        """Forget what a table held before."""
        self._cleared.add(table)

    def write(self, connection: sqlite3.Connection) -> None:
        """Bring the totals up to date, before the commit."""
        for table in self._cleared | self._changes.keys():
            count, total = self._changes.get(table, (0, 0))
            if table not in self._cleared:
                query = "SELECT count, sum FROM totals WHERE name = ?"
                before, summed = connection.execute(query, (table,)).fetchone()
                count, total = count + before, total + int.from_bytes(summed, "big")
            connection.execute(
                "UPDATE totals SET count = ?, sum = ? WHERE name = ?",
                (count, spelt_sum(total), table),
            )


def checksum(table: str, values: Iterable[object]) -> bytes:
    """
    Return the SHA-256 of a record: its table and its columns, each behind its length.

    >>> checksum("units", ("a", b"bc", 1.0)) == checksum("units", ("ab", b"c", 1.0))
    False
    """
    found = hashlib.sha256()
    for value in (table, *values):
        part = _part(value)
        found.update(len(part).to_bytes(8, "big") + part)
    return found.digest()


def _part(value: object) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, float):
        return struct.pack(">d", value)
    return str(value).encode("utf-8", "surrogateescape")


def read_text(data: bytes) -> str:
    """Read text that may be damaged; its checksum tells that it is."""
    return data.decode("utf-8", "surrogateescape")


def writable_text(text: str) -> str:
    """Return a text without lone surrogates, which no file can hold."""
    return text.encode(errors="replace").decode()


def spelt_sum(total: int) -> bytes:
    """Return a sum of checksums as it is kept."""
    return (total % _MODULUS).to_bytes(_CHECKSUM_BYTES, "big")


def is_typed(table: str, values: Iterable[object]) -> bool:
    """Tell whether columns hold what they should: SQLite lets any hold anything."""
    kinds = (kind for _, kind in COLUMNS[table])
    pairs = zip(values, kinds, strict=True)
    return all(isinstance(value, kind) for value, kind in pairs)


def payload_bytes(payload: object) -> bytes:
    """Return what a column holds as bytes, whatever damage made of it."""
    return payload if isinstance(payload, bytes) else str(payload).encode(errors="replace")


def insert_row(
    connection: sqlite3.Connection, table: str, values: Sequence[object], totals: Totals
) -> None:
    """Add a record with its checksum, its payload packed where it is long."""
    proof = checksum(table, values)
    marks = ", ".join("?" * (len(values) + 1))
    connection.execute(_INSERT.format(table, marks), (*map(_as_kept, values), proof))
    totals.add(table, proof)


def as_written(values: Iterable[object]) -> tuple[object, ...]:
    """
    Return a record's columns as they were before a payload was packed.

    What cannot be unpacked stays as it is; its checksum tells that it is damaged.
    """
    return tuple(map(_unpacked, values))


def _as_kept(value: object) -> object:
    if not isinstance(value, bytes):
        return value
    # What begins as a packed payload is packed, too, so that reading it gives it back.
    return packed(value) if len(value) >= LEAST_PACKED or value.startswith(PACKED) else value


def _unpacked(value: object) -> object:
    if isinstance(value, bytes) and value.startswith(PACKED):
        with contextlib.suppress(InvalidInputError):
            return unpacked(value, what="a payload")
    return value


def create_tables(connection: sqlite3.Connection, plan: str) -> None:
    """Make the tables of an empty ledger; ``plan`` is the digest of its plan."""
    for statement in _SCHEMA.split(";"):
        connection.execute(statement)
    connection.execute("INSERT INTO plan VALUES (?)", (plan,))
    rows = [(table, 0, bytes(_CHECKSUM_BYTES)) for table in COLUMNS]
    connection.executemany("INSERT INTO totals VALUES (?, ?, ?)", rows)
    connection.execute(f"PRAGMA user_version = {FORMAT}")


def add_checksums(connection: sqlite3.Connection) -> None:
    """Bring a ledger of format 1 to this one: its records are vouched for as they are now."""
    connection.execute("BEGIN IMMEDIATE")
    (plan,) = connection.execute("SELECT digest FROM plan").fetchone()
    old = {table: f"old_{table}" for table in ("plan", *COLUMNS)}
    for table, name in old.items():
        connection.execute(f"ALTER TABLE {table} RENAME TO {name}")
    create_tables(connection, str(plan))
    totals = Totals()
    for table in COLUMNS:
        query = UNCHECKED_ROWS[table].replace(f"FROM {table}", f"FROM {old[table]}")
        for *values, _ in connection.execute(query):
            insert_row(connection, table, values, totals)
    totals.write(connection)
    for name in (*old.values(), "timings"):
        connection.execute(f"DROP TABLE {name}")
    connection.execute("COMMIT")
