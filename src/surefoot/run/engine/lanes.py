"""
The engine for whatever a server is asked: many at once, each reply committed, none asked twice.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

import msgspec

from surefoot.core.ledger import Done, Failure, Ledger
from surefoot.run.engine.commit import GroupCommit
from surefoot.run.engine.progress import Progress, Tally
from surefoot.run.engine.wire import Trouble
from surefoot.run.engine.worker import guarded

__all__ = ["Got", "ask_all"]

T = TypeVar("T")


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
) -> Tally:
    """
    Ask for everything wanted, by unit key, that the ledger has not finished.

    Each reply is committed before its place is given to the next one: a kill loses the
    requests in flight and nothing else. What fails is recorded with its reason; a missing
    component, a full disk or another bare SurefootError ends the run and is raised.
    """
    finished = ledger.finished()
    failed = sum(each.key in wanted for each in ledger.failures())
    todo = sorted(
        ((key, each) for key, each in wanted.items() if key not in finished),
        key=lambda pair: order(pair[1]),
    )
    progress.begin(total=len(wanted), kept=len(wanted) - len(todo) - failed, failed=failed)
    await _Lanes(todo, ask, GroupCommit(ledger), progress).run(min(concurrency, len(todo)))
    return progress.tally


class _Lanes(Generic[T]):
    """Let several at a time go their way from one shared list."""

    def __init__(
        self,
        todo: Iterable[tuple[str, T]],
        ask: Callable[[T], Awaitable[Got]],
        commit: GroupCommit,
        progress: Progress,
    ) -> None:
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
        for key, each in self._todo:
            began = time.monotonic()
            troubles: list[Trouble] = []
            got: Got | None = None
            with guarded(troubles):
                got = await self._ask(each)
            seconds = time.monotonic() - began
            if got is None:
                await self._fail(key, troubles[0], seconds)
                continue
            await self._commit.record(Done(key, got.payload, seconds))
            self._progress.advance(unparsed=got.unparsed, cost=got.cost)

    async def _fail(self, key: str, trouble: Trouble, seconds: float) -> None:
        trouble.end_run()
        await self._commit.record(Failure(key, trouble.reason, trouble.message, seconds))
        self._progress.advance(failed=True)
