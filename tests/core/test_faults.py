"""
What the operating system and SQLite refuse, in words.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

import pytest

from surefoot.core.errors import DamageError, SurefootError, UserError
from surefoot.core.faults import MACHINE, database_error, file_error

NUMBERS = sorted(errno.errorcode)


@pytest.mark.parametrize("number", NUMBERS)
def test_every_error_of_the_system_names_its_path(number: int) -> None:
    """Each errno gives one printable line with the path; a machine's condition blames no user."""
    said = file_error(OSError(number, os.strerror(number), "a\nb\udc80", None, "c"))

    assert "'a\\nb\\x80' and 'c'" in str(said) or "'a\\nb\\udc80' and 'c'" in str(said)
    assert str(said).isprintable()
    assert isinstance(said, UserError) is (number not in MACHINE)


def test_an_error_without_a_path_is_said_too() -> None:
    """What the system refused is said where it names no path, or not even a number."""
    assert str(file_error(OSError(errno.EMFILE, os.strerror(errno.EMFILE)))).startswith(
        "Expected files that may be opened, found too many open files. Raise `ulimit -n`"
    )
    assert "found odd" in str(file_error(OSError("odd")))


def _refused(path: Path, *statements: str) -> sqlite3.Error:
    with pytest.raises(sqlite3.Error) as caught:  # noqa: PT012 - any statement may be it
        connection = sqlite3.connect(path, timeout=0, isolation_level=None)
        try:
            for statement in statements:
                connection.execute(statement)
        finally:
            connection.close()
    return caught.value


def test_what_sqlite_refuses_is_told_apart(tmp_path: Path) -> None:
    """A damaged file, a full one, one that is held and one that is a folder differ in words."""
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(b"no database" * 200)
    damaged = database_error(_refused(path, "SELECT * FROM sqlite_master"), path)
    path.unlink()
    full = (
        "PRAGMA max_page_count = 2",
        "CREATE TABLE a (b)",
        "INSERT INTO a VALUES (zeroblob(99999))",
    )
    small = database_error(_refused(path, *full), path)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    held = database_error(_refused(path, "SELECT * FROM a"), path)
    holder.close()
    folder = database_error(_refused(tmp_path, "SELECT 1 FROM sqlite_master"), tmp_path)

    assert isinstance(damaged, DamageError)
    assert f"surefoot verify {tmp_path} --repair" in str(damaged)
    assert (type(small), small.remedy.startswith("make room")) == (SurefootError, True)
    assert (type(held), held.found) == (UserError, "database is locked")
    assert (type(folder), folder.found) == (UserError, "unable to open database file")
