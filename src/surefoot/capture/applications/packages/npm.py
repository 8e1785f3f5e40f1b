"""
Packages of npm: modules by ``npm ci`` from a lock without addresses, and no script of theirs.

The lock says what each package is by its integrity, and not where it lies: npm asks the
registry that this machine names. Node.js is the machine's own; a link to it lies where the
environment's programs do, so that it is found inside the walls.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from surefoot.capture.address import Tell
from surefoot.capture.applications.packages.kind import (
    Destination,
    PackageKind,
    installation_error,
    run_installer,
)
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.core.errors import InvalidInputError, MissingComponentError
from surefoot.core.files import write_atomic

ROOT: Final = ""
# npm's own note of where each package came from, which differs from machine to machine.
NOTE: Final = ".package-lock.json"
CI: Final = (
    *("ci", "--ignore-scripts", "--no-bin-links", "--omit=dev", "--prefer-offline"),
    *("--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error", "--logs-max=0"),
)


def bring_npm(recipe: ApplicationRecipe, destination: Destination, tell: Tell) -> None:
    """Install the lock's modules into ``node_modules``; npm's cache outlives an interruption."""
    if not recipe.npm_packages:
        return
    programs = {name: shutil.which(name) for name in ("node", "npm")}
    for name, found in programs.items():
        if found is None:
            raise MissingComponentError(name, found="none", remedy=f"apt-get install {name}")
    tell(f"{recipe.title}: installing packages of npm")
    lock = _read(recipe)
    work = destination.packages
    write_atomic(work / "package.json", manifest_of(lock))
    write_atomic(work / "package-lock.json", lock)
    command = [str(programs["npm"]), *CI, "--cache", str(destination.fetched)]
    run_installer(recipe, command, folder=work)
    work.joinpath("node_modules", NOTE).unlink(missing_ok=True)
    Path(work, "bin", "node").symlink_to(Path(str(programs["node"])).resolve())


def manifest(wanted: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """
    Return the package.json that asks for packages by their versions.

    What is asked for is that of all the others, too, whatever they ask for.
    """
    overrides = {name: f"${name}" for name in wanted}
    return {"dependencies": dict(wanted), "overrides": overrides}


def manifest_of(lock: bytes) -> bytes:
    """
    Return the package.json that a lock was made for.

    Raises InvalidInputError for what is no lock, and for a lock that says where a package is
    to be fetched from, or names one without saying what it is.

    >>> manifest_of(b'{"packages": {"": {"dependencies": {"lit": "3.3.1"}}}}')
    b'{"dependencies":{"lit":"3.3.1"},"overrides":{"lit":"$lit"}}'
    """
    try:
        packages: dict[str, dict[str, Any]] = json.loads(lock)["packages"]
        wanted = packages[ROOT]["dependencies"]
        for name, package in packages.items():
            pinned = "integrity" in package or package.get("inBundle", False)
            if name != ROOT and ("resolved" in package or not pinned):
                raise InvalidInputError(
                    f"the package {name} in a lock of npm with its integrity and no address",
                    found=", ".join(sorted(package)),
                    remedy="write it by scripts/lock_applications.py",
                )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InvalidInputError("a lock of npm", found=error) from error
    return msgspec.json.encode(manifest(wanted))


def _read(recipe: ApplicationRecipe) -> bytes:
    try:
        return NPM_PACKAGES.lock(recipe).read_bytes()
    except OSError as error:
        raise installation_error(recipe, "its lock", str(error).encode()) from error


NPM_PACKAGES: Final = PackageKind(
    name="npm",
    suffix=".json",
    wanted=lambda recipe: recipe.npm_packages,
    bring=bring_npm,
)
