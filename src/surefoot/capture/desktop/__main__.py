"""
The process inside the sandbox: owns the screen, the buses and the program, and ends them.

It reads one request a line from standard input; when that closes, everything that was
started ends, whatever session or group it moved to: this process adopts the orphans.
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import IO, Final

import msgspec
import psutil
from PIL import ImageGrab

from surefoot.capture.desktop.furniture import (
    Rooms,
    environment,
    furnish,
    speaks,
    still_clock,
    wait_for,
)
from surefoot.capture.desktop.stage import NO_LOCALE, Grab, Open, Request, Run, StageReply, Start
from surefoot.core.children import child_environment
from surefoot.core.endings import end_plainly

SUBREAPER: Final = 36  # PR_SET_CHILD_SUBREAPER
START_S: Final = 15.0
END_S: Final = 2.0
MOST_NOTE: Final = 2000
COLORS: Final = 24
NO_CLOCK: Final[Mapping[str, str]] = MappingProxyType({})


class Stage:
    """Hold what runs on one screen."""

    def __init__(self) -> None:
        self._environment: dict[str, str] = {}
        self._clock: dict[str, str] = {}
        self._rooms: Rooms | None = None
        self._program: subprocess.Popen[bytes] | None = None
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the stage

    def answer(self, request: Request) -> StageReply:
        """Do what is asked."""
        match request:
            case Open():
                return self._open(request)
            case Start():
                return self._start(request)
            case Run():
                return self._run(request)
            case Grab():
                return self._say(output=_picture(self._environment["DISPLAY"]))

    def _open(self, request: Open) -> StageReply:
        runtime = Path(tempfile.mkdtemp(prefix="surefoot-"))
        rooms = Rooms(Path(request.home or runtime / "home"), runtime)
        furnish(rooms, request.locale, request.files)
        if not speaks(rooms, request.locale):
            return StageReply(code=NO_LOCALE, note=f"none of the name '{request.locale}'")
        display = _screen(request.width, request.height)
        self._environment = environment(rooms, display, request.locale, request.timezone)
        self._clock = still_clock(request.timezone)
        self._rooms = rooms
        self._background("dbus-daemon", f"--config-file={rooms.bus_config}", "--nofork")
        if not wait_for(rooms.bus, START_S):
            return StageReply(code=1, note="the session bus did not start")
        self._background("openbox", "--sm-disable")
        return StageReply(output=display.encode())

    def _background(
        self, *argv: str, clock: Mapping[str, str] = NO_CLOCK
    ) -> subprocess.Popen[bytes]:
        home = self._rooms.home if self._rooms else Path("/")
        return subprocess.Popen(
            argv,
            env={**self._environment, **clock},
            cwd=home,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )

    def _start(self, request: Start) -> StageReply:
        try:
            self._program = self._background(
                *request.argv, clock=self._clock if request.stopped else {}
            )
        except OSError as error:
            return StageReply(code=1, note=str(error))
        return self._say()

    def _run(self, request: Run) -> StageReply:
        try:
            done = subprocess.run(
                request.argv,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=request.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return self._say(code=1, note=f"no end within {request.seconds:g} s")
        except OSError as error:
            return self._say(code=1, note=str(error))
        note = done.stderr.decode(errors="replace")[-MOST_NOTE:]
        return self._say(code=done.returncode, output=done.stdout, note=note)

    def _say(self, code: int = 0, output: bytes = b"", note: str = "") -> StageReply:
        ended = self._program.poll() if self._program else None
        if ended is not None and not note:
            self._log.seek(0, os.SEEK_END)
            self._log.seek(max(0, self._log.tell() - MOST_NOTE))
            note = self._log.read().decode(errors="replace")
        return StageReply(code, output, note, ended)


def main(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests until there are no more, then end every process below this one."""
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    for kind in (signal.SIGINT, signal.SIGHUP):
        signal.signal(kind, signal.SIG_IGN)
    stage = Stage()
    try:
        for line in requests:
            request = msgspec.json.decode(line, type=Request)
            answers.write(msgspec.json.encode(stage.answer(request)) + b"\n")
            answers.flush()
    finally:
        _end_all()


def _screen(width: int, height: int) -> str:
    """Start an X server on a display that is free and return its name."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{width}x{height}x{COLORS}"]
    subprocess.Popen(
        [*command, "-nolisten", "tcp", "-noreset", "-dpi", "96"],
        env=child_environment(),
        pass_fds=(writing,),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(writing)
    with open(reading, "rb") as pipe:  # noqa: PTH123 - a descriptor, not a path
        return f":{int(pipe.readline())}"


def _picture(display: str) -> bytes:
    file = io.BytesIO()
    ImageGrab.grab(xdisplay=display).convert("RGB").save(file, "PNG")
    return file.getvalue()


def _end_all() -> None:
    """End everything below this process, also what it adopts meanwhile."""
    until = time.monotonic() + END_S
    own = psutil.Process()
    for process in own.children(recursive=True):
        with contextlib.suppress(psutil.Error):
            process.terminate()
    while below := own.children(recursive=True):
        for process in below:
            with contextlib.suppress(psutil.Error):
                if time.monotonic() > until:
                    process.kill()
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.02)


if __name__ == "__main__":
    with end_plainly("surefoot.capture.desktop"):
        main(sys.stdin.buffer, sys.stdout.buffer)
