"""
One thread that writes, and many who wait: changes are committed in groups.

A change is acknowledged only after the COMMIT of the group that it was part of. While one
group is being synced to the disk the next gathers, so that the cost of a sync is shared by
all who wait for it.
"""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, Generic, TypeAlias, TypeVar

from surefoot.core.errors import SurefootError
from surefoot.core.files import CommitPoint, ignore

T = TypeVar("T")
Change: TypeAlias = Callable[[sqlite3.Connection], T]

_MOST: Final = 512
# What a change may raise: its own transaction is undone, the others of its group go on.
_OWN_FAULTS: Final = (SurefootError, sqlite3.Error, ValueError, TypeError, LookupError)


class _Waiting(Generic[T]):
    """Hold a change, and the future of who waits for it."""

    def __init__(self, change: Change[T]) -> None:
        self.change = change
        self.future: Future[T] = Future()
        self.future.set_running_or_notify_cancel()
        self._settle: Callable[[], None] | None = None

    def perform(self, connection: sqlite3.Connection) -> None:
        """Make the change, or undo it and keep its error; nobody is told yet."""
        connection.execute("SAVEPOINT change")
        try:
            result = self.change(connection)
        except _OWN_FAULTS as error:
            connection.execute("ROLLBACK TO change")
            fault = error
            self._settle = lambda: self.future.set_exception(fault)
        else:
            self._settle = lambda: self.future.set_result(result)
        connection.execute("RELEASE change")

    def acknowledge(self) -> None:
        """Tell who waits what came of the change."""
        if self._settle is not None:
            self._settle()

    def fail(self, error: SurefootError) -> None:
        """Tell who waits that nothing was written; no matter if they know already."""
        if not self.future.done():
            self.future.set_exception(error)


class GroupWriter:
    """
    Perform changes in a thread of its own, many in one transaction.

    ``at`` is called with "server:before-commit" and "server:after-commit".
    """

    def __init__(self, connection: sqlite3.Connection, *, at: CommitPoint = ignore) -> None:
        self._connection = connection
        self._at = at
        self._queue: queue.SimpleQueue[_Waiting[object] | None] = queue.SimpleQueue()
        self._group: list[_Waiting[object]] = []
        self._guard = threading.Lock()
        self._open = True
        self._thread = threading.Thread(target=self._work, name="forms-writer", daemon=True)
        self._thread.start()

    def put(self, change: Change[T]) -> Future[T]:
        """
        Queue a change; its future has a result only once the change is committed.

        The future raises what the change raised, or SurefootError where the database
        could not be written.
        """
        waiting = _Waiting(change)
        with self._guard:
            if not self._open:
                raise SurefootError("a form server that runs", found="one that has stopped")
            self._queue.put(waiting)  # type: ignore[arg-type]
        return waiting.future

    def close(self) -> None:
        """Commit what is queued, end the thread, close the connection; twice is harmless."""
        with self._guard:
            if self._open:
                self._open = False
                self._queue.put(None)
        self._thread.join()
        self._connection.close()

    def _work(self) -> None:
        try:
            while self._gather():
                self._commit()
        finally:
            self._refuse_the_rest()

    def _gather(self) -> bool:
        """Wait for a change, take those queued behind it; False once there are no more."""
        self._group = []
        waiting = self._queue.get()
        while waiting is not None:
            self._group.append(waiting)
            if len(self._group) == _MOST or self._queue.empty():
                return True
            waiting = self._queue.get()
        if self._group:
            self._queue.put(None)
        return bool(self._group)

    def _commit(self) -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            for waiting in self._group:
                waiting.perform(self._connection)
            self._at("server:before-commit")
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._fail_group(str(error))
        else:
            self._at("server:after-commit")
            for item in self._group:
                item.acknowledge()
        finally:
            if self._connection.in_transaction:
                self._connection.rollback()

    def _fail_group(self, found: str) -> None:
        for waiting in self._group:
            waiting.fail(
                SurefootError(
                    "a database of form runs that can be written",
                    found=found,
                    remedy="make room on the disk; what was acknowledged is safe",
                )
            )

    def _refuse_the_rest(self) -> None:
        """Leave nobody waiting for a thread that has ended, however it ended."""
        with self._guard:
            self._open = False
        self._fail_group("a writer that has stopped")
        while not self._queue.empty():
            waiting = self._queue.get()
            if waiting is not None:
                waiting.fail(SurefootError("a form server that runs", found="one that stopped"))
