"""
A worker process: built from an importable factory, it turns units into bytes until told to end.

Started by the pool as ``python -m surefoot.run.engine.worker``. Its standard input is also its
lifeline: at its end, which comes when the coordinator is killed, the process ends at once
together with everything that it started, even in the middle of a unit.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, BinaryIO, TypeAlias

from surefoot.core.endings import end_plainly
from surefoot.core.errors import (
    DamageError,
    InvalidInputError,
    SurefootError,
    UnitError,
    UserError,
)
from surefoot.core.extras import missing_package
from surefoot.core.faults import MACHINE, file_error
from surefoot.core.interrupts import end_at_once
from surefoot.core.registry import plugin_error
from surefoot.core.scratch import SCRATCH
from surefoot.run.engine.notes import collected_notes
from surefoot.run.engine.wire import (
    FinishMessage,
    Ready,
    Result,
    StartMessage,
    TaskMessage,
    ToWorker,
    Trouble,
    frame,
    read_task,
)

UnitFunction: TypeAlias = Callable[[dict[str, Any]], bytes]
Factory: TypeAlias = Callable[..., AbstractContextManager[UnitFunction]]


def main() -> int:
    """Serve one coordinator over standard input and output; return the exit status."""
    tasks, replies = _take_pipes()
    inbox: queue.SimpleQueue[ToWorker] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(tasks, inbox), daemon=True).start()
    start = inbox.get()
    if not isinstance(start, StartMessage):
        return 1
    troubles: list[Trouble] = []
    with guarded(troubles), load_factory(start.factory)(**start.arguments) as work:
        _send(replies, Ready())
        _serve(work, inbox, replies)
    if troubles:
        _send(replies, _stopping(troubles[0]))
    return 0


def load_factory(name: str) -> Factory:
    """
    Import the function that "module:function" names; raises InvalidInputError.

    A factory takes its JSON arguments by name and returns a context manager; that gives
    the function which turns one unit (a JSON object) into its payload.
    """
    module, _, function = name.partition(":")
    try:
        found: Factory = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        absent = missing_package(error) if isinstance(error, ModuleNotFoundError) else None
        if absent is not None:
            raise absent from error
        raise InvalidInputError(
            "a factory 'module:function' that can be imported", found=f"'{name}' ({error})"
        ) from error
    return found


@contextlib.contextmanager
def guarded(troubles: list[Trouble]) -> Iterator[None]:
    """
    Turn whatever the block raises into one trouble: the one place where a bug is held.

    UnitError keeps its reason, UserError becomes "invalid-input", an error about a file
    "file"; conditions of the machine (a full disk, no more descriptors), damaged files, a
    missing component and the like stop the run; what other distributions raise is a "plug-in";
    anything else is a "bug".
    """
    try:
        yield
    except BaseException as error:  # one unit's bug costs one unit, not the run
        if not isinstance(error, Exception) and plugin_error(error) is None:
            raise
        troubles.append(_trouble(error))


def _trouble(error: BaseException) -> Trouble:
    if isinstance(error, UnitError):
        return Trouble(error.reason, str(error))
    if isinstance(error, OSError) and error.errno in MACHINE:
        error = file_error(error)
    elif isinstance(error, OSError) and error.filename is not None:
        return Trouble("file", str(file_error(error)))
    if isinstance(error, ModuleNotFoundError):
        error = missing_package(error) or error
    if isinstance(error, UserError) and not isinstance(error, DamageError):
        return Trouble("invalid-input", str(error))
    if isinstance(error, SurefootError):
        parts = (error.expected, error.found, error.remedy)
        return Trouble("stopped", str(error), type(error).__name__, parts)
    if (blamed := plugin_error(error)) is not None:
        return Trouble("plug-in", str(blamed))
    return Trouble("bug", "".join(traceback.format_exception(error)))


def _stopping(trouble: Trouble) -> Trouble:
    """Make a trouble at start-up, which no unit is to blame for, end the run."""
    if trouble.stops:
        return trouble
    parts = ("a worker that starts", trouble.message.strip(), "")
    return Trouble(trouble.reason, trouble.message, "SurefootError", parts)


def _serve(work: UnitFunction, inbox: queue.SimpleQueue[ToWorker], replies: BinaryIO) -> None:
    while not isinstance(message := inbox.get(), FinishMessage):
        if isinstance(message, TaskMessage):
            _send(replies, _do(work, message))


def _do(work: UnitFunction, task: TaskMessage) -> Result | Trouble:
    began = time.monotonic()
    troubles: list[Trouble] = []
    with guarded(troubles), collected_notes() as notes:
        payload = work(dict(task.body))
        return Result(payload, time.monotonic() - began, tuple(notes))
    return troubles[0]


def _send(replies: BinaryIO, message: Ready | Result | Trouble) -> None:
    replies.write(frame(message))
    replies.flush()


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Keep the two pipes to ourselves: nothing we start or import may hold or write them."""
    tasks, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return tasks, replies


def _listen(tasks: BinaryIO, inbox: queue.SimpleQueue[ToWorker]) -> None:
    while (message := read_task(tasks)) is not None:
        inbox.put(message)
    end_at_once(os.environ.get(SCRATCH, ""), 1)


if __name__ == "__main__":
    with end_plainly("surefoot.run.engine.worker"):
        sys.exit(main())
