"""
Ends a run cleanly on Ctrl-C or SIGTERM: what is in flight is dropped, what is done is kept.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import selectors
import signal
import socket
import threading
from collections.abc import Callable, Coroutine, Iterator
from types import FrameType
from typing import Any, Final, TypeVar

from surefoot.core.interrupts import begin

T = TypeVar("T")

TERMINATED: Final = 128 + signal.SIGTERM


class Stopper:
    """
    Let another thread do to what runs here what Ctrl-C does, now or as soon as it begins.

    ``asked`` tells whether it did.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.asked = False
        self._stop: Callable[[], object] | None = None

    def stop(self) -> None:
        """Cancel what runs in the context that this stopper stands in."""
        with self._lock:
            self.asked = True
            if self._stop is not None:
                self._stop()

    @contextlib.contextmanager
    def stopping(self, stop: Callable[[], object]) -> Iterator[None]:
        """Call ``stop``, in any thread, where the block is to be stopped."""
        with self._lock:
            self._stop = stop
            if self.asked:
                stop()
        try:
            yield
        finally:
            with self._lock:
                self._stop = None


STOPPER: Final[contextvars.ContextVar[Stopper]] = contextvars.ContextVar("stopper")


def run_interruptible(work: Coroutine[Any, Any, T], runner: asyncio.Runner | None = None) -> T:
    """
    Run a coroutine to its end, or until Ctrl-C or SIGTERM cancels it.

    Its ``finally`` blocks run first; then KeyboardInterrupt is raised for Ctrl-C and
    SystemExit(143) for SIGTERM. A ``runner`` that is given keeps its loop for what follows.
    Raises OSError where too few files can be opened for a loop.

    >>> async def work() -> int:
    ...     return 42
    >>> run_interruptible(work())
    42
    """
    stopped: list[signal.Signals] = []
    with contextlib.closing(work):
        require_descriptors()
        with contextlib.nullcontext(runner) if runner else asyncio.Runner() as running:
            try:
                return running.run(_listening(work, stopped))
            except asyncio.CancelledError:
                if not stopped:
                    raise
    if signal.SIGINT in stopped:
        raise KeyboardInterrupt
    raise SystemExit(TERMINATED)


def require_descriptors() -> None:
    """
    Raise OSError where what a loop opens cannot be opened.

    A loop that finds out by itself complains once more when it is collected.
    """
    with selectors.DefaultSelector(), contextlib.ExitStack() as opened:
        for end in socket.socketpair():
            opened.enter_context(end)


async def _listening(work: Coroutine[Any, Any, T], stopped: list[signal.Signals]) -> T:
    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()

    def stop(kind: signal.Signals) -> None:
        begin(kind)
        stopped.append(kind)
        loop.call_soon_threadsafe(task.cancel)

    stopper = STOPPER.get(Stopper())
    with _on_signals(stop), stopper.stopping(lambda: stop(signal.SIGINT)):
        return await task


@contextlib.contextmanager
def _on_signals(stop: Callable[[signal.Signals], None]) -> Iterator[None]:
    """
    Call ``stop`` at Ctrl-C and at SIGTERM.

    The handlers are Python's own and not the loop's: those wait for the loop's next turn, which
    does not come while pictures are measured or causes are named.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(number: int, _frame: FrameType | None) -> None:
        stop(signal.Signals(number))

    before = {kind: signal.signal(kind, handle) for kind in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)
