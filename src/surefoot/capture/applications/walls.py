"""
The walls around an application: it sees its packages and its state, and a loopback of its own.

Where the kernel allows no walls, it is run with a clean environment and a home of its own, and
has our rights otherwise.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.confinement import wall_in, walls_hold

KEEPER: Final = "surefoot.capture.applications"
SOURCE: Final = Path(__file__).parents[2]
APPLICATION: Final = "/application"
CODE: Final = "/code"
RECIPES: Final = "/recipe"
SPOKEN: Final = {
    **dict.fromkeys(("LANG", "LC_ALL", "LANGUAGE"), "C.UTF-8"),
    "TZ": "UTC",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONWARNINGS": "ignore",
    "PYTHONNOUSERSITE": "1",
}


class WalledFolders(msgspec.Struct, frozen=True):
    """
    Say where an application lies, and which folders it may see and change.

    ``shown`` and ``written`` are folders of this machine by their paths inside.
    """

    folder: Path
    shown: Mapping[str, Path] = {}
    written: Mapping[str, Path] = {}


def inside(
    recipe: ApplicationRecipe, place: WalledFolders, arguments: list[str], errors: BinaryIO
) -> subprocess.Popen[bytes]:
    """
    Start the keeper with a verb and its arguments; paths among them are those inside.

    What it and the application complain of goes to ``errors``.
    Its standard input is its lifeline. Without walls paths inside stand for those of here.
    """
    shown = {
        APPLICATION: str(place.folder),
        f"{CODE}/surefoot": str(SOURCE),
        **{f"{RECIPES}/{file.name}": str(file) for file in (recipe.file, *recipe.files)},
        **{name: str(path) for name, path in place.shown.items()},
    }
    node = place.folder / "packages" / "bin" / "node"
    beyond = [Path(sys.base_prefix), *([node.resolve().parents[1]] if node.is_symlink() else [])]
    shown |= {str(path): str(path) for path in beyond if not path.is_relative_to("/usr")}
    written = {name: str(path) for name, path in place.written.items()}
    before = walls_hold({**shown, **written})
    verb, *rest = arguments
    if before is None:
        program, code, file = str(place.folder / "packages/bin/python"), SOURCE.parent, recipe.file
        seen = {**shown, **written}
        rest = [seen.get(item, _below(item, seen)) for item in rest]
        walls: tuple[str, ...] = ()
        home = str(next(iter(place.written.values())))
        environment = {**SPOKEN, "PYTHONPATH": str(code), "HOME": home, "PATH": os.defpath}
    else:
        program, file = f"{APPLICATION}/packages/bin/python", Path(RECIPES, recipe.file.name)
        walls = wall_in(before, shown, {**SPOKEN, "PYTHONPATH": CODE}, written=written)
        environment = {"PATH": os.environ.get("PATH", os.defpath)}
    return subprocess.Popen(
        [*walls, program, "-m", KEEPER, verb, str(file), recipe.name, *rest],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env=environment,
    )


def _below(path: str, seen: Mapping[str, str]) -> str:
    """Return a path of here for one inside that lies in a folder that is seen."""
    for within, here in seen.items():
        if path.startswith(f"{within}/"):
            return here + path.removeprefix(within)
    return path
