"""
One archived page in a ``.mhtml`` file, opened from disk without any network.
"""

from __future__ import annotations

import email.parser
import email.policy
import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from surefoot.capture.address import Address, OpenedAddress, PageSource, Services
from surefoot.capture.contents import file_digest, verify
from surefoot.core.errors import InvalidInputError
from surefoot.core.sites import site_of

__all__ = ["MHTML", "MHTML_SUFFIXES", "MhtmlSource"]

MHTML_SUFFIXES: Final = frozenset({".mhtml", ".mht"})
HEAD_BYTES: Final = 16_384


class MhtmlSource(PageSource):
    """Open archives; no timer, frame or observer of theirs ever fires."""

    name = "mhtml"
    version = 2

    def addresses(self, rest: str) -> tuple[Address, ...]:
        """
        Return the one page of an archive, named by its site, its file and its content.

        Raises InvalidInputError where the file is missing or no archive.
        """
        file = _file(rest)
        with file.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
            stream.seek(0)
            content = hashlib.file_digest(stream, "sha256").hexdigest()[:8]
        headers = email.parser.BytesHeaderParser(policy=email.policy.default).parsebytes(head)
        if headers.get_content_type() != "multipart/related":
            raise InvalidInputError(
                f"an MHTML archive in '{rest}'", found=f"{headers.get_content_type()} content"
            )
        location = str(headers.get("Snapshot-Content-Location", ""))
        site = _site(location) or file.stem
        return (Address(f"mhtml:{rest}", f"{site}/{file.stem}-{content}", site, scripted=False),)

    def contents(self, addresses: Iterable[Address]) -> dict[str, dict[str, str]]:
        """Return the digest of each archive."""
        files = {item.spec: _file(item.spec.removeprefix("mhtml:")) for item in addresses}
        return {spec: {file.name: file_digest(file)} for spec, file in files.items()}

    def open(self, address: Address, services: Services) -> OpenedAddress:
        """Navigate to the file itself; nothing is served. Raises CaptureError where it changed."""
        known = services.contents.get(address.spec, {})
        if known:
            verify(address.spec, known, self.contents([address])[address.spec])
        file = _file(address.spec.removeprefix("mhtml:"))
        return OpenedAddress(file.resolve().as_uri(), None, size=file.stat().st_size)


MHTML = MhtmlSource()


def _file(path: str) -> Path:
    file = Path(path)
    if file.suffix.lower() not in MHTML_SUFFIXES or not file.is_file():
        raise InvalidInputError("an existing .mhtml file", found=f"'{path}'")
    return file


def _site(location: str) -> str:
    """Return the site that an archive says it was saved from, "" where that is no address."""
    try:
        return site_of(location)
    except ValueError:
        return ""
