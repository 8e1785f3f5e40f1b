"""
One archived page in a ``.mhtml`` file, opened from disk without any network.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from surefoot.capture.address import Address, OpenedAddress, PageSource, Services, origin_for
from surefoot.capture.contents import LARGEST_FILE, file_digest, verify
from surefoot.capture.routes import Folder
from surefoot.capture.sources.archive import FIRST_PAGE, unpack
from surefoot.core.errors import CaptureError, InvalidInputError
from surefoot.core.scratch import scratch_folder
from surefoot.core.sites import site_of

MHTML_SUFFIXES: Final = frozenset({".mhtml", ".mht"})
HEAD_BYTES: Final = 65_536
TYPE: Final = "multipart/related"
LONGEST_TYPE: Final = 60
HOST: Final = re.compile(r"[\w.:\[\]-]{1,253}", re.ASCII)
BLANK_LINE: Final = re.compile(rb"\r?\n\r?\n")
FOLDED: Final = re.compile(r"\r?\n[ \t]+")
BOUNDARY: Final = re.compile(r'boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))', re.IGNORECASE)
SAVE_AGAIN: Final = "save the page again, and name that archive"


class ArchiveHead(msgspec.Struct, frozen=True):
    """Hold what an archive's first lines say: where it was saved, its type, what parts it."""

    location: str = ""
    content_type: str = ""
    boundary: str = ""


class MhtmlSource(PageSource):
    """Open archives; no script of theirs ever runs."""

    name = "mhtml"
    version = 4

    def addresses(self, rest: str) -> tuple[Address, ...]:
        """
        Return the one page of an archive, named by its site, its file and its content.

        Whether it is a whole archive is found out when it is opened, so that a bad one costs
        one page. Raises InvalidInputError where there is no such file.
        """
        file = _file(rest)
        with file.open("rb") as stream:
            head = read_head(stream.read(HEAD_BYTES))
        site = _site(head.location) or file.stem
        content = file_digest(file)[:8]
        return (Address(f"mhtml:{rest}", f"{site}/{file.stem}-{content}", site, scripted=False),)

    def contents(self, addresses: Iterable[Address]) -> dict[str, dict[str, str]]:
        """Return the digest of each archive."""
        files = {item.spec: _file(item.spec.removeprefix("mhtml:")) for item in addresses}
        return {spec: {file.name: file_digest(file)} for spec, file in files.items()}

    def open(self, address: Address, services: Services) -> OpenedAddress:
        """
        Serve the archive's parts; the page is the first of them.

        Raises CaptureError where the file changed ("content-changed"), is no archive
        ("bad-archive") or ends before its last part does ("truncated-archive").
        """
        known = services.contents.get(address.spec, {})
        if known:
            verify(address.spec, known, self.contents([address])[address.spec])
        file = _file(address.spec.removeprefix("mhtml:"))
        _check_whole(file)
        size = file.stat().st_size
        origin = origin_for(f"mhtml-{address.site}")
        folder = services.get(f"mhtml {file.resolve()} {file_digest(file)}", _scratch)
        if size <= LARGEST_FILE and not unpack(file.read_bytes(), folder, origin):
            raise _bad(file, "bad-archive", "a page among the parts", "none")
        return OpenedAddress(f"{origin}/{FIRST_PAGE}", Folder(origin, folder), size=size)


MHTML = MhtmlSource()


@contextlib.contextmanager
def _scratch() -> Iterator[Path]:
    with scratch_folder() as folder:
        yield Path(folder)


def read_head(data: bytes) -> ArchiveHead:
    r"""
    Read an archive's first lines, whatever they are; what they do not say is "".

    >>> read_head(b'Content-Type: multipart/related; boundary="b"\r\n\r\n').boundary
    'b'
    """
    blank = BLANK_LINE.search(data)
    text = data[: blank.start() if blank else len(data)].decode("latin-1")
    lines = [line.partition(":") for line in FOLDED.sub(" ", text).splitlines()]
    found = {name.strip().lower(): value.strip() for name, _, value in reversed(lines)}
    kind = found.get("content-type", "")
    match = BOUNDARY.search(kind)
    return ArchiveHead(
        found.get("snapshot-content-location", ""),
        kind.partition(";")[0].strip().lower(),
        (match[1] or match[2]) if match else "",
    )


def _check_whole(file: Path) -> None:
    """Raise CaptureError unless a file begins and ends as an archive does."""
    if file.stat().st_size > LARGEST_FILE:  # refused for its size
        return
    data = file.read_bytes()
    head = read_head(data[:HEAD_BYTES])
    if head.content_type != TYPE:
        found = (
            f"the type {head.content_type[:LONGEST_TYPE]!a}" if head.content_type else "no type"
        )
        raise _bad(file, "bad-archive", f"an archive, of the type {TYPE},", found)
    line = b"--" + head.boundary.encode("latin-1")
    if not head.boundary or line not in data:
        raise _bad(file, "bad-archive", "parts, and a boundary between them,", "none")
    if line + b"--" not in data:
        raise _bad(
            file, "truncated-archive", "an archive with its last line", "one that breaks off"
        )


def _bad(file: Path, reason: str, expected: str, found: str) -> CaptureError:
    return CaptureError(
        reason, expected=f"{expected} in {file.name}", found=found, remedy=SAVE_AGAIN
    )


def _file(path: str) -> Path:
    file = Path(path)
    if file.suffix.lower() not in MHTML_SUFFIXES or not file.is_file():
        raise InvalidInputError("an existing .mhtml file", found=f"'{path}'")
    return file


def _site(location: str) -> str:
    """Return the site that an archive says it was saved from, "" where that is no address."""
    try:
        site = site_of(location)
    except ValueError:
        return ""
    return site if HOST.fullmatch(site) else ""
