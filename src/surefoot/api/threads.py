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
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from surefoot.core.extras import missing_package
from surefoot.core.interrupts import is_command
from surefoot.run.engine.stopping import STOPPER, Stopper

__all__ = ["in_thread"]

P = ParamSpec("P")
T = TypeVar("T")


def in_thread(work: Callable[P, T]) -> Callable[P, T]:
    """
    Let a function do its work in a thread of its own, and be interrupted as if it did not.

    What is missing of an extra is a MissingComponentError. KeyboardInterrupt in the caller's
    thread drops what is in flight, waits for that, and is raised. A command of ours has its
    main thread to itself and works there.

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

        def named() -> T:
            try:
                return work(*args, **kwargs)
            except ModuleNotFoundError as error:
                raise missing_package(error) or error from error

        stopper = Stopper()
        context = contextvars.copy_context()
        context.run(STOPPER.set, stopper)
        pool = concurrent.futures.ThreadPoolExecutor(1, thread_name_prefix="surefoot")
        future = pool.submit(context.run, named)
        try:
            return future.result()
        except KeyboardInterrupt:
            stopper.stop()
            concurrent.futures.wait([future])
            raise
        finally:
            pool.shutdown(wait=future.done())  # at a second Ctrl-C it is not

    return call
