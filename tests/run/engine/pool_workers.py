"""
Factories that the tests of the engine start in real worker processes.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from surefoot.core.errors import CaptureError, InvalidInputError, MissingComponentError

Work = Callable[[dict[str, Any]], bytes]


@contextlib.contextmanager
def open_plain(folder: str = "") -> Iterator[Work]:
    """Do what each unit says; a folder remembers what happened before a death."""

    def work(unit: dict[str, Any]) -> bytes:
        return getattr(Deeds(Path(folder)), unit["do"])(unit)  # type: ignore[no-any-return]

    yield work


class Deeds:
    """Hold one deed for each way in which a unit can go."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def answer(self, unit: dict[str, Any]) -> bytes:
        """Succeed, talking on standard output meanwhile."""
        sys.stdout.write("noise on standard output\n")
        sys.stdout.flush()
        return json.dumps({"square": unit["number"] ** 2}).encode()

    def large(self, unit: dict[str, Any]) -> bytes:
        """Return more than a pipe holds, and every byte value."""
        return bytes(range(256)) * int(unit["number"])

    def tell(self, unit: dict[str, Any]) -> bytes:
        """Return which process this is."""
        return f"{unit['in']} {os.getpid()}".encode()

    def die(self, unit: dict[str, Any]) -> bytes:
        """Die the first few times that the unit is tried."""
        count = self._count(unit)
        if count <= unit["times"]:
            sys.stderr.write("last words\n")
            sys.stderr.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        return f"try {count}".encode()

    def refuse(self, unit: dict[str, Any]) -> bytes:
        """Fail as a page does."""
        self._count(unit)
        raise CaptureError("popup", expected="one page", found="two")

    def lose_browser(self, unit: dict[str, Any]) -> bytes:
        """Fail once as a page does whose browser was killed."""
        if self._count(unit) == 1:
            raise CaptureError("browser-error", expected="a browser", found="none")
        return b"again"

    def stumble(self, unit: dict[str, Any]) -> bytes:
        """Raise what nobody expected."""
        self._count(unit)
        return b"%d" % (1 // int(unit["zero"]))

    def mistake(self, unit: dict[str, Any]) -> bytes:
        """Blame the unit's input."""
        raise InvalidInputError("a page", found=str(unit["do"]))

    def miss(self, unit: dict[str, Any]) -> bytes:
        """Lack a component."""
        raise MissingComponentError("fonts", found=str(unit["do"]), remedy="install some")

    def fill_disk(self, unit: dict[str, Any]) -> bytes:
        """Meet a full disk."""
        raise OSError(errno.ENOSPC, "No space left on device", unit["do"])

    def hang(self, unit: dict[str, Any]) -> bytes:
        """Never return, with a child and a grandchild that do not either."""
        script = f"sleep {unit['sleep']} & setsid sleep {unit['sleep']} & wait"
        subprocess.Popen(["/bin/sh", "-c", script])
        while True:
            time.sleep(1)

    def _count(self, unit: dict[str, Any]) -> int:
        path = self.folder / str(unit["name"])
        with path.open("a") as stream:
            stream.write("x")
        return path.stat().st_size


@contextlib.contextmanager
def open_missing() -> Iterator[Work]:
    """Fail to start for want of a component."""
    raise MissingComponentError("Chromium", found="none", remedy="install it")
    yield


@contextlib.contextmanager
def open_dying() -> Iterator[Work]:
    """Die at every start."""
    os.kill(os.getpid(), signal.SIGKILL)
    yield lambda _: b""
