"""
Functions that can be called from anywhere: a script, a notebook, inside a running event loop.

Our engines run event loops of their own, which a thread that runs one already cannot do, and
a notebook's thread does. So the work is done in another thread while the caller waits, and
signals, which only the main thread hears, are left as they are.
"""

from __future__ import annotations

import concurrent.futures
import contextvars
import functools
import threading
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

from surefoot.api.spelling import respell
from surefoot.core.errors import SurefootError
from surefoot.core.extras import missing_package
from surefoot.core.interrupts import is_command

P = ParamSpec("P")
T = TypeVar("T")

BEAT_S: Final = 0.2


def in_thread(work: Callable[P, T]) -> Callable[P, T]:
    """
    Let a function do its work in a thread of its own, and be interrupted as if it did not.

    What is missing of an extra is a MissingComponentError, and an error names arguments, not
    options of a command. KeyboardInterrupt in the caller's thread drops what is in flight, waits
    for that, and is raised. A command of ours has its main thread to itself and works there.

    >>> import asyncio
    >>> @in_thread
    ... def double(number):
    ...     return asyncio.run(asyncio.sleep(0, 2 * number))
    >>> async def notebook():
    ...     return double(21)
    >>> asyncio.run(notebook())
    42
    """

    @functools.wraps(work)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        if is_command():
            return work(*args, **kwargs)

        from surefoot.run.engine.stopping import STOPPER, Stopper

        begin = threading.Event()

        def named() -> T:
            begin.wait()
            if stopper.asked:
                raise KeyboardInterrupt
            try:
                return work(*args, **kwargs)
            except SurefootError as error:
                respell(error, work)
                raise
            except ModuleNotFoundError as error:
                raise missing_package(error) or error from error

        stopper = Stopper()
        context = contextvars.copy_context()
        context.run(STOPPER.set, stopper)
        pool = concurrent.futures.ThreadPoolExecutor(1, thread_name_prefix="surefoot")
        future: concurrent.futures.Future[T] | None = None
        try:
            future = pool.submit(context.run, named)
            begin.set()  # not before its future is known: whoever interrupts waits for that
            _wait(future)
            return future.result()
        except KeyboardInterrupt:
            stopper.stop()
            begin.set()
            if future is not None:
                _wait(future)
            raise
        finally:
            pool.shutdown(wait=future is not None and future.done())

    return call


def _wait(future: concurrent.futures.Future[T]) -> None:
    """Wait in turns: a signal that another thread was given wakes nobody who waits for good."""
    while concurrent.futures.wait([future], BEAT_S).not_done:
        pass
