"""
npm packages are fetched once, whole or not at all; a fake npm packs local archives.
"""

from __future__ import annotations

import concurrent.futures
import shutil
import tarfile
from pathlib import Path
from typing import Final

import pytest

from surefoot.capture.routes import Folder
from surefoot.capture.sources import Services, list_addresses, open_address
from surefoot.capture.sources.npm import cache_folder, fetch
from surefoot.core.errors import InvalidInputError, MissingComponentError

NPM: Final = """#!/bin/sh
echo "$@" >> "$FAKE_NPM/calls"
[ -f "$FAKE_NPM/package.tgz" ] || { echo "npm error 404 no such package" >&2; exit 1; }
for last; do :; done
sleep 0.2
cp "$FAKE_NPM/package.tgz" "$last/"
"""


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a fake npm on the path and give it a package of two pages; return its folder."""
    fake = tmp_path / "fake"
    content = fake / "package" / "dist"
    content.mkdir(parents=True)
    for name in ("index.html", "form.html"):
        (content / name).write_text(f"<title>{name}</title>")
    with tarfile.open(fake / "package.tgz", "w:gz") as tar:
        tar.add(fake / "package", "package")
    program = fake / "npm"
    program.write_text(NPM)
    program.chmod(0o755)
    monkeypatch.setenv("FAKE_NPM", str(fake))
    monkeypatch.setenv("PATH", f"{fake}:/usr/bin:/bin")
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path / "cache"))
    return fake


def test_package_is_listed_and_served_from_its_root(npm: Path, tmp_path: Path) -> None:
    """Pages are named by package and version, from the root that the catalogue knows."""
    addresses = list_addresses("npm:gentelella@4.2.0")
    assert [each.page for each in addresses] == [
        "gentelella-4.2.0/form.html",
        "gentelella-4.2.0/index.html",
    ]
    assert {each.site for each in addresses} == {"gentelella"}
    with Services() as services:
        opened = open_address(addresses[0], services)
    assert opened.url == "http://npm-gentelella-4-2-0.localhost/form.html"
    assert isinstance(opened.route, Folder)
    assert opened.route.root == tmp_path / "cache" / "npm" / "gentelella" / "4.2.0" / "dist"
    assert "--ignore-scripts" in (npm / "calls").read_text()


def test_package_is_fetched_once(npm: Path) -> None:
    """A second look-up asks npm for nothing."""
    assert fetch("@scope/site", "1.0.0-rc.1") == fetch("@scope/site", "1.0.0-rc.1")
    assert len((npm / "calls").read_text().splitlines()) == 1


def test_fetching_at_once_is_safe(npm: Path) -> None:
    """Many at once all get the one whole folder, and nothing half-made stays."""
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        folders = set(pool.map(lambda _: fetch("site", "1.0.0"), range(6)))
    (folder,) = folders
    assert sorted(each.name for each in (folder / "dist").iterdir()) == ["form.html", "index.html"]
    assert [each.name for each in folder.parent.iterdir()] == ["1.0.0"]
    assert (npm / "calls").exists()


def test_failed_fetch_leaves_nothing(npm: Path) -> None:
    """What npm says is passed on, and the next attempt starts afresh."""
    archive = npm / "package.tgz"
    archive.rename(npm / "away.tgz")
    with pytest.raises(MissingComponentError, match="404 no such package"):
        fetch("site", "1.0.0")
    (npm / "away.tgz").rename(archive)
    assert fetch("site", "1.0.0").is_dir()


def test_hostile_archive_leaves_nothing(npm: Path) -> None:
    """An archive with a link is refused, and no part of it is served later."""
    with tarfile.open(npm / "package.tgz", "w:gz") as tar:
        info = tarfile.TarInfo("package/passwd")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(info)
    with pytest.raises(InvalidInputError, match="link"):
        fetch("site", "1.0.0")
    assert list((cache_folder() / "npm" / "site").iterdir()) == []


@pytest.mark.parametrize(
    "rest",
    [
        "site",
        "site@latest",
        "site@^1.0.0",
        "../site@1.0.0",
        "@a/../b@1.0.0",
        "--flag@1.0.0",
        "git+ssh://x@1.0.0",
        "site@1.0.0;rm",
        "site@file:/etc",
        "SITE@1.0.0",
    ],
)
def test_only_exact_versions_are_fetched(npm: Path, rest: str) -> None:
    """Tags, ranges, addresses, paths and options never reach npm."""
    with pytest.raises(InvalidInputError, match="exact version"):
        list_addresses(f"npm:{rest}")
    assert not (npm / "calls").exists()


@pytest.mark.parametrize("page", ["../form.html", "%2e%2e/%2e%2e/x.html", "absent.html"])
def test_page_outside_the_package_is_refused(npm: Path, page: str) -> None:
    """A page that is not in the served root is the caller's mistake."""
    assert npm.exists()
    with pytest.raises(InvalidInputError):
        list_addresses(f"npm:gentelella@4.2.0/{page}")


def test_absent_npm_is_a_missing_component(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without npm the message says how to get it."""
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path))
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(MissingComponentError, match="apt-get install npm"):
        fetch("site", "1.0.0")


def test_cache_lies_where_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """SUREFOOT_CACHE comes first, then the user's cache folder."""
    monkeypatch.setenv("SUREFOOT_CACHE", "/a")
    monkeypatch.setenv("XDG_CACHE_HOME", "/b")
    assert cache_folder() == Path("/a")
    monkeypatch.delenv("SUREFOOT_CACHE")
    assert cache_folder() == Path("/b/surefoot")
