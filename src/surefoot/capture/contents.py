"""
The files of this machine that pages are made of, by digest: part of a plan, and checked.

A plan that only names files would be the same plan for other bytes. So a plan holds their
digests, by place (a folder, an archive, a package) and by name in it, and whatever is opened
later for that plan is the same bytes or is refused by its name.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from surefoot.core.errors import CaptureError, InvalidInputError

# The digests of a place by name, and those of all places.
Digests: TypeAlias = Mapping[str, str]
Contents: TypeAlias = Mapping[str, Digests]

LARGEST_FILE: Final = 100 * 2**20
MOST_FILES: Final = 50_000
MOST_BYTES: Final = 2 * 2**30
# What marks a folder that a command of ours wrote; it is never part of a site.
OURS: Final = "ledger.sqlite"
NONE: Final = "none"
RESTORE: Final = "put the file back as it was, or capture again into another folder"


def file_digest(file: Path) -> str:
    """Return the SHA-256 of a file, "none" where there is none."""
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return NONE


def folder_digests(root: Path, *, most_bytes: int = MOST_BYTES) -> dict[str, str]:
    """
    Return the SHA-256 of a folder's files by their paths in it, with slashes, sorted.

    Left out are hidden files and folders, folders that our commands wrote, files over 100 MiB
    and links that lead out of the folder. Raises InvalidInputError for a folder of more than
    50,000 files or 2 GiB.
    """
    found: dict[str, str] = {}
    size = 0
    for file in _files(root, root.resolve(), ()):
        size += file.stat().st_size
        if len(found) == MOST_FILES or size > most_bytes:
            raise InvalidInputError(
                f"a folder of pages with at most {MOST_FILES} files and {most_bytes} bytes",
                found=f"more in {root}",
                remedy="put the pages and what they show into a folder of their own",
            )
        found[file.relative_to(root).as_posix()] = file_digest(file)
    return dict(sorted(found.items()))


def changed(name: str, place: str, *, gone: bool, remedy: str = RESTORE) -> CaptureError:
    """Return the error for a file that is not what the plan says."""
    return CaptureError(
        "content-changed",
        expected=f"'{name}' of {place} with the bytes that the plan was made with",
        found="no such file" if gone else "others",
        remedy=remedy,
    )


def verify(
    place: str, known: Digests, now: Digests, *, remedy: str = RESTORE, whole: bool = False
) -> None:
    """
    Raise CaptureError "content-changed" for the first known file that is another now.

    With ``whole`` a file that is not known is as wrong.

    >>> verify("site", {"a.html": "1f"}, {"a.html": "1f", "b.html": "2e"})
    """
    for name, was in known.items():
        if now.get(name, NONE) != was:
            raise changed(name, place, gone=now.get(name, NONE) == NONE, remedy=remedy)
    for name in sorted(now.keys() - known.keys()) if whole else ():
        raise CaptureError(
            "content-changed",
            expected=f"nothing in {place} that was not there at first",
            found=f"'{name}'",
            remedy=remedy,
        )


def _files(folder: Path, base: Path, above: tuple[Path, ...]) -> Iterator[Path]:
    """Yield the regular files below a folder; links are followed inside the base alone."""
    real = folder.resolve()
    if real in above or not real.is_relative_to(base):
        return
    with os.scandir(folder) as entries:
        listed = sorted(entries, key=lambda entry: entry.name)
    if any(entry.name == OURS for entry in listed):
        return
    for entry in listed:
        path = folder / entry.name
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from _files(path, base, (*above, real))
        elif (
            entry.is_file()
            and path.resolve().is_relative_to(base)
            and entry.stat().st_size <= LARGEST_FILE
        ):
            yield path
