"""
An application that runs: started from a copy of its state, put back to it, ended with us.
"""

from __future__ import annotations

import contextlib
import select
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from surefoot.capture.applications.installing import (
    check_whole,
    find_installation,
    folder_of,
    in_use,
)
from surefoot.capture.applications.recipe import READY, ApplicationRecipe
from surefoot.capture.applications.walls import WalledFolders, inside
from surefoot.core.errors import CaptureError, MissingComponentError
from surefoot.core.scratch import make_scratch

START_S: Final = 120.0
SAID: Final = 300


class RunningApplication:
    """
    Hold one application and the ``socket`` that it listens on, at most one process at a time.

    It is started when it is first needed. What writes to it says so by ``note_write``; then it
    is started from its first state when it is next needed.
    """

    def __init__(self, recipe: ApplicationRecipe, scratch: Path) -> None:
        self.recipe = recipe
        self.socket = ""
        self._scratch = scratch
        self._process: subprocess.Popen[bytes] | None = None
        self._starts = 0
        self._failure: CaptureError | None = None
        self._written = False

    @property
    def written(self) -> bool:
        """Tell whether something was written since the application was started."""
        return self._written

    def note_write(self) -> None:
        """Remember that the state may no longer be the first."""
        self._written = True

    def ready(self, *, fresh: bool = False) -> str:
        """
        Return the socket of the running application, started anew if it ended meanwhile.

        With ``fresh`` it is started from its first state in any case. Raises CaptureError
        "not-started" where it does not answer; what did not start is not tried again.
        """
        if self._failure is not None:
            raise self._failure
        if fresh or self._written or self._process is None or self._process.poll() is not None:
            self.end()
            self._written = False
            self._start()
        return self.socket

    def end(self) -> None:
        """End the application and all that it started."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _start(self) -> None:
        self._starts += 1
        work = self._scratch / str(self._starts)
        shutil.rmtree(self._scratch / str(self._starts - 1), ignore_errors=True)
        work.mkdir()
        work.chmod(0o777)
        folder = folder_of(self.recipe)
        place = WalledFolders(folder, {"/state": folder / "state"}, {"/copy": work})
        self.socket = str(work / "socket")
        arguments = ["keep", "/state", "/copy/state", "/copy/socket"]
        complaints = self._scratch / "errors"
        with complaints.open("wb") as errors:
            self._process = inside(self.recipe, place, arguments, errors)
        line = self._first_line(self._process)
        if line != READY:
            self.end()
            lines = complaints.read_text("utf-8", errors="replace").strip().splitlines()
            self._failure = CaptureError(
                "not-started",
                expected=f"{self.recipe.title} to answer within {START_S:g} s",
                found="; ".join(lines[-2:] or [line or "no word"])[-SAID:],
            )
            raise self._failure

    @staticmethod
    def _first_line(process: subprocess.Popen[bytes]) -> str:
        if process.stdout is None or not select.select([process.stdout], [], [], START_S)[0]:
            return ""
        return process.stdout.readline(SAID).decode(errors="replace").strip()


@contextlib.contextmanager
def run(recipe: ApplicationRecipe) -> Iterator[RunningApplication]:
    """
    Lend an installed application for the length of a block.

    Raises MissingComponentError where it is not installed, and CaptureError
    "content-changed" where it is not what was installed.
    """
    known = find_installation(recipe)
    if known is None:
        raise MissingComponentError(
            recipe.title,
            found="that it is not installed",
            remedy=f"install it: surefoot apps install {recipe.name}",
        )
    with in_use(folder_of(recipe)):
        check_whole(recipe, known)
        scratch = Path(make_scratch())
        running = RunningApplication(recipe, scratch)
        try:
            yield running
        finally:
            running.end()
            shutil.rmtree(scratch, ignore_errors=True)
