"""
The lines of a table's file, packed where a table is heavy.

A screen is a line of some 80 kB, and those of a page are nearly alike. Such a table lies in
frames of Zstandard, each of whole lines, so that any line is read without those before it.
The manifest has the hash of the lines as they are read, since compressors differ by version;
a table that an older version wrote as it is, is read as it is.
"""

from __future__ import annotations

import contextlib
import hashlib
import mmap
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from surefoot.core.archives import frame_sizes, packed, unpacked
from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.files import CommitPoint, ignore, open_atomic

PACKED_TABLES: Final = frozenset({"screens.jsonl"})
SUFFIX: Final = ".zst"
FRAME: Final = 2**21  # bytes of lines; a compressor looks back about as far


class ExportedFile(msgspec.Struct, frozen=True):
    """Describe one exported file: the SHA-256 of its bytes, and how many records it has."""

    sha256: str
    count: int


class TableStream:
    """Write one canonical JSON object a line, and hash and count while writing."""

    def __init__(self, stream: BinaryIO, *, packs: bool = False) -> None:
        self._stream = stream
        self._packs = packs
        self._hash = hashlib.sha256()
        self._count = self._waiting = 0
        self._lines: list[bytes] = []

    def write(self, record: object) -> None:
        """Append a record; the caller keeps the order."""
        self.write_line(canonical_json(record))

    def write_line(self, spelt: bytes) -> None:
        """Append a record that is spelt as canonical JSON already."""
        line = spelt + b"\n"
        self._hash.update(line)
        self._count += 1
        if not self._packs:
            self._stream.write(line)
            return
        self._lines.append(line)
        self._waiting += len(line)
        if self._waiting >= FRAME:
            self.flush()

    def flush(self) -> None:
        """Write what waits for its frame to be full."""
        if self._lines:
            self._stream.write(packed(b"".join(self._lines)))
        self._lines, self._waiting = [], 0

    @property
    def exported(self) -> ExportedFile:
        """Return the hash and the count of what was written so far, for the manifest."""
        return ExportedFile(self._hash.hexdigest(), self._count)


@contextlib.contextmanager
def open_table(path: Path, at: CommitPoint = ignore) -> Iterator[TableStream]:
    """
    Open a table that takes its name only when the block has ended well.

    ``path`` is that of its lines as they are read; calls ``at`` as ``open_atomic`` does.
    """
    packs = path.name in PACKED_TABLES
    with open_atomic(_packed_file(path) if packs else path, at) as stream:
        table = TableStream(stream, packs=packs)
        yield table
        table.flush()
    if packs:  # what an older version wrote
        path.unlink(missing_ok=True)


def table_file(path: Path) -> Path:
    """Return the file that holds a table's lines, packed or as they are."""
    file = _packed_file(path)
    return file if path.name in PACKED_TABLES and file.is_file() else path


def table_entry(path: Path) -> Path:
    """Return what stands in a table's place, which may be a folder or a broken link as well."""
    file = _packed_file(path)
    return file if path.name in PACKED_TABLES and os.path.lexists(file) else path


def read_parts(path: Path) -> Iterator[tuple[int, bytes]]:
    """
    Yield the whole lines of a table in parts, each with its place in the file.

    Raises InvalidInputError for a packed table that cannot be unpacked, and OSError.
    """
    file = table_file(path)
    with file.open("rb") as stream:
        if file == path:
            start, part = 0, b""
            while data := stream.read(FRAME):
                part += data
                end = part.rfind(b"\n") + 1
                if end:
                    yield start, part[:end]
                    start, part = start + end, part[end:]
            if part:
                yield start, part
            return
        if not file.stat().st_size:
            return
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as whole:
            start = 0
            for size in frame_sizes(whole, what=str(file)):
                yield start, unpacked(whole[start : start + size], what=str(file))
                start += size


def read_part(path: Path, start: int) -> bytes:
    """Return the lines of the one frame of a packed table that begins at a place in its file."""
    file = table_file(path)
    with (
        file.open("rb") as stream,
        mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as whole,
    ):
        size = next(frame_sizes(whole, start, what=str(file)))
        return unpacked(whole[start : start + size], what=str(file))


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a table, their ends with them; raises as ``read_parts`` does."""
    for _, part in read_parts(path):
        yield from part.splitlines(keepends=True)


def lines_digest(path: Path) -> str:
    """Return the SHA-256 of a table's lines, "" where it cannot be unpacked; raises OSError."""
    found = hashlib.sha256()
    with contextlib.suppress(InvalidInputError):
        for _, part in read_parts(path):
            found.update(part)
        return found.hexdigest()
    return ""


def _packed_file(path: Path) -> Path:
    return path.with_name(path.name + SUFFIX)
