"""
Workers on the machines of a Ray cluster: each actor holds one ordinary worker process.

An actor passes messages through and brings objects along: the pictures that a unit names go with
it, and what was stored meanwhile comes back. The ledger and the tables stay with the driver. An
actor that dies, alone or with its node, is a worker that died, which the pool tries again.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
import ray
from ray.exceptions import RayError

from surefoot.capture.web.room import UNCONFINED
from surefoot.core.errors import InvalidInputError, SurefootError
from surefoot.core.scratch import scratch_folder
from surefoot.core.store import ObjectStore
from surefoot.core.version import __version__
from surefoot.run.engine.processes import FAREWELL_S, Worker, WorkerProcess, Workers
from surefoot.run.engine.wire import (
    FromWorker,
    Ready,
    Result,
    StartMessage,
    TaskMessage,
    ToWorker,
    Trouble,
    parse_reply,
)
from surefoot.run.engine.worker import guarded
from surefoot.run.folders.objects import named_objects

FACTS: Final = "surefoot.run.building.machine_facts:machine_facts"
TRANSPORT_S: Final = 60.0  # beyond a unit's own deadline, for its objects
POLL_S: Final = 5.0  # between two looks whether the cluster has a processor at all
# Troubles of a comparison that say nothing of the node.
UNTOLD: Final = frozenset({"browser-error", "timeout", "worker-died"})
Objects: TypeAlias = dict[str, bytes]


class NodeWorker:
    """
    Hold one ordinary worker process, and a scratch folder in the place of the driver's.

    It lives in an actor; ``unconfined`` is what the driver's user agreed to, "" for nothing.
    """

    def __init__(self, unconfined: str) -> None:
        os.environ.pop(UNCONFINED, None)
        if unconfined:
            os.environ[UNCONFINED] = unconfined
        self._stack = contextlib.ExitStack()
        self._folder = Path(self._stack.enter_context(scratch_folder()))
        # What its worker keeps lies there, too: the next actor removes what a killed one left.
        os.environ["TMPDIR"] = tempfile.tempdir = str(self._folder)
        self._worker: WorkerProcess | None = None

    async def node(self) -> tuple[str, str]:
        """Return the name and the id of the node."""
        return socket.gethostname(), ray.get_runtime_context().get_node_id()

    async def ask(
        self, message: bytes, objects: Objects, seconds: float
    ) -> tuple[bytes, Objects, bool]:
        """Return the reply, what was stored for it, and whether the worker lives."""
        troubles: list[Trouble] = []
        with guarded(troubles):
            reply, made = await self._ask(message, objects, seconds)
            return msgspec.json.encode(reply), made, self._lives()
        return msgspec.json.encode(troubles[0]), {}, self._lives()

    def _lives(self) -> bool:
        return self._worker is not None and self._worker.alive

    async def _ask(
        self, message: bytes, objects: Objects, seconds: float
    ) -> tuple[FromWorker, Objects]:
        decoded: ToWorker = msgspec.json.decode(message, type=ToWorker)
        if isinstance(decoded, StartMessage):
            decoded = await self._begun(decoded)
        if self._worker is None:
            return Trouble("worker-died", "Expected a start message first, found none."), {}
        _put(ObjectStore(self._folder), objects)
        reply = await self._worker.ask(decoded, seconds)
        return reply, self._taken(objects)

    async def _begun(self, start: StartMessage) -> StartMessage:
        """Launch a worker process anew; return what it is told, with a folder of this node."""
        if self._worker is not None:
            await self._worker.finish()
        self._worker = await WorkerProcess.launch()
        arguments = dict(start.arguments)
        if "folder" in arguments:
            arguments["folder"] = str(self._folder)
        return StartMessage(start.factory, arguments)

    def _taken(self, known: Objects) -> Objects:
        """Return what the worker stored, and leave nothing of it here."""
        made: Objects = {}
        for path in sorted(ObjectStore(self._folder).folder.glob("??/*")):
            if path.name not in known:
                made[path.name] = path.read_bytes()
            path.unlink()
        return made

    async def close(self, *, kindly: bool) -> None:
        """End the worker process, and remove the scratch folder."""
        if self._worker is not None:
            await (self._worker.finish() if kindly else self._worker.kill())
        self._stack.close()


class RayWorker:
    """Hold one actor as the pool holds a worker process: it is asked, finished or killed."""

    def __init__(self, actor: Any, folder: str) -> None:  # noqa: ANN401 - Ray makes its class
        self._actor = actor
        self._store = ObjectStore(Path(folder)) if folder else None
        self._placed = False
        self.alive = True

    async def node(self) -> tuple[str, str]:
        """Return the name and the id of the node, as soon as it has a processor to spare."""
        name, key = await self._actor.node.remote()
        self._placed = True
        return name, key

    async def ask(self, message: ToWorker, seconds: float) -> FromWorker:
        """
        Send a message with the objects that it names, and return the reply to it.

        What came with the reply is in the driver's folder then. An actor that dies meanwhile,
        or its node, gives the trouble "worker-died".
        """
        sent = self._named(message)
        try:
            async with asyncio.timeout(seconds + TRANSPORT_S):
                body, made, self.alive = await self._actor.ask.remote(
                    msgspec.json.encode(message), sent, seconds
                )
        except TimeoutError:
            await self.kill()
            return Trouble(
                "timeout", f"Expected a result within {seconds:g} s, found none.", seconds=seconds
            )
        except RayError as error:
            self.alive = False
            return _died(error)
        if self._store is not None:
            _put(self._store, made)
        return parse_reply(body)

    async def finish(self) -> None:
        """Let the worker close what it holds, and end the actor."""
        await self._close(kindly=True)

    async def kill(self) -> None:
        """End the actor and its worker process; killing a dead one is harmless."""
        await self._close(kindly=False)

    async def _close(self, *, kindly: bool) -> None:
        self.alive = False
        try:
            if self._placed:  # what waits for a processor has nothing to close, and cannot
                async with asyncio.timeout(2 * FAREWELL_S):
                    await self._actor.close.remote(kindly=kindly)
        except (TimeoutError, RayError):
            pass  # what is dead has nothing to close
        finally:
            with contextlib.suppress(RayError):
                ray.kill(self._actor, no_restart=True)

    def _named(self, message: ToWorker) -> Objects:
        if self._store is None or not isinstance(message, TaskMessage):
            return {}
        paths = map(self._store.path, sorted(named_objects(msgspec.json.encode(message.body))))
        return {path.name: path.read_bytes() for path in paths if path.is_file()}


class RayCluster:
    """
    Launch workers on a cluster, and let none work on a node that is not as the driver is.

    A cluster that is ``own`` was started by this process on this machine, whose nodes are as it
    is; those of others are compared, each one once.
    """

    def __init__(self, workers: Workers, *, own: bool = False) -> None:
        self._workers = workers
        self._own = own
        self._alike: set[str] = set()
        self._comparing: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._actor = ray.remote(NodeWorker).options(
            num_cpus=1, max_restarts=0, max_task_retries=0, scheduling_strategy="SPREAD"
        )

    async def launch(self) -> RayWorker:
        """
        Return a worker on whichever node has a processor to spare, or will have.

        Raises InvalidInputError for a node with another version, another renderer or other
        files, and SurefootError for a cluster without a processor, or whose node here has ended.
        """
        await self._require_processor()
        folder = str(self._workers.arguments.get("folder", ""))
        worker = RayWorker(self._actor.remote(os.environ.get(UNCONFINED, "")), folder)
        async with contextlib.AsyncExitStack() as stack:
            stack.push_async_callback(worker.kill)
            try:
                name, key = await self._node_of(worker)
                if not self._own:
                    await self.require_alike(worker, name, key)
            except RayError:
                worker.alive = False  # the pool finds out by asking, and tries again
            stack.pop_all()
        return worker

    async def _node_of(self, worker: RayWorker) -> tuple[str, str]:
        """Wait for a worker's place, as long as there is a node here: without, none is given."""
        placing = asyncio.ensure_future(worker.node())
        try:
            while not placing.done():
                await asyncio.wait({placing}, timeout=POLL_S)
                _require_own_node()
            return placing.result()
        finally:
            placing.cancel()

    async def _require_processor(self) -> None:
        """Wait for a processor as long as a worker may take to start."""
        waited = 0.0
        while not ray.cluster_resources().get("CPU"):
            _require_own_node()
            if waited >= self._workers.start_s:
                raise SurefootError(
                    "a Ray cluster with a processor",
                    found="none on any node",
                    remedy="see `ray status`",
                )
            await asyncio.sleep(POLL_S)
            waited += POLL_S

    async def require_alike(self, worker: Worker, name: str, key: str) -> None:
        """
        Compare the worker's node with this machine, unless another worker has done so.

        A worker that could not tell is ended. Raises InvalidInputError that names the node, what
        was expected and what it has.
        """
        async with self._comparing[key]:
            if key not in self._alike:
                await self._ask_facts(worker, name)
                if worker.alive:
                    self._alike.add(key)

    async def _ask_facts(self, worker: Worker, name: str) -> None:
        workers = self._workers
        contents = workers.arguments.get("contents", {})
        asked = {"sources": workers.sources, "renders": bool(workers.renderer)}
        start = StartMessage(FACTS, {"contents": contents})
        reply = await worker.ask(start, workers.start_s)
        if isinstance(reply, Ready):
            reply = await worker.ask(TaskMessage(asked), workers.start_s)
        if isinstance(reply, Result):
            _compare(name, msgspec.json.decode(reply.payload), workers.renderer)
        elif not isinstance(reply, Trouble) or reply.reason in UNTOLD:
            await worker.kill()  # what was not compared does no unit
        else:
            raise InvalidInputError(
                f"a node of the cluster that can do what this machine can: {name}",
                found=reply.message.strip(),
                remedy="install there what is here, share the files, or leave --engine out",
            )


def _require_own_node() -> None:
    """Raise SurefootError where the node that this process is connected to has ended."""
    own = ray.get_runtime_context().get_node_id()
    if not any(node["Alive"] for node in ray.nodes() if node["NodeID"] == own):
        raise SurefootError(
            "a Ray node of this machine that lives",
            found="one that has ended",
            remedy="start it again, and give the same command again",
        )


def _compare(name: str, facts: Mapping[str, Any], renderer: Mapping[str, str]) -> None:
    """Raise InvalidInputError where a node's version or renderer is not the driver's."""
    here = {"surefoot": __version__} | {
        key: value for key, value in renderer.items() if key in facts["renderer"]
    }
    there = {"surefoot": facts["version"]} | facts["renderer"]
    for key in sorted(here.keys() | there.keys()):
        if here.get(key) != there.get(key):
            raise InvalidInputError(
                f"nodes that are as this machine is, with {key} {here.get(key, 'absent')}",
                found=f"{key} {there.get(key, 'absent')} on {name}",
                remedy="install the same there, or leave that node out",
            )


def _died(error: RayError) -> Trouble:
    message = str(error).strip().split("\n")[0]
    return Trouble("worker-died", f"Expected an actor that lives, found {message}")


def _put(store: ObjectStore, objects: Objects) -> None:
    for name, data in objects.items():
        sha, _, suffix = name.partition(".")
        if store.put(data, suffix) != sha:
            raise SurefootError(f"the object {name} whole", found="other bytes")
