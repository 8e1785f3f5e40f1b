"""
Files that arrive: streamed to the disk, named by what they hold, kept once.

The name that a file came with is a word in the database, cleaned; it is never a path.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from surefoot.core.files import open_atomic, sync_folder
from surefoot.core.store import ObjectStore
from surefoot.forms.instance import FileValue

_CHUNK: Final = 1 << 18
_LONGEST_NAME: Final = 120
_SUFFIX: Final = "bin"


def clean_name(name: str) -> str:
    r"""
    Return the last part of a file's name without control characters; "file" for nothing.

    >>> clean_name("../../etc/pass\x00wd"), clean_name("C:\\fakepath\\cv.pdf"), clean_name("..")
    ('passwd', 'cv.pdf', 'file')
    """
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    shown = "".join(item for item in last if unicodedata.category(item)[0] != "C").strip(" .")
    stem, dot, suffix = shown.rpartition(".")
    if dot and len(shown) > _LONGEST_NAME:
        shown = f"{stem[: _LONGEST_NAME - len(suffix) - 1]}.{suffix}"
    return shown[:_LONGEST_NAME] or "file"


def keep(folder: Path, name: str, file: BinaryIO) -> tuple[FileValue, int]:
    """
    Store a file below ``folder/objects`` and return its clean name, SHA-256 and size.

    On return the file outlives a loss of power. Raises OSError as the file system does.
    """
    hashed, size = hashlib.sha256(), 0
    for chunk in _chunks(file):
        hashed.update(chunk)
        size += len(chunk)
    path = uploaded_path(folder, hashed.hexdigest())
    if not path.parent.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        sync_folder(path.parent.parent)
    if not path.is_file() or path.stat().st_size != size:
        with open_atomic(path) as stream:
            for chunk in _chunks(file):
                stream.write(chunk)
    return FileValue(clean_name(name), path.stem), size


def uploaded_path(folder: Path, sha256: str) -> Path:
    """Return where the file of a SHA-256 lies, or would; raises InvalidInputError."""
    return ObjectStore(folder).path(sha256, _SUFFIX)


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    file.seek(0)
    while chunk := file.read(_CHUNK):
        yield chunk
