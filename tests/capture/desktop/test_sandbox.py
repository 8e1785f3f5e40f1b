"""
The walls hide the machine from programs, and what they need is let through.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.capture.confinement import HOME, walls_hold
from surefoot.capture.desktop import sandbox
from surefoot.capture.desktop.sandbox import walls

Inside = Callable[..., str]


@pytest.fixture
def inside() -> Inside:
    """Run a script behind the walls; skip where the machine forbids user namespaces."""
    if walls_hold() is None:
        pytest.skip("this machine forbids user namespaces")

    def run(script: str, *paths: str) -> str:
        command = [*walls(paths), sys.executable, "-c", script]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        return done.stdout.strip()

    return run


@pytest.mark.desktop
def test_network_is_out_of_reach(inside: Inside) -> None:
    """Behind the walls there is no way to anywhere but the machine itself."""
    script = (
        "import socket\n"
        "try: socket.create_connection(('192.0.2.1', 80), 2)\n"
        "except OSError as error: print('unreachable' in str(error).lower())\n"
    )

    assert inside(script) == "True"


@pytest.mark.desktop
def test_machine_cannot_be_written(tmp_path: Path, inside: Inside) -> None:
    """A file that is named can be read and not written; others there are hidden."""
    shown, hidden = tmp_path / "shown.txt", tmp_path / "hidden.txt"
    for path in (shown, hidden):
        path.write_text("here", encoding="utf-8")
    script = (
        f"from pathlib import Path\nprint(Path({str(shown)!r}).read_text())\n"
        f"print(Path({str(hidden)!r}).exists())\n"
        f"try: Path({str(shown)!r}).write_text('x')\n"
        "except OSError: print('refused')\n"
    )

    assert inside(script, str(shown)).split() == ["here", "False", "refused"]
    assert shown.read_text(encoding="utf-8") == "here"


@pytest.mark.desktop
def test_programs_run_as_a_person(inside: Inside) -> None:
    """Inside there is one account with a home folder, and no process but one's own."""
    script = (
        "import os, pathlib, pwd\n"
        "found = list(pathlib.Path('/proc').glob('[0-9]*'))\n"
        "print(os.getuid(), pwd.getpwuid(1000).pw_dir, len(found))"
    )

    user, home, processes = inside(script).split()
    assert (user, home) == ("1000", HOME)
    assert int(processes) <= 3


def test_without_bubblewrap_there_are_no_walls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where bubblewrap is absent programs are started as they are."""
    monkeypatch.setattr(sandbox, "walls_hold", lambda _: None)

    assert walls(("/etc",)) == ()
