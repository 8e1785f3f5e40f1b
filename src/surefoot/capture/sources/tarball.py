"""
Unpack a package's archive as if an enemy had made it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from surefoot.core.archives import ArchiveLimits, unpack

__all__ = ["extract"]

MAX_MEMBERS: Final = 100_000
MAX_RATIO: Final = 100
MAX_BYTES: Final = 2 * 2**30


def extract(archive: Path, folder: Path, *, max_bytes: int = MAX_BYTES) -> None:
    """
    Unpack the regular files of a gzipped tar under a folder, the first path part dropped.

    Raises InvalidInputError for a member that is a link or a device, has an absolute path
    or ``..``, comes twice, or for an archive of more than 100,000 members, a compression
    ratio over 100 or more than ``max_bytes`` bytes.
    """
    limits = ArchiveLimits(members=MAX_MEMBERS, total=max_bytes, ratio=MAX_RATIO)
    unpack(archive, folder, limits=limits, drop=1)
