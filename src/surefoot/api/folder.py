"""
A folder that Surefoot wrote, opened: what is in it, record by record and as a table.
"""

from __future__ import annotations

import abc
import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Final, TypeVar, overload

import msgspec

from surefoot.api.options import AnyPath
from surefoot.api.tables import RecordTable, counted
from surefoot.core.errors import UnknownNameError
from surefoot.core.ledger import read_plan
from surefoot.core.registry import suggest
from surefoot.core.store import ObjectStore
from surefoot.run.engine.outcome import Outcome
from surefoot.run.engine.progress import Tally
from surefoot.run.folders.folder import FolderKind, Manifest, read_manifest

R = TypeVar("R", bound=msgspec.Struct)
SUGGESTED: Final = 8  # ids that an unknown one is answered with


class OpenedFolder(RecordTable[R]):
    """
    Offer what a finished folder holds; raises InvalidInputError for a folder that is none.

    ``outcome`` tells what the call that wrote it did: the tally, the units that failed, and
    what there is to say; nothing where the folder was only opened.
    """

    kind: ClassVar[FolderKind]
    table: ClassVar[str]

    def __init__(self, folder: AnyPath, outcome: Outcome | None = None) -> None:
        self.folder = Path(folder)
        self.outcome = outcome or Outcome(self.folder, Tally())
        if outcome is None:
            self.check()

    def check(self) -> None:
        """Raise InvalidInputError for a folder that is none of this kind, or unfinished."""
        read_manifest(self.folder, self.kind)

    @functools.cached_property
    def manifest(self) -> Manifest:
        """Return what the folder says of its files."""
        return read_manifest(self.folder, self.kind)

    def __fspath__(self) -> str:
        """Return the folder, so that it can be given wherever a path can."""
        return str(self.folder)

    def __len__(self) -> int:
        """Count the records."""
        return self.manifest.files[self.table].count

    @functools.cached_property
    def records(self) -> tuple[R, ...]:
        """Return all records, read once."""
        return tuple(self)

    @functools.cached_property
    def plan(self) -> Mapping[str, object]:
        """Return all that determined what is in the folder."""
        return read_plan(self.folder)

    @overload
    def __getitem__(self, which: int | str) -> R: ...

    @overload
    def __getitem__(self, which: slice) -> Sequence[R]: ...

    def __getitem__(self, which: int | str | slice) -> R | Sequence[R]:
        """Return a record by its place or its id, or several; raises UnknownNameError."""
        if not isinstance(which, str):
            return self.records[which]
        if which not in self._places:
            raise UnknownNameError(
                f"an id of {self.folder}",
                found=f"'{which}'",
                remedy=suggest(which, list(self._places)[:SUGGESTED]),
            )
        return self.records[self._places[which]]

    @functools.cached_property
    def _places(self) -> dict[str, int]:
        return {self.id_of(record): place for place, record in enumerate(self.records)}

    @abc.abstractmethod
    def id_of(self, record: R) -> str:
        """Return what a record is called in this folder."""

    def stored_picture(self, image: str) -> bytes | None:
        """Return the PNG of a picture's hash, None for none; DamageError where it is gone."""
        return ObjectStore(self.folder).get(image) if image else None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.folder)!r}): {counted(len(self), 'record')}"
