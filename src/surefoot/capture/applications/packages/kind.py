"""
What a kind of packages is, and how its installer is run.
"""

from __future__ import annotations

import dataclasses
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from surefoot.capture.address import Tell
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.core.children import child_environment
from surefoot.core.errors import MissingComponentError

INSTALL_S: Final = 1800


class Destination(msgspec.Struct, frozen=True):
    """
    Say where packages go.

    ``packages`` becomes a part of the application. ``fetched`` is of one kind alone; what lies
    there outlives an interruption, so that the next installation need not fetch it again.
    """

    packages: Path
    fetched: Path


@dataclasses.dataclass(frozen=True, kw_only=True)
class PackageKind:
    """
    Say how packages of one kind are named, locked and brought.

    ``wanted`` returns what a recipe asks for, and the lock beside the recipe, whose name ends
    in ``suffix``, pins it. ``bring`` installs what the lock names, all of it proved by the
    lock's hashes, and nothing else; it runs no script of any package, and raises
    MissingComponentError where packages do not come.
    """

    name: str
    suffix: str
    wanted: Callable[[ApplicationRecipe], tuple[str, ...]]
    bring: Callable[[ApplicationRecipe, Destination, Tell], None]

    def lock(self, recipe: ApplicationRecipe) -> Path:
        """Return the file that pins a recipe's packages of this kind."""
        return recipe.file.with_suffix(self.suffix)


def run_installer(
    recipe: ApplicationRecipe,
    command: list[str],
    *,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> None:
    """
    Run a command of an installer in a folder, with no settings of ours but those of the network.

    Raises MissingComponentError with its last line where it fails, or takes over half an hour.
    """
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=INSTALL_S,
            check=False,
            env=child_environment({**(environment or {}), "PYTHONPATH": ""}),
        )
    except subprocess.TimeoutExpired as error:
        raise installation_error(recipe, "its packages", b"no end") from error
    if done.returncode:
        raise installation_error(recipe, "its packages", done.stderr or done.stdout)


def installation_error(
    recipe: ApplicationRecipe, what: str, output: bytes
) -> MissingComponentError:
    """Return the error of an application without something, in the last words that were said."""
    lines = output.decode(errors="replace").strip().splitlines() or ["no word"]
    return MissingComponentError(
        f"{recipe.title} to be installed with {what}",
        found=lines[-1][-300:],
        remedy=f"check the network and the disk, then: surefoot apps install {recipe.name}",
    )
