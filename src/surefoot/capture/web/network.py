"""
The process of Chromium through which every request goes, and whether it lived all the while.

When it dies Chromium starts another and says nothing: requests that were under way end as if
the page had given them up, and the page goes on without them.
"""

from __future__ import annotations

import contextlib
import time
from typing import Final

import psutil

__all__ = ["NetworkService"]

SIGN: Final = "--utility-sub-type=network.mojom.NetworkService"
START_S: Final = 3.0
POLL_S: Final = 0.02


class NetworkService:
    """
    Watch the network service of one browser, by the browser's process id.

    A browser that has none at its start keeps its network in its own process, and this watch
    never says that it died.
    """

    def __init__(self, browser: int) -> None:
        self._browser = browser
        self._process = self._find()
        self._apart = self._process is not None

    def begin(self) -> None:
        """Watch the service that is running now, which may be another one than before."""
        if self._apart and not _lives(self._process):
            self._process = self._find()

    def died(self) -> bool:
        """Tell whether the service that ``begin`` found is gone."""
        return self._apart and not _lives(self._process)

    def _find(self) -> psutil.Process | None:
        end = time.monotonic() + START_S
        while time.monotonic() < end:
            with contextlib.suppress(psutil.Error):
                for process in psutil.Process(self._browser).children(recursive=True):
                    with contextlib.suppress(psutil.Error):
                        if SIGN in process.cmdline():
                            return process
            time.sleep(POLL_S)
        return None


def _lives(process: psutil.Process | None) -> bool:
    if process is None:
        return False
    with contextlib.suppress(psutil.Error):
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    return False
