"""
Functions that can be called anywhere, and be interrupted.
"""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading

import pytest

from surefoot.api.threads import in_thread
from surefoot.core.interrupts import command
from surefoot.run.engine.stopping import run_interruptible

# Whoever is interrupted says what became of its work, and how signals are handled meanwhile.
SCRIPT = """
import asyncio, os, signal, threading
from surefoot.api.threads import in_thread
from surefoot.run.engine.stopping import run_interruptible

async def work():
    try:
        kinds = (signal.SIGINT, signal.SIGTERM)
        print([signal.getsignal(kind) for kind in kinds] == BEFORE, flush=True)
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(60)
    finally:
        print("dropped", flush=True)

@in_thread
def begin():
    run_interruptible(work())

signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
BEFORE = [signal.getsignal(kind) for kind in (signal.SIGINT, signal.SIGTERM)]
try:
    begin()
except KeyboardInterrupt:
    print("interrupted", threading.active_count(), flush=True)
"""


def test_ctrl_c_drops_the_work_and_is_raised() -> None:
    """Ctrl-C in the caller ends the work first, signals are handled as before all the while."""
    script = [sys.executable, "-c", SCRIPT]
    ended = subprocess.run(script, capture_output=True, text=True, timeout=60, check=True)

    assert ended.stdout.split("\n") == ["True", "dropped", "interrupted 1", ""]


def test_a_call_inside_a_running_loop_works() -> None:
    """A notebook's thread runs an event loop; work that needs one of its own is done beside."""

    @in_thread
    def work() -> int:
        return run_interruptible(asyncio.sleep(0, 42))

    async def notebook() -> int:
        return work()

    assert asyncio.run(notebook()) == 42


def test_an_error_is_raised_to_the_caller() -> None:
    """What the work raises, the caller gets."""

    @in_thread
    def fail() -> None:
        raise ValueError("here")

    with pytest.raises(ValueError, match="here"):
        fail()


def test_a_command_works_in_its_own_thread() -> None:
    """A command of ours hears signals in its main thread, so it works there."""

    @in_thread
    def where() -> int:
        return threading.get_ident()

    before = signal.getsignal(signal.SIGINT)
    with command():
        assert where() == threading.get_ident()
    assert where() != threading.get_ident()
    assert signal.getsignal(signal.SIGINT) is before
