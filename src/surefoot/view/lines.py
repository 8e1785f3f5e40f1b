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
from surefoot.run.folders.lines import read_lines, read_part, read_parts, table_file

R = TypeVar("R")


class TableLines(Generic[R]):
    """
    Find the lines of a table once, and read any of them at any time.

    Raises InvalidInputError for a packed table that cannot be unpacked.
    """

    def __init__(self, path: Path, record: type[R]) -> None:
        self.path = path
        self._record = record
        self._packed = table_file(path) != path
        self._parts = array("q")  # where in the file the part with a line begins
        self._starts, self._ends = array("q"), array("q")  # of a line in its part
        self._last = (-1, b"")
        for place, part in read_parts(path):
            end = 0
            for line in part.splitlines(keepends=True):
                self._parts.append(place)
                self._starts.append(end)
                self._ends.append(end := end + len(line))

    def __len__(self) -> int:
        return len(self._parts)

    def read(self, line: int) -> R:
        """Return the record of a line, counted from 0; raises InvalidInputError."""
        place, start, end = self._parts[line], self._starts[line], self._ends[line]
        if self._packed:
            held, part = self._last
            if held != place:
                part = read_part(self.path, place)
                self._last = place, part
            data = part[start:end]
        else:
            with self.path.open("rb") as file:
                file.seek(place + start)
                data = file.read(end - start)
        return decode(data, self._record, what=f"{self.path}, line {line + 1},")

    def ids(self) -> list[str]:
        """Return the ids of all records, in their order; raises InvalidInputError."""
        decoder = msgspec.json.Decoder(_Identified)
        try:
            return [decoder.decode(line).id for line in read_lines(self.path)]
        except msgspec.DecodeError as error:
            raise InvalidInputError(f"records with ids in {self.path}", found=error) from error


class _Identified(msgspec.Struct, frozen=True):
    id: str
