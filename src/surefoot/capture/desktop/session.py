"""
One program on a screen of its own, held by limits; whatever it started ends with it.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from surefoot.capture.confinement import HOME
from surefoot.capture.desktop.furniture import BUS_LAUNCHER
from surefoot.capture.desktop.sandbox import walls
from surefoot.capture.desktop.stage import NO_LOCALE, Grab, Open, Request, Run, StageReply, Start
from surefoot.capture.desktop.tree import TreeReading
from surefoot.capture.settings import Settings
from surefoot.capture.watchdog import Watchdog
from surefoot.core.children import child_environment
from surefoot.core.errors import CaptureError, MissingComponentError

PYTHON: Final = "/usr/bin/python3"
READER: Final = Path(__file__).parent / "accessibility" / "__main__.py"
PROGRAMS: Final = {
    "Xvfb": "xvfb",
    "openbox": "openbox",
    "dbus-daemon": "dbus",
    "xdotool": "xdotool",
    "xprop": "x11-utils",
    BUS_LAUNCHER: "at-spi2-core",
    PYTHON: "python3",
}
INPUT_S: Final = 10.0
READ_S: Final = 20.0
NOTE_LENGTH: Final = 300


class Session:
    """
    Ask what runs inside the sandbox to start, read and show things.

    ``left`` is the time in seconds until the session is killed, ``display`` the screen's
    name once it is open.
    """

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        watchdog: Watchdog,
        settings: Settings,
        home: str = "",
    ) -> None:
        self.display = ""
        self._home = home
        self.settings = settings
        self._process = process
        self._watchdog = watchdog
        self._until = time.monotonic() + settings.limits.unit_s
        self._command = ""

    @property
    def left(self) -> float:
        """Return how many seconds there are left."""
        return self._until - time.monotonic()

    def start(self, argv: tuple[str, ...], *, stopped: bool = False) -> None:
        """
        Start the program, with its clock stopped if wanted.

        Raises CaptureError where there is none of its name.
        """
        self._command = argv[0]
        answer = self._ask(Start(argv, stopped))
        if answer.code:
            raise CaptureError(
                "no-program",
                expected=f"the program '{argv[0]}'",
                found=answer.note,
                remedy="install it",
            )

    def read(self) -> TreeReading:
        """Read the accessibility tree; raises CaptureError."""
        limit = self.settings.limits.nodes
        seconds = max(1.0, min(READ_S, self.left))
        argv = (PYTHON, "-I", str(READER), str(limit), str(seconds))
        answer = self._ask(Run(argv, seconds + INPUT_S))
        if "No module named 'gi'" in answer.note or "Namespace Atspi not" in answer.note:
            raise _missing("python3-gi and gir1.2-atspi-2.0", "python3-gi gir1.2-atspi-2.0")
        if answer.code:
            raise CaptureError(
                "no-tree", expected="an accessibility tree", found=_last(answer.note)
            )
        reading = msgspec.json.decode(answer.output, type=TreeReading)
        if not reading.whole:
            raise CaptureError(
                "too-large",
                expected=f"at most {limit} nodes, read within {seconds:.0f} s",
                found=f"{len(reading.nodes)} and more",
            )
        return reading

    def grab(self) -> bytes:
        """Return the picture of the whole screen, PNG."""
        return self._ask(Grab()).output

    def xdotool(self, *arguments: str) -> str:
        """Run xdotool and return what it prints; raises CaptureError where it fails."""
        return self.x_client("xdotool", *arguments)

    def x_client(self, *command: str) -> str:
        """Run a program that asks the X server, and return what it prints; raises CaptureError."""
        answer = self._ask(Run(command, INPUT_S))
        if answer.code:
            raise CaptureError(
                "input", expected=f"{' '.join(command[:2])} to work", found=_last(answer.note)
            )
        return answer.output.decode(errors="replace")

    def ended(self) -> tuple[int | None, str]:
        """Return the program's exit code, None while it runs, and its last words."""
        answer = self._ask(Run(("true",), INPUT_S))
        return answer.ended, _last(answer.note)

    def open(self, files: Mapping[str, str]) -> None:
        """Bring up the screen, the buses and the window manager."""
        settings = self.settings
        answer = self._ask(
            Open(
                settings.width,
                settings.height,
                settings.locale,
                settings.timezone,
                self._home,
                dict(files),
            )
        )
        if answer.code == NO_LOCALE:
            raise CaptureError(
                "no-locale", expected="a locale that can be compiled", found=answer.note
            )
        if answer.code:
            raise CaptureError("no-screen", expected="a screen with a bus", found=answer.note)
        self.display = answer.output.decode()

    def _ask(self, request: Request) -> StageReply:
        pipes = self._process.stdin, self._process.stdout
        line = b""
        if pipes[0] is not None and pipes[1] is not None:
            with contextlib.suppress(BrokenPipeError):
                pipes[0].write(msgspec.json.encode(request) + b"\n")
                pipes[0].flush()
                line = pipes[1].readline()
        if not line.endswith(b"\n"):
            reason = self._watchdog.tripped or "sandbox-ended"
            raise CaptureError(
                reason,
                expected=f"'{self._command}' within {self.settings.limits.unit_s:g} s and "
                f"{self.settings.limits.memory_bytes} bytes of memory",
                found="it had to be ended" if self._watchdog.tripped else "the sandbox ended",
            )
        return msgspec.json.decode(line, type=StageReply)


@contextlib.contextmanager
def session(
    settings: Settings,
    *,
    files: Mapping[str, str] | None = None,
    visible: tuple[str, ...] = (),
    walled: bool = True,
) -> Iterator[Session]:
    """
    Bring up a screen for the length of a block, and end all that ran on it.

    ``files`` are texts by their path in the program's home folder, ``visible`` paths that
    it may read although they lie in a folder that is hidden from it. Unless ``walled``, it
    shows what runs outside. Raises CaptureError, and MissingComponentError for a program.
    """
    check_programs()
    limits = settings.limits
    around = walls(visible) if walled else ()
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as rooms,
        Watchdog() as watchdog,
        subprocess.Popen(
            [*around, sys.executable, "-m", "surefoot.capture.desktop"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env=child_environment({} if walled else {"TMPDIR": rooms}),
        ) as process,
    ):
        watchdog.arm(process.pid, seconds=limits.unit_s, memory_bytes=limits.memory_bytes)
        try:
            inside = Session(process, watchdog, settings, HOME if around else "")
            inside.open(files or {})
            yield inside
        finally:
            watchdog.extend(INPUT_S)
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close() if process.stdin else None
            process.wait()
            watchdog.disarm()


def check_programs() -> None:
    """Raise MissingComponentError where a program of the screen is not installed."""
    for name, package in PROGRAMS.items():
        if shutil.which(name) is None:
            raise _missing(name, package)


def _missing(name: str, packages: str) -> MissingComponentError:
    return MissingComponentError(
        f"{name}, which desktop: sources and real X events need",
        found="none",
        remedy=f"install it: apt-get install -y --no-install-recommends {packages}",
    )


def _last(note: str) -> str:
    return note.strip()[-NOTE_LENGTH:] or "nothing said"
