"""
Sets in which each screen has a label file of its own: one file, one record.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.errors import RecordError
from surefoot.datasets.files.pictures import find_inside
from surefoot.datasets.files.pointers import HEAD, require_fetched
from surefoot.datasets.labelled import label_files

MOST_BYTES: Final = 64 * 2**20
_GZIP: Final = ".gz"
_BROKEN: Final = (OSError, EOFError, zlib.error)


class SingleFile(msgspec.Struct, frozen=True):
    """Name one label file: the set's folder, and the path below it."""

    root: Path
    name: str
    number: int = 1

    @property
    def file(self) -> str:
        """Return how messages call the file."""
        return self.name


def single_files(path: Path, patterns: Sequence[str]) -> Iterator[SingleFile]:
    """Yield the label files of a set's folder, or the one file; raises InvalidInputError."""
    root = path if path.is_dir() else path.parent
    for file in label_files(path, patterns):
        yield SingleFile(root, file.relative_to(root).as_posix())


def read_single(root: Path, name: str, *, most: int = MOST_BYTES) -> bytes:
    """
    Return a file's bytes, unpacked where its name ends in ``.gz``.

    Raises RecordError "unsafe-path" for a link out of the folder, "missing-file", and
    "malformed" for what is no whole gzip or unfolds to more than ``most`` bytes.
    """
    file = find_inside(root, name, what="file")
    try:
        with gzip.open(file) if name.endswith(_GZIP) else file.open("rb") as stream:
            content: bytes = stream.read(most + 1)
    except _BROKEN as error:
        raise RecordError("malformed", f"a whole file '{name}'", found=error) from error
    if len(content) > most:
        raise RecordError("malformed", f"at most {most:,} bytes in '{name}'", found="more")
    require_fetched(content[:HEAD], name)
    return content
