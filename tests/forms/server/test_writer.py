"""
Changes are committed in groups, acknowledged afterwards, and fail alone.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError, SurefootError
from surefoot.forms.server.writer import GroupWriter


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a database with one table of numbers."""
    path = tmp_path / "numbers.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE numbers (number INTEGER UNIQUE)")
    connection.commit()
    connection.close()
    return path


@pytest.fixture
def open_writer(path: Path) -> Iterator[Callable[..., GroupWriter]]:
    """Open writers of the database, and close them in the end."""
    opened: list[GroupWriter] = []

    def begin(at: Callable[[str], None] = lambda _: None) -> GroupWriter:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        opened.append(GroupWriter(connection, at=at))
        return opened[-1]

    yield begin
    for writer in opened:
        writer.close()


def insert(number: int) -> Callable[[sqlite3.Connection], int]:
    """Return the change that adds a number."""

    def change(connection: sqlite3.Connection) -> int:
        connection.execute("INSERT INTO numbers VALUES (?)", (number,))
        return number

    return change


def kept(path: Path) -> list[int]:
    """Return the numbers that another connection sees."""
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT number FROM numbers ORDER BY number").fetchall()
    connection.close()
    return [number for (number,) in rows]


def test_nobody_is_told_before_the_commit(
    path: Path, open_writer: Callable[..., GroupWriter]
) -> None:
    """Up to the commit no future is done, and once one is, others see its change."""
    reached, released = threading.Event(), threading.Event()

    def hold(point: str) -> None:
        if point == "server:before-commit":
            reached.set()
            assert released.wait(30)

    future = open_writer(hold).put(insert(1))
    assert reached.wait(30)
    assert not future.done()
    assert kept(path) == []
    released.set()
    assert future.result(30) == 1
    assert kept(path) == [1]


def test_what_waits_together_is_committed_together(
    path: Path, open_writer: Callable[..., GroupWriter]
) -> None:
    """Changes that come while a group is being committed are one group after it."""
    reached, released, commits = threading.Event(), threading.Event(), []

    def hold(point: str) -> None:
        if point == "server:before-commit":
            reached.set()
            assert released.wait(30)
        else:
            commits.append(point)

    writer = open_writer(hold)
    first = writer.put(insert(0))
    assert reached.wait(30)
    rest = [writer.put(insert(number)) for number in range(1, 100)]
    released.set()
    assert [future.result(30) for future in (first, *rest)] == list(range(100))
    assert len(commits) == 2
    assert kept(path) == list(range(100))


def test_a_change_fails_alone(path: Path, open_writer: Callable[..., GroupWriter]) -> None:
    """A change that raises is undone whole, and its neighbours in the group are kept."""
    reached, released = threading.Event(), threading.Event()

    def hold(point: str) -> None:
        if point == "server:before-commit" and not reached.is_set():
            reached.set()
            assert released.wait(30)

    def half(connection: sqlite3.Connection) -> None:
        insert(50)(connection)
        raise InvalidInputError("fewer", found="more")

    writer = open_writer(hold)
    writer.put(insert(0))
    assert reached.wait(30)
    good = [writer.put(insert(number)) for number in (1, 2)]
    bad, twice = writer.put(half), writer.put(insert(1))
    last = writer.put(insert(3))
    released.set()
    assert [future.result(30) for future in (*good, last)] == [1, 2, 3]
    with pytest.raises(InvalidInputError):
        bad.result(30)
    with pytest.raises(sqlite3.IntegrityError):
        twice.result(30)
    assert kept(path) == [0, 1, 2, 3]


def test_a_group_that_cannot_be_committed_is_not_acknowledged(
    path: Path, open_writer: Callable[..., GroupWriter]
) -> None:
    """Where the database cannot be written every waiting change fails; later ones go on."""

    def full(point: str) -> None:
        if point == "server:before-commit" and not failed:
            failed.append(point)
            raise sqlite3.OperationalError("database or disk is full")

    failed: list[str] = []
    writer = open_writer(full)
    with pytest.raises(SurefootError, match="disk is full"):
        writer.put(insert(1)).result(30)
    assert writer.put(insert(2)).result(30) == 2
    assert kept(path) == [2]


def test_closing_commits_what_is_queued(
    path: Path, open_writer: Callable[..., GroupWriter]
) -> None:
    """A writer that is closed finishes its queue, and takes nothing more."""
    writer = open_writer()
    waiting = [writer.put(insert(number)) for number in range(700)]
    writer.close()
    writer.close()
    assert all(future.done() for future in waiting)
    assert kept(path) == list(range(700))
    with pytest.raises(SurefootError):
        writer.put(insert(1000))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_writer_that_dies_leaves_nobody_waiting(
    path: Path, open_writer: Callable[..., GroupWriter]
) -> None:
    """Should the thread end by an error of ours, all who wait are told."""

    def die(connection: sqlite3.Connection) -> None:
        del connection
        raise ZeroDivisionError

    writer = open_writer()
    with pytest.raises(SurefootError):
        writer.put(die).result(30)
    with pytest.raises(SurefootError):
        writer.put(insert(1)).result(30)
    assert kept(path) == []
