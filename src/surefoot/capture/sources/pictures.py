"""
Bare pictures: ``pictures:DIR`` is every PNG and JPEG of a folder, with elements as detected.

A picture of another kind is listed as well, by its whole name, and fails: none is passed over.
``pictures:DIR?DETECTOR`` names another detector than the one that reads pixels (``--detector``
writes it so), and ``pictures:DIR#NAME`` one picture.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from surefoot.capture.address import Address, StillSource
from surefoot.capture.captured import Capture
from surefoot.capture.described.pairs import (
    StillFile,
    bad,
    list_stills,
    locate,
    picture_of,
    reader_hash,
)
from surefoot.capture.detector import BarePicture, chosen_detector, detect, detector_digests
from surefoot.capture.settings import Settings
from surefoot.core.canonical import digest, sha256
from surefoot.core.errors import CaptureError, SurefootError
from surefoot.core.screen import Screen

SUFFIXES: Final = (".png", ".jpg", ".jpeg")
# Kinds of picture that are not read: a copy in one of ours may differ from what was shown.
OTHERS: Final = frozenset(
    {".avif", ".bmp", ".gif", ".heic", ".heif", ".jfif", ".jxl", ".svg", ".tif", ".tiff", ".webp"}
)
USUAL: Final = "pixels"
MARK: Final = "?"


def with_detector(spec: str, detector: str) -> str:
    """
    Return a specification with a detector, where it is one of bare pictures and names none.

    >>> with_detector("pictures:shots", "omniparser:parsed"), with_detector("demo:", "pixels")
    ('pictures:shots?omniparser:parsed', 'demo:')
    """
    bare = spec.startswith("pictures:") and MARK not in spec
    return f"{spec}{MARK}{detector}" if bare and detector else spec


class BarePictures(StillSource):
    """Read pictures that come without any description."""

    name = "pictures"
    version = 2

    def addresses(self, rest: str) -> tuple[Address, ...]:
        """
        Return the pictures of ``DIR`` or ``DIR#NAME``, sorted by name, each a site of its own.

        Raises InvalidInputError where there are none, and UnknownNameError for a detector
        that there is none of.
        """
        place, mark, detector = rest.partition(MARK)
        chosen_detector(detector or USUAL)
        found = list_stills(self.name, place, SUFFIXES, whole={*SUFFIXES, *OTHERS})
        return tuple(
            msgspec.structs.replace(
                address, spec=f"{address.spec}{mark}{detector}", site=address.page
            )
            for address in found
        )

    def contents(self, addresses: Iterable[Address]) -> dict[str, dict[str, str]]:
        """Return the digests of the pictures, and of the files of their detectors."""
        known = list(addresses)
        found: dict[str, dict[str, str]] = {}
        for address in known:
            still, suffixes = _files(address)
            place = found.setdefault(f"{self.name}:{still.root}", {})
            place |= still.digests(suffixes)
        for spec in sorted({_detector(address) for address in known}):
            if digests := detector_digests(spec):
                found[spec] = digests
        return found

    def identity(self, addresses: Iterable[Address]) -> dict[str, str]:
        """Return the versions of the reader and of the detectors."""
        chosen = {chosen_detector(_detector(address))[0] for address in addresses}
        names = sorted(f"{detector.name}@{detector.version}" for detector in chosen)
        return {"reader": reader_hash(self.name, self.version), "detectors": ", ".join(names)}

    def record(self, address: Address, settings: Settings) -> Capture:
        """
        Return one screen with the elements that were found in it, and its picture.

        Raises CaptureError for a file that is missing, broken or too large, and where the
        detector finds nothing to read.
        """
        still, suffixes = _files(address)
        if suffixes[0].lower() in OTHERS:
            kinds = "PNG or JPEG"
            raise bad(
                "not-read", f"a picture as {kinds}", still.place(suffixes[0]), "another kind"
            )
        picture = picture_of(still, suffixes, settings.limits)
        spec = _detector(address)
        screen = Screen(
            id=digest([sha256(picture.png), spec])[:16],
            page=address.page,
            source=address.spec,
            image=sha256(picture.png),
            width=picture.width,
            height=picture.height,
            scale=1.0,
            platform="",
            locale=settings.locale,
            elements=(),
            site=address.site,
        )
        bare = BarePicture(Path(still.name).name, picture.png, settings.locale)
        try:
            return Capture(detect(screen, bare, spec), picture.png)
        except SurefootError as error:
            raise CaptureError(
                "not-detected", expected=error.expected, found=error.found, remedy=error.remedy
            ) from error


def _detector(address: Address) -> str:
    return address.spec.partition(MARK)[2] or USUAL


def _files(address: Address) -> tuple[StillFile, tuple[str, ...]]:
    """Return the picture that an address names, and the suffixes that it may have."""
    plain = msgspec.structs.replace(address, spec=address.spec.partition(MARK)[0])
    still = locate(plain)
    suffix = Path(still.name).suffix
    if suffix.lower() not in {*SUFFIXES, *OTHERS} or any(map(still.has, SUFFIXES)):
        return still, SUFFIXES
    return StillFile(still.root, still.name.removesuffix(suffix)), (suffix,)


PICTURES: Final = BarePictures()
