"""
Commits shared by many units at once: each waits until its own record is on the disk.
"""

from __future__ import annotations

import asyncio
import sqlite3
from typing import Final

from surefoot.core.errors import SurefootError
from surefoot.core.ledger import Done, Failure, Ledger

__all__ = ["GroupCommit"]

ROWS: Final = 50
SECONDS: Final = 0.02


class GroupCommit:
    """
    Gather the records of concurrent units and commit them together.

    A commit comes with the 50th record, or a fiftieth of a second after the first one;
    until then its units count as in flight, so that a kill loses no more than those.
    """

    def __init__(self, ledger: Ledger, *, rows: int = ROWS, seconds: float = SECONDS) -> None:
        self._ledger = ledger
        self._rows = rows
        self._seconds = seconds
        self._waiting: list[tuple[Done | Failure, asyncio.Future[None]]] = []
        self._timer: asyncio.TimerHandle | None = None

    async def record(self, record: Done | Failure) -> None:
        """Return once the record is committed; raises as ``Ledger.record_many`` does."""
        loop = asyncio.get_running_loop()
        committed: asyncio.Future[None] = loop.create_future()
        self._waiting.append((record, committed))
        if len(self._waiting) >= self._rows:
            self.flush()
        elif self._timer is None:
            self._timer = loop.call_later(self._seconds, self.flush)
        await committed

    def flush(self) -> None:
        """Commit what is waiting."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        batch, self._waiting = self._waiting, []
        if not batch:
            return
        error: Exception | None = None
        try:
            self._ledger.record_many(record for record, _ in batch)
        except (SurefootError, OSError, sqlite3.Error) as raised:
            error = raised
        for _, committed in batch:
            if committed.cancelled():
                continue
            if error is None:
                committed.set_result(None)
            else:
                committed.set_exception(error)
