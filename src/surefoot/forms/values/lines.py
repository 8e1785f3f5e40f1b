"""
Instances as JSON Lines, one instance a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.core.files import open_atomic
from surefoot.datasets.json_records import decode_record, line_records
from surefoot.forms.instance import Instance

__all__ = ["read_instances", "write_instances"]

_LONGEST_LINE: Final = 1 << 20


def write_instances(path: Path, made: Iterable[Instance]) -> int:
    """Write instances to a file that is whole or absent; return how many there were."""
    count = 0
    with open_atomic(path) as stream:
        for instance in made:
            stream.write(canonical_json(instance) + b"\n")
            count += 1
    return count


def read_instances(path: Path) -> Iterator[Instance]:
    """
    Yield the instances of a file.

    Raises InvalidInputError, with the number of the line, for a file that cannot be read, a
    line that is no instance (nested without end, a key twice, a number out of range, ...) or
    is longer than a megabyte.
    """
    for entry in line_records(path, most=_LONGEST_LINE):
        try:
            yield decode_record(entry.data, Instance)
        except RecordError as error:
            raise InvalidInputError(
                f"an instance of a form in line {entry.number} of '{path.name}'",
                found=error.found,
                remedy="write the file anew from its seed",
            ) from error
