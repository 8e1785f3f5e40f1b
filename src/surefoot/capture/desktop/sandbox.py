"""
The walls around a program: no network, no writing to the machine, its own process table.

They are bubblewrap's. Where the machine forbids user namespaces, programs run without
walls, under a home folder whose path differs from run to run.
"""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

__all__ = ["HOME", "USERS", "walls", "walls_hold"]

HOME: Final = "/home/person"
USERS: Final = Path(__file__).parent / "users.txt"
TRY_S: Final = 10
COVERED: Final = ("/tmp", "/home", "/run")  # noqa: S108 - covered by fresh ones inside


def walls(paths: Iterable[str] = ()) -> tuple[str, ...]:
    """
    Return the command in front of another that puts walls around it, () where there are none.

    ``paths`` are files and folders that the program must see, read-only, although they lie
    in a folder that is covered: /tmp, /home and /run are fresh and empty inside.
    """
    if not walls_hold():
        return ()
    command = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    for each in COVERED:
        command += ["--tmpfs", each]
    for path in sorted(_covered([sys.prefix, sys.base_prefix, *sys.path, *paths])):
        command += ["--ro-bind", path, path]
    command += ["--dir", HOME, "--ro-bind", str(USERS), "/etc/passwd"]
    command += ["--unshare-all", "--uid", "1000", "--gid", "1000", "--hostname", "desk"]
    return (*command, "--die-with-parent", "--new-session", "--")


@functools.cache
def walls_hold() -> bool:
    """Tell whether this machine lets bubblewrap build its walls."""
    program = shutil.which("bwrap")
    if program is None:
        return False
    trial = [program, "--ro-bind", "/", "/", "--tmpfs", "/tmp", "--unshare-all"]  # noqa: S108
    try:
        done = subprocess.run([*trial, "true"], capture_output=True, timeout=TRY_S, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _covered(paths: Iterable[str]) -> set[str]:
    """Return those of the paths that exist and lie in a covered folder."""
    found = set()
    for each in filter(None, paths):
        path = Path(each).absolute()
        if path.exists() and any(path.is_relative_to(folder) for folder in COVERED):
            found.add(str(path))
    return found - set(COVERED)
