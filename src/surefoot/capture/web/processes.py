"""
The processes of Chromium that serve every page, and whether they lived all the while.

When its network service dies Chromium starts another and says nothing: requests that were
under way end as if the page had given them up, and the page goes on without them. When a
zygote or the browser itself dies, the pages learn of it before the driver does, and blame
themselves.
"""

from __future__ import annotations

import contextlib
import time
from typing import Final

import psutil

from surefoot.capture.watchdog import lives

NETWORK: Final = "--utility-sub-type=network.mojom.NetworkService"
SIGNS: Final = (NETWORK, "--type=zygote")
START_S: Final = 3.0
POLL_S: Final = 0.02
# How long after its first consequence the end of a process may be seen.
DELAY_S: Final = 0.3


class BrowserProcesses:
    """
    Watch the browser's own processes, those of its pages left aside, by its process id.

    A browser that has no network service at its start keeps its network in its own process.
    """

    def __init__(self, browser: int) -> None:
        self._browser = browser
        self._network_apart = True
        self._watched: list[psutil.Process] = []
        self.begin()

    def begin(self) -> None:
        """Watch the processes that run now, which may be others than before."""
        if self._watched and all(map(lives, self._watched)):
            return
        end = time.monotonic() + START_S
        while self._network_apart and time.monotonic() < end:
            if self._find():
                return
            time.sleep(POLL_S)
        self._network_apart = self._find()

    def died(self, *, patience_s: float = 0.0) -> bool:
        """Tell whether one that ``begin`` found is gone, or goes within so many seconds."""
        end = time.monotonic() + patience_s
        while all(map(lives, self._watched)):
            if time.monotonic() >= end:
                return False
            time.sleep(POLL_S)
        return True

    def _find(self) -> bool:
        """Note the processes, and tell whether the network has one of its own."""
        self._watched = []
        network = False
        with contextlib.suppress(psutil.Error):
            root = psutil.Process(self._browser)
            self._watched = [root]
            for process in root.children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    words = process.cmdline()
                    if any(sign in words for sign in SIGNS):
                        self._watched.append(process)
                        network |= NETWORK in words
        return network
