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

HOME: Final = str(Path("/", "home", "person"))
USERS: Final = f"person:x:1000:1000:Person:{HOME}:/bin/sh\n"
TRY_S: Final = 10
# Folders that are fresh and empty inside.
COVERED: Final = tuple(str(Path("/", name)) for name in ("home", "run", "tmp"))


def walls(users: Path, paths: Iterable[str] = ()) -> tuple[str, ...]:
    """
    Return the command in front of another that puts walls around it, () where there are none.

    ``users`` is a file that holds USERS, the only account inside. ``paths`` are files and
    folders that the program must see, read-only, although they lie in a folder that is
    covered: those of temporary files, of people and of the running system are empty inside.
    """
    if not walls_hold():
        return ()
    command = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    for item in COVERED:
        command += ["--tmpfs", item]
    for path in sorted(_covered([sys.prefix, sys.base_prefix, *sys.path, *paths])):
        command += ["--ro-bind", path, path]
    command += ["--dir", HOME, "--ro-bind", str(users), "/etc/passwd"]
    command += ["--unshare-all", "--uid", "1000", "--gid", "1000", "--hostname", "desk"]
    return (*command, "--die-with-parent", "--new-session", "--")


@functools.cache
def walls_hold() -> bool:
    """Tell whether this machine lets bubblewrap build its walls."""
    program = shutil.which("bwrap")
    if program is None:
        return False
    trial = [program, "--ro-bind", "/", "/", "--unshare-all"]
    try:
        done = subprocess.run([*trial, "true"], capture_output=True, timeout=TRY_S, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _covered(paths: Iterable[str]) -> set[str]:
    """Return those of the paths that exist and lie in a covered folder."""
    found = set()
    for item in filter(None, paths):
        path = Path(item).absolute()
        if path.exists() and any(path.is_relative_to(folder) for folder in COVERED):
            found.add(str(path))
    return found - set(COVERED)
