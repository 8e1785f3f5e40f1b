"""
Pages of a published npm package: packed by npm into a cache, served from its own root.

No script of the package is run outside the browser: it is unpacked, as if an enemy had made
it, and never installed.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from surefoot.capture.address import (
    Address,
    OpenedAddress,
    PageSource,
    Services,
    html_pages,
    origin_for,
)
from surefoot.capture.routes import Folder
from surefoot.capture.sources.catalog import served_root
from surefoot.core.archives import ArchiveLimits, unpack
from surefoot.core.errors import InvalidInputError, MissingComponentError
from surefoot.core.files import cache_folder

__all__ = ["NPM", "NpmSource", "extract", "fetch"]

MAX_MEMBERS: Final = 100_000
MAX_RATIO: Final = 100
MAX_BYTES: Final = 2 * 2**30
SPEC: Final = re.compile(
    r"(?P<name>(?:@[a-z0-9~][a-z0-9._~-]*/)?[a-z0-9~][a-z0-9._~-]*)"
    r"@(?P<version>\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?)(?:/(?P<page>.*))?"
)
PACK_S: Final = 600


def extract(archive: Path, folder: Path, *, max_bytes: int = MAX_BYTES) -> None:
    """
    Unpack the regular files of a gzipped tar under a folder, the first path part dropped.

    Raises InvalidInputError for a member that is a link or a device, has an absolute path
    or ``..``, comes twice, or for an archive of more than 100,000 members, a compression
    ratio over 100 or more than ``max_bytes`` bytes.
    """
    limits = ArchiveLimits(members=MAX_MEMBERS, total=max_bytes, ratio=MAX_RATIO)
    unpack(archive, folder, limits=limits, drop=1)


class NpmSource(PageSource):
    """Serve packages of the npm registry."""

    name = "npm"
    version = 1

    def addresses(self, rest: str) -> tuple[Address, ...]:
        """
        Return the HTML pages of ``PACKAGE@VERSION[/SUBPATH]``, sorted; fetches it if need be.

        Raises InvalidInputError for a malformed name, MissingComponentError without npm
        or where npm could not fetch the package.
        """
        package, version, under = _parse(rest)
        pages = html_pages(_root(package, version), under)
        return tuple(self.address(f"{package}@{version}/{page}") for page in pages)

    def address(self, rest: str) -> Address:
        """
        Name one page without fetching its package.

        >>> NPM.address("themekit@2.1.0/index.html").page
        'themekit-2.1.0/index.html'
        """
        package, version, page = _parse(rest)
        return Address(f"npm:{rest}", f"{package}-{version}/{page}", package)

    def open(self, address: Address, _services: Services) -> OpenedAddress:
        """Serve the package's root; the page must be one of its files."""
        package, version, page = _parse(address.spec.removeprefix("npm:"))
        root = _root(package, version)
        html_pages(root, page)
        origin = origin_for(f"npm-{package}-{version}")
        return OpenedAddress(f"{origin}/{page}", Folder(origin, root))


NPM = NpmSource()


def fetch(package: str, version: str) -> Path:
    """
    Return the folder of an unpacked package, fetching it once; safe among processes.

    Raises MissingComponentError where npm is absent or fails, InvalidInputError for a
    hostile archive.
    """
    final = cache_folder() / "npm" / package.replace("/", "+") / version
    if final.is_dir():
        return final
    final.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".partial-", dir=final.parent) as scratch:
        unpacked = Path(scratch) / "package"
        extract(_pack(package, version, Path(scratch)), unpacked)
        os.sync()
        with contextlib.suppress(OSError):  # another process was first
            unpacked.rename(final)
    if not final.is_dir():
        raise InvalidInputError(f"files in {package}@{version}", found="none")
    return final


def _parse(rest: str) -> tuple[str, str, str]:
    match = SPEC.fullmatch(rest)
    if match is None:
        raise InvalidInputError(
            "npm:PACKAGE@VERSION[/PAGE] with an exact version",
            found=f"'npm:{rest}'",
            remedy="name it as in npm:startbootstrap-sb-admin-2@4.1.4",
        )
    return match["name"], match["version"], match["page"] or ""


def _root(package: str, version: str) -> Path:
    return fetch(package, version).joinpath(served_root(package))


def _pack(package: str, version: str, scratch: Path) -> Path:
    npm = shutil.which("npm")
    if npm is None:
        raise MissingComponentError("npm", found="none", remedy="install it: apt-get install npm")
    command = [npm, "pack", f"{package}@{version}", "--ignore-scripts", "--silent"]
    try:
        done = subprocess.run(
            [*command, "--pack-destination", str(scratch)],
            cwd=scratch,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PACK_S,
            check=False,
        )
        said = done.stderr.decode(errors="replace").strip()[-300:]
    except subprocess.TimeoutExpired:
        said = f"no end after {PACK_S} s"
    archives = list(scratch.glob("*.tgz"))
    if len(archives) != 1:
        raise MissingComponentError(
            f"npm to fetch {package}@{version}",
            found=said or "no archive",
            remedy="check the name, the version and the network",
        )
    return archives[0]
