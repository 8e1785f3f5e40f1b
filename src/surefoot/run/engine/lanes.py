"""
The engine for whatever a server is asked: many at once, each reply committed, none asked twice.

A commit is shared by many units: each waits until its own record is on the disk.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

import msgspec

from surefoot.core.errors import SurefootError
from surefoot.core.ledger import Done, Failure, Ledger
from surefoot.run.engine.progress import Progress, Tally
from surefoot.run.engine.wire import Trouble
from surefoot.run.engine.worker import guarded

T = TypeVar("T")


class GroupCommit:
    """
    Gather the records of concurrent units and commit them together.

    A commit comes at the loop's next turn, with all that was recorded in this one; what arrives
    while it writes shares the next. Until then its units count as in flight, so that a kill
    loses no more than those.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._waiting: list[tuple[Done | Failure, asyncio.Future[None]]] = []

    async def record(self, record: Done | Failure) -> None:
        """Return once the record is committed; raises as ``Ledger.record_many`` does."""
        loop = asyncio.get_running_loop()
        committed: asyncio.Future[None] = loop.create_future()
        if not self._waiting:
            loop.call_soon(self.flush)
        self._waiting.append((record, committed))
        await committed

    def flush(self) -> None:
        """Commit what is waiting."""
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


class Got(msgspec.Struct, frozen=True):
    """Hold what is to be kept of one reply, whether it could be read, and its cost in dollars."""

    payload: bytes
    unparsed: bool = False
    cost: float = 0.0


async def ask_all(
    wanted: Mapping[str, T],
    ask: Callable[[T], Awaitable[Got]],
    ledger: Ledger,
    *,
    concurrency: int,
    progress: Progress,
    order: Callable[[T], tuple[str, ...]],
    name: Callable[[T], str],
) -> Tally:
    """
    Ask for everything wanted, by unit key, that the ledger has not finished.

    Each reply is committed before its place is given to the next one: a kill loses the
    requests in flight and nothing else. What fails is recorded with its reason, under its
    ``name``; a missing component, a full disk or another bare SurefootError ends the run and
    is raised.
    """
    finished = ledger.finished()
    failed = sum(failure.key in wanted for failure in ledger.failures())
    todo = sorted(
        ((key, t) for key, t in wanted.items() if key not in finished),
        key=lambda pair: order(pair[1]),
    )
    progress.begin(total=len(wanted), kept=len(wanted) - len(todo) - failed, failed=failed)
    await _Lanes(todo, ask, GroupCommit(ledger), progress, name).run(min(concurrency, len(todo)))
    return progress.tally


class _Lanes(Generic[T]):
    """Let several at a time go their way from one shared list."""

    def __init__(
        self,
        todo: Iterable[tuple[str, T]],
        ask: Callable[[T], Awaitable[Got]],
        commit: GroupCommit,
        progress: Progress,
        name: Callable[[T], str],
    ) -> None:
        self._name = name
        self._todo: Iterator[tuple[str, T]] = iter(todo)
        self._ask = ask
        self._commit = commit
        self._progress = progress

    async def run(self, width: int) -> None:
        """Ask until nothing is left; commit what has been replied to even if cancelled."""
        places = [asyncio.create_task(self._work()) for _ in range(width)]
        try:
            await asyncio.gather(*places)
        finally:
            for place in places:
                place.cancel()
            await asyncio.gather(*places, return_exceptions=True)
            self._commit.flush()

    async def _work(self) -> None:
        for key, t in self._todo:
            began = time.monotonic()
            troubles: list[Trouble] = []
            got: Got | None = None
            with guarded(troubles):
                got = await self._ask(t)
            seconds = time.monotonic() - began
            if got is None:
                await self._fail(key, t, troubles[0], seconds)
                continue
            await self._commit.record(Done(key, got.payload, seconds))
            self._progress.advance(unparsed=got.unparsed, cost=got.cost)

    async def _fail(self, key: str, t: T, trouble: Trouble, seconds: float) -> None:
        trouble.end_run()
        message = trouble.told_of(self._name(t))
        await self._commit.record(Failure(key, trouble.reason, message, seconds))
        self._progress.advance(failed=True)
