"""
The walls around a program, be it Chromium or one of a desktop: bubblewrap's, and another user.

Inside, the machine's programs, libraries and fonts are read-only, every other folder is absent
or empty, the environment and the process table are the program's own. Where we are root, the
walls and all in them belong to a user that owns nothing.
"""

from __future__ import annotations

import functools
import os
import stat
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from surefoot.core.children import child_environment
from surefoot.core.scratch import SCRATCH

HOME: Final = str(Path("/", "home", "person"))
# Nobody's: in the range that service managers give to services for the time that they run.
USER: Final = 61_999
CHANGE_USER: Final = (
    "setpriv",
    f"--reuid={USER}",
    f"--regid={USER}",
    "--clear-groups",
)
TRY_S: Final = 20
# A page or program may fill no more than this of the memory with its files.
FILES_BYTES: Final = 2 * 2**30
# Where a program that kept root's number, be it without rights, could change the machine.
KERNEL: Final = tuple(f"/proc/{name}" for name in ("bus", "fs", "irq", "sys", "sysrq-trigger"))
FRESH: Final = tuple(str(Path("/", name)) for name in ("home", "run", "tmp"))
LINKED: Final = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
# What a program is told of our environment; all else stays with us.
TOLD: Final = ("PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", SCRATCH)
# Begins user, process and network namespaces inside, as Chromium's own sandbox does.
NESTED: Final = ("unshare", "--user", "--pid", "--net", "--fork", "true")


def is_root() -> bool:
    """Tell whether this process may do everything."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def with_environment(added: Mapping[str, str]) -> tuple[str, ...]:
    """Return the command that gives another one an environment: TOLD and what is added."""
    kept = {name: os.environ[name] for name in TOLD if name in os.environ}
    return ("env", "-i", *(f"{name}={value}" for name, value in {**kept, **added}.items()))


def wall_in(
    before: Iterable[str],
    shown: Mapping[str, str],
    environment: Mapping[str, str],
    *,
    network: bool = False,
    written: Mapping[str, str] | None = None,
) -> tuple[str, ...]:
    """
    Return the command in front of another that puts walls around it.

    ``before`` is what ``walls_hold`` returned. ``shown`` are folders and files to be seen
    read-only, by their path inside, "" for a folder that is to be empty; those of ``written``
    can be changed. Unless it may use our ``network``, there is none but a loopback of its own.
    """
    command = [*with_environment({"HOME": HOME, **environment}), *before, "bwrap"]
    command += ["--unshare-user", "--uid", "1000", "--gid", "1000", "--hostname", "desk"]
    command += ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    command += ["--die-with-parent"] if network else ["--die-with-parent", "--unshare-net"]
    for folder in FRESH:
        command += ["--size", str(FILES_BYTES), "--tmpfs", folder]
    command += ["--ro-bind", "/usr", "/usr", *_links(), "--dev", "/dev", "--proc", "/proc"]
    for name in KERNEL:
        command += ["--ro-bind-try", name, name]
    for inside, outside in sorted(shown.items()):  # a folder before what lies in it
        command += ["--ro-bind", outside, inside] if outside else ["--tmpfs", inside]
    for inside, outside in sorted((written or {}).items()):
        command += ["--bind", outside, inside]
    return (*command, "--dir", HOME, "--remount-ro", "/", "--chdir", HOME, "--")


def walls_hold(shown: Mapping[str, str] | None = None) -> tuple[str, ...] | None:
    """
    Return what must stand before bubblewrap here, None where it cannot build its walls.

    As root that changes the user, unless root alone can read what is ``shown``. In the walls
    a program must be able to begin namespaces of its own, as Chromium's sandbox does.
    """
    return _walls_hold(tuple(sorted((shown or {}).items())))


@functools.cache
def another_user() -> tuple[str, ...] | None:
    """Return what must stand before a program that is not to be root's, None without a way."""
    if not is_root():
        return ()
    return CHANGE_USER if _works([*CHANGE_USER, *NESTED]) else None


def settings_for_all() -> dict[str, str]:
    """Return the machine's settings as ``wall_in`` shows them, without what is not for all."""
    folder = Path("/", "etc")
    closed = {str(path): "" if path.is_dir() else os.devnull for path in _closed(folder)}
    return {str(folder): str(folder), **closed}


@functools.cache
def _walls_hold(shown: tuple[tuple[str, str], ...]) -> tuple[str, ...] | None:
    for before in (CHANGE_USER, ()) if is_root() else ((),):
        if _works([*wall_in(before, dict(shown), {}), *NESTED]):
            return before
    return None


def _closed(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        mode = path.lstat().st_mode
        wanted = stat.S_IROTH | stat.S_IXOTH if stat.S_ISDIR(mode) else stat.S_IROTH
        if not stat.S_ISLNK(mode) and mode & wanted != wanted:
            yield path
        elif stat.S_ISDIR(mode):
            yield from _closed(path)


def _links() -> list[str]:
    """Return how the root's folders of programs are made: as links into /usr, or shown."""
    command = []
    for name in LINKED:
        path = Path("/", name)
        if path.is_symlink():
            command += ["--symlink", str(path.readlink()), str(path)]
        elif path.exists():
            command += ["--ro-bind", str(path), str(path)]
    return command


def _works(command: list[str]) -> bool:
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=TRY_S, check=False, env=child_environment()
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0
