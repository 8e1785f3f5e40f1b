"""
What an import reads from: folders, files and archives, and the hashes that stand for them.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from surefoot.capture.described.pairs import MOST_PICTURE_BYTES
from surefoot.core.archives import is_archive, unpack
from surefoot.core.errors import InvalidInputError
from surefoot.datasets.files.pictures import is_hidden
from surefoot.datasets.labelled import label_files

WRAP: Final = 1 << 256
PUBLISHED_FORM: Final = "surefoot-hf"  # our own parquet, which `export` writes


def snapshot_in(path: Path) -> Path:
    """Return the newest snapshot of a repository in huggingface_hub's cache, else the path."""
    try:
        revision = (path / "refs" / "main").read_text().strip()
    except (OSError, ValueError):
        revision = ""
    found = [item for item in (path / "snapshots").glob("*") if item.is_dir()]
    named = [item for item in found if item.name == revision or len(found) == 1]
    return named[0] if named else path


@contextlib.contextmanager
def laid_out(path: Path, scratch: Path) -> Iterator[Path]:
    """
    Give a folder or a file as it is, an archive unpacked into ``scratch`` for as long.

    A folder that is all an archive holds is entered. Raises InvalidInputError for a
    hostile archive.
    """
    if not (path.is_file() and is_archive(path)):
        yield path
        return
    shutil.rmtree(scratch, ignore_errors=True)
    try:
        scratch.mkdir()
        unpack(path, scratch)
        inside = [item for item in scratch.iterdir() if not is_hidden(item.name)]
        yield inside[0] if len(inside) == 1 and inside[0].is_dir() else scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def source_digests(path: Path, patterns: Iterable[str]) -> dict[str, str]:
    """
    Return the SHA-256 of an archive, or of each label file of a folder, by name.

    Raises InvalidInputError where there is nothing to read.
    """
    if not path.exists():
        raise InvalidInputError(
            "the data set's folder, file or archive", found=f"no {path}", remedy="check the path"
        )
    files = (path,) if path.is_file() else label_files(path, patterns)
    root = path if path.is_dir() else path.parent
    try:
        return {file.relative_to(root).as_posix(): _sha256(file) for file in files}
    except OSError as error:
        raise InvalidInputError("readable label files", found=error) from error


def pictures_digest(folder: Path | None) -> str:
    """
    Return a hash of the names and contents of all files of a folder, "" without a folder.

    Of a file that is too large for a picture, or none that can be read, the size stands for it.
    The order in which a folder names its files is of no account, so nothing is sorted. Raises
    InvalidInputError where the folder, or archive, is absent.
    """
    if folder is None:
        return ""
    if folder.is_file() and is_archive(folder):
        return _sha256(folder)
    if not folder.is_dir():
        raise InvalidInputError("a folder of pictures", found=f"no folder {folder}")
    total = 0
    for parent, _, names in os.walk(folder):
        place = Path(parent).relative_to(folder)
        for name in names:
            entry = f"{_content(Path(parent) / name)} {place.as_posix()}/{name}"
            total += int.from_bytes(
                hashlib.sha256(entry.encode("utf-8", "surrogateescape")).digest()
            )
    return f"{total % WRAP:064x}"


def _content(file: Path) -> str:
    """Return what a file holds as a hash; a pipe or a device is never opened."""
    try:
        if file.is_file() and file.stat().st_size <= MOST_PICTURE_BYTES:
            return _sha256(file)
    except OSError:
        return "unreadable"
    return f"{file.lstat().st_size}"


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
