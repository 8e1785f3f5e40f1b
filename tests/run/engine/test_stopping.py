"""
What runs until Ctrl-C ends at Ctrl-C, and says so where it cannot have a loop.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import os, resource
from surefoot.run.engine.stopping import run_interruptible

async def work() -> int:
    return 42

run_interruptible(work())  # what is imported at first use is there now
opened = len(os.listdir("/proc/self/fd")) - 1
for free in range(5):
    resource.setrlimit(resource.RLIMIT_NOFILE, (opened + free, 4096))
    try:
        print(run_interruptible(work()))
    except OSError as error:
        print(error.strerror)
"""

# Work that never lets the loop turn, as pictures that are measured one after the other.
BUSY = """
from surefoot.core.interrupts import command
from surefoot.run.engine.stopping import run_interruptible

async def work() -> None:
    print(flush=True)
    while True:
        sum(range(1000))

with command():
    run_interruptible(work())
"""


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_work_that_never_waits_is_ended(kind: signal.Signals, tmp_path: Path) -> None:
    """A signal ends a command whose loop does not turn, and leaves nothing behind."""
    with subprocess.Popen(
        [sys.executable, "-c", BUSY],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(kind)
        try:
            code = process.wait(60)
        finally:
            process.kill()

    assert (code, list(tmp_path.iterdir())) == (128 + kind, [])


def test_too_few_descriptors_are_one_error() -> None:
    """Where no loop can be opened an OSError is raised, and nothing complains behind it."""
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        check=False,
        capture_output=True,
        text=True,
        env=dict(os.environ),
    )
    told = ended.stdout.split("\n")
    assert (told[0], told[-2], ended.stderr) == ("Too many open files", "42", "")
