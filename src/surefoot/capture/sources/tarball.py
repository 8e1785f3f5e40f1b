"""
Unpack a package's archive as if an enemy had made it.
"""

from __future__ import annotations

import gzip
import shutil
import tarfile
from pathlib import Path, PurePosixPath
from typing import Final

from surefoot.core.errors import InvalidInputError

__all__ = ["extract"]

MAX_MEMBERS: Final = 100_000
MAX_RATIO: Final = 100
MAX_BYTES: Final = 2 * 2**30
SMALL: Final = 2**20  # a small archive may be all repetition


class _Bounded:
    """Refuse to decompress more than a number of bytes."""

    def __init__(self, stream: gzip.GzipFile, limit: int) -> None:
        self._stream = stream
        self._left = limit
        self._limit = limit

    def read(self, size: int) -> bytes:
        """Read at most ``size`` bytes."""
        data = self._stream.read(min(size, self._left + 1))
        self._left -= len(data)
        if self._left < 0:
            raise _hostile(f"at most {self._limit} bytes unpacked", "more")
        return data


def extract(archive: Path, folder: Path, *, max_bytes: int = MAX_BYTES) -> None:
    """
    Unpack the regular files of a gzipped tar under a folder, the first path part dropped.

    Raises InvalidInputError for a member that is a link or a device, has an absolute path
    or ``..``, comes twice, or for an archive of more than 100,000 members, a compression
    ratio over 100 or more than ``max_bytes`` bytes.
    """
    limit = min(max_bytes, max(archive.stat().st_size * MAX_RATIO, SMALL))
    try:
        with (
            gzip.open(archive) as stream,
            tarfile.open(fileobj=_Bounded(stream, limit), mode="r|") as tar,  # type: ignore[call-overload]
        ):
            _unpack(tar, folder)
    except (tarfile.TarError, EOFError, gzip.BadGzipFile, UnicodeError) as error:
        raise _hostile("a gzipped tar archive", str(error)) from error


def _unpack(tar: tarfile.TarFile, folder: Path) -> None:
    for count, member in enumerate(tar):
        if count >= MAX_MEMBERS:
            raise _hostile(f"at most {MAX_MEMBERS} members", "more")
        path = _safe_path(member)
        if member.isdir() or path is None:
            continue
        target = folder.joinpath(path)
        source = tar.extractfile(member)
        if source is None:
            raise _hostile("regular files only", f"'{member.name}'")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with source, target.open("xb") as out:
                shutil.copyfileobj(source, out)
        except FileExistsError as error:
            raise _hostile("each path once", f"'{member.name}' twice") from error


def _safe_path(member: tarfile.TarInfo) -> PurePosixPath | None:
    if not (member.isreg() or member.isdir()):
        raise _hostile("regular files only", f"'{member.name}', a link or a device")
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts or "\\" in member.name or "\0" in member.name:
        raise _hostile("paths inside the package", f"'{member.name}'")
    return PurePosixPath(*path.parts[1:]) if len(path.parts) > 1 else None


def _hostile(expected: str, found: str) -> InvalidInputError:
    return InvalidInputError(expected, found=found, remedy="do not use this package")
