"""
The walls hide the machine from programs, and what they need is let through.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from surefoot.capture.desktop import sandbox
from surefoot.capture.desktop.sandbox import walls, walls_hold


@pytest.fixture
def walled() -> None:
    """Skip where the machine forbids user namespaces."""
    if not walls_hold():
        pytest.skip("this machine forbids user namespaces")


def inside(script: str, *paths: str) -> str:
    """Run a script behind the walls and return what it prints."""
    command = [*walls(paths), sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.strip()


@pytest.mark.desktop
@pytest.mark.usefixtures("walled")
def test_network_is_out_of_reach() -> None:
    """Behind the walls there is no way to anywhere but the machine itself."""
    script = (
        "import socket\n"
        "try: socket.create_connection(('192.0.2.1', 80), 2)\n"
        "except OSError as error: print('unreachable' in str(error).lower())\n"
    )

    assert inside(script) == "True"


@pytest.mark.desktop
@pytest.mark.usefixtures("walled")
def test_machine_cannot_be_written(tmp_path: Path) -> None:
    """A file that is named can be read and not written; others there are hidden."""
    shown, hidden = tmp_path / "shown.txt", tmp_path / "hidden.txt"
    for each in (shown, hidden):
        each.write_text("here", encoding="utf-8")
    script = (
        f"from pathlib import Path\nprint(Path({str(shown)!r}).read_text())\n"
        f"print(Path({str(hidden)!r}).exists())\n"
        f"try: Path({str(shown)!r}).write_text('x')\n"
        "except OSError: print('refused')\n"
    )

    assert inside(script, str(shown)).split() == ["here", "False", "refused"]
    assert shown.read_text(encoding="utf-8") == "here"


def test_without_bubblewrap_there_are_no_walls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where bubblewrap is absent programs are started as they are."""
    monkeypatch.setattr(sandbox, "walls_hold", lambda: False)

    assert walls(("/tmp",)) == ()  # noqa: S108 - any path
