"""
The watchdog kills what breaks its limits, and only that.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import psutil
import pytest

from surefoot.capture import watchdog as watching
from surefoot.capture.watchdog import Watchdog, tree_memory

GROW = "keep = []\nwhile True: keep.append(bytearray(b'x') * 2**22)"
PARENT = (
    "import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', 'import time;"
    " time.sleep(60)']); print('on', flush=True); time.sleep(60)"
)


@pytest.fixture
def watchdog() -> Iterator[Watchdog]:
    """Lend a running watchdog."""
    with Watchdog() as running:
        yield running


def start(code: str) -> subprocess.Popen[bytes]:
    """Start Python on a line of code."""
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)


def test_deadline_kills_the_whole_tree(watchdog: Watchdog) -> None:
    """Past the deadline neither the process nor its child is left."""
    with start(PARENT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"on\n"
        (child,) = psutil.Process(process.pid).children()
        watchdog.arm(process.pid, seconds=0.1, memory_bytes=2**40)
        assert process.wait(timeout=5) != 0
    child.wait(timeout=5)
    assert watchdog.tripped == "timeout"


def test_memory_over_the_limit_kills(watchdog: Watchdog) -> None:
    """A process that grows past its limit ends for the reason 'memory'."""
    with start(GROW) as process:
        watchdog.arm(process.pid, seconds=60, memory_bytes=2**28)
        assert process.wait(timeout=30) != 0
    assert watchdog.tripped == "memory"


def test_disarmed_watchdog_leaves_be(watchdog: Watchdog) -> None:
    """What is no longer held outlives its deadline."""
    with start("import time; time.sleep(60)") as process:
        watchdog.arm(process.pid, seconds=0.3, memory_bytes=2**40)
        watchdog.disarm()
        time.sleep(0.8)
        assert process.poll() is None
        assert watchdog.tripped == ""
        process.kill()


def test_extension_moves_the_deadline(watchdog: Watchdog) -> None:
    """A deadline can be moved on, never back."""
    with start("import time; time.sleep(60)") as process:
        watchdog.arm(process.pid, seconds=0.3, memory_bytes=2**40)
        watchdog.extend(30)
        watchdog.extend(0.1)
        time.sleep(0.8)
        assert process.poll() is None
        process.kill()


def test_first_reason_stays(watchdog: Watchdog) -> None:
    """A tree is killed once, for the reason that came first."""
    with start("import time; time.sleep(60)") as process:
        watchdog.arm(process.pid, seconds=60, memory_bytes=2**40)
        watchdog.trip("dialog-storm")
        watchdog.trip("crash")
        process.wait(timeout=5)
    assert watchdog.tripped == "dialog-storm"


def test_processes_that_are_gone_are_no_error(watchdog: Watchdog) -> None:
    """Arming on a dead process, and measuring it, does nothing."""
    with start("") as process:
        gone = psutil.Process(process.pid)
        process.wait()
    watchdog.arm(process.pid, seconds=60, memory_bytes=1)
    watchdog.trip("crash")
    assert watchdog.tripped == ""
    assert tree_memory(gone) == 0


def test_a_driver_outlives_its_browser_by_a_moment_alone(
    watchdog: Watchdog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A call that waits for a dead browser ends, since the driver that owes it is killed."""
    monkeypatch.setattr(watching, "MOURNING_S", 0.3)
    with start(PARENT) as driver, start(PARENT) as browser:
        watchdog.driver = psutil.Process(driver.pid)
        watchdog.arm(browser.pid, seconds=60, memory_bytes=2**40)
        browser.kill()
        assert driver.wait(timeout=10) != 0
    assert watchdog.tripped == ""


def test_a_driver_whose_browser_never_came_is_killed(watchdog: Watchdog) -> None:
    """A start that hangs ends; one that was through in time is left alone."""
    with start("import time; time.sleep(60)") as driver:
        watchdog.driver = psutil.Process(driver.pid)
        watchdog.arm_start(0.2)
        watchdog.disarm()
        time.sleep(1)
        assert driver.poll() is None
        watchdog.arm_start(0.2)
        assert driver.wait(timeout=10) != 0
