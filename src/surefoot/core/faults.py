"""
What the operating system and SQLite refuse, said with the path and with what to do about it.
"""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path
from typing import Final

from surefoot.core.errors import DamageError, SurefootError, UserError

_ROOM: Final = "make room on the disk, then run the same command again to go on"
_AGAIN: Final = "then run the same command again to go on"
# Conditions of the machine, which no page, record or unit is to blame for.
MACHINE: Final[dict[int, tuple[str, str]]] = {
    errno.ENOSPC: ("a disk that can be written", _ROOM),
    errno.EDQUOT: ("a disk quota that is not used up", _ROOM),
    errno.EIO: ("a disk that can be read and written", f"check the disk, {_AGAIN}"),
    errno.EROFS: ("a disk that can be written", f"make it writable, {_AGAIN}"),
    errno.EFBIG: ("files that may grow", f"raise the limit of a file's size, {_AGAIN}"),
    errno.EMFILE: (
        "files that may be opened",
        f"raise `ulimit -n` or give fewer workers, {_AGAIN}",
    ),
    errno.ENFILE: ("files that may be opened", f"end other programs, {_AGAIN}"),
    errno.ENOMEM: ("memory that can be had", f"end other programs, {_AGAIN}"),
    errno.EAGAIN: ("processes that may be started", f"end other programs, {_AGAIN}"),
}
_MENDS: Final = {
    errno.EACCES: "change its permissions, or name another path",
    errno.EPERM: "change its permissions, or name another path",
    errno.ENOENT: "check the path",
    errno.ENOTDIR: "name a folder where a file lies now",
    errno.EISDIR: "name a file, or move the folder away",
    errno.EEXIST: "name another path",
    errno.ENOTEMPTY: "name another path",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.ELOOP: "mend the links, which lead in a circle",
    errno.ENXIO: "name a file or a folder",
    errno.ENODEV: "name a file or a folder",
    errno.EPIPE: "let the program that reads the output run to its end",
}
# As the operating system would say it.
_PRIMARY: Final = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_IOERR: errno.EIO,
    sqlite3.SQLITE_NOMEM: errno.ENOMEM,
}
_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


def file_error(error: OSError) -> SurefootError:
    """
    Say what the operating system refused: of which path, and what to do.

    A condition of the machine is a bare SurefootError, any other a UserError.

    >>> print(file_error(FileExistsError(17, "File exists", "out")))
    Expected 'out' to be a path that can be used, found file exists. Name another path.
    >>> print(file_error(OSError(28, "No space left on device")))  # doctest: +ELLIPSIS
    Expected a disk that can be written, found no space left on device. Make room on the disk, ...
    """
    paths = " and ".join(
        f"'{_shown(path)}'" for path in (error.filename, error.filename2) if path is not None
    )
    number = error.errno or 0
    if number in MACHINE:
        expected, remedy = MACHINE[number]
        return SurefootError(
            f"{expected}{f' for {paths}' * bool(paths)}", found=error, remedy=remedy
        )
    if paths:
        expected = f"{paths} to be a path that can be used"
    else:
        expected = "the operating system to do what was asked"
    return UserError(expected, found=error, remedy=_MENDS.get(number, ""))


def database_error(error: sqlite3.Error, path: Path | None = None) -> SurefootError:
    """
    Say what SQLite refused, by the file in whose use it did.

    DamageError where the file is no database or damaged, SurefootError for conditions of the
    machine, UserError for a file that another process holds or that cannot be opened.
    """
    name = "a temporary database" if path is None else str(path)
    primary = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if primary in _PRIMARY:
        expected, remedy = MACHINE[_PRIMARY[primary]]
        return SurefootError(f"{expected} for {name}", found=error, remedy=remedy)
    if primary in _BUSY:
        return UserError(f"{name} to be free", found=error, remedy="end the program that holds it")
    if primary == sqlite3.SQLITE_CANTOPEN:
        remedy = _MENDS[errno.ENOENT]
        return UserError(f"{name} to be a file that can be opened", found=error, remedy=remedy)
    remedy = "" if path is None else f"run `surefoot verify {path.parent} --repair`"
    return DamageError(f"{name} to be a ledger", found=error, remedy=remedy)


def _shown(path: object) -> str:
    """Return a path as it can be printed: bytes that are no text, and line breaks, escaped."""
    text = path.decode(errors="backslashreplace") if isinstance(path, bytes) else str(path)
    if text.isprintable():
        return text
    return text.encode("unicode_escape", "surrogateescape").decode("ascii", "backslashreplace")
