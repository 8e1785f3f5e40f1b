"""
Folders and tables on disk that are gone with the work that needed them.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from surefoot.core.faults import database_error

SCRATCH: Final = "SUREFOOT_SCRATCH"  # names a worker's own folder for temporary files

PREFIX: Final = "surefoot-"
OWNER: Final = ".owner"
_PRAGMAS: Final = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -4096;
"""


def make_scratch() -> str:
    """
    Make a folder for temporary files and return its path.

    Other users pass through it to files of which they know the path, but cannot list it:
    the browser, which is not run as root, is shown files there.
    """
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    folder.chmod(0o711)
    return str(folder)


@contextlib.contextmanager
def scratch_folder() -> Iterator[str]:
    """
    Make a folder for temporary files for the length of a block, and return its path.

    It is locked meanwhile; those that nobody locks any more, as their owners were killed, are
    removed first.
    """
    _sweep(Path(tempfile.gettempdir()))
    folder = Path(make_scratch())
    try:
        # Locked before it bears the name that others look for.
        with (folder / f"{OWNER}.new").open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            (folder / f"{OWNER}.new").rename(folder / OWNER)
            yield str(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sweep(parent: Path) -> None:
    """Remove folders of ours that nobody locks; whatever others put there is left."""
    for folder in parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            about = folder.lstat()
            if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.geteuid():
                continue
            # A pipe in its place would be waited for, and a link lead to a file of another's.
            owner = os.open(folder / OWNER, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
            try:
                if stat.S_ISREG(os.fstat(owner).st_mode):
                    fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(owner)


@contextlib.contextmanager
def scratch_database(tables: str, path: Path | None = None) -> Iterator[sqlite3.Connection]:
    """
    Open a database with these tables, all of it one transaction that nobody ever ends.

    It lies at ``path``, in the place of what was left there, or else in a file of SQLite's
    own if it grows; nothing of it outlives the block. Raises SurefootError where the disk
    refuses.

    >>> with scratch_database("CREATE TABLE seen (id TEXT);") as connection:
    ...     connection.execute("SELECT count(*) FROM seen").fetchone()
    (0,)
    """
    with contextlib.ExitStack() as stack:
        if path is not None:
            path.unlink(missing_ok=True)
            stack.callback(path.unlink, missing_ok=True)
        opened = sqlite3.connect(path or "", isolation_level=None)
        connection = stack.enter_context(contextlib.closing(opened))
        try:
            connection.executescript(f"{_PRAGMAS}{tables}BEGIN;")
            yield connection
        except sqlite3.OperationalError as error:  # a full disk and the like
            raise database_error(error, path) from error
