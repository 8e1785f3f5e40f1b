"""
One worker process as the coordinator sees it: asked, waited for, and killed with its tree.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sys
import tempfile
from typing import IO, Final, Self

import psutil

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
from surefoot.run.engine.worker import SCRATCH

__all__ = ["WorkerProcess"]

FAREWELL_S: Final = 5.0
TAIL: Final = 2000  # bytes of a dead worker's standard error that its failure quotes


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
        scratch = tempfile.mkdtemp(prefix="surefoot-")
        log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by kill
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "surefoot.run.engine.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            start_new_session=True,
            env={**os.environ, SCRATCH: scratch, "TMPDIR": scratch},
        )
        return cls(process, scratch, log)

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
            said = f" It said: {tail}" if (tail := self._tail()) else ""
            return Trouble(
                "worker-died",
                f"Expected a worker that lives, found exit status {code}.{said}",
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
        _kill_marked(self._scratch)
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
        root = psutil.Process(pid)
        for process in [root, *root.children(recursive=True)]:
            with contextlib.suppress(psutil.Error):
                process.kill()


def _kill_marked(scratch: str) -> None:
    """Kill what a worker started and left to init when it died: its environment tells."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(SCRATCH) == scratch:
                process.kill()
