"""
The screens of a folder that was captured in several languages.
"""

from __future__ import annotations

from pathlib import Path

from surefoot.capture.parallel.pages import PARALLEL_TABLE, PageInLanguage, ParallelScreens
from surefoot.core.errors import InvalidInputError
from surefoot.run.folders.folder import read_manifest, read_screens, read_table


def is_parallel(folder: Path) -> bool:
    """Tell whether a finished folder holds pages in several languages."""
    return PARALLEL_TABLE in read_manifest(folder).files


def read_parallel(folder: Path) -> ParallelScreens:
    """
    Read a folder SCREENS of several languages.

    Raises InvalidInputError for one of a single language, and as ``read_table`` does.
    """
    if not is_parallel(folder):
        raise InvalidInputError(
            f"screens in several languages in {folder}",
            found="one language",
            remedy="capture them with --parallel en,zh,fr,ru,ja,th",
        )
    records = read_table(folder, PARALLEL_TABLE, PageInLanguage, kind="screens")
    return ParallelScreens(records, read_screens(folder))
