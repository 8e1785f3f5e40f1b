"""
Scratch tables: empty at the start, gone at the end, however the block ends.
"""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

import pytest

from surefoot.core.scratch import scratch_database, scratch_folder

TABLES = "CREATE TABLE seen (id TEXT PRIMARY KEY);"


def test_what_was_left_there_makes_way_and_nothing_is_left(tmp_path: Path) -> None:
    """A file that an earlier process left is replaced, and none stays behind an error."""
    path = tmp_path / "index.partial"
    path.write_bytes(b"left by a process that was killed")
    with pytest.raises(sqlite3.IntegrityError), scratch_database(TABLES, path) as connection:
        connection.executemany("INSERT INTO seen VALUES (?)", ["a", "a"])

    assert not path.exists()


def test_without_a_path_two_know_nothing_of_each_other() -> None:
    """Two databases that are open at once are two."""
    with scratch_database(TABLES) as one, scratch_database(TABLES) as other:
        one.execute("INSERT INTO seen VALUES ('a')")
        found = other.execute("SELECT count(*) FROM seen").fetchone()

    assert found == (0,)


def test_what_killed_owners_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder whose owner lives stays, one whose owner is gone goes, and nothing else does."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "surefoot-of-another-kind").mkdir()
    with scratch_folder() as alive:
        dead = tmp_path / "surefoot-dead"
        dead.mkdir()
        (dead / ".owner").touch()
        (dead / "file").touch()
        with scratch_folder() as own:
            left = {path.name for path in tmp_path.iterdir()}

    assert left == {"surefoot-of-another-kind", Path(alive).name, Path(own).name}
    assert {path.name for path in tmp_path.iterdir()} == {"surefoot-of-another-kind"}
