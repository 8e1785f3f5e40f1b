"""
A command that is interrupted ends soon, whatever it is doing, and its folder is gone.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from surefoot.core.interrupts import begin, command

# In a thread that nothing interrupts, as a library's code is; its child ignores signals.
STUBBORN = """
import subprocess, sys, threading, time
from surefoot.core.interrupts import command
with command():
    child = subprocess.Popen([sys.executable, "-c", "import signal, time\\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\\nprint(flush=True)\\ntime.sleep(600)"],
        stdout=subprocess.PIPE)
    child.stdout.readline()
    threading.Thread(target=time.sleep, args=(600,)).start()
    print(child.pid, flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("times", [1, 2])
def test_what_does_not_end_is_killed(times: int, tmp_path: Path) -> None:
    """A thread that goes on and a child that ignores Ctrl-C end all the same."""
    with subprocess.Popen(
        [sys.executable, "-c", STUBBORN],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    ) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        for _ in range(times):
            process.send_signal(signal.SIGINT)
        code = process.wait(60)

    assert code == 128 + signal.SIGINT
    assert list(tmp_path.iterdir()) == []
    assert (
        not Path(f"/proc/{child}/cmdline").exists()
        or not Path(f"/proc/{child}/cmdline").read_bytes()
    )


def test_a_command_has_a_folder_of_its_own() -> None:
    """Temporary files lie in the command's folder, which goes with it, and all is as before."""
    before = tempfile.gettempdir(), os.environ.get("TMPDIR"), signal.getsignal(signal.SIGINT)
    with command():
        folder = Path(tempfile.gettempdir())
        Path(tempfile.mkdtemp()).joinpath("file").touch()
        assert (os.environ["TMPDIR"], str(folder.parent)) == (str(folder), before[0])

    assert not folder.exists()
    after = tempfile.gettempdir(), os.environ.get("TMPDIR"), signal.getsignal(signal.SIGINT)
    assert after == before


def test_an_interrupt_where_nothing_can_be_raised_is_not_talked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ctrl-C while an object is freed is not told; any other error there is."""

    class Freed:
        def __init__(self, error: type[BaseException]) -> None:
            self.error = error

        def __del__(self) -> None:
            raise self.error

    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda what: told.append(what.exc_type))
    outside = sys.unraisablehook
    with command():
        Freed(KeyboardInterrupt)
        Freed(ValueError)

    assert told == [ValueError]
    assert sys.unraisablehook is outside


def test_outside_of_a_command_nothing_is_ended() -> None:
    """Whoever uses Surefoot from a program of their own ends it as they like."""
    begin(signal.SIGINT)
    begin(signal.SIGINT)
