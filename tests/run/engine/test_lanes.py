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


def test_a_full_group_is_one_commit(ledger: Ledger, points: Points) -> None:
    """As many records as the group holds are committed at once, and not later."""

    async def work() -> None:
        commit = GroupCommit(ledger, rows=5, seconds=60)
        await asyncio.gather(*(commit.record(Done(f"{index}", b"x")) for index in range(5)))

    asyncio.run(asyncio.wait_for(work(), 5))
    assert points.count("ledger:after-commit") == 1
    assert len(ledger.finished()) == 5


def test_a_lonely_record_is_committed_soon(ledger: Ledger) -> None:
    """One record does not wait for company, and is committed when its wait ends."""

    async def work() -> set[str]:
        await GroupCommit(ledger, rows=50, seconds=0.01).record(Done("a", b"x"))
        return ledger.finished()

    assert asyncio.run(asyncio.wait_for(work(), 5)) == {"a"}


def test_an_error_reaches_everyone_who_waits(tmp_path: Path) -> None:
    """A disk that fails fails every record of the group."""

    def fail(point: str) -> None:
        if point == "ledger:before-commit":
            raise OSError(errno.EIO, "disk")

    async def work(ledger: Ledger) -> list[BaseException | None]:
        commit = GroupCommit(ledger, rows=2)
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
        commit = GroupCommit(ledger, seconds=60)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(commit.record(Done("a", b"x")), 0.01)
        commit.flush()
        commit.flush()

    asyncio.run(work())
    assert ledger.finished() == {"a"}
