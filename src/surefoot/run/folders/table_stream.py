"""
A table of a folder, written record by record: as many as there are, in constant memory.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from surefoot.core.canonical import canonical_json
from surefoot.core.files import open_atomic
from surefoot.run.folders.folder import Exported

__all__ = ["TableStream", "open_table"]


class TableStream:
    """Write one canonical JSON object a line, and hash and count while writing."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._hash = hashlib.sha256()
        self._count = 0

    def write(self, record: object) -> None:
        """Append a record; whoever writes sees to the order."""
        self.write_line(canonical_json(record))

    def write_line(self, spelt: bytes) -> None:
        """Append a record that is spelt as canonical JSON already."""
        line = spelt + b"\n"
        self._hash.update(line)
        self._stream.write(line)
        self._count += 1

    @property
    def exported(self) -> Exported:
        """Return the hash and the count of what was written so far, for the manifest."""
        return Exported(self._hash.hexdigest(), self._count)


@contextlib.contextmanager
def open_table(path: Path) -> Iterator[TableStream]:
    """Open a table that takes its name only when the block has ended well."""
    with open_atomic(path) as stream:
        yield TableStream(stream)
