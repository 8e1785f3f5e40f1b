"""
Files that Git LFS has not fetched: a few lines in the place of what they point to.
"""

from __future__ import annotations

from typing import Final

from surefoot.core.errors import RecordError
from surefoot.core.files import is_pointer

HEAD: Final = 64  # bytes of a file that are looked at


def require_fetched(head: bytes, name: str, reason: str = "not-fetched") -> None:
    """
    Raise RecordError where a file's first bytes are those of a pointer.

    >>> require_fetched(b"[]", "a.json")
    """
    if is_pointer(head):
        raise RecordError(
            reason,
            f"the contents of '{name}'",
            found="a Git LFS pointer to them",
            remedy="run `git lfs pull` in that folder, or fetch the files with `hf download`",
        )
