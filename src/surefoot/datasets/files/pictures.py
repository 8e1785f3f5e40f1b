"""
The pictures of a data set: files under one folder, named by paths that nobody vouches for.
"""

from __future__ import annotations

import contextlib
import functools
import re
import unicodedata
import urllib.parse
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from surefoot.capture.described.pairs import (
    MOST_PICTURE_BYTES,
    Picture,
    decode_picture,
)
from surefoot.capture.settings import Limits
from surefoot.core.errors import CaptureError, RecordError
from surefoot.datasets.files.pointers import HEAD, require_fetched

FORMATS = ("PNG", "JPEG", "WEBP")
SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp"})
MOST_IN_SEQUENCE = 64
LIMITS = Limits()


class Pictures:
    """Find and read pictures below a folder, by relative paths with slashes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.size = functools.lru_cache(maxsize=256)(self._size)
        self.read = functools.lru_cache(maxsize=1)(self._read)  # after a size comes its picture

    def find(self, name: str) -> Path:
        """
        Return a picture's file.

        Raises RecordError "unsafe-path" for a path that leaves the folder, by itself or by
        a link, and "missing-picture".
        """
        return find_inside(self.root, name, what="picture")

    def sequence(self, name: str) -> tuple[str, ...]:
        """
        Return the names of the pictures in a folder, by the numbers in them: 2 before 10.

        Raises RecordError "unsafe-path" as ``find`` does, "missing-picture" where there is
        none, and "many-pictures" for more than 64.
        """
        folder = self.root / _inner(name, "folder of pictures")
        if not folder.resolve().is_relative_to(self.root.resolve()):
            raise RecordError("unsafe-path", "a folder in the set's", found=f"the link '{name}'")
        found = [path.name for path in _listed(folder) if path.suffix.lower() in SUFFIXES]
        if not found:
            raise RecordError("missing-picture", f"pictures in '{name}'", found="none")
        if len(found) > MOST_IN_SEQUENCE:
            raise RecordError(
                "many-pictures", f"at most {MOST_IN_SEQUENCE} in '{name}'", found=str(len(found))
            )
        return tuple(f"{name}/{item}" for item in sorted(found, key=_by_numbers))

    def _read(self, name: str) -> Picture:
        """Return a picture; raises RecordError as ``find`` does, and "bad-picture"."""
        with self.find(name).open("rb") as stream:
            content = stream.read(MOST_PICTURE_BYTES + 1)
        if len(content) > MOST_PICTURE_BYTES:
            raise RecordError(
                "bad-picture", f"at most {MOST_PICTURE_BYTES} bytes", found=f"more in '{name}'"
            )
        return picture_from(content, name)

    def _size(self, name: str) -> tuple[int, int]:
        """Return a picture's width and height as it is seen; raises as ``read`` does."""
        picture = self.read(name)
        return picture.width, picture.height


def find_inside(root: Path, name: str, *, what: str) -> Path:
    """
    Return a file below a folder by a relative path with slashes.

    Where no file bears the name itself, the one is meant whose name is spelt alike but for
    case, composed letters and percent signs, as other systems write names; a path may begin
    with the folder's own name. Raises RecordError "unsafe-path" for a path that leaves the
    folder, by itself or by a link, and "missing-picture" (or whatever is missing).
    """
    file = _spelt_alike(root, _inner(name, what))
    if file is None:
        raise RecordError(f"missing-{what}", f"a {what}", found=f"no file '{name}'")
    if not any(file.resolve().is_relative_to(place) for place in _places(root)):
        raise RecordError("unsafe-path", "a file in the set's folder", found=f"the link '{name}'")
    return file


def _places(root: Path) -> Iterator[Path]:
    """Yield where files of a folder may lie: in it, or where huggingface_hub keeps them."""
    yield root.resolve()
    for place in {root.absolute(), root.resolve()}:
        for folder in (place, *place.parents):
            if folder.parent.name == "snapshots":  # of links to ../../blobs
                yield (folder.parent.parent / "blobs").resolve()


def _spelt_alike(root: Path, inner: PurePosixPath) -> Path | None:
    first, *rest = inner.parts
    paths = [inner.parts, *([tuple(rest)] if rest and first == root.name else [])]
    for parts in paths:
        place = root
        for part in parts:
            place = _inside(place, part)
        if _is_file(place):
            return place
    return None


def _inside(folder: Path, name: str) -> Path:
    """Return the entry of a folder that bears a name, or else the only one spelt alike."""
    exact = folder / name
    if _exists(exact):
        return exact
    alike = _by_spelling(folder, _changed(folder)).get(_spelling(name), ())
    return folder / alike[0] if len(alike) == 1 else exact


@functools.lru_cache(maxsize=4)
def _by_spelling(folder: Path, _changed: int) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    with contextlib.suppress(OSError):
        for entry in folder.iterdir():
            found.setdefault(_spelling(entry.name), []).append(entry.name)
    return found


def _spelling(name: str) -> str:
    return unicodedata.normalize("NFC", urllib.parse.unquote(name)).casefold()


def _changed(folder: Path) -> int:
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # no name that a file can have
        return False


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _inner(name: str, what: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if not name or path.is_absolute() or ".." in path.parts or {"\\", "\0"} & set(name):
        raise RecordError("unsafe-path", f"a relative path of a {what}", found=f"'{name}'")
    return path


def _listed(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.is_file() and not is_hidden(path.name)]
    except OSError:  # no folder, or a name that no folder can have
        return []


def is_hidden(path: str) -> bool:
    """
    Tell whether a path is of files that systems leave beside a set's own.

    >>> [is_hidden(path) for path in ("a/._b.json", ".cache/b.json", "__MACOSX/b", "a/b.json")]
    [True, True, True, False]
    """
    return any(part.startswith(".") or part == "__MACOSX" for part in PurePosixPath(path).parts)


def _by_numbers(name: str) -> list[tuple[bool, int, str]]:
    """Return what sorts names by their numbers, and by their letters between them."""
    parts = re.split(r"(\d+)", name)
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]


def picture_from(content: bytes, name: str) -> Picture:
    """Decode a picture's bytes; raises RecordError "bad-picture" that names it."""
    require_fetched(content[:HEAD], name, "bad-picture")
    try:
        return decode_picture(content, name, LIMITS, FORMATS)
    except CaptureError as error:
        raise RecordError("bad-picture", error.expected, found=error.found) from None
