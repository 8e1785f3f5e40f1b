"""
What a recipe calls to run a program of Debian, or a site in PHP, from where they were unpacked.

A program believes that the packages lie at the machine's root, as their files name each other
so: fakechroot, which must be among the packages, turns its paths. It believes that it is
CLOCK, if faketime is among them; its clock all but stands, as PHP's uniqid waits without end
for a clock that does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Final, NoReturn

from surefoot.capture.clock import CLOCK

LIBRARIES: Final = ("usr/lib/*-linux-gnu", "lib/*-linux-gnu")
PRELOADED: Final = (
    "usr/lib/*-linux-gnu/fakechroot/libfakechroot.so",
    "usr/lib/*-linux-gnu/faketime/libfaketime.so.1",
)
# What is the machine's own: its devices, and what programs read of the base.
OUTSIDE: Final = ("/bin", "/dev", "/proc", "/tmp", "/usr/share/zoneinfo")  # noqa: S108
# How many seconds the clock of a program goes on in one: a second takes it almost three hours.
CREEP: Final = "0.0001"
ROUTER: Final = Path(__file__).with_name("php_router.php")
SETTINGS_OF_SITES: Final = {
    "date.timezone": "UTC",
    "display_errors": "0",
    "log_errors": "1",
    "include_path": ".:/usr/share/php",
    "memory_limit": "512M",
    "opcache.enable": "0",
    "upload_max_filesize": "2M",
}


def debian_file(path: str) -> Path:
    """Return a file of the packages by its path below the machine's root."""
    return Path(sys.prefix, "debian", path)


def debian_environment(*seen: Path, added: Mapping[str, str] | None = None) -> dict[str, str]:
    """
    Return the environment of a program of Debian, in which it is CLOCK.

    ``seen`` are folders that lie where they do for us; all others are those of the packages.
    ``added`` are variables.
    """
    root = debian_file("")
    variables = {
        "LD_LIBRARY_PATH": _found(LIBRARIES),
        "LD_PRELOAD": _found(PRELOADED),
        "FAKECHROOT_BASE": str(root),
        "FAKECHROOT_EXCLUDE_PATH": ":".join([*OUTSIDE, *map(str, seen)]),
        "FAKETIME": faketime_at(CLOCK),
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_NO_CACHE": "1",
        "NO_FAKE_STAT": "1",  # when a file was changed is what the files say
        "TZ": "UTC",
    }
    return {**os.environ, **variables, **(added or {})}


def faketime_at(when: datetime) -> str:
    """
    Return what the variable FAKETIME is for a clock that begins at a time and all but stands.

    >>> faketime_at(datetime(2026, 1, 15, 10))
    '@2026-01-15 10:00:00 x0.0001'
    """
    return f"@{when:%Y-%m-%d %H:%M:%S} x{CREEP}"


def php_command(folder: Path, settings: Mapping[str, str]) -> list[str]:
    """
    Return the command of PHP with a site's settings, which are written into ``folder``.

    The extensions are those of the packages, in the order that these say.
    """
    modules = sorted(debian_file("usr/share").glob("php[0-9]*/*/*.ini"), key=_rank)
    lines = [path.read_text("utf-8") for path in modules]
    lines += [f'{name} = "{value}"\n' for name, value in {**SETTINGS_OF_SITES, **settings}.items()]
    ini = folder / "php.ini"
    ini.write_text("".join(lines), encoding="utf-8")
    program = next(debian_file("usr/bin").glob("php[0-9]*.[0-9]"))
    return [str(program), "-c", str(ini)]


def become_php_site(
    documents: str,
    port: int,
    folder: Path,
    *files: Path,
    settings: Mapping[str, str] | None = None,
    added: Mapping[str, str] | None = None,
) -> NoReturn:
    """
    Serve a folder of the packages on 127.0.0.1 by PHP's own server, in place of this process.

    ``documents`` is its path at the machine's root. ``folder`` is the application's state,
    which the site may change and finds in the variable STATE; ``added`` are more variables.
    ``files`` lie where they do for us, and ``settings`` are PHP's.
    """
    sessions = folder / "sessions"
    sessions.mkdir(exist_ok=True)
    directives = {"session.save_path": str(sessions), **(settings or {})}
    command = [*php_command(folder, directives), "-S", f"127.0.0.1:{port}", "-t", documents]
    command.append(str(ROUTER))
    environment = {**php_environment(folder, *files, ROUTER), **(added or {})}
    os.execve(command[0], command, environment)  # noqa: S606


def php_environment(folder: Path, *files: Path) -> dict[str, str]:
    """Return the environment of PHP over a state, with files that lie where they do for us."""
    seen = {file.parent for file in files}
    return debian_environment(folder, *sorted(seen), added={"STATE": str(folder)})


def _found(patterns: tuple[str, ...]) -> str:
    found = [str(path) for name in patterns for path in sorted(debian_file("").glob(name))]
    return ":".join(found)


def _rank(file: Path) -> tuple[str, str]:
    """Return where an extension stands: what another needs comes before it."""
    first = next(line for line in file.read_text("utf-8").splitlines() if "priority=" in line)
    return first.rpartition("=")[2], file.name
