"""
Ends a run cleanly on Ctrl-C or SIGTERM: what is in flight is dropped, what is done is kept.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Final, TypeVar

__all__ = ["TERMINATED", "run_interruptible"]

T = TypeVar("T")

TERMINATED: Final = 128 + signal.SIGTERM


def run_interruptible(work: Coroutine[Any, Any, T]) -> T:
    """
    Run a coroutine to its end, or until Ctrl-C or SIGTERM cancels it.

    Its ``finally`` blocks run first; then KeyboardInterrupt is raised for Ctrl-C and
    SystemExit(143) for SIGTERM.

    >>> async def work() -> int:
    ...     return 42
    >>> run_interruptible(work())
    42
    """
    terminated: list[bool] = []
    with asyncio.Runner() as runner:
        try:
            return runner.run(_listening(work, terminated))
        except asyncio.CancelledError:
            if not terminated:
                raise
    raise SystemExit(TERMINATED)


async def _listening(work: Coroutine[Any, Any, T], terminated: list[bool]) -> T:
    task = asyncio.ensure_future(work)

    def stop() -> None:
        terminated.append(True)
        task.cancel()

    with _on_sigterm(asyncio.get_running_loop(), stop):
        return await task


@contextlib.contextmanager
def _on_sigterm(loop: asyncio.AbstractEventLoop, stop: Callable[[], None]) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop.add_signal_handler(signal.SIGTERM, stop)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGTERM)
