"""
Pictures and other large bytes, kept once under the SHA-256 of what they hold.
"""

from __future__ import annotations

import errno
import re
from pathlib import Path

from surefoot.core.canonical import sha256
from surefoot.core.errors import DamageError, InvalidInputError, SurefootError
from surefoot.core.faults import file_error
from surefoot.core.files import CommitPoint, ignore, sync_folder, write_atomic

_SHA = re.compile(r"[0-9a-f]{64}")
_SUFFIX = re.compile(r"[a-z0-9]{1,8}")
# Where no file lies, or something else in its place.
_NO_FILE = frozenset({errno.ENOENT, errno.EISDIR, errno.ENOTDIR, errno.ELOOP})


class ObjectStore:
    """
    Keep bytes as ``objects/ab/<sha256>.<suffix>`` below a folder.

    Any number of processes may put at once: equal bytes have one name, and a name appears
    only when its bytes are whole.
    """

    def __init__(self, folder: Path, *, at: CommitPoint = ignore) -> None:
        self.folder = folder / "objects"
        self._at = at

    def put(self, data: bytes, suffix: str = "png") -> str:
        """
        Store bytes durably and return their SHA-256; a damaged copy is replaced.

        Raises a bare SurefootError where the file system refuses: the folder cannot be
        written, and no unit is to blame.
        """
        sha = sha256(data)
        path = self.path(sha, suffix)
        try:
            if not path.parent.is_dir():
                path.parent.mkdir(parents=True, exist_ok=True)
                sync_folder(self.folder)
            if path.is_file() and path.read_bytes() == data:
                sync_folder(path.parent)
            else:
                write_atomic(path, data, self._at)
        except OSError as error:
            raise _refused(error) from error
        return sha

    def path(self, sha: str, suffix: str = "png") -> Path:
        """Return where the bytes of a SHA-256 lie, or would; raises InvalidInputError."""
        if not _SHA.fullmatch(sha):
            raise InvalidInputError("a SHA-256 of 64 hexadecimal digits", found=f"'{sha}'")
        if not _SUFFIX.fullmatch(suffix):
            raise InvalidInputError("a suffix of up to 8 letters and digits", found=f"'{suffix}'")
        return self.folder / sha[:2] / f"{sha}.{suffix}"

    def get(self, sha: str, suffix: str = "png") -> bytes:
        """
        Return the bytes of a SHA-256; raises DamageError if absent or damaged.

        Raises a bare SurefootError where the file system refuses.
        """
        path = self.path(sha, suffix)
        remedy = (
            "run the command that wrote the folder again, which makes it again; "
            f"`surefoot verify {self.folder.parent}` names the command"
        )
        try:
            data = path.read_bytes()
        except OSError as error:
            if error.errno not in _NO_FILE:
                raise _refused(error) from error
            raise DamageError(
                f"the object {path.name} in {self.folder}", found=error, remedy=remedy
            ) from error
        if sha256(data) != sha:
            raise DamageError(
                f"{path} to hold the bytes it is named after",
                found=f"bytes with the SHA-256 {sha256(data)}",
                remedy=remedy,
            )
        return data

    def holds(self, sha: str, suffix: str = "png") -> bool:
        """Tell whether the bytes of a SHA-256 are there, and undamaged."""
        path = self.path(sha, suffix)
        return path.is_file() and sha256(path.read_bytes()) == sha


def _refused(error: OSError) -> SurefootError:
    """Say what the file system refused as an error that no unit is to blame for."""
    cause = file_error(error)
    return SurefootError(cause.expected, found=cause.found, remedy=cause.remedy)
