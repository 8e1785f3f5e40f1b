"""
npm packages are fetched once, whole or not at all; a fake npm packs local archives.
"""

from __future__ import annotations

import concurrent.futures
import gzip
import io
import shutil
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.routes import Folder, read_file
from surefoot.capture.sources import Services, contents_of, list_addresses, open_address
from surefoot.capture.sources.npm import extract, fetch
from surefoot.core.errors import CaptureError, InvalidInputError, MissingComponentError
from surefoot.core.files import cache_folder

NPM: Final = """#!/bin/sh
FAKE_NPM="{folder}"
echo "$@" >> "$FAKE_NPM/calls"
[ -f "$FAKE_NPM/package.tgz" ] || {{ echo "npm error 404 no such package" >&2; exit 1; }}
for last; do :; done
sleep 0.2
cp "$FAKE_NPM/package.tgz" "$last/"
"""
Member = tuple[str, bytes, bytes]


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
    program.write_text(NPM.format(folder=fake))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake}:/usr/bin:/bin")
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path / "cache"))
    return fake


def test_package_is_listed_and_served_from_its_root(npm: Path, tmp_path: Path) -> None:
    """Pages are named by package and version, from the root that the catalogue knows."""
    addresses = list_addresses("npm:gentelella@4.2.1")
    assert [address.page for address in addresses] == [
        "gentelella-4.2.1/form.html",
        "gentelella-4.2.1/index.html",
    ]
    assert {address.site for address in addresses} == {"gentelella"}
    with Services() as services:
        opened = open_address(addresses[0], services)
    assert opened.url == "http://npm-gentelella-4-2-1.localhost/form.html"
    assert isinstance(opened.route, Folder)
    assert opened.route.root == tmp_path / "cache" / "npm" / "gentelella" / "4.2.1" / "dist"
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
    assert sorted(path.name for path in (folder / "dist").iterdir()) == ["form.html", "index.html"]
    assert sorted(path.name for path in folder.parent.iterdir()) == ["1.0.0", "1.0.0.json"]
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
        list_addresses(f"npm:gentelella@4.2.1/{page}")


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


def pack(path: Path, members: Iterable[Member]) -> Path:
    """Write a gzipped tar of members: name, type, content (or link's target)."""
    with tarfile.open(path, "w:gz") as tar:
        for name, kind, content in members:
            info = tarfile.TarInfo(name)
            info.type = kind
            if kind == tarfile.REGTYPE:
                info.size = len(content)
            else:
                info.linkname = content.decode()
            tar.addfile(info, io.BytesIO(content) if kind == tarfile.REGTYPE else None)
    return path


FILE = tarfile.REGTYPE
HOSTILE: dict[str, list[Member]] = {
    "a path upwards": [("package/../../evil", FILE, b"x")],
    "an absolute path": [("/tmp/evil", FILE, b"x")],  # noqa: S108 - a path to refuse
    "a backslash": [("package/..\\evil", FILE, b"x")],
    "a symbolic link": [("package/link", tarfile.SYMTYPE, b"/etc/passwd")],
    "a hard link": [("package/link", tarfile.LNKTYPE, b"package/a")],
    "a write through a link": [
        ("package/link", tarfile.SYMTYPE, b"/tmp"),
        ("package/link/evil", FILE, b"x"),
    ],
    "a device": [("package/null", tarfile.CHRTYPE, b"")],
    "a pipe": [("package/pipe", tarfile.FIFOTYPE, b"")],
    "a file twice": [("package/a", FILE, b"x"), ("package/a", FILE, b"y")],
    "a file as a folder": [("package/a", FILE, b"x"), ("package/a/b", FILE, b"y")],
    "a bomb": [("package/zero", FILE, bytes(30 * 2**20))],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_archive_is_refused(tmp_path: Path, name: str) -> None:
    """Each trick raises InvalidInputError, and no file appears outside the target."""
    archive = pack(tmp_path / "a.tgz", HOSTILE[name])
    with pytest.raises(InvalidInputError):
        extract(archive, tmp_path / "out" / "in")
    assert not list(tmp_path.rglob("evil"))
    outside = {path.name for path in tmp_path.iterdir()}
    assert outside <= {"a.tgz", "out"}


def test_limit_of_bytes_holds(tmp_path: Path) -> None:
    """More bytes than allowed are refused even where they compress badly."""
    archive = pack(tmp_path / "a.tgz", [("package/a", FILE, bytes(200_000))])
    with pytest.raises(InvalidInputError, match="at most 100000 bytes"):
        extract(archive, tmp_path / "out", max_bytes=100_000)


@given(junk=st.binary(max_size=400), packed=st.booleans())
def test_junk_is_no_archive(
    tmp_path_factory: pytest.TempPathFactory, junk: bytes, packed: bool
) -> None:
    """Any bytes at all either unpack or raise InvalidInputError."""
    folder = tmp_path_factory.mktemp("junk")
    archive = folder / "a.tgz"
    archive.write_bytes(gzip.compress(junk) if packed else junk)
    try:
        extract(archive, folder / "out")
    except InvalidInputError:
        return
    assert not any(path.is_file() for path in (folder / "out").rglob("*"))


def test_good_archive_unpacks(tmp_path: Path) -> None:
    """Regular files arrive under the target without the archive's first folder."""
    members = [("package/index.html", FILE, b"<p>"), ("other/sub/b.css", FILE, b"b{}")]
    extract(pack(tmp_path / "a.tgz", members), tmp_path / "out")
    assert (tmp_path / "out" / "index.html").read_bytes() == b"<p>"
    assert (tmp_path / "out" / "sub" / "b.css").read_bytes() == b"b{}"


def test_an_edited_file_of_the_cache_is_named(npm: Path) -> None:
    """What is served is what npm gave, whoever has been at the cache since."""
    (address, _) = list_addresses("npm:gentelella@4.2.1")
    file = fetch("gentelella", "4.2.1") / "dist" / "form.html"
    file.write_text("<title>edited</title>")
    with Services() as services:
        route = open_address(address, services).route
    assert isinstance(route, Folder)
    with pytest.raises(CaptureError, match=r"form\.html.*fetched anew"):
        read_file(route, "GET", "/form.html")
    assert (npm / "calls").exists()


def test_a_cache_without_a_record_is_fetched_anew(npm: Path) -> None:
    """A folder of which nobody knows where it came from is replaced."""
    folder = fetch("site", "1.0.0")
    (folder / "dist" / "form.html").write_text("edited")
    folder.with_name("1.0.0.json").write_text("{")
    fetch("site", "1.0.0")
    assert (folder / "dist" / "form.html").read_text() == "<title>form.html</title>"
    assert len((npm / "calls").read_text().splitlines()) == 2


@pytest.mark.usefixtures("npm")
def test_another_archive_than_the_catalogues_is_refused() -> None:
    """A package of the curated set is the one that was looked at."""
    with pytest.raises(InvalidInputError, match="integrity sha512-"):
        fetch("gentelella", "4.2.0")


@pytest.mark.usefixtures("npm")
def test_a_package_of_other_content_is_another_plan() -> None:
    """The plan holds the archive's hash, and a later visit of another archive is refused."""
    (address, _) = list_addresses("npm:gentelella@4.2.1")
    known = contents_of([address])
    assert known["npm:gentelella@4.2.1"]["archive"].startswith("sha512-")
    other = {"npm:gentelella@4.2.1": {"archive": "sha512-other"}}
    with Services(other) as services, pytest.raises(CaptureError, match="'archive' of npm:"):
        open_address(address, services)
