"""
Pages of a published npm package: packed by npm into a cache, served from its own root.

No script of the package is run outside the browser: it is unpacked, as if an enemy had made
it, and never installed.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import urllib.parse
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from surefoot.capture.address import (
    Address,
    OpenedAddress,
    PageSource,
    Services,
    html_pages,
    origin_for,
)
from surefoot.capture.contents import file_digest, verify
from surefoot.capture.routes import Folder
from surefoot.capture.sources.catalog import known_integrity, served_root
from surefoot.core.archives import ArchiveLimits, unpack
from surefoot.core.canonical import canonical_json, digest
from surefoot.core.children import child_environment
from surefoot.core.errors import InvalidInputError, MissingComponentError
from surefoot.core.files import cache_folder, write_atomic

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


class _Package(msgspec.Struct, frozen=True):
    """Record what was fetched: the archive's integrity, and the SHA-256 of its files."""

    integrity: str
    files: dict[str, str]


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
        route = _route(package, version)
        pages = html_pages(route.root, under)
        return tuple(
            self.address(f"{package}@{version}/{page}")
            for page in pages
            if urllib.parse.unquote(page) in (route.digests or {})
        )

    def contents(self, addresses: Iterable[Address]) -> dict[str, dict[str, str]]:
        """Return the integrity of each package's archive and the digest of all its files'."""
        parsed = {_parse(address.spec.removeprefix("npm:"))[:2] for address in addresses}
        return {
            f"npm:{package}@{version}": {"archive": known.integrity, "files": digest(known.files)}
            for package, version in sorted(parsed)
            for known in (_fetched(package, version)[1],)
        }

    def address(self, rest: str) -> Address:
        """
        Name one page without fetching its package.

        >>> NPM.address("themekit@2.1.0/index.html").page
        'themekit-2.1.0/index.html'
        """
        package, version, page = _parse(rest)
        return Address(f"npm:{rest}", f"{package}-{version}/{page}", package)

    def open(self, address: Address, services: Services) -> OpenedAddress:
        """Serve the package's root, whose files must be those that npm gave; so must the page."""
        package, version, page = _parse(address.spec.removeprefix("npm:"))
        place = f"npm:{package}@{version}"
        if known := services.contents.get(place):
            verify(place, known, self.contents([address])[place])
        route = _route(package, version)
        if urllib.parse.unquote(page) not in (route.digests or {}):
            raise InvalidInputError(f"the page '{page}' in {package}@{version}", found="none")
        return OpenedAddress(f"{route.origin}/{page}", route)


NPM = NpmSource()


def fetch(package: str, version: str) -> Path:
    """
    Return the folder of an unpacked package, fetching it once; safe among processes.

    Beside it lies a record of what was fetched; a folder without one is fetched anew. Raises
    MissingComponentError where npm is absent or fails, InvalidInputError for a hostile
    archive, and for one that is not the catalogue's.
    """
    return _fetched(package, version)[0]


def _fetched(package: str, version: str) -> tuple[Path, _Package]:
    final = cache_folder() / "npm" / package.replace("/", "+") / version
    record = final.with_name(f"{version}.json")
    known = _read_record(record) if final.is_dir() else None
    if known is not None:
        _check_integrity(package, version, known.integrity)
        return final, known
    final.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".partial-", dir=final.parent) as scratch:
        unpacked = Path(scratch) / "package"
        archive = _pack(package, version, Path(scratch))
        with archive.open("rb") as stream:
            sum_of = hashlib.file_digest(stream, "sha512").digest()
        integrity = f"sha512-{base64.b64encode(sum_of).decode()}"
        _check_integrity(package, version, integrity)
        extract(archive, unpacked)
        files = {
            file.relative_to(unpacked).as_posix(): file_digest(file)
            for file in sorted(unpacked.rglob("*"))
            if file.is_file()
        }
        if not files:
            raise InvalidInputError(f"files in {package}@{version}", found="none")
        os.sync()
        with contextlib.suppress(OSError):  # there was none, or another process was first
            final.rename(Path(scratch) / "without a record")
        with contextlib.suppress(OSError):
            unpacked.rename(final)
        known = _Package(integrity, files)
        write_atomic(record, canonical_json(known))
    return final, known


def _read_record(file: Path) -> _Package | None:
    """Return what was fetched, None where that is not known or not readable."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=_Package)
    except (OSError, msgspec.DecodeError):
        return None


def _check_integrity(package: str, version: str, integrity: str) -> None:
    wanted = known_integrity(f"{package}@{version}")
    if wanted and wanted != integrity:
        raise InvalidInputError(
            f"{package}@{version} with the integrity {wanted}",
            found=integrity,
            remedy=f"delete {cache_folder() / 'npm' / package.replace('/', '+')}, and see "
            "which registry npm asks",
        )


def _parse(rest: str) -> tuple[str, str, str]:
    match = SPEC.fullmatch(rest)
    if match is None:
        raise InvalidInputError(
            "npm:PACKAGE@VERSION[/PAGE] with an exact version",
            found=f"'npm:{rest}'",
            remedy="name it as in npm:startbootstrap-sb-admin-2@4.1.4",
        )
    return match["name"], match["version"], match["page"] or ""


def _route(package: str, version: str) -> Folder:
    """Return what is served of a package: its root, and the digests of the files below it."""
    folder, known = _fetched(package, version)
    root = served_root(package)
    prefix = "" if root == "." else f"{root}/"
    digests = {
        name.removeprefix(prefix): value
        for name, value in known.files.items()
        if name.startswith(prefix)
    }
    return Folder(
        origin_for(f"npm-{package}-{version}"),
        folder.joinpath(root),
        digests,
        f"npm:{package}@{version}",
        f"delete {folder}, and it is fetched anew",
    )


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
            env=child_environment(),
        )
        reason = done.stderr.decode(errors="replace").strip()[-300:]
    except subprocess.TimeoutExpired:
        reason = f"no end after {PACK_S} s"
    archives = list(scratch.glob("*.tgz"))
    if len(archives) != 1:
        raise MissingComponentError(
            f"npm to fetch {package}@{version}",
            found=reason or "no archive",
            remedy="check the name, the version and the network",
        )
    return archives[0]
