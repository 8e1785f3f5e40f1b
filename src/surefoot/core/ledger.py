"""
The record of finished units: one SQLite file in a folder, one writer, nothing lost.

On return from a recording method the rows are committed with SQLite's write-ahead log and
``synchronous=FULL``: they outlive a kill and a loss of power. The writer holds an advisory
lock that the operating system gives back when the process ends, however it ends.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import msgspec

from surefoot.core.canonical import readable_json
from surefoot.core.errors import (
    FolderBusyError,
    InvalidInputError,
    NondeterminismError,
    PlanMismatchError,
    SurefootError,
)
from surefoot.core.files import CommitPoint, ignore, remove_partial, write_atomic
from surefoot.core.plan import first_difference, plan_digest

__all__ = ["Done", "Failure", "Ledger", "read_plan"]

_FORMAT = 1
_SCHEMA = (
    "CREATE TABLE plan (digest TEXT NOT NULL)",
    "CREATE TABLE units (key TEXT PRIMARY KEY, payload BLOB NOT NULL)",
    "CREATE TABLE failures (key TEXT PRIMARY KEY, reason TEXT NOT NULL, message TEXT NOT NULL)",
    "CREATE TABLE timings (key TEXT PRIMARY KEY, seconds REAL NOT NULL)",
    "CREATE TABLE conflicts (key TEXT NOT NULL, payload BLOB NOT NULL)",
    f"PRAGMA user_version = {_FORMAT}",
)


class Done(msgspec.Struct, frozen=True):
    """Record one unit's result; ``seconds`` is kept apart and never exported."""

    key: str
    payload: bytes
    seconds: float = 0.0


class Failure(msgspec.Struct, frozen=True):
    """Record that one unit failed, for a short machine-readable reason."""

    key: str
    reason: str
    message: str
    seconds: float = 0.0


class Ledger:
    """
    Keep what each unit of a plan came to, by unit key.

    Open it for writing with ``Ledger.open`` in a ``with`` statement, or for reading, also
    beside a writer, with ``Ledger.read``.
    """

    def __init__(
        self,
        folder: Path,
        connection: sqlite3.Connection,
        *,
        lock: int | None = None,
        at: CommitPoint = ignore,
    ) -> None:
        self._folder = folder
        self._connection = connection
        self._lock = lock
        self._at = at

    @classmethod
    def open(
        cls,
        folder: Path,
        plan: Mapping[str, object],
        *,
        retry_failed: bool = False,
        at: CommitPoint = ignore,
    ) -> Ledger:
        """
        Begin or resume a folder; ``plan.json`` is written before anything else.

        With ``retry_failed`` the recorded failures are forgotten, so that their units are
        computed again. Raises PlanMismatchError naming the first difference where the
        folder belongs to another plan, and FolderBusyError where it has a writer.
        """
        folder.mkdir(parents=True, exist_ok=True)
        lock = _lock(folder)
        with contextlib.ExitStack() as undo:
            undo.callback(os.close, lock)
            remove_partial(folder)
            _claim(folder, plan, at)
            connection = sqlite3.connect(folder / "ledger.sqlite", isolation_level=None)
            undo.callback(connection.close)
            _prepare(connection, plan_digest(plan), folder)
            ledger = cls(folder, connection, lock=lock, at=at)
            if retry_failed:
                ledger.forget_failures()
            undo.pop_all()
        return ledger

    @classmethod
    def read(cls, folder: Path) -> Ledger:
        """Open a folder's ledger for reading; raises InvalidInputError if it has none."""
        path = folder / "ledger.sqlite"
        if not path.is_file():
            raise InvalidInputError(
                f"a folder with a ledger, {path}",
                found="none",
                remedy="name a folder that surefoot wrote",
            )
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None
        )
        _check_format(connection, path)
        return cls(folder, connection)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, tidy the folder, give back the lock; twice is harmless."""
        self._connection.close()
        if self._lock is not None:
            remove_partial(self._folder)
            os.close(self._lock)
            self._lock = None

    def done(self, key: str, payload: bytes, *, seconds: float = 0.0) -> None:
        """
        Record a unit's result; on return it is committed.

        Recording the same payload again changes nothing; another payload is kept aside
        and raises NondeterminismError.
        """
        self.record_many([Done(key, payload, seconds)])

    def failed(self, key: str, reason: str, message: str, *, seconds: float = 0.0) -> None:
        """Record a unit's failure; a result, earlier or later, outweighs it."""
        self.record_many([Failure(key, reason, message, seconds)])

    def record_many(self, records: Iterable[Done | Failure]) -> None:
        """Record results and failures in one commit; raises as ``done`` does."""
        with self._transaction():
            conflicts = [record.key for record in records if not self._insert(record)]
        if conflicts:
            raise NondeterminismError(
                f"one result for the unit {conflicts[0]}",
                found=f"a second, different one ({len(conflicts)} in this commit)",
                remedy="see the table 'conflicts' of ledger.sqlite",
            )

    def forget_failures(self) -> int:
        """Delete the recorded failures, and return how many there were."""
        with self._transaction():
            return self._connection.execute("DELETE FROM failures").rowcount

    def finished(self) -> set[str]:
        """Return the keys that need not be computed again: results and failures."""
        query = "SELECT key FROM units UNION SELECT key FROM failures"
        return {key for (key,) in self._connection.execute(query)}

    def state(self, key: str) -> Literal["done", "failed", ""]:
        """Tell what became of a unit so far; "" where it is still to be computed."""
        query = (
            "SELECT (SELECT COUNT(*) FROM units WHERE key = ?),"
            " (SELECT COUNT(*) FROM failures WHERE key = ?)"
        )
        done, failed = self._connection.execute(query, (key, key)).fetchone()
        if done:
            return "done"
        return "failed" if failed else ""

    def payload(self, key: str) -> bytes:
        """Return a unit's result; raises InvalidInputError where there is none."""
        found = self._payload(key)
        if found is None:
            raise InvalidInputError(f"a result for the unit {key}", found="none")
        return found

    def payloads(self) -> Iterator[tuple[str, bytes]]:
        """Iterate over key and result of every finished unit, sorted by key."""
        yield from self._connection.execute("SELECT key, payload FROM units ORDER BY key")

    def failures(self) -> list[Failure]:
        """Return the recorded failures, sorted by key."""
        query = "SELECT key, reason, message, seconds FROM failures JOIN timings USING (key)"
        return [Failure(*row) for row in self._connection.execute(f"{query} ORDER BY key")]

    def seconds(self) -> dict[str, float]:
        """Return how long each unit took; these never reach an export."""
        return dict(self._connection.execute("SELECT key, seconds FROM timings ORDER BY key"))

    def conflicts(self) -> list[tuple[str, bytes]]:
        """Return the results that contradicted an earlier one of the same key."""
        rows = self._connection.execute("SELECT key, payload FROM conflicts ORDER BY rowid")
        return [(str(key), bytes(payload)) for key, payload in rows]

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield
            self._at("ledger:before-commit")
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise SurefootError(
                "a ledger that can be written",
                found=error,
                remedy="make room on the disk, then run the same command again to go on",
            ) from error
        finally:
            if self._connection.in_transaction:
                self._connection.rollback()
        self._at("ledger:after-commit")

    def _insert(self, record: Done | Failure) -> bool:
        execute = self._connection.execute
        known = self._payload(record.key)
        if known is not None:
            same = not isinstance(record, Done) or record.payload == known
            if isinstance(record, Done) and not same:
                execute("INSERT INTO conflicts VALUES (?, ?)", (record.key, record.payload))
            return same
        execute("DELETE FROM failures WHERE key = ?", (record.key,))
        execute("INSERT OR REPLACE INTO timings VALUES (?, ?)", (record.key, record.seconds))
        if isinstance(record, Done):
            execute("INSERT INTO units VALUES (?, ?)", (record.key, record.payload))
        else:
            execute(
                "INSERT INTO failures VALUES (?, ?, ?)",
                (record.key, record.reason, record.message),
            )
        return True

    def _payload(self, key: str) -> bytes | None:
        rows = self._connection.execute("SELECT payload FROM units WHERE key = ?", (key,))
        row = rows.fetchone()
        return None if row is None else bytes(row[0])


def read_plan(folder: Path) -> dict[str, object]:
    """Read a folder's ``plan.json``; raises InvalidInputError if absent or damaged."""
    path = folder / "plan.json"
    try:
        plan = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise InvalidInputError(
            f"a folder with a plan, {path}",
            found="none",
            remedy="name a folder that surefoot wrote",
        ) from error
    except ValueError as error:
        raise InvalidInputError(f"{path} to be JSON", found=error) from error
    if not isinstance(plan, dict):
        raise InvalidInputError(f"{path} to hold an object", found=type(plan).__name__)
    return plan


def _lock(folder: Path) -> int:
    handle = os.open(folder / "ledger.lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(handle)
        raise FolderBusyError(
            f"{folder} to have no writer",
            found="another surefoot process writing it",
            remedy="wait until it ends, or name another folder",
        ) from error
    return handle


def _claim(folder: Path, plan: Mapping[str, object], at: CommitPoint) -> None:
    if not (folder / "plan.json").exists():
        write_atomic(folder / "plan.json", readable_json(plan), at)
        return
    difference = first_difference(read_plan(folder), plan)
    if difference:
        raise PlanMismatchError(
            f"the plan that {folder} was begun with",
            found=difference,
            remedy="give the earlier value, or name another folder",
        )


def _prepare(connection: sqlite3.Connection, plan: str, folder: Path) -> None:
    path = folder / "ledger.sqlite"
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        if connection.execute("PRAGMA user_version").fetchone() == (0,):
            connection.execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA:
                connection.execute(statement)
            connection.execute("INSERT INTO plan VALUES (?)", (plan,))
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise InvalidInputError(f"{path} to be a ledger", found=error) from error
    _check_format(connection, path)
    begun = connection.execute("SELECT digest FROM plan").fetchone()
    if begun != (plan,):
        raise PlanMismatchError(
            f"{path} to belong to the plan.json beside it",
            found="a ledger of another plan",
            remedy="name another folder",
        )


def _check_format(connection: sqlite3.Connection, path: Path) -> None:
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error as error:
        connection.close()
        raise InvalidInputError(f"{path} to be a ledger", found=error) from error
    if version != _FORMAT:
        connection.close()
        raise InvalidInputError(
            f"{path} in format {_FORMAT}",
            found=f"format {version}",
            remedy="use the version of surefoot that wrote it",
        )
