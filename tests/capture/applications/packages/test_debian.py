"""
What a lock of Debian names is unpacked beside the application, and nothing is installed.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from surefoot.capture.applications import installing
from surefoot.capture.applications.__main__ import load
from surefoot.capture.applications.installing import RECIPES, folder_of, install
from surefoot.capture.applications.packages.debian import (
    DEBIAN_PACKAGES,
    bring_debian,
    read_debian_lock,
)
from surefoot.capture.applications.packages.kind import Destination
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.core.errors import InvalidInputError, MissingComponentError

CONTROL: Final = """Package: pier
Version: 1.0-1
Architecture: all
Maintainer: the tests <tests@pier.example>
Description: ships
"""
APT: Final = """Dir "{folder}/apt";
Dir::State::status "{folder}/apt/status";
Dir::Etc::sourcelist "{folder}/apt/sources.list";
Dir::Etc::sourceparts "-";
Dir::Etc::parts "-";
Dir::Etc::main "-";
APT::Sandbox::User "root";
"""
needs_apt = pytest.mark.skipif(
    any(shutil.which(name) is None for name in ("apt-get", "dpkg-deb")), reason="needs apt"
)


@pytest.fixture
def pier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ApplicationRecipe:
    """Bring the recipe without its lock, and lend the cache that it goes into."""
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "package" / "pier.py"
    file.parent.mkdir()
    shutil.copy(Path(__file__).with_name("pier.py"), file)
    return load(file, "pier")


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Build an archive of one package, which apt alone is told of; return its file."""
    tree = tmp_path / "tree"
    for name, text in {
        "DEBIAN/control": CONTROL,
        "DEBIAN/postinst": f"#!/bin/sh\ntouch {tmp_path}/ran\n",
        "etc/pier/ships": "Anna, Berta",
        "usr/share/doc/pier/manual": "long",
    }.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tree / "DEBIAN" / "postinst").chmod(0o755)
    (tree / "etc" / "pier" / "ships").chmod(0o600)
    (tree / "usr" / "share" / "pier").mkdir()
    (tree / "usr" / "share" / "pier" / "ships").symlink_to("/etc/pier/ships")
    package = tmp_path / "archive" / "pier_1.0-1_all.deb"
    package.parent.mkdir()
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "--build", str(tree), str(package)],
        check=True,
        capture_output=True,
    )
    facts = f"Filename: ./{package.name}\nSize: {package.stat().st_size}\n"
    listed = f"{CONTROL}{facts}SHA256: {digest(package)}\n"
    (package.parent / "Packages").write_text(listed)
    apt = tmp_path / "apt"
    for name in ("var/lib/apt/lists/partial", "var/cache/apt/archives/partial", "etc/apt"):
        (apt / name).mkdir(parents=True)
    (apt / "status").touch()
    (apt / "sources.list").write_text(f"deb [trusted=yes] file:{package.parent} ./\n")
    (tmp_path / "apt.conf").write_text(APT.format(folder=tmp_path))
    monkeypatch.setenv("APT_CONFIG", str(tmp_path / "apt.conf"))
    subprocess.run(["apt-get", "update"], check=True, capture_output=True)
    return package


def digest(file: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def lock(recipe: ApplicationRecipe, sha256: str, version: str = "1.0-1") -> None:
    """Write the lock of the recipe."""
    recipe.file.with_suffix(".debs").write_text(f"pier {version} {sha256}\n")


@needs_apt
def test_packages_are_unpacked_and_not_installed(
    pier: ApplicationRecipe, archive: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What was fetched is kept; links stay inside; no script ran; everybody can read."""
    lock(pier, digest(archive))
    with monkeypatch.context() as broken:
        broken.setattr(installing, "_fill", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            install(pier, print)
    shutil.rmtree(archive.parent)
    known = install(pier, print)
    root = folder_of(pier) / "packages" / "debian"

    assert [path for path in known.packages if "/debian/" in path] == [
        "packages/debian/etc/pier/ships"
    ]
    assert (root / "usr/share/pier/ships").readlink() == Path("../../../etc/pier/ships")
    assert (root / "etc/pier/ships").stat().st_mode & 0o777 == 0o644
    assert (folder_of(pier) / "state" / "ships-0").read_text() == "Anna, Berta"
    assert not (tmp_path / "ran").exists()
    assert known.contents["pier.debs"] == known.beside["pier.debs"]


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


@needs_apt
def test_other_bytes_and_other_versions_are_refused(
    pier: ApplicationRecipe, archive: Path
) -> None:
    """An archive that has another package than the lock names, or none, installs nothing."""
    lock(pier, "0" * 64)
    with pytest.raises(MissingComponentError, match=r"pier 1\.0-1 of Debian with the SHA-256"):
        install(pier, print)
    lock(pier, digest(archive), version="0.9-1")
    with pytest.raises(
        MissingComponentError, match=r"Version '0\.9-1' for 'pier'.*apt-get update"
    ):
        install(pier, print)

    assert not folder_of(pier).exists()


def test_without_apt_that_is_said(
    pier: ApplicationRecipe, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where there is no apt, an application of Debian's packages is said to be one."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingComponentError, match=r"apt-get.*made of packages of Debian"):
        bring_debian(pier, Destination(tmp_path, tmp_path), print)


@pytest.mark.parametrize(
    "line",
    ["", "pier", "pier 1.0-1", f"pier 1.0-1 {'0' * 63}", f"--purge 1 {'0' * 64}", "a b c d"],
    ids=["empty", "name", "no hash", "short hash", "option", "four words"],
)
def test_a_lock_that_does_not_pin_is_refused(line: str) -> None:
    """Each line of a lock is a package, its version and its hash, and never an option of apt."""
    with pytest.raises(InvalidInputError, match="lock of Debian"):
        read_debian_lock(f"{line}\n")


def test_our_locks_are_those_of_our_recipes() -> None:
    """Each recipe that wants packages of Debian has a lock with these, and none left out."""
    for recipe in RECIPES.entries.values():
        if recipe.debian_packages:
            text = DEBIAN_PACKAGES.lock(recipe).read_text("utf-8")
            locked = {item.name.partition(":")[0] for item in read_debian_lock(text)}
            wanted = {name for name in recipe.debian_packages if not name.endswith("-")}
            left_out = {name.removesuffix("-") for name in recipe.debian_packages} - wanted

            assert wanted <= locked, recipe.name
            assert not left_out & locked, recipe.name
