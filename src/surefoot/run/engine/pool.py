"""
The engine for browser units: worker processes of which any may die, and a ledger.

One lane per worker: a unit stays in its lane until it is committed, so that a kill costs
at most the units in flight. A unit whose worker died is tried again in a fresh one.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from typing import IO, Any, Final, Self

import msgspec
import psutil

from surefoot.capture.watchdog import kill_tree
from surefoot.core.children import child_environment
from surefoot.core.errors import DamageError, SurefootError
from surefoot.core.interrupts import kill_marked
from surefoot.core.ledger import Done, Failure, Ledger
from surefoot.core.scratch import SCRATCH, make_scratch
from surefoot.run.engine.progress import Progress, Tally
from surefoot.run.engine.stopping import require_descriptors, run_interruptible
from surefoot.run.engine.wire import (
    HEADER,
    FinishMessage,
    FromWorker,
    Ready,
    Result,
    StartMessage,
    TaskMessage,
    ToWorker,
    Trouble,
    body_length,
    frame,
    parse_reply,
)

FAREWELL_S: Final = 5.0
TAIL: Final = 2000  # bytes of a dead worker's standard error that its failure quotes
STARTS: Final = 5  # in a row, without one that was ready
AGAIN: Final = frozenset(
    {"worker-died", "browser-error", "bug"}
)  # blame the machinery, not the unit


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


class Unit(msgspec.Struct, frozen=True):
    """
    Hold one unit of work: its key and, as a JSON object, all that its result depends on.

    ``name`` is what people call it, where its failure does not say so itself; units of a
    ``site`` are done on one machine, if they can be.
    """

    key: str
    body: Mapping[str, object]
    name: str = ""
    site: str = ""


class Workers(msgspec.Struct, frozen=True, kw_only=True):
    """
    Say which workers to start: ``factory`` is "module:function", ``arguments`` its JSON.

    ``unit_s`` is a unit's own deadline in seconds, which the unit's function is to keep;
    ``grace_s`` later the worker is killed and the unit has failed with "timeout". A unit
    whose worker died is tried ``tries`` times in all.
    """

    factory: str
    arguments: Mapping[str, object] = {}
    count: int = 2
    unit_s: float = 60.0
    grace_s: float = 15.0
    start_s: float = 60.0
    tries: int = 3


def run_units(
    units: Iterable[Unit],
    ledger: Ledger,
    workers: Workers,
    *,
    progress: Progress,
    whole: Callable[[bytes], bool] | None = None,
    crew: Crew | None = None,
) -> Tally:
    """
    Compute every unit that the ledger has not finished, and count what came of them.

    A unit whose result is not ``whole`` any more, since a picture that it names is gone or
    damaged, is computed again: to the same result, or NondeterminismError is raised, or
    DamageError where that fails. Each result is committed before its worker gets another
    unit. Workers of a ``crew`` stay with it afterwards. Raises what a worker
    says must end the run (a missing component, a full disk); KeyboardInterrupt after
    Ctrl-C and SystemExit after SIGTERM, with nothing left running.
    """
    return run_stream(
        {unit.key: unit for unit in units}.values(),
        ledger,
        workers,
        progress=progress,
        whole=whole,
        crew=crew,
    )


def run_stream(
    units: Iterable[Unit],
    ledger: Ledger,
    workers: Workers,
    *,
    progress: Progress,
    whole: Callable[[bytes], bool] | None = None,
    crew: Crew | None = None,
) -> Tally:
    """
    Do as ``run_units`` does, in a memory that does not grow with the number of units.

    ``units`` are gone through twice, to count and to work, so they are no iterator; each
    has a key of its own.
    """
    states: Counter[str] = Counter()
    again: set[str] = set()
    for unit in units:
        state = ledger.state(unit.key)
        if state == "done" and whole and not whole(ledger.payload(unit.key)):
            again.add(unit.key)
            state = ""
        states[state] += 1
    progress.begin(total=states.total(), kept=states["done"], failed=states["failed"])
    if states[""]:
        todo = (unit for unit in units if unit.key in again or not ledger.state(unit.key))
        work = _run_lanes(todo, states[""], ledger, workers, progress, crew)
        run_interruptible(work, crew.runner if crew else None)
    for key in sorted(again):
        if whole and not whole(ledger.payload(key)):
            raise DamageError(
                f"the pictures of the unit {key} to be made again",
                found="a unit that fails now",
                remedy="mend what it is made from, or write another folder",
            )
    return progress.tally


class Crew:
    """Hold workers that are idle between runs of units, and the ``runner`` of their loop."""

    def __init__(self, runner: asyncio.Runner) -> None:
        self.runner = runner
        self.idle: list[WorkerProcess] = []


@contextlib.contextmanager
def kept() -> Iterator[Crew]:
    """
    Lend a crew, so that the browsers of one run of units serve the next one too.

    All runs with it are of the same Workers. Its workers are ended with the block; where that
    is left by an error, they are killed.
    """
    require_descriptors()
    with asyncio.Runner() as runner:
        crew = Crew(runner)
        ended = False
        try:
            yield crew
            ended = True
        finally:
            idle = crew.idle
            runner.run(_all(worker.finish() if ended else worker.kill() for worker in idle))


async def _all(work: Iterable[Coroutine[Any, Any, None]]) -> None:
    await asyncio.gather(*work)


async def _run_lanes(
    todo: Iterator[Unit],
    count: int,
    ledger: Ledger,
    workers: Workers,
    progress: Progress,
    crew: Crew | None,
) -> None:
    lanes = [
        asyncio.create_task(_Lane(todo, ledger, workers, progress, crew).run())
        for _ in range(min(workers.count, count))
    ]
    try:
        await asyncio.gather(*lanes)
    finally:
        for lane in lanes:
            if not lane.cancelling():  # a second time would cut short how it ends its worker
                lane.cancel()
        await asyncio.gather(*lanes, return_exceptions=True)


class _Lane:
    """Take units one after the other, with one worker at a time."""

    def __init__(
        self,
        units: Iterator[Unit],
        ledger: Ledger,
        workers: Workers,
        progress: Progress,
        crew: Crew | None,
    ) -> None:
        self._units = units
        self._ledger = ledger
        self._workers = workers
        self._progress = progress
        self._crew = crew
        self._worker: WorkerProcess | None = None

    async def run(self) -> None:
        """Work until no unit is left; whatever happens, leave no process behind."""
        try:
            for unit in self._units:
                record = await self._settle(unit)
                self._ledger.record_many([record])
                self._progress.advance(failed=isinstance(record, Failure))
            if self._worker is not None:
                if self._crew is None:
                    await self._worker.finish()
                else:
                    self._crew.idle.append(self._worker)
                self._worker = None
        finally:
            await self._discard()

    async def _settle(self, unit: Unit) -> Done | Failure:
        trouble = Trouble("worker-died", "")
        for _ in range(self._workers.tries):
            worker = await self._ready()
            reply = await worker.ask(
                TaskMessage(unit.body), self._workers.unit_s + self._workers.grace_s
            )
            if isinstance(reply, Result):
                self._progress.notes.update(reply.notes)
                return Done(unit.key, reply.payload, reply.seconds)
            trouble = _trouble(reply)
            again = trouble.stops or trouble.reason in AGAIN
            if again or not worker.alive:
                await self._discard()
            if not again:
                break
        trouble.end_run()
        message = trouble.told_of(unit.name) if unit.name else trouble.message
        return Failure(unit.key, trouble.reason, message, trouble.seconds)

    async def _ready(self) -> WorkerProcess:
        """Return a worker that has started; raises SurefootError where none will."""
        if self._worker is None and self._crew is not None and self._crew.idle:
            self._worker = self._crew.idle.pop()
        if self._worker is not None:
            return self._worker
        start = StartMessage(self._workers.factory, self._workers.arguments)
        trouble = Trouble("worker-died", "")
        for _ in range(STARTS):
            self._worker = await WorkerProcess.launch()
            reply = await self._worker.ask(start, self._workers.start_s)
            if isinstance(reply, Ready):
                return self._worker
            trouble = _trouble(reply)
            await self._discard()
        trouble.end_run()
        raise SurefootError(
            "a worker that starts", found=trouble.message, remedy="run `surefoot doctor`"
        )

    async def _discard(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            await worker.kill()


def _trouble(reply: FromWorker) -> Trouble:
    if isinstance(reply, Trouble):
        return reply
    return Trouble("worker-died", f"Expected a result, found {type(reply).__name__}.")
