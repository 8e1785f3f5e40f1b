"""
Shared commits: nobody goes on before the own record is on the disk.
"""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Iterator
from pathlib import Path

import pytest

from surefoot.core.errors import NondeterminismError
from surefoot.core.ledger import Done, Ledger
from surefoot.run.engine.lanes import GroupCommit

Points = list[str]


@pytest.fixture
def points() -> Points:
    """Return the list into which the ledger's commit points go."""
    return []


@pytest.fixture
def ledger(tmp_path: Path, points: Points) -> Iterator[Ledger]:
    """Return an open ledger that notes its commit points."""
    with Ledger.open(tmp_path, {}, at=points.append) as opened:
        points.clear()
        yield opened


def test_what_arrives_together_is_one_commit(ledger: Ledger, points: Points) -> None:
    """Records of one turn of the loop are committed at once, those of the next once more."""

    async def work() -> None:
        commit = GroupCommit(ledger)
        await asyncio.gather(*(commit.record(Done(f"{index}", b"x")) for index in range(5)))
        await commit.record(Done("alone", b"x"))

    asyncio.run(asyncio.wait_for(work(), 5))
    assert points.count("ledger:after-commit") == 2
    assert len(ledger.finished()) == 6


def test_nobody_goes_on_before_the_commit(ledger: Ledger) -> None:
    """A record that is waited for is in the ledger."""

    async def work() -> list[bool]:
        commit = GroupCommit(ledger)

        async def recorded(key: str) -> bool:
            await commit.record(Done(key, b"x"))
            return key in ledger.finished()

        return await asyncio.gather(*map(recorded, "abc"))

    assert asyncio.run(asyncio.wait_for(work(), 5)) == [True] * 3


def test_an_error_reaches_everyone_who_waits(tmp_path: Path) -> None:
    """A disk that fails fails every record of the group."""

    def fail(point: str) -> None:
        if point == "ledger:before-commit":
            raise OSError(errno.EIO, "disk")

    async def work(ledger: Ledger) -> list[BaseException | None]:
        commit = GroupCommit(ledger)
        waiting = [commit.record(Done(item, b"x")) for item in "ab"]
        return await asyncio.gather(*waiting, return_exceptions=True)

    with Ledger.open(tmp_path, {}, at=fail) as ledger:
        found = asyncio.run(work(ledger))
        assert [type(exception) for exception in found] == [OSError, OSError]
        assert ledger.finished() == set()


def test_a_contradiction_is_raised(ledger: Ledger) -> None:
    """A second result for one key is not swallowed by the group."""
    ledger.done("a", b"x")
    with pytest.raises(NondeterminismError):
        asyncio.run(GroupCommit(ledger).record(Done("a", b"y")))


def test_what_was_cancelled_can_still_be_committed(ledger: Ledger) -> None:
    """A record whose unit stopped waiting is committed by the last flush."""

    async def work() -> None:
        commit = GroupCommit(ledger)
        waiting = asyncio.ensure_future(commit.record(Done("a", b"x")))
        asyncio.get_running_loop().call_soon(waiting.cancel)
        with pytest.raises(asyncio.CancelledError):
            await waiting
        commit.flush()
        commit.flush()

    asyncio.run(work())
    assert ledger.finished() == {"a"}
