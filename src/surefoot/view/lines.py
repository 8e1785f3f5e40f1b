"""
Records of a table read one by one, wherever in the file they stand.
"""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from surefoot.core.canonical import decode
from surefoot.core.errors import InvalidInputError

R = TypeVar("R")


class TableLines(Generic[R]):
    """Find the lines of a table once, and read any of them at any time."""

    def __init__(self, path: Path, record: type[R]) -> None:
        self.path = path
        self._record = record
        self._starts = array("q", [0])
        with path.open("rb") as file:
            for line in file:
                self._starts.append(self._starts[-1] + len(line))

    def __len__(self) -> int:
        return len(self._starts) - 1

    def read(self, line: int) -> R:
        """Return the record of a line, counted from 0; raises InvalidInputError."""
        start, end = self._starts[line : line + 2]
        with self.path.open("rb") as file:
            file.seek(start)
            data = file.read(end - start)
        return decode(data, self._record, what=f"{self.path}, line {line + 1},")

    def ids(self) -> list[str]:
        """Return the ids of all records, in their order; raises InvalidInputError."""
        decoder = msgspec.json.Decoder(_Identified)
        with self.path.open("rb") as file:
            try:
                return [decoder.decode(line).id for line in file]
            except msgspec.DecodeError as error:
                raise InvalidInputError(f"records with ids in {self.path}", found=error) from error


class _Identified(msgspec.Struct, frozen=True):
    id: str
