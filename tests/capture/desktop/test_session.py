"""
A session ends all that ran in it, however it ends, and says what went wrong.
"""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from surefoot.capture.desktop import observe
from surefoot.capture.desktop.record import record
from surefoot.capture.desktop.session import session
from surefoot.capture.desktop.steps import Recipe, recipe_of_command
from surefoot.capture.settings import Limits, Settings
from surefoot.core.errors import CaptureError, MissingComponentError

pytestmark = pytest.mark.desktop
ATLEAST = 6  # the sandbox, the stage, the X server, the bus, the window manager, the program


def below() -> list[psutil.Process]:
    """Return every process below this one."""
    found: list[psutil.Process] = psutil.Process().children(recursive=True)
    return found


def script(tmp_path: Path, text: str) -> str:
    """Write a program and return its command."""
    file = tmp_path / "program"
    file.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    file.chmod(0o755)
    return str(file)


def failure(command: str, settings: Settings) -> CaptureError:
    """Return how a capture of a command fails."""
    with pytest.raises(CaptureError) as caught:
        record(recipe_of_command(command), f"desktop:{command}", settings)
    return caught.value


def test_everything_ends_with_the_block(tmp_path: Path) -> None:
    """Also what left its group and its parent is ended, and so where the block raises."""
    command = script(tmp_path, "setsid sh -c 'sleep 977 & sleep 978' &\nsleep 979")
    started: list[psutil.Process] = []

    def crash() -> None:
        with session(Settings(), visible=(command,)) as inside:
            inside.start((command,))
            inside.xdotool("mousemove", "1", "1")
            started.extend(below())
            message = "the block fails"
            raise RuntimeError(message)

    with pytest.raises(RuntimeError):
        crash()

    assert len(started) >= ATLEAST
    assert psutil.wait_procs(started, timeout=5)[1] == []


def test_time_is_limited() -> None:
    """A session that takes too long is ended, and the reason is its time."""

    def dawdle() -> None:
        with session(Settings(limits=Limits(unit_s=4))) as inside:
            inside.start(("sleep", "600"))
            while True:
                inside.read()

    with pytest.raises(CaptureError) as caught:
        dawdle()

    assert caught.value.reason == "timeout"
    assert not [item for item in below() if item.name() == "Xvfb"]


def test_absent_program_is_told() -> None:
    """A command that is not installed is a failure that names it."""
    error = failure("no-such-program --at-all", Settings())

    assert error.reason == "no-program"
    assert "no-such-program" in str(error)


def test_program_that_ends_is_told(tmp_path: Path) -> None:
    """A program that gives up at once is a failure with its code and its last words."""
    command = script(tmp_path, "echo 'no licence found' >&2\nexit 3")
    error = failure(command, Settings())

    assert error.reason == "program-ended"
    assert "exit code 3" in str(error)
    assert "no licence found" in str(error)


def test_program_without_a_tree_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that never tells the accessibility bus of a window is a failure."""
    monkeypatch.setattr(observe, "SILENT_S", 2.0)

    assert failure("sleep 600", Settings()).reason == "no-window"


def test_flood_of_nodes_is_cut_off() -> None:
    """A tree of more nodes than allowed is a failure, not a long wait."""
    error = failure("galculator", Settings(limits=Limits(nodes=10)))

    assert error.reason == "too-large"


def test_missing_screen_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an X server the missing package is named."""
    monkeypatch.setenv("PATH", "/nowhere")

    with pytest.raises(MissingComponentError, match="xvfb"):
        record(Recipe("kcalc", "kcalc"), "desktop:kcalc", Settings())
