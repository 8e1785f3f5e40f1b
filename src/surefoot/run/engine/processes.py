"""
What does units: processes of this machine, and how many of which are wanted.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from typing import IO, Final, Protocol, Self, TypeAlias

import msgspec
import psutil

from surefoot.capture.watchdog import kill_tree
from surefoot.core.children import child_environment
from surefoot.core.interrupts import kill_marked
from surefoot.core.scratch import SCRATCH, make_scratch
from surefoot.run.engine.wire import (
    HEADER,
    FinishMessage,
    FromWorker,
    ToWorker,
    Trouble,
    body_length,
    frame,
    parse_reply,
)

FAREWELL_S: Final = 5.0
TAIL: Final = 2000  # bytes of a dead worker's standard error that its failure quotes
RAY: Final = "ray"  # the engine on a cluster; "ray:ADDRESS" names the cluster


class Workers(msgspec.Struct, frozen=True, kw_only=True):
    """
    Say which workers to start: ``factory`` is "module:function", ``arguments`` its JSON.

    ``unit_s`` is a unit's own deadline in seconds, which the unit's function is to keep;
    ``grace_s`` later the worker is killed and the unit has failed with "timeout". A unit
    whose worker died is tried ``tries`` times in all.

    ``engine`` is "" for processes of this machine, "ray" or "ray:ADDRESS" for those of a
    cluster, whose machines must have the ``renderer`` and the files of ``sources``.
    """

    factory: str
    arguments: Mapping[str, object] = {}
    count: int = 2
    unit_s: float = 60.0
    grace_s: float = 15.0
    start_s: float = 60.0
    tries: int = 3
    engine: str = ""
    renderer: Mapping[str, str] = {}
    sources: tuple[str, ...] = ()


class Worker(Protocol):
    """What a lane asks units of: a process of this machine, or one on a cluster."""

    alive: bool

    async def ask(self, message: ToWorker, seconds: float) -> FromWorker:
        """Send a message and return the reply to it, or the trouble that there was."""

    async def finish(self) -> None:
        """Let the worker close what it holds, and end it."""

    async def kill(self) -> None:
        """End the worker and all that it started; killing a dead one is harmless."""


Launch: TypeAlias = Callable[[], Awaitable[Worker]]


class WorkerProcess:
    """
    Hold one worker in a session of its own, with its own folder for temporary files.

    ``alive`` turns false when the worker has died or had to be killed; whoever holds it
    must call ``finish`` or ``kill`` in the end.
    """

    def __init__(self, process: asyncio.subprocess.Process, scratch: str, log: IO[bytes]) -> None:
        self._process = process
        self._scratch = scratch
        self._log = log
        self.alive = True

    @classmethod
    async def launch(cls) -> Self:
        """Start a process that waits for its Start message."""
        scratch = make_scratch()
        log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by kill
        starting = asyncio.ensure_future(
            asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "surefoot.run.engine.worker"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                start_new_session=True,
                env=child_environment({SCRATCH: scratch, "TMPDIR": scratch}),
            )
        )
        try:
            return cls(await asyncio.shield(starting), scratch, log)
        except asyncio.CancelledError:  # a process that is half started cannot be ended
            await cls(await starting, scratch, log).kill()
            raise

    async def ask(self, message: ToWorker, seconds: float) -> FromWorker:
        """
        Send a message and return the reply to it.

        A worker that dies meanwhile gives the trouble "worker-died"; one that says nothing
        for so many seconds is killed and gives "timeout".
        """
        try:
            async with asyncio.timeout(seconds):
                await self._send(message)
                return await self._receive()
        except TimeoutError:
            await self.kill()
            return Trouble(
                "timeout", f"Expected a result within {seconds:g} s, found none.", seconds=seconds
            )
        except (asyncio.IncompleteReadError, ConnectionError):
            self.alive = False
            code = await self._process.wait()
            tail_words = f" It said: {tail}" if (tail := self._tail()) else ""
            return Trouble(
                "worker-died",
                f"Expected a worker that lives, found exit status {code}.{tail_words}",
            )

    async def finish(self) -> None:
        """Let the worker close what it holds; kill what is left after five seconds."""
        with contextlib.suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(FAREWELL_S):
                await self._send(FinishMessage())
                await self._process.wait()
        await self.kill()

    async def kill(self) -> None:
        """Kill the worker and all that it started; killing a dead one is harmless."""
        self.alive = False
        if self._process.returncode is None:
            _kill_tree(self._process.pid)
        if self._process.stdin is not None:
            self._process.stdin.close()
        await self._process.wait()
        kill_marked(self._scratch)
        shutil.rmtree(self._scratch, ignore_errors=True)
        self._log.close()

    async def _send(self, message: ToWorker) -> None:
        if self._process.stdin is not None:
            self._process.stdin.write(frame(message))
            await self._process.stdin.drain()

    async def _receive(self) -> FromWorker:
        if self._process.stdout is None:
            raise ConnectionError
        length = body_length(await self._process.stdout.readexactly(HEADER))
        return parse_reply(await self._process.stdout.readexactly(length))

    def _tail(self) -> str:
        size = self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, size - TAIL))
        return self._log.read().decode(errors="replace").strip()


def _kill_tree(pid: int) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        kill_tree(psutil.Process(pid))
