"""
Repair of a damaged ledger: what is sound is kept, the rest is dropped, to be made again.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import remove, sync_folder
from surefoot.core.ledger.records import FILE
from surefoot.core.ledger.tables import (
    COLUMNS,
    UNCHECKED,
    Totals,
    as_written,
    checksum,
    create_tables,
    insert_row,
    is_typed,
    payload_bytes,
    read_text,
    spelt_sum,
)

_SCAN: Final = "SELECT rowid, {} FROM {} NOT INDEXED ORDER BY rowid {}"
_SIDES: Final = ("-wal", "-shm", "-journal")


class UnsoundRecord(msgspec.Struct, frozen=True):
    """Name a record that is damaged, by its table and, as it can be read, its key."""

    table: str
    key: str


class LedgerState(msgspec.Struct, frozen=True):
    """
    Hold what a ledger's file came to: its sound records, the unsound ones, what is missing.

    ``plan`` is the digest of its plan, "" where it cannot be told. ``lost`` counts records
    that are missing, by table; ``complaints`` are SQLite's own, and of sums that are wrong.
    ``dropped`` counts records that a repair dropped and no run has made again.
    """

    plan: str
    sound: dict[str, int]
    unsound: tuple[UnsoundRecord, ...] = ()
    lost: dict[str, int] = {}
    complaints: tuple[str, ...] = ()
    checked: bool = True
    dropped: int = 0

    @property
    def whole(self) -> bool:
        """Tell whether nothing is wrong."""
        return not (self.unsound or self.lost or self.complaints)


def inspect_ledger(folder: Path) -> LedgerState:
    """
    Read all that can be read of a folder's ledger, and tell what is wrong with it.

    Whatever lies there: nothing is raised but OSError, and nothing is changed.
    """
    path = folder / FILE
    complaints: list[str] = []
    try:
        with contextlib.closing(_connect(path)) as connection:
            return _inspect(connection, complaints)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return LedgerState("", {}, complaints=(*complaints, _words(error)))


def rebuild_ledger(folder: Path, plan: str) -> int:
    """
    Write a ledger anew from its sound records, and return how many those are.

    Results that are dropped are kept aside, so that what is made again can be compared.
    Only call it with the folder's lock held. Raises InvalidInputError where a folder that
    holds files lies in the place of a file of the ledger.
    """
    path, fresh = folder / FILE, folder / f".{FILE}.partial"
    fresh.unlink(missing_ok=True)
    for place in (path.with_name(FILE + side) for side in ("", *_SIDES)):
        if place.is_dir() and not remove(place):
            raise InvalidInputError(
                f"a file of the ledger in the place of {place}",
                found="a folder that holds files, which are left",
                remedy="move it away, then give the same command again",
            )
    totals = Totals()
    with contextlib.closing(sqlite3.connect(fresh, isolation_level=None)) as target:
        target.execute("PRAGMA synchronous = FULL")
        target.execute("BEGIN")
        create_tables(target, plan)
        kept = 0
        with contextlib.suppress(sqlite3.Error), contextlib.closing(_connect(path)) as source:
            for table in COLUMNS:
                kept += _copy(source, target, table, totals)
            _copy_dropped(source, target)
        totals.write(target)
        target.execute("COMMIT")
    for side in _SIDES:
        path.with_name(FILE + side).unlink(missing_ok=True)
    fresh.replace(path)
    sync_folder(folder)
    return kept


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=1
    )
    connection.text_factory = read_text
    return connection


def _inspect(connection: sqlite3.Connection, complaints: list[str]) -> LedgerState:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    try:
        found = connection.execute("PRAGMA integrity_check(5)").fetchall()
        complaints += [str(line) for (line,) in found if line != "ok"]
    except (sqlite3.Error, UnicodeDecodeError) as error:
        complaints.append(_words(error))
    checked = version != UNCHECKED
    plans = [str(row[0]) for row in _scan(connection, "plan", ("digest",), complaints)]
    sound: dict[str, int] = {}
    lost: dict[str, int] = {}
    unsound: list[UnsoundRecord] = []
    for table in COLUMNS:
        read, summed, sound[table] = 0, 0, 0
        for values, known in _records(connection, table, complaints, checked=checked):
            read += 1
            if _is_sound(table, values, known):
                sound[table] += 1
                summed += int.from_bytes(known or b"", "big")
            else:
                unsound.append(UnsoundRecord(table, ascii(values[0]).strip("'")))
        if checked:
            count, total = _expected(connection, table, complaints)
            if count > read:
                lost[table] = count - read
            elif sound[table] == read and (count, total) != (read, spelt_sum(summed)):
                complaints.append(f"the sum over the table '{table}' is another")
    if len(plans) != 1:
        complaints.append("no plan")
    plan = plans[0] if len(plans) == 1 else ""
    dropped = sum(1 for _ in _scan(connection, "dropped", ("key",), complaints)) if checked else 0
    complaints_once = tuple(dict.fromkeys(complaints))
    return LedgerState(plan, sound, tuple(unsound), lost, complaints_once, checked, dropped)


def _records(
    connection: sqlite3.Connection, table: str, complaints: list[str], *, checked: bool
) -> Iterator[tuple[tuple[object, ...], bytes | None]]:
    """Yield each row with its checksum, None where it was written before there were any."""
    names = tuple(name for name, _ in COLUMNS[table])
    if checked:
        for *values, known in _scan(connection, table, (*names, "checksum"), complaints):
            yield as_written(values), payload_bytes(known)
        return
    own = tuple(name for name in names if name != "seconds")
    for row in _scan(connection, table, own, complaints):
        yield (*row, *(0.0,) * (len(names) - len(own))), None


def _is_sound(table: str, values: tuple[object, ...], known: bytes | None) -> bool:
    return is_typed(table, values) and known in {None, checksum(table, values)}


def _expected(
    connection: sqlite3.Connection, table: str, complaints: list[str]
) -> tuple[int, object]:
    for name, count, total in _scan(connection, "totals", ("name", "count", "sum"), complaints):
        if name == table and isinstance(count, int):
            return count, total
    complaints.append(f"no sum over the table '{table}'")
    return 0, b""


def _scan(
    connection: sqlite3.Connection, table: str, names: tuple[str, ...], complaints: list[str]
) -> Iterator[tuple[object, ...]]:
    """Yield the rows that can be read, from both ends where the middle cannot."""
    seen: set[int] = set()
    for direction in ("ASC", "DESC"):
        query = _SCAN.format(", ".join(names), table, direction)
        try:
            for rowid, *row in connection.execute(query):
                if rowid in seen:
                    return
                seen.add(rowid)
                yield tuple(row)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            complaints.append(_words(error))
        else:
            return


def _copy(
    source: sqlite3.Connection, target: sqlite3.Connection, table: str, totals: Totals
) -> int:
    checked = source.execute("PRAGMA user_version").fetchone() != (UNCHECKED,)
    seen: set[object] = set()
    for values, known in _records(source, table, [], checked=checked):
        if _is_sound(table, values, known):
            if table == "conflicts" or values[0] not in seen:
                seen.add(values[0])
                insert_row(target, table, values, totals)
        elif table == "units":
            _keep_aside(target, values, known)
    return len(seen)


def _copy_dropped(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Keep aside what an earlier repair dropped and no run has made again."""
    for *values, known in _scan(source, "dropped", ("key", "payload", "seconds", "checksum"), []):
        (made,) = target.execute("SELECT count(*) FROM units WHERE key = ?", values[:1]).fetchone()
        if not made:
            _keep_aside(target, values, known)


def _keep_aside(target: sqlite3.Connection, values: Sequence[object], known: object) -> None:
    key, payload, seconds = values
    row = (
        key if isinstance(key, str) else canonical_json(repr(key)).decode(),
        payload_bytes(payload),
        seconds if isinstance(seconds, float) else 0.0,
        payload_bytes(known),
    )
    with contextlib.suppress(UnicodeEncodeError):
        target.execute("INSERT OR REPLACE INTO dropped VALUES (?, ?, ?, ?)", row)


def _words(error: Exception) -> str:
    return "bytes that are no text" if isinstance(error, UnicodeDecodeError) else str(error)
