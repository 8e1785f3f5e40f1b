"""
Put applications into the cache: packages by their hashes, then the state that they begin with.

An application is there when its folder bears its name, which is the last thing that happens
to it. What was interrupted lies under another name; the packages that came are kept there,
and the next installation goes on with them.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from surefoot.capture.address import Tell
from surefoot.capture.applications.packages import PACKAGE_KINDS
from surefoot.capture.applications.packages.kind import Destination, installation_error
from surefoot.capture.applications.packages.python import PYTHON_PACKAGES
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.applications.walls import WalledFolders, inside
from surefoot.capture.contents import file_digest, verify
from surefoot.core.canonical import canonical_json, digest
from surefoot.core.files import cache_folder, sync_folder, write_atomic
from surefoot.core.registry import Registry
from surefoot.core.scratch import scratch_folder

SEED: Final = 0
SEED_S: Final = 600
PARTIAL: Final = ".partial-"
RECORD: Final = "installed.json"
FETCHED: Final = "fetched"
# What says where and how a package was installed, not what it is.
RUNNABLE: Final = "the files that may be run"
LEFT_OUT: Final = frozenset({"RECORD", "direct_url.json", "pyvenv.cfg"})
RECIPES: Final = Registry(
    ApplicationRecipe, "surefoot.capture.applications.recipes", what="application"
)


class Installation(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Record an installed application: its files by SHA-256, how long it took, how large it is.

    ``lock`` is that of Python's packages; ``beside`` are the other locks and files of the
    recipe, by their names. ``packages`` are the files that the locks brought, ``state`` those
    that it begins with, by their paths in the folder; ``bytes_`` counts all that lies there.
    ``rest`` holds what may differ between two installations of the same plan: links, programs,
    compiled code and where packages lie; None in records that are older than it.
    """

    recipe: str
    lock: str
    packages: dict[str, str]
    state: dict[str, str]
    seconds: float
    bytes_: int
    beside: dict[str, str] = {}
    rest: dict[str, str] | None = None

    @property
    def contents(self) -> dict[str, str]:
        """Return what stands for all of it in a plan."""
        return {
            **self.beside,
            "recipe": self.recipe,
            "lock": self.lock,
            "packages": digest(self.packages),
            "state": digest(self.state),
        }


def folder_of(recipe: ApplicationRecipe) -> Path:
    """Return where an application lies once it is installed, by all that it is made of."""
    beside = _beside(recipe)
    parts = [recipe.version, file_digest(recipe.file), _lock(recipe), SEED]
    made_of = digest([*parts, *([beside] if beside else []), sys.version_info[:2]])
    return _folder() / f"{recipe.name}-{made_of[:12]}"


def find_installation(recipe: ApplicationRecipe) -> Installation | None:
    """Return what is installed of a recipe, None where it is not, or not wholly."""
    return _read(folder_of(recipe))


def install(recipe: ApplicationRecipe, tell: Tell) -> Installation:
    """
    Return what is installed of a recipe, installing it first where it is not.

    Safe among processes: one installs and the others wait. Raises MissingComponentError where
    packages do not come, or where the application cannot be filled.
    """
    known = find_installation(recipe)
    if known is not None:
        return known
    with _alone(recipe):
        return find_installation(recipe) or _install(recipe, tell)


@contextlib.contextmanager
def in_use(folder: Path, *, alone: bool = False) -> Iterator[bool]:
    """
    Keep an installation from being deleted; tell whether that could be had at once.

    With ``alone`` nobody else may be using it.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        yield False
    else:
        yield True
    finally:
        os.close(handle)


def remove(recipe: ApplicationRecipe) -> bool:
    """Delete what is in the cache of a recipe, in whatever version; tell whether there was any."""
    found = _all_of(recipe)
    for path in found:
        shutil.rmtree(path)
    return bool(found)


def check_whole(recipe: ApplicationRecipe, known: Installation) -> None:
    """
    Raise CaptureError "content-changed" where an installed file is another, is gone or is new.
    """
    folder = folder_of(recipe)
    again = f"surefoot apps remove {recipe.name}, then install it again"
    parts = {"packages": known.packages, "state": known.state}
    checked = [(files, _digests(folder / part, folder)) for part, files in parts.items()]
    if known.rest is not None:
        checked.append((known.rest, _rest(folder)))
    for files, now in checked:
        verify(f"app:{recipe.name}", files, now, remedy=again, whole=True)


def _install(recipe: ApplicationRecipe, tell: Tell) -> Installation:
    begun = time.monotonic()
    final = folder_of(recipe)
    partial = final.with_name(f"{PARTIAL}{final.name}")
    for part in ("packages", "state"):
        shutil.rmtree(partial / part, ignore_errors=True)
    tell(f"{recipe.title}: installing about {recipe.megabytes} MB into {final}")
    _bring_packages(recipe, partial, tell)
    tell(f"{recipe.title}: filling it")
    _fill(recipe, partial)
    shutil.rmtree(partial / FETCHED, ignore_errors=True)
    known = Installation(
        recipe=file_digest(recipe.file),
        lock=_lock(recipe),
        packages=_digests(partial / "packages", partial),
        state=_digests(partial / "state", partial),
        seconds=round(time.monotonic() - begun, 1),
        bytes_=sum(path.lstat().st_size for path in partial.rglob("*")),
        beside=_beside(recipe),
        rest=_rest(partial),
    )
    write_atomic(partial / RECORD, canonical_json(known))
    os.sync()
    shutil.rmtree(final, ignore_errors=True)  # it was there without a record that can be read
    partial.rename(final)
    sync_folder(final.parent)
    _remove_former(recipe, known)
    tell(f"{recipe.title}: {known.bytes_ / 1e6:.0f} MB installed in {known.seconds:.0f} s")
    return known


def _bring_packages(recipe: ApplicationRecipe, partial: Path, tell: Tell) -> None:
    for kind in PACKAGE_KINDS:
        fetched = partial / FETCHED / kind.name
        fetched.mkdir(parents=True, exist_ok=True)
        kind.bring(recipe, Destination(partial / "packages", fetched), tell)


def _fill(recipe: ApplicationRecipe, partial: Path) -> None:
    """Let the application make its state within walls, and keep a copy that all may read."""
    with scratch_folder() as scratch:
        state = Path(scratch) / "state"
        state.mkdir()
        state.chmod(0o777)
        place = WalledFolders(partial, written={"/state": state})
        complaints = Path(scratch) / "errors"
        with (
            complaints.open("wb") as errors,
            inside(recipe, place, ["seed", "/state", str(SEED)], errors) as process,
        ):
            try:
                process.communicate(timeout=SEED_S)
            except subprocess.TimeoutExpired:
                process.kill()
        if process.returncode:
            raise installation_error(recipe, "its state made", complaints.read_bytes())
        shutil.copytree(state, partial / "state")


def _digests(folder: Path, base: Path) -> dict[str, str]:
    """Return the SHA-256 of what makes the application, without what only says where it lies."""
    return {
        path.relative_to(base).as_posix(): file_digest(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not _is_rest(path, base)
    }


def _rest(base: Path) -> dict[str, str]:
    """Return what else lies there: SHA-256 of files, where links lead, which files may be run."""
    found: dict[str, str] = {}
    run: list[str] = []
    for path in (path for part in ("packages", "state") for path in (base / part).rglob("*")):
        name = path.relative_to(base).as_posix()
        if path.is_symlink():
            found[name] = f"a link to {path.readlink()}"
        elif path.is_file():
            if path.stat().st_mode & stat.S_IXUSR:
                run.append(name)
            if _is_rest(path, base):
                found[name] = file_digest(path)
        elif not path.is_dir():
            found[name] = "no file"
    return {**dict(sorted(found.items())), RUNNABLE: digest(sorted(run))}


def _is_rest(path: Path, base: Path) -> bool:
    """Tell whether a file may differ between two installations of the same packages."""
    return (
        path.is_symlink()
        or "__pycache__" in path.parts
        or path.relative_to(base).parts[1] == "bin"
        or path.name in LEFT_OUT
    )


def _remove_former(recipe: ApplicationRecipe, known: Installation) -> None:
    """
    Delete what former versions of a recipe left, but for what some process is running.

    What another Python installed of the present version stays: that one would install it again.
    """
    for path in _all_of(recipe):
        there = _read(path)
        same = there is not None and (there.recipe, there.lock, there.beside) == (
            known.recipe,
            known.lock,
            known.beside,
        )
        if same:
            continue
        with in_use(path, alone=True) as free:
            if free:
                shutil.rmtree(path)


def _all_of(recipe: ApplicationRecipe) -> list[Path]:
    """Return the folders of a recipe in whatever version, whole or not."""
    return [
        path
        for path in _folder().glob(f"*{recipe.name}-*")
        if path.is_dir() and path.name.removeprefix(PARTIAL).rpartition("-")[0] == recipe.name
    ]


def _lock(recipe: ApplicationRecipe) -> str:
    return file_digest(PYTHON_PACKAGES.lock(recipe))


def _beside(recipe: ApplicationRecipe) -> dict[str, str]:
    """Return the digests of what else a recipe is made of: other locks, and its own files."""
    locks = [
        kind.lock(recipe)
        for kind in PACKAGE_KINDS
        if kind is not PYTHON_PACKAGES and kind.wanted(recipe)
    ]
    return {path.name: file_digest(path) for path in (*locks, *recipe.files)}


def _read(folder: Path) -> Installation | None:
    try:
        return msgspec.json.decode((folder / RECORD).read_bytes(), type=Installation)
    except (OSError, msgspec.DecodeError):
        return None


def _folder() -> Path:
    return cache_folder() / "applications"


@contextlib.contextmanager
def _alone(recipe: ApplicationRecipe) -> Iterator[None]:
    _folder().mkdir(parents=True, exist_ok=True)
    with (_folder() / f".{recipe.name}.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
