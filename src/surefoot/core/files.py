"""
Files that are whole or absent, and named points at which a test may stop the process.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, TypeAlias

CommitPoint: TypeAlias = Callable[[str], None]

_PARTIAL = ".partial"
_POINTERS = (b"version https://git-lfs.github.com/spec/", b"# xet version ")
# Names that `open_atomic` gives, and those of the tables and the ledger that commands build up.
_OWN_PARTIAL = re.compile(r"\.(?:.+\.[0-9a-f]{16}|set|import|ledger\.sqlite)\.partial", re.DOTALL)


def cache_folder() -> Path:
    """Return SUREFOOT_CACHE, or else ``surefoot`` in the user's cache folder."""
    named = os.environ.get("SUREFOOT_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - it raises nothing
    return Path(base) / "surefoot"


def is_pointer(head: bytes) -> bool:
    """
    Tell by its first bytes whether a file only points to one that Git LFS did not fetch.

    >>> [is_pointer(head) for head in (b"version https://git-lfs.github.com/spec/v1", b"[]")]
    [True, False]
    """
    return head.startswith(_POINTERS)


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
    "files:after-rename" and "files:after-folder-fsync". A device or a pipe of that name is
    written to: a file in its place would take it from the whole machine.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        # A pipe that nobody reads is refused, not waited for.
        with _named(path, path), open(path, "wb", opener=_open_now) as stream:
            yield stream
        return
    partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}{_PARTIAL}")
    with _named(path, partial):
        try:
            with partial.open("xb") as stream:
                yield stream
                stream.flush()
                at("files:after-write")
                os.fsync(stream.fileno())
            at("files:after-fsync")
            partial.replace(path)
        finally:
            with contextlib.suppress(OSError):  # what went wrong first is told
                partial.unlink(missing_ok=True)
        at("files:after-rename")
        sync_folder(path.parent)
        at("files:after-folder-fsync")


def _open_now(name: str, flags: int) -> int:
    handle = os.open(name, (flags & ~os.O_CREAT & ~os.O_TRUNC) | os.O_NONBLOCK)
    os.set_blocking(handle, True)
    return handle


@contextlib.contextmanager
def _named(path: Path, partial: Path) -> Iterator[None]:
    """Let an error about a file, or about a temporary one, bear the name that the caller knows."""
    try:
        yield
    except OSError as error:
        if error.filename in {None, str(partial)} and error.errno is not None:
            error.filename, error.filename2 = str(path), None
        raise


def sync_folder(folder: Path) -> None:
    """Make the names in a folder outlive a loss of power."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_partial(path: Path) -> bool:
    """
    Tell whether a file bears a temporary name of ours, so that a killed writer left it.

    >>> is_partial(Path(".holiday.jpg.partial"))
    False
    """
    named = _OWN_PARTIAL.fullmatch(path.name) is not None
    return named and path.is_file() and not path.is_symlink()


def remove(path: Path) -> bool:
    """
    Delete a file, a link or an empty folder, and tell whether nothing lies there any more.

    A folder that holds something is left: no file of ours ever lies in one of that name.
    """
    if path.is_dir() and not path.is_symlink():
        with contextlib.suppress(OSError):
            path.rmdir()
        return not path.exists()
    path.unlink(missing_ok=True)
    return True


def remove_partial(folder: Path) -> int:
    """
    Delete what killed writers left under a folder, and return how many files that were.

    Only call it while nobody else writes there, that is, with the folder's ledger open.
    """
    leftovers = [path for path in folder.rglob(f".*{_PARTIAL}") if is_partial(path)]
    for leftover in leftovers:
        leftover.unlink(missing_ok=True)
    return len(leftovers)
