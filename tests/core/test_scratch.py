"""
Scratch tables: empty at the start, gone at the end, however the block ends.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sqlite3
import tempfile
from collections.abc import Callable
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


def _fifo(path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    os.mkfifo(path)
    return path


def _link(path: Path, to: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(to)
    return path


def _socket(path: Path) -> Path:
    path.parent.mkdir()
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as listening:
        listening.bind(str(path))
    return path


def _users(folder: Path) -> Path:
    """Make a folder of the user's, called as ours are, with the mark of an owner in it."""
    folder.mkdir()
    (folder / ".owner").touch()
    return folder


OTHERS: dict[str, Callable[[Path], Path]] = {
    "a pipe for the owner": lambda t: _fifo(t / "surefoot-x" / ".owner"),
    "a pipe for the folder": lambda t: _fifo(t / "surefoot-x"),
    "a socket for the owner": lambda t: _socket(t / "surefoot-x" / ".owner"),
    "a link to a pipe for the owner": lambda t: _link(
        t / "surefoot-x" / ".owner", _fifo(t / "pipes" / "pipe")
    ),
    "a link to a file for the owner": lambda t: _link(
        t / "surefoot-x" / ".owner", _users(t / "users") / ".owner"
    ),
    "a link to nothing for the owner": lambda t: _link(t / "surefoot-x" / ".owner", t / "no"),
    "a link to a device for the owner": lambda t: _link(
        t / "surefoot-x" / ".owner", Path("/dev/zero")
    ),
    "a link in a circle for the owner": lambda t: _link(
        t / "surefoot-x" / ".owner", t / "surefoot-x" / ".owner"
    ),
    "a link to a folder": lambda t: _link(t / "surefoot-x", _users(t / "users")),
    "a folder for the owner": lambda t: _users(t / "users").rename(t / "surefoot-x") / ".owner",
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_others_put_into_the_shared_folder_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Neither a pipe, which would be waited for, nor a link leads the sweep anywhere."""
    put = OTHERS[name](tmp_path)
    if name == "a folder for the owner":
        put.unlink()
        put.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with scratch_folder():
        pass

    assert os.path.lexists(put)
    assert not (tmp_path / "users").exists() or (tmp_path / "users" / ".owner").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a folder to somebody else")
def test_folders_of_other_users_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What bears our name but belongs to somebody else is not ours to remove."""
    theirs = _users(tmp_path / "surefoot-theirs")
    os.chown(theirs, 65534, 65534)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with scratch_folder():
        pass

    assert (theirs / ".owner").exists()
