"""
The files that an agent may upload: those of its run's folder, and nothing else.
"""

from __future__ import annotations

import mimetypes
import os
import stat
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.errors import RecordError, plain_words

__all__ = ["UploadFile", "read_upload"]

TYPES: Final = mimetypes.MimeTypes(filenames=())


class UploadFile(msgspec.Struct, frozen=True):
    """Hold a file as a form gets it: its bare name, its media type, its bytes."""

    name: str
    media_type: str
    data: bytes


def read_upload(folder: Path | None, name: str, *, limit: int) -> UploadFile:
    """
    Read a file by its path relative to the folder.

    The bytes are read from the very file that was checked. Raises RecordError "no-folder",
    "outside" (an absolute path, "..", or a symbolic link on the way), "no-file" (also what
    is no regular file) or "too-large" (more bytes than the limit).

    >>> read_upload(None, "a.pdf", limit=10)
    Traceback (most recent call last):
        ...
    surefoot.core.errors.RecordError: Expected a folder of files to upload, found none.
    """
    if folder is None:
        raise RecordError("no-folder", "a folder of files to upload", found="none")
    parts = Path(name).parts
    if not parts or "\0" in name or Path(name).is_absolute() or ".." in parts:
        raise RecordError("outside", "a file of the run's folder", found=repr(name[:80]))
    handle = _opened(folder, parts, name)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise RecordError("no-file", "a regular file", found=repr(name[:80]))
    with os.fdopen(handle, "rb") as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise RecordError("too-large", f"at most {limit} bytes", found=f"more in {name!r}")
    media_type = TYPES.guess_type(f"x{Path(name).suffix.lower()}")[0]
    return UploadFile(parts[-1], media_type or "application/octet-stream", data)


def _opened(folder: Path, parts: tuple[str, ...], name: str) -> int:
    """Open step by step, following no link; the caller closes what is returned."""
    here = os.open(folder.resolve(), os.O_RDONLY | os.O_DIRECTORY)
    for part in parts:
        try:
            if stat.S_ISLNK(os.stat(part, dir_fd=here, follow_symlinks=False).st_mode):
                raise RecordError("outside", "a file, no link", found=repr(name[:80]))
            # Without O_NONBLOCK, opening a pipe that nobody writes would wait for ever.
            inner = os.open(part, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=here)
        except OSError as error:
            raise RecordError(
                "no-file",
                "a file of the run's folder",
                found=f"{name[:80]!r}: {plain_words(error)}",
            ) from error
        finally:
            os.close(here)
        here = inner
    return here
