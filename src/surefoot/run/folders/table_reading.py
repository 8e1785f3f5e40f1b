"""
A table of a folder, read record by record: as many as there are, in constant memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from surefoot.core.canonical import decode
from surefoot.core.errors import InvalidInputError
from surefoot.core.question import Answer, Question
from surefoot.core.screen import Screen
from surefoot.run.folders.folder import WRITERS, FolderKind, read_manifest

__all__ = ["stream_table"]

R = TypeVar("R", Answer, Question, Screen)


def stream_table(folder: Path, name: str, record: type[R], *, kind: FolderKind) -> Iterator[R]:
    """
    Yield an exported table's records, the file checked against the manifest before the first.

    Raises InvalidInputError where the folder is not finished or the file is another, for a
    line that cannot be read, and where the ids do not ascend.
    """
    path = folder / name
    expected = read_manifest(folder, kind).files.get(name)
    if expected is None or not path.is_file() or _sha256(path) != expected.sha256:
        raise InvalidInputError(
            f"{path} as manifest.json describes it",
            found="another file" if expected else "no word of it there",
            remedy=f"run `{WRITERS[kind]}` again to write it anew",
        )
    return _records(path, record)


def _records(path: Path, record: type[R]) -> Iterator[R]:
    decoder, before = msgspec.json.Decoder(record), ""
    key = "question" if record is Answer else "id"
    with path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            try:
                found = decoder.decode(line)
            except msgspec.MsgspecError:
                found = decode(line, record, what=f"{path}, line {number},")
            name = getattr(found, key)
            if name <= before:
                raise InvalidInputError(
                    f"ascending ids in {path}", found=f"'{name}' in line {number}"
                )
            before = name
            yield found


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
