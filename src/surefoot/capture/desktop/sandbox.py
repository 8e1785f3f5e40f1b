"""
The walls around a desktop program: no network, no writing to the machine, none of our files.

Where the machine forbids user namespaces, programs run without walls, under a home folder
whose path differs from run to run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from surefoot.capture.confinement import settings_for_all, wall_in, walls_hold

# The only account inside, that of the program.
USERS: Final = str(Path(__file__).parent / "users")
SUREFOOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("site-packages", "dist-packages")
# Of the machine, beside its programs and settings: programs from elsewhere, known fonts.
MACHINE: Final = tuple(str(Path("/", name)) for name in ("opt", "var/cache/fontconfig"))


def walls(paths: Iterable[str] = ()) -> tuple[str, ...]:
    """
    Return the command in front of another that puts walls around it, () where there are none.

    ``paths`` are files and folders that the program must see, read-only, beside Python and
    the machine's own programs.
    """
    installed = [path for path in sys.path if Path(path).name in PACKAGES]
    wanted = [sys.prefix, sys.base_prefix, *installed, str(SUREFOOT), *MACHINE, *paths]
    seen = {str(Path(path).absolute()) for path in wanted if Path(path).exists()}
    shown = {path: path for path in seen if not Path(path).is_relative_to("/usr")}
    shown |= settings_for_all() | {str(Path("/", "etc", "passwd")): USERS}
    before = walls_hold(shown)
    if before is None:
        return ()
    environment = {"PYTHONPATH": os.pathsep.join([str(SUREFOOT.parent), *installed])}
    return wall_in(before, shown, environment)
