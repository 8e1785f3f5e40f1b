"""
The engine for browser units: worker processes of which any may die, and a ledger.

One lane per worker: a unit stays in its lane until it is committed, so that a kill costs
at most the units in flight. A unit whose worker died is tried again in a fresh one.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from surefoot.core.errors import DamageError, SurefootError
from surefoot.core.ledger import Done, Failure, Ledger
from surefoot.run.engine.processes import Launch, Worker, WorkerProcess, Workers
from surefoot.run.engine.progress import Progress, Tally
from surefoot.run.engine.stopping import require_descriptors, run_interruptible
from surefoot.run.engine.wire import (
    FromWorker,
    Ready,
    Result,
    StartMessage,
    TaskMessage,
    Trouble,
)

STARTS: Final = 5  # in a row, without one that was ready
AGAIN: Final = frozenset(
    {"worker-died", "browser-error", "bug"}
)  # blame the machinery, not the unit


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
        with _launching(workers) as launch:
            lanes = [
                _Lane(todo, ledger, workers, progress, crew, launch)
                for _ in range(min(workers.count, states[""]))
            ]
            run_interruptible(_run_lanes(lanes), crew.runner if crew else None)
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
        self.idle: list[Worker] = []


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


def _launching(workers: Workers) -> contextlib.AbstractContextManager[Launch]:
    """Return what lends the launcher of workers for as long as they are needed."""
    if not workers.engine:
        return contextlib.nullcontext(WorkerProcess.launch)
    # Ray is an extra, and takes a second to import.
    from surefoot.run.engine.ray_cluster import ray_cluster

    return ray_cluster(workers)


async def _run_lanes(idle: Iterable[_Lane]) -> None:
    lanes = [asyncio.create_task(lane.run()) for lane in idle]
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
        launch: Launch,
    ) -> None:
        self._units = units
        self._ledger = ledger
        self._workers = workers
        self._progress = progress
        self._crew = crew
        self._launch = launch
        self._worker: Worker | None = None

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

    async def _ready(self) -> Worker:
        """Return a worker that has started; raises SurefootError where none will."""
        if self._worker is None and self._crew is not None and self._crew.idle:
            self._worker = self._crew.idle.pop()
        if self._worker is not None:
            return self._worker
        start = StartMessage(self._workers.factory, self._workers.arguments)
        trouble = Trouble("worker-died", "")
        for _ in range(STARTS):
            self._worker = await self._launch()
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
