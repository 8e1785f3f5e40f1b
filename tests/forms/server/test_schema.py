"""
What was acknowledged cannot be changed, and only our own databases are opened.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from surefoot.core.errors import FolderBusyError, InvalidInputError
from surefoot.forms.rendering import Rendering
from surefoot.forms.server.runs import open_run
from surefoot.forms.server.schema import connect, connect_reader, database
from surefoot.forms.server.store import Store
from surefoot.forms.specification import Form

ROWS = {
    "events": "(run, sequence, page, field, kind, value, at) VALUES (1, {}, 0, 'f', 'k', 'v', 0)",
    "refused": "(run, rank, number, field, reason, value) VALUES (1, {}, 1, 'f', 'r', 'v')",
    "uploads": "(run, number, field, name, sha256, size) VALUES (1, {}, 'f', 'n', 's', 0)",
    "submissions": "(run, number, raw, normalised, digest) VALUES (1, {}, '{{}}', '{{}}', 'd')",
}


@pytest.mark.parametrize("table", ROWS)
def test_rows_never_change(tmp_path: Path, form: Form, table: str) -> None:
    """An event, a refusal, an upload, a submission is added in order and stays as it is."""
    open_run(tmp_path, form, Rendering(), instance=0, seed=0)
    with contextlib.closing(connect(tmp_path)) as connection:
        row = ROWS[table]
        connection.execute(f"INSERT INTO {table} {row.format(1)}")
        for attempt in (
            f"UPDATE {table} SET run = run",  # noqa: S608 (the names are ours)
            f"DELETE FROM {table}",  # noqa: S608 (the same)
            f"INSERT OR REPLACE INTO {table} {row.format(1)}",
            f"REPLACE INTO {table} {row.format(1)}",
            f"INSERT INTO {table} {row.format(1)}",
            f"INSERT INTO {table} {row.format(3)}",
            f"INSERT INTO {table} {row.format(0)}",
            f"INSERT INTO {table} {row.format(2).replace('(1,', '(9,')}",
            "UPDATE runs SET seed = 1",
            "DELETE FROM runs",
        ):
            with pytest.raises(sqlite3.IntegrityError):
                connection.execute(attempt)
        connection.execute(f"INSERT INTO {table} {row.format(2)}")
        rows = connection.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608 (the same)
        assert len(rows) == 2


def test_commits_are_synced_to_the_disk(tmp_path: Path) -> None:
    """The writer's connection has a write-ahead log and full synchronisation."""
    with contextlib.closing(connect(tmp_path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.parametrize("content", [b"", b"no database at all" * 99, b"SQLite format 3\0"])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    """A reader refuses what is not our database; an absent one too."""
    with pytest.raises(InvalidInputError, match="none"):
        connect_reader(tmp_path)
    database(tmp_path).write_bytes(content)
    with pytest.raises(InvalidInputError):
        connect_reader(tmp_path)


def test_a_database_of_another_format_is_refused(tmp_path: Path) -> None:
    """A later format is named, and neither read nor written."""
    with contextlib.closing(connect(tmp_path)) as connection:
        connection.execute("PRAGMA user_version = 9")
    for opening in (connect, connect_reader):
        with pytest.raises(InvalidInputError, match="format 9"):
            opening(tmp_path)


def test_a_folder_has_one_server(tmp_path: Path) -> None:
    """A second server of a folder is refused until the first has given it back."""
    with Store(tmp_path), pytest.raises(FolderBusyError):
        Store(tmp_path)
    with Store(tmp_path) as store:
        store.close()


def test_leftovers_of_a_killed_upload_are_swept(tmp_path: Path) -> None:
    """Parts of files that a killed server left are gone once the next one starts."""
    part = tmp_path / "objects" / "ab" / ".abc.0123456789abcdef.partial"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"half")
    with Store(tmp_path):
        assert not part.exists()
