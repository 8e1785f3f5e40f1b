"""
The tables of a server's folder, and the connections to them.

What was acknowledged never changes: triggers refuse to update, delete or replace a run, an
event, a refusal, an upload or a submission, and to leave a gap in their numbers.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from surefoot.core.errors import InvalidInputError

_FORMAT: Final = 1
_BUSY_S: Final = 30.0
_TABLES: Final = (
    """CREATE TABLE runs (
        id INTEGER PRIMARY KEY, token TEXT NOT NULL UNIQUE, form BLOB NOT NULL,
        rendering BLOB NOT NULL, instance INTEGER NOT NULL, seed INTEGER NOT NULL,
        created TEXT NOT NULL)""",
    """CREATE TABLE progress (
        run INTEGER PRIMARY KEY REFERENCES runs, page INTEGER NOT NULL DEFAULT 0,
        reached INTEGER NOT NULL DEFAULT 0, done INTEGER NOT NULL DEFAULT 0)""",
    """CREATE TABLE drafts (
        run INTEGER NOT NULL REFERENCES runs, field TEXT NOT NULL, entered BLOB NOT NULL,
        PRIMARY KEY (run, field)) WITHOUT ROWID""",
    """CREATE TABLE events (
        run INTEGER NOT NULL REFERENCES runs, sequence INTEGER NOT NULL,
        page INTEGER NOT NULL, field TEXT NOT NULL, kind TEXT NOT NULL, value TEXT NOT NULL,
        at INTEGER NOT NULL, PRIMARY KEY (run, sequence)) WITHOUT ROWID""",
    """CREATE TABLE refused (
        run INTEGER NOT NULL REFERENCES runs, rank INTEGER NOT NULL,
        number INTEGER NOT NULL, field TEXT NOT NULL, reason TEXT NOT NULL,
        value TEXT NOT NULL, PRIMARY KEY (run, rank)) WITHOUT ROWID""",
    """CREATE TABLE uploads (
        run INTEGER NOT NULL REFERENCES runs, number INTEGER NOT NULL, field TEXT NOT NULL,
        name TEXT NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL,
        PRIMARY KEY (run, number)) WITHOUT ROWID""",
    """CREATE TABLE submissions (
        run INTEGER NOT NULL REFERENCES runs, number INTEGER NOT NULL, raw BLOB NOT NULL,
        normalised BLOB NOT NULL, digest TEXT NOT NULL,
        PRIMARY KEY (run, number)) WITHOUT ROWID""",
)
_KEPT: Final = ("runs", "events", "refused", "uploads", "submissions")
_NUMBERED: Final = {
    "events": "sequence",
    "refused": "rank",
    "uploads": "number",
    "submissions": "number",
}


def database(folder: Path) -> Path:
    """Return where a folder's database lies."""
    return folder / "forms.sqlite"


def connect(folder: Path) -> sqlite3.Connection:
    """
    Open a folder's database for writing, made on first use; commits outlive loss of power.

    Raises InvalidInputError where the file is none of ours.
    """
    folder.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(
        database(folder), isolation_level=None, timeout=_BUSY_S, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        _create(connection)
    except sqlite3.Error as error:
        connection.close()
        raise _foreign(folder, str(error)) from error
    return _checked(connection, folder)


def connect_reader(folder: Path) -> sqlite3.Connection:
    """Open a folder's database for reading, also beside a server; raises InvalidInputError."""
    path = database(folder)
    if not path.is_file():
        raise InvalidInputError(
            f"a folder of form runs, with {path.name}, at {folder}",
            found="none",
            remedy="name the folder that the form server was given",
        )
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro",
        uri=True,
        isolation_level=None,
        timeout=_BUSY_S,
        check_same_thread=False,
    )
    return _checked(connection, folder)


def _create(connection: sqlite3.Connection) -> None:
    """Make the tables, once, however many processes come first."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if connection.execute("PRAGMA user_version").fetchone() == (0,):
            for statement in (*_TABLES, *_triggers(), f"PRAGMA user_version = {_FORMAT}"):
                connection.execute(statement)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.rollback()


def _triggers() -> Iterator[str]:
    for table in _KEPT:
        for verb in ("UPDATE", "DELETE"):
            yield (
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table}"
                f" BEGIN SELECT RAISE(ABORT, '{table} never change'); END"
            )
    for table, number in _NUMBERED.items():
        highest = f"(SELECT COALESCE(MAX({number}), 0) FROM {table} WHERE run = NEW.run)"  # noqa: S608
        yield (
            f"CREATE TRIGGER {table}_in_order BEFORE INSERT ON {table}"
            f" WHEN NEW.{number} IS NOT {highest} + 1"
            f" BEGIN SELECT RAISE(ABORT, '{table} are numbered without a gap'); END"
        )


def _checked(connection: sqlite3.Connection, folder: Path) -> sqlite3.Connection:
    """Return the connection if the database is in our format, or close it."""
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error as error:
        connection.close()
        raise _foreign(folder, str(error)) from error
    if version != _FORMAT:
        connection.close()
        raise _foreign(folder, f"format {version}")
    return connection


def _foreign(folder: Path, found: str) -> InvalidInputError:
    return InvalidInputError(
        f"{database(folder)} to be a database of form runs in format {_FORMAT}",
        found=found,
        remedy="name another folder, or use the version of surefoot that wrote it",
    )
