"""
The one place where a running server reads and writes: a group writer and a reader.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import functools
import os
from pathlib import Path
from typing import Self, TypeVar

from surefoot.core.errors import FolderBusyError
from surefoot.core.files import CommitPoint, ignore, remove_partial
from surefoot.forms.server.runs import Entered, FormProgress, FormRun, drafts_of, find_run
from surefoot.forms.server.schema import connect, connect_reader
from surefoot.forms.server.writer import Change, GroupWriter

T = TypeVar("T")

_KNOWN_RUNS = 1024


class Store:
    """
    Serve one folder of runs to one server; a context manager.

    Raises FolderBusyError where another server has the folder, and InvalidInputError where
    the folder's database is none of ours. Reads see what is committed, nothing else.
    """

    def __init__(self, folder: Path, *, at: CommitPoint = ignore) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        with contextlib.ExitStack() as stack:
            stack.callback(os.close, _lock(folder))
            remove_partial(folder)
            writer = connect(folder)
            stack.callback(writer.close)
            self._reader = connect_reader(folder)
            stack.callback(self._reader.close)
            self._writer = GroupWriter(writer, at=at)
            stack.callback(self._writer.close)
            self._closing = stack.pop_all()
        self.run = functools.lru_cache(_KNOWN_RUNS)(functools.partial(find_run, self._reader))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Commit what is queued, and give the folder back; twice is harmless."""
        self._closing.close()

    async def write(self, change: Change[T]) -> T:
        """Return what a change came to, once it is committed; raises what it raised."""
        return await asyncio.wrap_future(self._writer.put(change))

    def progress(self, run: FormRun) -> FormProgress:
        """Return how far a run has come."""
        query = "SELECT page, reached, done FROM progress WHERE run = ?"
        page, reached, done = self._reader.execute(query, (run.key,)).fetchone()
        return FormProgress(page, reached, bool(done))

    def drafts(self, run: FormRun) -> Entered:
        """Return what was last entered into each field."""
        return drafts_of(self._reader, run)

    def read(self, question: Change[T]) -> T:
        """Return what a function finds in the database as it is committed."""
        return question(self._reader)

    def uploaded(self, run: FormRun) -> set[tuple[str, str, str]]:
        """Return field, name and SHA-256 of every file that arrived in a run."""
        query = "SELECT field, name, sha256 FROM uploads WHERE run = ?"
        return set(self._reader.execute(query, (run.key,)))


def _lock(folder: Path) -> int:
    handle = os.open(folder / "server.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(handle)
        raise FolderBusyError(
            f"{folder} to have no form server",
            found="another that serves it",
            remedy="use that one, or name another folder",
        ) from error
    return handle
