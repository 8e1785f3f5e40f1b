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
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from surefoot.capture.address import Tell
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.applications.walls import WalledFolders, inside
from surefoot.capture.contents import file_digest, verify
from surefoot.core.canonical import canonical_json, digest
from surefoot.core.children import child_environment
from surefoot.core.errors import MissingComponentError
from surefoot.core.files import cache_folder, sync_folder, write_atomic
from surefoot.core.registry import Registry
from surefoot.core.scratch import scratch_folder

__all__ = [
    "RECIPES",
    "Installation",
    "check_whole",
    "find_installation",
    "folder_of",
    "install",
    "remove",
]

SEED: Final = 0
INSTALL_S: Final = 1800
SEED_S: Final = 600
RECORD: Final = "installed.json"
# What says where and how a package was installed, not what it is.
LEFT_OUT: Final = frozenset({"RECORD", "direct_url.json", "pyvenv.cfg"})
RECIPES: Final = Registry(
    ApplicationRecipe, "surefoot.capture.applications.recipes", what="application"
)


class Installation(msgspec.Struct, frozen=True):
    """
    Record an installed application: its files by SHA-256, how long it took, how large it is.

    ``packages`` are the files that the lock brought, ``state`` those that it begins with, by
    their paths in the folder; ``bytes_`` counts all that lies there.
    """

    recipe: str
    lock: str
    packages: dict[str, str]
    state: dict[str, str]
    seconds: float
    bytes_: int

    @property
    def contents(self) -> dict[str, str]:
        """Return what stands for all of it in a plan."""
        return {
            "recipe": self.recipe,
            "lock": self.lock,
            "packages": digest(self.packages),
            "state": digest(self.state),
        }


def folder_of(recipe: ApplicationRecipe) -> Path:
    """Return where an application lies once it is installed, by all that it is made of."""
    parts = [recipe.version, file_digest(recipe.file), file_digest(recipe.lock), SEED]
    made_of = digest([*parts, sys.version_info[:2]])
    return _folder() / f"{recipe.name}-{made_of[:12]}"


def find_installation(recipe: ApplicationRecipe) -> Installation | None:
    """Return what is installed of a recipe, None where it is not, or not wholly."""
    try:
        return msgspec.json.decode((folder_of(recipe) / RECORD).read_bytes(), type=Installation)
    except (OSError, msgspec.DecodeError):
        return None


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


def remove(recipe: ApplicationRecipe) -> bool:
    """Delete what is in the cache of a recipe, in whatever version; tell whether there was any."""
    found = [path for path in _folder().glob(f"*{recipe.name}-*") if _is_of(path, recipe)]
    for path in found:
        shutil.rmtree(path)
    return bool(found)


def check_whole(recipe: ApplicationRecipe, known: Installation) -> None:
    """Raise CaptureError "content-changed" for the first installed file that is another now."""
    folder = folder_of(recipe)
    again = f"surefoot apps remove {recipe.name}, then install it again"
    for files, part in ((known.packages, "packages"), (known.state, "state")):
        verify(f"app:{recipe.name}", files, _digests(folder / part, folder), remedy=again)


def _install(recipe: ApplicationRecipe, tell: Tell) -> Installation:
    begun = time.monotonic()
    final = folder_of(recipe)
    partial = final.with_name(f".partial-{final.name}")
    for part in ("packages", "state"):
        shutil.rmtree(partial / part, ignore_errors=True)
    tell(f"{recipe.title}: installing about {recipe.megabytes} MB into {final}")
    _bring_packages(recipe, partial, tell)
    tell(f"{recipe.title}: filling it")
    _fill(recipe, partial)
    shutil.rmtree(partial / "wheels", ignore_errors=True)
    known = Installation(
        recipe=file_digest(recipe.file),
        lock=file_digest(recipe.lock),
        packages=_digests(partial / "packages", partial),
        state=_digests(partial / "state", partial),
        seconds=round(time.monotonic() - begun, 1),
        bytes_=sum(path.lstat().st_size for path in partial.rglob("*")),
    )
    write_atomic(partial / RECORD, canonical_json(known))
    os.sync()
    shutil.rmtree(final, ignore_errors=True)  # it was there without a record that can be read
    partial.rename(final)
    sync_folder(final.parent)
    tell(f"{recipe.title}: {known.bytes_ / 1e6:.0f} MB installed in {known.seconds:.0f} s")
    return known


def _bring_packages(recipe: ApplicationRecipe, partial: Path, tell: Tell) -> None:
    """Fetch the lock's packages, none but those, and install them without the network."""
    wheels, packages = partial / "wheels", partial / "packages"
    wheels.mkdir(parents=True, exist_ok=True)
    lock = ["--require-hashes", "--no-deps", "--only-binary", ":all:", "-r", str(recipe.lock)]
    create = [sys.executable, "-m", "venv", str(packages)]
    if not recipe.requirements:
        _run(recipe, [*create, "--without-pip"])
        return
    tell(f"{recipe.title}: fetching packages")
    _run(recipe, create)
    pip = [str(packages / "bin" / "python"), "-m", "pip", "--no-input"]
    _run(recipe, [*pip, "download", *lock, "--dest", str(wheels)])
    tell(f"{recipe.title}: installing packages")
    found = ["--no-index", "--find-links", str(wheels)]
    _run(recipe, [*pip, "install", *lock, *found])


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
            raise _failed(recipe, "its state made", complaints.read_bytes())
        shutil.copytree(state, partial / "state")


def _run(recipe: ApplicationRecipe, command: list[str]) -> None:
    told = {
        name: value
        for name, value in os.environ.items()
        if name.startswith("PIP_") and "@" not in value
    }
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=INSTALL_S,
            check=False,
            env=child_environment({**told, "PYTHONPATH": ""}),
        )
    except subprocess.TimeoutExpired as error:
        raise _failed(recipe, "its packages", b"no end") from error
    if done.returncode:
        raise _failed(recipe, "its packages", done.stderr or done.stdout)


def _failed(recipe: ApplicationRecipe, what: str, said: bytes) -> MissingComponentError:
    lines = said.decode(errors="replace").strip().splitlines() or ["no word"]
    return MissingComponentError(
        f"{recipe.title} to be installed with {what}",
        found=lines[-1][-300:],
        remedy=f"check the network and the disk, then: surefoot apps install {recipe.name}",
    )


def _digests(folder: Path, base: Path) -> dict[str, str]:
    """Return the SHA-256 of what makes the application, without what only says where it lies."""
    return {
        path.relative_to(base).as_posix(): file_digest(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not path.is_symlink()
        and "__pycache__" not in path.parts
        and path.relative_to(base).parts[1] != "bin"
        and path.name not in LEFT_OUT
    }


def _is_of(path: Path, recipe: ApplicationRecipe) -> bool:
    name = path.name.removeprefix(".partial-").rpartition("-")[0]
    return path.is_dir() and name == recipe.name


def _folder() -> Path:
    return cache_folder() / "applications"


@contextlib.contextmanager
def _alone(recipe: ApplicationRecipe) -> Iterator[None]:
    _folder().mkdir(parents=True, exist_ok=True)
    with (_folder() / f".{recipe.name}.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
