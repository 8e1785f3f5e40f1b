"""
What is run until Ctrl-C needs a loop, and says so where it cannot have one.
"""

from __future__ import annotations

import os
import subprocess
import sys

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
