"""
Pages that ``surefoot record`` froze: ``recorded:DIR``, or one of them, ``recorded:DIR#NAME``.

A recording is a folder with its list of pages and the files that they are made of, each under the
SHA-256 of what it holds. No script of a page is in it, and no name tells where it was served.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from surefoot.capture.address import Address, OpenedAddress, PageSource, Services
from surefoot.capture.contents import NONE, file_digest
from surefoot.capture.routes import Folder
from surefoot.capture.settings import Settings
from surefoot.core.canonical import decode, readable_json
from surefoot.core.errors import CaptureError, InvalidInputError
from surefoot.core.files import write_atomic

# Every recording is served under this name: no picture and no id depends on where it was made.
ORIGIN: Final = "http://recorded.localhost"
LIST: Final = "recording.json"
FILES: Final = "files"
VERSION: Final = 1
AGAIN: Final = "record the page again with these settings, into the same folder"


class RecordedView(msgspec.Struct, frozen=True, order=True):
    """Say as what a page was recorded: device, viewport in CSS pixels, scale, language."""

    device: str
    width: int
    height: int
    scale: float
    locale: str

    @classmethod
    def of(cls, settings: Settings) -> RecordedView:
        """
        Return how pages are seen with settings.

        >>> str(RecordedView.of(Settings()))
        'desktop, 1280 x 800 at 1, en-US'
        """
        device = settings.device if isinstance(settings.device, str) else "desktop"
        return cls(device, settings.width, settings.height, settings.scale, settings.locale)

    def __str__(self) -> str:
        return f"{self.device}, {self.width} x {self.height} at {self.scale:g}, {self.locale}"


class RecordedPage(msgspec.Struct, frozen=True):
    """
    Hold one frozen page: its name (its address without the origin) and as what it was seen.

    ``document`` is one of its ``files``, opened with the fragment ``target``. ``moment`` is when
    it was recorded (ISO 8601), ``ignored`` the selectors of what is not asked for, ``moving`` what
    differed between two loads, ``lost`` what could not be kept.
    """

    name: str
    view: RecordedView
    document: str
    files: tuple[str, ...]
    target: str = ""
    moment: str = ""
    ignored: tuple[str, ...] = ()
    moving: str = ""
    lost: tuple[str, ...] = ()


class Recording(msgspec.Struct, frozen=True):
    """List the pages of a recording, sorted by name and view."""

    version: int
    pages: tuple[RecordedPage, ...] = ()

    def with_page(self, page: RecordedPage) -> Recording:
        """Return the recording with a page in the place of one of the same name and view."""
        kept = [item for item in self.pages if (item.name, item.view) != (page.name, page.view)]
        ordered = sorted((*kept, page), key=lambda one: (one.name, one.view))
        return msgspec.structs.replace(self, pages=tuple(ordered))


def read_recording(folder: Path) -> Recording:
    """Read the list of a recording; raises InvalidInputError for another folder."""
    try:
        data = (folder / LIST).read_bytes()
    except OSError as error:
        raise InvalidInputError(
            f"a folder that `surefoot record` wrote, {folder}",
            found=f"no {LIST} in it",
            remedy="name such a folder",
        ) from error
    found = decode(data, Recording, what=str(folder / LIST))
    if found.version != VERSION:
        raise InvalidInputError(
            f"a recording of version {VERSION}",
            found=f"version {found.version} in {folder}",
            remedy="record the pages again",
        )
    return found


def write_recording(folder: Path, recording: Recording) -> None:
    """Write the list of a recording, whole or not at all."""
    write_atomic(folder / LIST, readable_json(recording))


class RecordedSource(PageSource):
    """Serve frozen pages, each as it was recorded with the settings that it is asked for."""

    name = "recorded"
    version = 1

    def addresses(self, rest: str) -> tuple[Address, ...]:
        """
        Return the pages of a recording, or the one that is named, sorted.

        Raises InvalidInputError where there is no such recording or page.
        """
        text, sign, only = rest.partition("#")
        recording = read_recording(Path(text))
        names = list(dict.fromkeys(page.name for page in recording.pages))
        site = Path(text).resolve().stem
        if (sign and only not in names) or not names:
            raise InvalidInputError(
                f"a page of {text}",
                found=f"'{only}'" if sign else "none",
                remedy=f"name one of {', '.join(names[:20])}" if names else "record one",
            )
        return tuple(
            Address(f"recorded:{text}#{name}", f"{site}{name}", site)
            for name in names
            if not sign or name == only
        )

    def contents(self, addresses: Iterable[Address]) -> dict[str, dict[str, str]]:
        """Return the digests of the files that each page is made of, however it is seen."""
        found: dict[str, dict[str, str]] = {}
        for address in addresses:
            folder, name = _parted(address)
            pages = [page for page in read_recording(folder).pages if page.name == name]
            files = sorted({file for page in pages for file in page.files})
            digests = {file: file_digest(folder / FILES / file) for file in files}
            found[address.spec] = {
                file: digest for file, digest in digests.items() if digest != NONE
            }
        return found

    def open(self, address: Address, services: Services) -> OpenedAddress:
        """Serve a page as it is usually seen."""
        return self.open_as(address, services, Settings())

    def open_as(self, address: Address, services: Services, settings: Settings) -> OpenedAddress:
        """
        Serve a page as it was recorded with these settings.

        Raises CaptureError "not-recorded" where it was not.
        """
        folder, name = _parted(address)
        wanted = RecordedView.of(settings)
        pages = [page for page in read_recording(folder).pages if page.name == name]
        page = next((item for item in pages if item.view == wanted), None)
        if page is None:
            raise CaptureError(
                "not-recorded",
                expected=f"{name} recorded as {wanted}",
                found="; ".join(str(item.view) for item in pages) or "no such page",
                remedy=AGAIN,
            )
        # A name is a digest: what a plan does not know is checked all the same.
        known = services.contents.get(address.spec)
        named = {file: file.partition(".")[0] for file in page.files}
        digests = named if known is None else {file: known.get(file, NONE) for file in named}
        route = Folder(ORIGIN, (folder / FILES).resolve(), digests, address.spec, AGAIN)
        return OpenedAddress(f"{ORIGIN}/{page.document}{page.target}", route, frozen=True)


RECORDED: Final = RecordedSource()


def _parted(address: Address) -> tuple[Path, str]:
    folder, _, name = address.entry.spec.removeprefix("recorded:").partition("#")
    return Path(folder), name
