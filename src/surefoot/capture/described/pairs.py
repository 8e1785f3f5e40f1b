"""
Screens that lie in a folder as pairs of files: a picture, and a description beside it.

``KIND:DIR`` is every pair of a folder, not of its subfolders, and ``KIND:DIR#NAME`` one of
them, percent-encoded. A bad file is named by its folder's name and its own, never by a path.
"""

from __future__ import annotations

import hashlib
import io
import urllib.parse
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
import PIL
from numpy.typing import NDArray
from PIL import Image

from surefoot.capture.address import Address
from surefoot.capture.contents import file_digest
from surefoot.capture.settings import Limits
from surefoot.core.errors import CaptureError, InvalidInputError
from surefoot.core.pictures import as_seen, is_plain, png_of

MOST_PICTURE_BYTES: Final = 64 * 2**20
MOST_TEXT_BYTES: Final = 32 * 2**20
_FORMATS: Final = ("PNG", "JPEG")
BROKEN: Final = (
    EOFError,  # a frame that is not there
    OSError,
    SyntaxError,  # what Pillow raises for a broken PNG chunk
    ValueError,
    Image.DecompressionBombError,
    Image.DecompressionBombWarning,
)


class StillFile(msgspec.Struct, frozen=True):
    """Name one screen of a folder: the folder, and the file name without its suffix."""

    root: Path
    name: str

    def place(self, suffix: str) -> str:
        """Return how messages call a file of this screen."""
        return f"{self.root.resolve().name}/{self.name}{suffix}"

    def file(self, suffix: str) -> Path:
        """Return the screen's file of a suffix, which may be spelled in capitals."""
        exact = self.root / f"{self.name}{suffix}"
        upper = exact.with_name(f"{self.name}{suffix.upper()}")
        return upper if upper.is_file() and not exact.is_file() else exact

    def has(self, suffix: str) -> bool:
        """Tell whether the screen has a file of this suffix."""
        return self.file(suffix).is_file()

    def digests(self, suffixes: Iterable[str]) -> dict[str, str]:
        """Return the digests of the screen's files of some suffixes, by name."""
        return {f"{self.name}{suffix}": file_digest(self.file(suffix)) for suffix in suffixes}

    def read(self, suffix: str, most: int = MOST_TEXT_BYTES) -> bytes:
        """
        Return a file's bytes.

        Raises CaptureError "missing-file", "outside-folder" for a link that leaves the
        folder, and "too-large".
        """
        file = self.file(suffix)
        if not file.is_file():
            raise bad("missing-file", "a file", self.place(suffix), "none")
        if not file.resolve().is_relative_to(self.root.resolve()):
            raise bad("outside-folder", "a file inside its folder", self.place(suffix), "a link")
        with file.open("rb") as stream:
            content = stream.read(most + 1)
        if len(content) > most:
            raise bad("too-large", f"at most {most} bytes", self.place(suffix), "more")
        return content


class Picture(msgspec.Struct, frozen=True):
    """Hold a picture's PNG bytes and its pixels, height x width x 3, 0 to 255."""

    png: bytes
    pixels: NDArray[np.uint8]

    @property
    def width(self) -> int:
        """Return the width in pixels."""
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        """Return the height in pixels."""
        return int(self.pixels.shape[0])


def bad(reason: str, expected: str, place: str, found: str, remedy: str = "") -> CaptureError:
    """
    Return the error for a file that cannot be a screen, with the place in it.

    >>> print(bad("bad-box", "left <= right", "shots/a.json, elements[2].box", "5 > 3"))
    Expected left <= right in shots/a.json, elements[2].box, found 5 > 3.
    """
    return CaptureError(reason, expected=f"{expected} in {place}", found=found, remedy=remedy)


def list_stills(
    kind: str, rest: str, suffixes: Collection[str], *, whole: Collection[str] = ()
) -> tuple[Address, ...]:
    """
    Return the screens of ``DIR`` or ``DIR#NAME`` whose description has one of the suffixes.

    A file that has one of ``whole`` in any spelling is a screen of its whole name; what macOS
    leaves beside files (``._NAME``) is passed over. Raises InvalidInputError where there is no
    such folder or no such file.
    """
    root, wanted = _split(rest)
    known = {*suffixes, *(suffix.upper() for suffix in suffixes if suffix not in whole)}
    found = {
        file.name.removesuffix(file.suffix) if file.suffix in known else file.name
        for file in root.iterdir()
        if (file.suffix in known or file.suffix.lower() in whole)
        and not file.name.startswith("._")
        and (file.is_file() or file.is_symlink())
    }
    names = sorted(found if not wanted else found & {wanted})
    if not names:
        raise InvalidInputError(
            f"{wanted or 'NAME'}{' or '.join(suffixes)} in {root.resolve().name}",
            found="none",
            remedy=f"give {kind}:DIR, a folder with a picture beside each of them",
        )
    return tuple(_address(kind, root, name) for name in names)


def still_contents(
    kind: str, addresses: Iterable[Address], suffixes: Collection[str]
) -> dict[str, dict[str, str]]:
    """Return the digests of the files of screens, by folder and by name."""
    found: dict[str, dict[str, str]] = {}
    for address in addresses:
        still = locate(address)
        found.setdefault(f"{kind}:{still.root}", {}).update(still.digests(suffixes))
    return found


def locate(address: Address) -> StillFile:
    """Return the screen that an address names."""
    root, name = _split(address.spec.partition(":")[2])
    return StillFile(root, name)


def picture_of(still: StillFile, suffixes: Collection[str], limits: Limits) -> Picture:
    """
    Return a screen's picture as it is seen; a PNG of plain colours keeps its bytes.

    Anything else is written again without loss: a JPEG's own decoded pixels, a picture with
    transparency on white, one that a camera turned, upright. Raises CaptureError for a picture
    that is missing, broken, too large by the limits, or there under two suffixes.
    """
    found = [suffix for suffix in suffixes if still.has(suffix)]
    if len(found) != 1:
        choice = " or ".join(suffixes)
        raise bad("missing-picture", "one picture", still.place(f" ({choice})"), str(len(found)))
    return decode_picture(still.read(found[0], MOST_PICTURE_BYTES), still.place(found[0]), limits)


def decode_picture(
    content: bytes, place: str, limits: Limits, formats: Sequence[str] = _FORMATS
) -> Picture:
    """
    Decode a picture's bytes as ``picture_of`` does; ``place`` is how messages call them.

    Raises CaptureError for a picture that is broken or too large by the limits.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content), formats=tuple(formats)) as image:
                _check_size(image, limits, place)
                return _decoded(image, content)
    except BROKEN as error:
        wanted = f"a {' or '.join(formats)} picture"
        raise bad("bad-picture", wanted, place, str(error)) from None


def reader_hash(kind: str, version: int) -> str:
    """
    Return what determines a kind's labels and pixels beside its files: the reader, Pillow.

    >>> len(reader_hash("screens", 1))
    16
    """
    return hashlib.sha256(f"{kind} {version} {PIL.__version__}".encode()).hexdigest()[:16]


def _check_size(image: Image.Image, limits: Limits, place: str) -> None:
    width, height = image.size
    if width * height > limits.pixels or max(width, height) > limits.side_px:
        raise bad(
            "too-large",
            f"at most {limits.pixels} pixels and {limits.side_px} a side",
            place,
            f"{width} x {height}",
        )


def _decoded(image: Image.Image, content: bytes) -> Picture:
    seen = as_seen(image)
    return Picture(content if is_plain(content) else png_of(seen), np.asarray(seen))


def _address(kind: str, root: Path, name: str) -> Address:
    spelled = urllib.parse.quote(name)
    site = root.resolve().name
    return Address(f"{kind}:{root}#{spelled}", f"{site}/{spelled}", site)


def _split(rest: str) -> tuple[Path, str]:
    for text, name in _readings(rest):
        if text and Path(text).is_dir():
            return Path(text), urllib.parse.unquote(name)
    raise InvalidInputError("a folder of screens", found=f"'{rest}'")


def _readings(rest: str) -> Iterator[tuple[str, str]]:
    yield rest, ""
    if "#" in rest:
        text, _, name = rest.rpartition("#")
        yield text, name
