"""
The record of finished units: one SQLite file in a folder, one writer, nothing lost.

On return from a recording method the rows are committed with SQLite's write-ahead log and
``synchronous=FULL``: they outlive a kill and a loss of power. The writer holds an advisory
lock that the operating system gives back when the process ends, however it ends.

Each record has a checksum over all of it, and each table a count and a sum of its checksums
(modulo 2**256), so that a changed, lost, added or swapped record is found when it is read.
Ledgers of format 1 have neither: they are read as they are, and given both when written to.
Long payloads are packed since format 3; a checksum is over a payload as it was given.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple, Self

import msgspec

from surefoot.core.canonical import readable_json
from surefoot.core.errors import (
    DamageError,
    FolderBusyError,
    InvalidInputError,
    NondeterminismError,
    PlanMismatchError,
)
from surefoot.core.faults import database_error
from surefoot.core.files import CommitPoint, ignore, remove_partial, write_atomic
from surefoot.core.ledger.tables import (
    CHECKED_ROWS,
    COLUMNS,
    COUNTS,
    FORMAT,
    HINTS,
    UNCHECKED,
    UNCHECKED_ROWS,
    UNPACKED,
    Totals,
    add_checksums,
    as_written,
    checksum,
    create_tables,
    insert_row,
    is_typed,
    payload_bytes,
    read_text,
    spelt_sum,
    writable_text,
)
from surefoot.core.plan import first_difference, plan_digest

FILE: Final = "ledger.sqlite"
_BATCH: Final = 50  # records of another ledger in one commit


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


class LedgerRow(NamedTuple):
    """
    Hold a row of a table as it was read: its columns, its checksum, and whether they agree.

    ``checked`` is false for a row that was written before rows had checksums.
    """

    values: tuple[object, ...]
    checksum: bytes
    sound: bool
    checked: bool = True


class Ledger:
    """
    Keep what each unit of a plan came to, by unit key.

    Open it for writing with ``Ledger.open`` in a ``with`` statement, or for reading, also
    beside a writer, with ``Ledger.read``. Whatever is read is checked: every method raises
    DamageError where it meets a record that is not as it was written, and SurefootError
    where the disk or another process refuses.
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
        connection.text_factory = read_text
        with self._telling():
            (self._format,) = connection.execute("PRAGMA user_version").fetchone()

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
        folder belongs to another plan, FolderBusyError where it has a writer, and
        DamageError where any record in it is damaged.
        """
        folder.mkdir(parents=True, exist_ok=True)
        lock = lock_folder(folder)
        with contextlib.ExitStack() as undo:
            undo.callback(os.close, lock)
            remove_partial(folder)
            _claim(folder, plan, at)
            with _telling(folder / FILE):
                connection = sqlite3.connect(folder / FILE, isolation_level=None)
            undo.callback(connection.close)
            _prepare(connection, plan_digest(plan), folder)
            ledger = cls(folder, connection, lock=lock, at=at)
            ledger.check()
            if retry_failed:
                ledger.forget_failures()
            undo.pop_all()
        return ledger

    @classmethod
    def read(cls, folder: Path) -> Ledger:
        """Open a folder's ledger for reading; raises InvalidInputError if it has none."""
        path = folder / FILE
        if not path.is_file():
            raise InvalidInputError(
                f"a folder with a ledger, {path}",
                found="none",
                remedy="name a folder that surefoot wrote",
            )
        # What a killed process left half written is rolled back, which needs the right to write.
        mode = "rw" if path.with_name(f"{FILE}-journal").exists() else "ro"
        with _telling(path):
            connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None
            )
        _check_format(connection, path)
        return cls(folder, connection)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
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
        and raises NondeterminismError. So does a payload that differs from a record of the
        unit that was dropped as damaged.
        """
        self.record_many([Done(key, payload, seconds)])

    def failed(self, key: str, reason: str, message: str, *, seconds: float = 0.0) -> None:
        """Record a unit's failure; a result, earlier or later, outweighs it."""
        self.record_many([Failure(key, reason, message, seconds)])

    def record_many(self, records: Iterable[Done | Failure]) -> None:
        """Record results and failures in one commit; raises as ``done`` does."""
        with self._transaction() as totals:
            conflicts = [record.key for record in records if not self._insert(record, totals)]
        if conflicts:
            raise NondeterminismError(
                f"one result for the unit {conflicts[0]}",
                found=f"a second, different one ({len(conflicts)} in this commit)",
                remedy=f"see the table 'conflicts' of {self._folder / FILE}",
            )

    def take(self, other: Ledger) -> None:
        """Record all results and failures of another ledger; raises as ``done`` does."""
        results: Iterable[Done | Failure] = (
            Done(str(key), payload_bytes(payload), float(str(seconds)))
            for key, payload, seconds in other._sound("units")
        )
        records = itertools.chain(results, other.failures())
        while batch := list(itertools.islice(records, _BATCH)):
            self.record_many(batch)

    def forget_failures(self) -> int:
        """Delete the recorded failures, and return how many there were."""
        with self._transaction() as totals:
            totals.clear("failures")
            return self._connection.execute("DELETE FROM failures").rowcount

    def finished(self) -> set[str]:
        """Return the keys that need not be computed again: results and failures."""
        query = "SELECT key FROM units UNION SELECT key FROM failures"
        return {str(key) for (key,) in self._rows(query)}

    def state(self, key: str) -> Literal["done", "failed", ""]:
        """Tell what became of a unit so far; "" where it is still to be computed."""
        query = (
            "SELECT (SELECT COUNT(*) FROM units WHERE key = ?),"
            " (SELECT COUNT(*) FROM failures WHERE key = ?)"
        )
        ((done, failed),) = self._rows(query, key, key)
        if done:
            return "done"
        return "failed" if failed else ""

    def payload(self, key: str) -> bytes:
        """Return a unit's result; raises InvalidInputError where there is none."""
        found = self._payload(key)
        if found is None:
            raise InvalidInputError(f"a result for the unit {key}", found="none")
        return found

    def seconds(self, key: str) -> float | None:
        """Return how long a finished unit took, None where there is none."""
        taken = next(self._rows("SELECT seconds FROM units WHERE key = ?", key), (None,))[0]
        return taken if isinstance(taken, float) else None

    def all_seconds(self, *, besides: str = "") -> list[float]:
        """
        Return how long each finished unit took, in no order.

        Left out are the units whose keys begin with ``besides``, if that is given.
        """
        query = "SELECT seconds FROM units WHERE ? = '' OR substr(key, 1, ?) != ?"
        rows = self._rows(query, besides, len(besides), besides)
        return [float(str(taken)) for (taken,) in rows]

    def payloads(self) -> Iterator[tuple[str, bytes]]:
        """
        Iterate over key and result of every finished unit, sorted by key.

        Raises DamageError at a damaged one, and at the end where one is missing or added.
        """
        for key, payload, _ in self._sound("units"):
            yield str(key), payload_bytes(payload)

    def failures(self) -> list[Failure]:
        """Return the recorded failures, sorted by key."""
        return [
            Failure(str(key), str(reason), str(message), float(str(seconds)))
            for key, reason, message, seconds in self._sound("failures")
        ]

    def conflicts(self) -> list[tuple[str, bytes]]:
        """Return the results that contradicted an earlier one of the same key."""
        return [(str(key), payload_bytes(payload)) for key, payload in self._sound("conflicts")]

    @property
    def checked(self) -> bool:
        """Tell whether the records have checksums: those of format 1 have none."""
        return bool(self._format != UNCHECKED)

    def check(self) -> None:
        """Read every record; raises DamageError at the first that is damaged or missing."""
        for table in COLUMNS:
            for _ in self._sound(table):
                pass

    def records(self, table: str) -> Iterator[LedgerRow]:
        """Iterate over a table's rows, sorted by key, the damaged ones among them."""
        yield from (record for record, _ in self._read(table))

    def expected(self, table: str) -> int:
        """Return how many rows a table should have."""
        if not self.checked:
            return sum(1 for _ in self._read(table))
        ((count, _, _),) = self._rows(COUNTS.format(table))
        return count if isinstance(count, int) else 0

    def hint(self, name: str) -> str:
        """Return what was noted for people under a name, "" where nothing sound is."""
        return self.hints().get(name, "")

    def hints(self) -> dict[str, str]:
        """Return all that was noted for people, by name."""
        (known,) = next(self._rows("SELECT count(*) FROM sqlite_master WHERE name = 'hints'"))
        rows = self._rows("SELECT name, value, checksum FROM hints") if known else ()
        return {
            str(name): str(text)
            for name, text, proof in rows
            if proof == checksum(str(name), [text])
        }

    def _sound(self, table: str) -> Iterator[tuple[object, ...]]:
        """Yield a table's rows; raises DamageError where one of them, or their sum, is wrong."""
        found = summed = 0
        total: Sequence[object] = ()
        for record, total in self._read(table):  # noqa: B007 - the last one counts
            if not record.sound:
                raise self._damaged(f"the record of the unit {_name(record)}", "other bytes")
            found, summed = found + 1, summed + int.from_bytes(record.checksum, "big")
            yield record.values
        if not self.checked:
            return
        if not found:
            ((*total, rows),) = self._rows(COUNTS.format(table))
            if rows:  # written since we looked
                return
        if total[0] != found:
            raise self._damaged(f"{total[0]} records in the table '{table}'", str(found))
        if total[1] != spelt_sum(summed):
            raise self._damaged(f"the records of the table '{table}'", "one of other contents")

    def _read(self, table: str) -> Iterator[tuple[LedgerRow, tuple[object, object]]]:
        """Yield each row with the count and the sum that its table should have."""
        columns = COLUMNS[table]
        width, order = len(columns), "rowid" if table == "conflicts" else "key"
        if not self.checked:
            for row in self._rows(f"{UNCHECKED_ROWS[table]} ORDER BY {table}.{order}"):
                values = row[:width]
                yield (
                    LedgerRow(values, b"", sound=is_typed(table, values), checked=False),
                    (0, b""),
                )
            return
        names = ", ".join(name for name, _ in columns)
        for row in self._rows(CHECKED_ROWS.format(names, table, order)):
            values, known = as_written(row[:width]), row[width]
            sound = is_typed(table, values) and known == checksum(table, values)
            kept = known if isinstance(known, bytes) else b""
            yield LedgerRow(values, kept, sound=sound), (row[width + 1], row[width + 2])

    def _rows(self, query: str, *values: object) -> Iterator[tuple[object, ...]]:
        with self._telling():
            yield from self._connection.execute(query, values)

    def _telling(self) -> contextlib.AbstractContextManager[None]:
        return _telling(self._folder / FILE)

    def _damaged(self, expected: str, found: str) -> DamageError:
        return DamageError(
            f"{expected} in {self._folder / FILE} as it was written",
            found=found,
            remedy=_repair(self._folder),
        )

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Totals]:
        totals = Totals()
        try:
            with self._telling():
                self._connection.execute("BEGIN IMMEDIATE")
                yield totals
                totals.write(self._connection)
                self._at("ledger:before-commit")
                self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:
                self._connection.rollback()
        self._at("ledger:after-commit")

    def _insert(self, record: Done | Failure, totals: Totals) -> bool:
        known = self._payload(record.key)
        if known is not None:
            if isinstance(record, Failure) or record.payload == known:
                return True
            insert_row(self._connection, "conflicts", (record.key, record.payload), totals)
            return False
        query = "DELETE FROM failures WHERE key = ? RETURNING checksum"
        for (former,) in self._connection.execute(query, (record.key,)).fetchall():
            totals.remove("failures", former)
        if isinstance(record, Failure):
            reason, message = map(writable_text, (record.reason, record.message))
            values = (record.key, reason, message, float(record.seconds))
            insert_row(self._connection, "failures", values, totals)
            return True
        insert_row(
            self._connection, "units", (record.key, record.payload, float(record.seconds)), totals
        )
        return self._as_before(record, totals)

    def _as_before(self, record: Done, totals: Totals) -> bool:
        """
        Compare a new result with what was dropped as damaged; the dropped record goes.

        A checksum tells which part was damaged: it fits the new payload, or the new payload
        is the dropped one, or (the key was damaged) it fits the new key with the old payload.
        """
        dropped = "SELECT key, payload, seconds, checksum FROM dropped"
        for key, payload, seconds, known in self._connection.execute(dropped).fetchall():
            renamed = known == checksum("units", (record.key, payload, seconds))
            if key != record.key and not renamed:
                continue
            self._connection.execute("DELETE FROM dropped WHERE key = ?", (key,))
            copied = "SELECT count(*) FROM units WHERE checksum = ?"
            if self._connection.execute(copied, (known,)).fetchone() != (0,):
                continue  # it was another unit's record, and tells nothing of this one
            again = known == checksum("units", (record.key, record.payload, seconds))
            if not again and record.payload != payload:
                insert_row(
                    self._connection, "conflicts", (record.key, payload_bytes(payload)), totals
                )
                return False
        return True

    def _payload(self, key: str) -> bytes | None:
        query = "SELECT key, payload, seconds, checksum FROM units WHERE key = ?"
        if not self.checked:
            query = f"{UNCHECKED_ROWS['units']} WHERE key = ?"
        for *kept, known in self._rows(query, key):
            values = as_written(kept) if self.checked else kept
            if not is_typed("units", values) or known not in {None, checksum("units", values)}:
                raise self._damaged(f"the record of the unit {key}", "other bytes")
            return payload_bytes(values[1])
        return None


def _name(record: LedgerRow) -> str:
    """Return the key of a record as it can be printed."""
    return ascii(record.values[0]).strip("'")


def _repair(folder: Path) -> str:
    return f"run `surefoot verify {folder} --repair`: it says which command makes the rest again"


@contextlib.contextmanager
def _telling(path: Path) -> Iterator[None]:
    """Say what SQLite found about the file in whose use it found it."""
    try:
        yield
    except sqlite3.Error as error:
        if not hasattr(error, "sqlite_errorcode"):  # a mistake of ours, not of the file's
            raise
        raise database_error(error, path) from error
    except UnicodeDecodeError as error:  # in what SQLite says of a damaged schema
        raise DamageError(
            f"{path} to be a ledger", found=error, remedy=_repair(path.parent)
        ) from error


def note_hint(folder: Path, name: str, value: str) -> None:
    """
    Note something for people in a folder's ledger; nothing where there is none to write to.

    A hint is no part of the plan, and no result depends on it.
    """
    path = folder / FILE
    if not path.is_file():
        return
    with (
        contextlib.suppress(sqlite3.Error),
        contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection,
    ):
        connection.execute(HINTS)
        row = (name, value, checksum(name, [value]))
        connection.execute("INSERT OR REPLACE INTO hints VALUES (?, ?, ?)", row)


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
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"{path} to be JSON", found=error) from error
    if not isinstance(plan, dict):
        raise InvalidInputError(f"{path} to hold an object", found=type(plan).__name__)
    return plan


def lock_folder(folder: Path) -> int:
    """Take a folder's lock and return its handle; raises FolderBusyError where it is taken."""
    path = folder / "ledger.lock"
    if os.path.lexists(path) and (path.is_symlink() or not path.is_file()):
        raise DamageError(f"{path} to be a file", found="none", remedy=_repair(folder))
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
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
    """Write the plan of a new folder, or compare it with that of an old one."""
    path, begun = folder / "plan.json", _begun_with(folder / FILE)
    own = begun == plan_digest(plan)
    if begun and not own and not path.exists():
        raise _of_another_plan(folder)
    if not path.exists():
        write_atomic(path, readable_json(plan), at)
        return
    try:
        difference = first_difference(read_plan(folder), plan)
    except (InvalidInputError, OSError):
        if not own:
            raise
        difference = "a file that cannot be read"
    if difference and own:
        raise DamageError(
            f"{path} to be the plan of the ledger beside it",
            found=difference,
            remedy=_repair(folder),
        )
    if difference:
        raise PlanMismatchError(
            f"the plan that {folder} was begun with",
            found=difference,
            remedy="give the earlier value, or name another folder",
        )


def _begun_with(path: Path) -> str:
    """Return the digest of the plan that a ledger was begun with, "" where there is none."""
    if not path.exists():
        return ""
    with _telling(path), contextlib.closing(sqlite3.connect(path)) as connection:
        connection.text_factory = read_text
        if connection.execute("PRAGMA user_version").fetchone() == (0,):
            return ""
        row = connection.execute("SELECT digest FROM plan").fetchone()
        return str(row[0]) if row else ""


def _of_another_plan(folder: Path) -> PlanMismatchError:
    return PlanMismatchError(
        f"{folder / FILE} to belong to the plan.json beside it",
        found="a ledger of another plan",
        remedy="name another folder",
    )


def _prepare(connection: sqlite3.Connection, plan: str, folder: Path) -> None:
    path = folder / FILE
    with _telling(path):
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version == 0:
            connection.execute("BEGIN IMMEDIATE")
            create_tables(connection, plan)
            connection.execute("COMMIT")
        elif version == UNCHECKED:
            add_checksums(connection)
        elif version == UNPACKED:  # its rows stay as they are, beside packed ones
            connection.execute(f"PRAGMA user_version = {FORMAT}")
    _check_format(connection, path)
    with _telling(path):
        begun = connection.execute("SELECT digest FROM plan").fetchall()
    if begun != [(plan,)]:
        raise _of_another_plan(folder)


def _check_format(connection: sqlite3.Connection, path: Path) -> None:
    with contextlib.ExitStack() as undo:
        undo.callback(connection.close)
        with _telling(path):
            (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version not in {UNCHECKED, UNPACKED, FORMAT}:
            raise InvalidInputError(
                f"{path} in format {FORMAT}",
                found=f"format {version}",
                remedy="use the version of surefoot that wrote it",
            )
        undo.pop_all()
