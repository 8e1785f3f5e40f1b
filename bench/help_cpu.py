"""
CPU seconds of `surefoot --help`, the median of several runs, with a bare interpreter's beside.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path

RUNS = 9
LIMIT_S = 0.3


def cpu_seconds(command: list[str]) -> float:
    """Return the user and system seconds that one run of a command took."""
    before = os.times()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    spent = after.children_user + after.children_system
    return spent - before.children_user - before.children_system


def median(command: list[str]) -> float:
    """Return the median of several runs, after one that warms the caches."""
    cpu_seconds(command)
    return statistics.median(cpu_seconds(command) for _ in range(RUNS))


if __name__ == "__main__":
    bare = median([sys.executable, "-c", "pass"])
    helped = median([str(Path(sys.executable).with_name("surefoot")), "--help"])
    print(f"surefoot --help: {helped:.3f} s of CPU, limit {LIMIT_S} s (bare Python {bare:.3f} s)")
    sys.exit(helped > LIMIT_S)
