"""
Unpack zip and tar archives, and packed records, as if an enemy had made them.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import lzma
import mmap
import shutil
import stat
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final, Protocol

import msgspec

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from surefoot.core.errors import InvalidInputError

PACKED: Final = b"\x28\xb5\x2f\xfd"  # a frame of Zstandard begins with it
LEVEL: Final = 9  # a few milliseconds a page, a fifth smaller than the usual 3
FRAME_RATIO: Final = 1000
FRAME_SMALL: Final = 2**26
DEEPEST: Final = 100  # folders that a member lies in
SMALL: Final = 2**20  # a small archive may be all repetition
COPY: Final = 2**16
TARS: Final = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
_GZIP, _BZIP2, _XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ"
_ENCRYPTED: Final = 1  # a bit of a zip member's flags
_BROKEN: Final = (
    tarfile.TarError, zipfile.BadZipFile, gzip.BadGzipFile, lzma.LZMAError, zlib.error, EOFError,
    UnicodeError, NotImplementedError,
)  # fmt: skip


class ArchiveLimits(msgspec.Struct, frozen=True):
    """
    Bound what an archive may unfold to: members, bytes in all, bytes for each byte packed.
    """

    members: int = 1_000_000
    total: int = 2**38
    ratio: int = 100


LIMITS: Final = ArchiveLimits()


class _Reads(Protocol):
    def read(self, size: int = ..., /) -> bytes: ...


class _Bounded:
    """Refuse to read more than a number of bytes."""

    def __init__(self, stream: _Reads, limit: int) -> None:
        self._stream = stream
        self._limit = self.left = limit

    def read(self, size: int = COPY) -> bytes:
        """Read at most ``size`` bytes."""
        data = self._stream.read(min(size, self.left + 1))
        self.left -= len(data)
        if self.left < 0:
            raise _hostile(f"at most {self._limit} bytes unpacked", "more")
        return data


def is_archive(path: Path) -> bool:
    """
    Tell by its name whether a path is an archive that ``unpack`` reads.

    >>> is_archive(Path("set.tar.gz")), is_archive(Path("set.json"))
    (True, False)
    """
    return path.name.lower().endswith((".zip", *TARS))


def unpack(archive: Path, folder: Path, *, limits: ArchiveLimits = LIMITS, drop: int = 0) -> None:
    """
    Unpack an archive's regular files under a folder, the first ``drop`` path parts left off.

    Raises InvalidInputError for a member that is a link or a device, has an absolute path
    or ``..``, is encrypted or comes twice or lies in over 100 folders, for more members or
    bytes than the limits, or for more bytes than ``limits.ratio`` times the archive's own.
    """
    try:
        allowed = min(limits.total, max(archive.stat().st_size * limits.ratio, SMALL))
        if archive.name.lower().endswith(".zip"):
            _unzip(archive, _Target(folder, limits.members, drop), allowed)
        else:
            _untar(archive, _Target(folder, limits.members, drop), allowed)
    except _BROKEN as error:
        raise _hostile("a whole zip or tar archive", str(error) or type(error).__name__) from error


class _Target:
    """Write members under a folder, each path once."""

    def __init__(self, folder: Path, most: int, drop: int) -> None:
        self._folder, self._most, self._drop = folder, most, drop
        self._count = 0

    def admit(self, name: str) -> Path | None:
        """Return where a member goes, None where nothing of its path is left."""
        self._count += 1
        if self._count > self._most:
            raise _hostile(f"at most {self._most} members", "more")
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name:
            raise _hostile("paths inside the archive", f"'{name}'")
        if len(path.parts) > DEEPEST:
            raise _hostile(f"at most {DEEPEST} folders in each other", f"{len(path.parts):,}")
        parts = path.parts[self._drop :]
        return self._folder.joinpath(*parts) if parts else None

    def write(self, path: Path, source: _Reads, name: str) -> None:
        """Write one file; raises InvalidInputError where the path is taken."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as out:
                shutil.copyfileobj(source, out, COPY)
        except (FileExistsError, NotADirectoryError) as error:
            raise _hostile("each path once", f"'{name}' twice") from error


def _untar(archive: Path, target: _Target, allowed: int) -> None:
    with (
        _decompressed(archive) as stream,
        tarfile.open(fileobj=_Bounded(stream, allowed), mode="r|") as tar,  # type: ignore[call-overload]
    ):
        for member in tar:
            path = target.admit(member.name)
            if not (member.isreg() or member.isdir()):
                raise _hostile("regular files only", f"'{member.name}', a link or a device")
            source = None if member.isdir() else tar.extractfile(member)
            if source is not None and path is not None:
                target.write(path, source, member.name)


def _unzip(archive: Path, target: _Target, allowed: int) -> None:
    with zipfile.ZipFile(archive) as packed:
        left = allowed
        for member in packed.infolist():
            path = target.admit(member.filename)
            kind = stat.S_IFMT(member.external_attr >> 16)
            if kind not in (0, stat.S_IFREG, stat.S_IFDIR) or member.flag_bits & _ENCRYPTED:
                raise _hostile(
                    "regular files only", f"'{member.filename}', a link, a device or encrypted"
                )
            if member.is_dir() or path is None:
                continue
            with packed.open(member) as source:
                bounded = _Bounded(source, left)
                target.write(path, bounded, member.filename)
                left = bounded.left


@contextlib.contextmanager
def _decompressed(archive: Path) -> Iterator[BinaryIO]:
    with archive.open("rb") as raw:
        head = raw.read(len(_XZ))
        raw.seek(0)
        if head.startswith(_GZIP):
            with gzip.GzipFile(fileobj=raw) as stream:
                yield stream  # type: ignore[misc]
        elif head.startswith(_BZIP2):
            with bz2.BZ2File(raw) as stream:
                yield stream  # type: ignore[misc]
        elif head.startswith(_XZ):
            with lzma.LZMAFile(raw) as stream:
                yield stream  # type: ignore[misc]
        else:
            yield raw


def packed(data: bytes) -> bytes:
    """
    Pack bytes as one frame of Zstandard.

    >>> unpacked(packed(b"a line"), what="it")
    b'a line'
    """
    return zstd.compress(data, LEVEL)


def unpacked(frame: bytes, *, what: str) -> bytes:
    """
    Unpack one frame; raises InvalidInputError for other bytes, and for what unfolds too far.
    """
    most = FRAME_SMALL + FRAME_RATIO * len(frame)
    unpacker = zstd.ZstdDecompressor()
    try:
        data = unpacker.decompress(frame, max_length=most)
    except zstd.ZstdError as error:
        raise InvalidInputError(f"{what} to be packed whole", found=error) from error
    if not unpacker.eof or unpacker.unused_data:
        raise InvalidInputError(
            f"{what} to be packed whole",
            found=f"more than {most} bytes" if len(data) == most else "another number of bytes",
        )
    return data


def frame_sizes(data: mmap.mmap | bytes, start: int = 0, *, what: str) -> Iterator[int]:
    """Yield the size of each frame from a place on; raises InvalidInputError for other bytes."""
    with memoryview(data) as view:
        while start < len(view):
            try:
                size = zstd.get_frame_size(view[start:])
            except zstd.ZstdError as error:
                raise InvalidInputError(f"{what} to be packed whole", found=error) from error
            yield size
            start += size


def _hostile(expected: str, found: str) -> InvalidInputError:
    return InvalidInputError(expected, found=found, remedy="do not use this archive")
