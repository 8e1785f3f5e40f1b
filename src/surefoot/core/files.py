"""
Files that are whole or absent, and named points at which a test may stop the process.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeAlias

__all__ = ["CommitPoint", "ignore", "open_atomic", "remove_partial", "sync_folder", "write_atomic"]

CommitPoint: TypeAlias = Callable[[str], None]

_PARTIAL = ".partial"


def ignore(point: str) -> None:
    """Let every commit point pass; a test gives another callback to fail or die there."""
    del point


def write_atomic(path: Path, data: bytes, at: CommitPoint = ignore) -> None:
    """
    Write a file so that a reader sees the old bytes or all the new ones, never a part.

    On return the file outlives a loss of power. Calls ``at`` as ``open_atomic`` does, and
    raises OSError as the file system does.
    """
    with open_atomic(path, at) as stream:
        stream.write(data)


@contextlib.contextmanager
def open_atomic(path: Path, at: CommitPoint = ignore) -> Iterator[BinaryIO]:
    """
    Open a file that takes its name only when the block has ended well.

    The bytes go to a temporary name beside it, are synced, and take the name; then the
    folder is synced. ``at`` is called with "files:after-write", "files:after-fsync",
    "files:after-rename" and "files:after-folder-fsync".
    """
    partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}{_PARTIAL}")
    try:
        with _named(path, partial) as stream:
            yield stream
            stream.flush()
            at("files:after-write")
            os.fsync(stream.fileno())
        at("files:after-fsync")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    at("files:after-rename")
    sync_folder(path.parent)
    at("files:after-folder-fsync")


def _named(path: Path, partial: Path) -> BinaryIO:
    """Open the temporary file of another; an error bears the name that the caller knows."""
    try:
        return partial.open("xb")
    except OSError as error:
        error.filename = str(path)
        raise


def sync_folder(folder: Path) -> None:
    """Make the names in a folder outlive a loss of power."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove_partial(folder: Path) -> int:
    """
    Delete what killed writers left under a folder, and return how many files that were.

    Only call it while nobody else writes there, that is, with the folder's ledger open.
    """
    leftovers = [path for path in folder.rglob(f".*{_PARTIAL}") if path.is_file()]
    for leftover in leftovers:
        leftover.unlink(missing_ok=True)
    return len(leftovers)
