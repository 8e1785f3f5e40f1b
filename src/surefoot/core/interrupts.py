"""
The end of a command that a person interrupts: soon, and with nothing left behind.

The first Ctrl-C lets what is under way be dropped in order; whatever has not ended `GRACE_S`
later, or at the second Ctrl-C, is killed with all that it started.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

from surefoot.core.scratch import SCRATCH, scratch_folder

GRACE_S: Final = 1.0
STOPPED: Final = (
    b"surefoot: stopped by Ctrl-C; what was finished is kept, and the same command goes on\n"
)
CODES: Final = {signal.SIGINT: 128 + signal.SIGINT, signal.SIGTERM: 128 + signal.SIGTERM}


class _Command:
    """Hold the one command of this process: its folder, and whether it is ending."""

    folder = ""
    ending = False


@contextlib.contextmanager
def command() -> Iterator[None]:
    """
    Give a command, for the length of a block, a folder for temporary files and a prompt end.

    Whatever it and its children put there is gone afterwards, or, if it is killed, at the next
    command's start.
    """
    before = os.environ.get("TMPDIR"), signal.getsignal(signal.SIGINT)
    listens = threading.current_thread() is threading.main_thread()
    with scratch_folder() as folder:
        _Command.folder, _Command.ending = folder, False
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        if listens:
            signal.signal(signal.SIGINT, _interrupt)
        tell = sys.unraisablehook
        sys.unraisablehook = _except_interrupts(tell)
        try:
            yield
        finally:
            sys.unraisablehook = tell
            tempfile.tempdir = None
            os.environ.pop("TMPDIR")
            if before[0] is not None:
                os.environ["TMPDIR"] = before[0]
            if not _Command.ending:  # else whatever still runs must end, too
                _Command.folder = ""
                if listens:
                    signal.signal(signal.SIGINT, before[1])


def is_command() -> bool:
    """
    Tell whether this process is one of our commands, rather than somebody's program.

    >>> is_command()
    False
    """
    return bool(_Command.folder)


def begin(kind: signal.Signals) -> None:
    """Begin to end: at the latest in a moment, at the second call at once."""
    if not _Command.folder:
        return  # no command: whoever called us ends as they like
    if _Command.ending:
        _give_up(kind)
    _Command.ending = True
    timer = threading.Timer(GRACE_S, _give_up, [kind])
    timer.daemon = True
    timer.start()


def _give_up(kind: signal.Signals) -> NoReturn:
    if kind == signal.SIGINT:
        with contextlib.suppress(OSError):
            os.write(2, STOPPED)
    end_at_once(_Command.folder, CODES[kind])


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    begin(signal.SIGINT)
    raise KeyboardInterrupt


def _except_interrupts(
    tell: Callable[[sys.UnraisableHookArgs], object],
) -> Callable[[sys.UnraisableHookArgs], None]:
    """Say nothing of a Ctrl-C that came where nothing can be raised: the end has begun."""

    def hook(what: sys.UnraisableHookArgs) -> None:
        if what.exc_type is not KeyboardInterrupt:
            tell(what)

    return hook


def end_at_once(folder: str, code: int) -> NoReturn:
    """Kill all that this process started, remove its folder for temporary files, and end it."""
    import psutil

    own = psutil.Process()
    for process in own.children(recursive=True):
        with contextlib.suppress(psutil.Error):
            process.kill()
    if folder:
        kill_marked(folder)
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(code)


def kill_marked(folder: str) -> None:
    """
    Kill every other process that has this folder, or one in it, for temporary files.

    They are known by their environment, so that orphans and other sessions are found, too.
    """
    import psutil

    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            theirs = Path(process.environ().get(SCRATCH, ""))
            if process.pid != os.getpid() and theirs.is_relative_to(folder):
                process.kill()
