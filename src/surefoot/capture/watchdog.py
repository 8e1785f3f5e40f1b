"""
The guard beside the browser: memory and time, held by a thread that can always kill.

A page that never returns blocks the thread that drives it, so the limits are held from
another one: killing the browser makes the blocked call raise. A call that was on its way
when the browser died may be lost, and nothing would ever answer it; killing the browser's
driver ends that too.
"""

from __future__ import annotations

import contextlib
import threading
import time
from typing import Final, Self

import psutil

POLL_S: Final = 0.2
# How long a blocked call has to learn that its browser is gone.
MOURNING_S: Final = 5.0


class Watchdog:
    """
    Kill a browser's process tree once it breaks a limit; a context manager.

    ``tripped`` is the reason of the last kill ("timeout", "memory" or one that was given
    to ``trip``), "" where there was none since the watchdog was armed. Where the browser is
    dead and the watchdog still armed five seconds later, ``driver`` is killed, if it is set.
    """

    def __init__(self) -> None:
        self.tripped = ""
        self.driver: psutil.Process | None = None
        self._lock = threading.Lock()
        self._end = threading.Event()
        self._root: psutil.Process | None = None
        self._armed = False
        self._deadline = 0.0
        self._farewell = 0.0  # when the driver is killed, if the browser is dead
        self._memory = 0
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        """Start the thread."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End the thread."""
        self._end.set()
        self._thread.join()

    def arm(self, pid: int, *, seconds: float, memory_bytes: int) -> None:
        """Hold a process tree to this many seconds from now and this much memory."""
        with self._lock:
            self.tripped = ""
            self._armed = True
            self._deadline = time.monotonic() + seconds
            self._memory = memory_bytes
            self._farewell = time.monotonic() + MOURNING_S
            try:
                self._root = psutil.Process(pid)
            except psutil.NoSuchProcess:
                self._root = None

    def arm_start(self, seconds: float) -> None:
        """Kill the driver unless the browser that it starts is there in so many seconds."""
        with self._lock:
            self.tripped = ""
            self._armed = True
            self._root = None
            self._farewell = time.monotonic() + seconds

    def extend(self, seconds: float) -> None:
        """Move the deadline to no earlier than this many seconds from now."""
        with self._lock:
            self._deadline = max(self._deadline, time.monotonic() + seconds)

    def grant(self, seconds: float) -> None:
        """Move the deadline to this many seconds from now, be that later or sooner."""
        with self._lock:
            self._deadline = time.monotonic() + seconds

    def disarm(self) -> None:
        """Stop holding the tree and the driver; ``tripped`` stays."""
        with self._lock:
            self._armed = False
            self._root = None

    def trip(self, reason: str) -> None:
        """Kill the tree now; the first reason stays."""
        with self._lock:
            self._kill(reason)

    def _watch(self) -> None:
        while not self._end.wait(POLL_S):
            with self._lock:
                if self._root is None:
                    self._kill_driver()
                elif not lives(self._root):
                    self._lose()
                elif time.monotonic() > self._deadline:
                    self._kill("timeout")
                elif tree_memory(self._root) > self._memory:
                    self._kill("memory")

    def _kill(self, reason: str) -> None:
        if self._root is not None:
            self.tripped = reason
            kill_tree(self._root)
            self._lose()

    def _lose(self) -> None:
        self._root = None
        self._farewell = time.monotonic() + MOURNING_S

    def _kill_driver(self) -> None:
        if self._armed and self.driver is not None and time.monotonic() > self._farewell:
            self._armed = False
            kill_tree(self.driver)


def lives(process: psutil.Process) -> bool:
    """Tell whether a process is there and more than an entry in the table."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def tree_memory(root: psutil.Process) -> int:
    """
    Return the resident bytes of a process and all below it.

    Pages that a process shares are counted once for the whole tree, as the largest share
    of one process: a browser maps the same 150 MB of code into each of its processes.
    """
    private = shared = 0
    for process in _tree(root):
        with contextlib.suppress(psutil.Error):
            info = process.memory_info()
            common = int(getattr(info, "shared", 0))
            private += info.rss - common
            shared = max(shared, common)
    return private + shared


def kill_tree(root: psutil.Process) -> None:
    """Kill a process and all below it; those that are gone are no error."""
    for process in _tree(root):
        with contextlib.suppress(psutil.Error):
            process.kill()


def _tree(root: psutil.Process) -> list[psutil.Process]:
    try:
        return [root, *root.children(recursive=True)]
    except psutil.Error:
        return [root]
