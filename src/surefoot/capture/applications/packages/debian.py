"""
Packages of Debian: fetched by apt, proved by the lock, unpacked beside Python's, never installed.

The lock has a line for each package: its name, with the architecture where it has one, its
version and its SHA-256. It names all that a package depends on and that lies outside the base:
what every Debian has, which are the packages whose priority is "required". No script of a
package is run. Links to the machine's root become links into ``debian``, and manuals are left
out.
"""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path
from typing import Final

import msgspec

from surefoot.capture.address import Tell
from surefoot.capture.applications.packages.kind import (
    Destination,
    PackageKind,
    installation_error,
    run_installer,
)
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.contents import file_digest
from surefoot.core.errors import InvalidInputError, MissingComponentError

PROGRAMS: Final = ("apt-get", "dpkg-deb")
CONFIGURATION: Final = "APT_CONFIG"
FOLDER: Final = "debian"
UNUSED: Final = ("usr/share/doc", "usr/share/man", "usr/share/lintian")
DIGEST: Final = 64


class LockedPackage(msgspec.Struct, frozen=True):
    """Name one package exactly; ``name`` has its architecture behind a colon, where it has one."""

    name: str
    version: str
    sha256: str


def read_debian_lock(text: str) -> tuple[LockedPackage, ...]:
    """
    Return the packages that a lock names.

    Raises InvalidInputError for a line that is not a name, a version and a SHA-256.

    >>> read_debian_lock(f"hello:amd64 2.10-3 {'0' * 64}")[0].version
    '2.10-3'
    """
    return tuple(_read_line(line) for line in text.splitlines())


def bring_debian(recipe: ApplicationRecipe, destination: Destination, tell: Tell) -> None:
    """
    Fetch the lock's packages and unpack them; what was fetched outlives an interruption.

    Raises MissingComponentError where there is no apt, where its archives do not have a version,
    or have other bytes under its name.
    """
    if not recipe.debian_packages:
        return
    for name in PROGRAMS:
        if shutil.which(name) is None:
            raise MissingComponentError(
                name,
                found=f"none: {recipe.title} is made of packages of Debian",
                remedy="use Debian 12, or leave this application out",
            )
    locked = _read(recipe)
    tell(f"{recipe.title}: fetching packages of Debian")
    files = _fetched(destination.fetched)
    wanted = [f"{item.name}={item.version}" for item in locked if item.sha256 not in files]
    if wanted:
        _download(recipe, destination.fetched, wanted)
        files = _fetched(destination.fetched)
    for item in locked:
        if item.sha256 not in files:
            raise MissingComponentError(
                f"{item.name} {item.version} of Debian with the SHA-256 {item.sha256}",
                found="a package of that version with other bytes",
                remedy="take packages from Debian's own archives",
            )
    tell(f"{recipe.title}: unpacking packages of Debian")
    root = destination.packages / FOLDER
    for item in locked:
        run_installer(recipe, ["dpkg-deb", "--extract", str(files[item.sha256]), str(root)])
    for name in UNUSED:
        shutil.rmtree(root / name, ignore_errors=True)
    _settle(root)


def _download(recipe: ApplicationRecipe, folder: Path, wanted: list[str]) -> None:
    variables = {name: os.environ[name] for name in (CONFIGURATION,) if name in os.environ}
    command = ["apt-get", "--quiet", "download", *wanted]
    try:
        run_installer(recipe, command, folder=folder, environment=variables)
    except MissingComponentError as error:
        raise MissingComponentError(
            f"the packages of Debian 12 that {recipe.title} is locked to",
            found=error.found,
            remedy="renew apt's lists by apt-get update; older versions are in Debian's snapshots",
        ) from error


def _fetched(folder: Path) -> dict[str, Path]:
    return {file_digest(path): path for path in folder.glob("*.deb")}


def _settle(root: Path) -> None:
    """Let everybody read all of it and nobody change it, and links lead no further than it."""
    for path in root.rglob("*"):
        if not path.is_symlink():
            runs = path.is_dir() or path.stat().st_mode & stat.S_IXUSR
            path.chmod(0o755 if runs else 0o644)
            continue
        target = path.readlink()
        if target.is_absolute():
            path.unlink()
            path.symlink_to(os.path.relpath(root / target.relative_to("/"), path.parent))


def _read_line(line: str) -> LockedPackage:
    parts = line.split(" ")
    if len(parts) != len(LockedPackage.__struct_fields__) or not (
        all(parts) and not parts[0].startswith("-") and len(parts[2]) == DIGEST
    ):
        raise InvalidInputError(
            "a package's name, version and SHA-256 on each line of a lock of Debian",
            found=line,
            remedy="write it by scripts/lock_applications.py",
        )
    return LockedPackage(*parts)


def _read(recipe: ApplicationRecipe) -> tuple[LockedPackage, ...]:
    try:
        return read_debian_lock(DEBIAN_PACKAGES.lock(recipe).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise installation_error(recipe, "its lock", str(error).encode()) from error


DEBIAN_PACKAGES: Final = PackageKind(
    name="debian",
    suffix=".debs",
    wanted=lambda recipe: recipe.debian_packages,
    bring=bring_debian,
)
