"""
Folders of models that somebody else made: what of them is read, and how they are loaded.

Nothing in such a folder is run, nothing is fetched for it, and nobody is asked about it.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from surefoot.core.errors import InvalidInputError, MissingComponentError, SurefootError
from surefoot.core.files import is_pointer

# What every loader of transformers and peft is told.
SAFELY: Final[dict[str, Any]] = {"local_files_only": True, "trust_remote_code": False}
MOST_FILES: Final = 10_000
MOST_SETTINGS: Final = 256 * 2**20  # bytes of a file that is read whole: the largest vocabularies
_SETTINGS: Final = frozenset({".json", ".jinja", ".txt", ".model", ".py"})
_HEAD: Final = 64
_QUOTED: Final = 300


def own_files(folder: Path) -> list[Path]:
    """
    Return a folder's regular files, sorted by name, links to such among them.

    What clients leave beside them is passed over: hidden files and folders, such as ``.cache``
    and ``.git``. Raises InvalidInputError for more than 10,000 files.
    """
    found: list[Path] = []
    for path in folder.iterdir():
        if not path.name.startswith(".") and path.is_file():
            found.append(path)
        if len(found) > MOST_FILES:
            raise InvalidInputError(
                f"a model's folder of at most {MOST_FILES:,} files", found=f"more in {folder}"
            )
    return sorted(found)


def check_files(folder: Path) -> None:
    """
    Raise InvalidInputError for what no loader should open.

    That is a pipe, a socket or a device, which it may read without end, a file of settings
    of over 256 MiB, and what Git LFS has not fetched.
    """
    for path in folder.iterdir():
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise InvalidInputError(
                f"files and folders alone in {folder}", found=f"'{path.name}', which is none"
            )
    for file in own_files(folder):
        if file.suffix in _SETTINGS and (size := file.stat().st_size) > MOST_SETTINGS:
            raise InvalidInputError(
                f"at most {MOST_SETTINGS:,} bytes in {file}", found=f"{size:,} bytes"
            )
        with file.open("rb") as stream:
            if is_pointer(stream.read(_HEAD)):
                raise InvalidInputError(
                    f"the contents of {file}",
                    found="a Git LFS pointer to them",
                    remedy="run `git lfs pull` in that folder, or fetch it with `hf download`",
                )


@contextlib.contextmanager
def loading(what: str, folder: Path) -> Iterator[None]:
    """
    Run another library's loader, whose errors become one sentence that names the folder.

    Within the block nothing is fetched, and who asks on standard input finds it at its end.
    Raises as ``guarded`` does.
    """
    remedy = "copy the folder again from its source; code in it is not run"
    with guarded(f"{what} in {folder}", remedy), _offline(), _no_input():
        yield


@contextlib.contextmanager
def guarded(what: str, remedy: str) -> Iterator[None]:
    """
    Run another library over what somebody made, whose errors become one sentence.

    Raises InvalidInputError, MissingComponentError for a package that is not installed, and
    SurefootError for want of memory.
    """
    try:
        yield
    except SurefootError:
        raise
    except ImportError as error:
        raise MissingComponentError(
            f"the packages that {what} needs",
            found=_sentence(error),
            remedy="run pip install torchvision, if that is what is missing",
        ) from error
    except MemoryError as error:
        raise SurefootError(f"memory for {what}", found="not enough") from error
    except Exception as error:
        raise InvalidInputError(what, found=_sentence(error), remedy=remedy) from error


def _sentence(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:_QUOTED]


@contextlib.contextmanager
def _offline() -> Iterator[None]:
    """Keep huggingface_hub from the network: it reads its switch once, when it is imported."""
    from huggingface_hub import constants

    before = constants.HF_HUB_OFFLINE
    constants.HF_HUB_OFFLINE = True
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE = before


@contextlib.contextmanager
def _no_input() -> Iterator[None]:
    before, sys.stdin = sys.stdin, io.StringIO()
    try:
        yield
    finally:
        sys.stdin = before
