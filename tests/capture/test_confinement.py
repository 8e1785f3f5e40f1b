"""
Walls hide the machine from what is inside them, and what is shown is let through.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from surefoot.capture import confinement
from surefoot.capture.confinement import (
    CHANGE_USER,
    HOME,
    USER,
    is_root,
    settings_for_all,
    wall_in,
    walls_hold,
    with_environment,
)

Inside = Callable[..., str]


@pytest.fixture
def inside() -> Inside:
    """Run a shell's script within walls; skip where the machine forbids user namespaces."""

    def run(script: str, shown: Mapping[str, str] | None = None) -> str:
        before = walls_hold(shown)
        if before is None:
            pytest.skip("this machine forbids user namespaces")
        command = [*wall_in(before, shown or {}, {"MARK": "in"}), "sh", "-c", script]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        return done.stdout.strip()

    return run


@pytest.mark.desktop
def test_only_what_is_shown_is_there(
    inside: Inside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that is shown is read and not written, an empty one is empty, no other is there."""
    for name in ("shown", "covered"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("here", encoding="utf-8")
    monkeypatch.setenv("A_KEY", "secret")
    shown = {"/shown": str(tmp_path / "shown"), "/covered": ""}

    said = inside(
        f"cat /shown/file; ls /covered {tmp_path} | grep -c file; pwd; echo $MARK $A_KEY; "
        "echo x >/shown/file || echo refused; cat /proc/*/environ | grep -c secret; true",
        shown,
    )

    assert said.split() == ["here0", HOME, "in", "refused", "0"]


@pytest.mark.desktop
@pytest.mark.skipif(not is_root(), reason="only root can change its user")
def test_root_gives_up_its_user_unless_it_alone_can_read(tmp_path: Path) -> None:
    """Walls belong to another user; around files of root alone, to root without its rights."""
    if walls_hold() is None:
        pytest.skip("this machine forbids user namespaces")
    tmp_path.chmod(0o700)
    (tmp_path / "file").touch()

    assert walls_hold() == CHANGE_USER
    assert walls_hold({"/file": str(tmp_path / "file")}) == ()
    owner = subprocess.run(
        [*CHANGE_USER, "id", "-u"], capture_output=True, text=True, check=True
    ).stdout
    assert int(owner) == USER


def test_settings_that_are_not_for_all_are_covered() -> None:
    """Every file below the machine's settings that others cannot read is covered."""
    folder = Path("/", "etc")
    closed = {
        str(path)
        for path in folder.rglob("*")
        if not path.is_symlink() and not stat.S_IMODE(path.lstat().st_mode) & stat.S_IROTH
    }
    covered = settings_for_all()

    bare = {
        path
        for path in closed
        if not any(
            path == item or path.startswith(f"{item}/") for item in set(covered) - {str(folder)}
        )
    }
    assert not bare


def test_an_environment_is_made_of_what_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program so started finds language and path and what was added, and nothing else."""
    monkeypatch.setenv("A_KEY", "secret")
    monkeypatch.setenv("LANG", "C.UTF-8")
    done = subprocess.run(
        [*with_environment({"ADDED": "1"}), sys.executable, "-c", "import os; print(*os.environ)"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert (
        {"PATH", "LANG", "ADDED"}
        <= set(done.stdout.split())
        <= {"ADDED", "LC_CTYPE"} | set(confinement.TOLD)
    )


def test_without_bubblewrap_nothing_holds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where the program is absent no walls can be built."""
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "env").symlink_to("/usr/bin/env")

    assert walls_hold({"/here": os.fspath(tmp_path)}) is None
