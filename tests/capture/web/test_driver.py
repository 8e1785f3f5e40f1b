"""
Playwright's driver dies.
"""

from __future__ import annotations

import contextlib
import threading
import time

import psutil
import pytest

from surefoot.capture.web.browser import Browser
from surefoot.capture.web.driver import started_driver
from surefoot.core.errors import CaptureError, ExitCode

pytestmark = pytest.mark.browser


def kill_the_next_driver(stop: threading.Event) -> None:
    """Kill the first driver that this process starts, as soon as it is there."""
    while not stop.is_set():
        for child in psutil.Process().children():
            with contextlib.suppress(psutil.Error):
                if "run-driver" in child.cmdline():
                    child.kill()
                    return
        time.sleep(0.001)


def test_a_driver_that_dies_at_its_start_is_no_defect_of_ours() -> None:
    """A driver killed before it answers is an error of the machine, which the remedy names."""
    stop = threading.Event()
    killer = threading.Thread(target=kill_the_next_driver, args=[stop])
    killer.start()
    try:
        with (
            pytest.raises(CaptureError, match="Give the same command again") as caught,
            started_driver(),
        ):
            pass
    finally:
        stop.set()
        killer.join()
    assert caught.value.reason == "browser-error"
    assert caught.value.exit_code == ExitCode.SOME_UNITS_FAILED


def test_a_driver_that_died_before_its_browser_is_no_missing_chromium() -> None:
    """Where the driver is gone nobody is told to install the Chromium that is there."""
    with Browser() as browser:
        driver = next(
            child
            for child in psutil.Process().children()
            if child.status() != psutil.STATUS_ZOMBIE and "run-driver" in child.cmdline()
        )
        driver.kill()
        driver.wait()
        with pytest.raises(CaptureError, match="driver"):
            browser.identity  # noqa: B018 - starts the browser
