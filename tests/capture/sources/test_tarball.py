"""
Hostile archives are refused, and write nothing outside.
"""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.sources.tarball import extract
from surefoot.core.errors import InvalidInputError

Member = tuple[str, bytes, bytes]


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
    outside = {each.name for each in tmp_path.iterdir()}
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
    assert not any(each.is_file() for each in (folder / "out").rglob("*"))


def test_good_archive_unpacks(tmp_path: Path) -> None:
    """Regular files arrive under the target without the archive's first folder."""
    members = [("package/index.html", FILE, b"<p>"), ("other/sub/b.css", FILE, b"b{}")]
    extract(pack(tmp_path / "a.tgz", members), tmp_path / "out")
    assert (tmp_path / "out" / "index.html").read_bytes() == b"<p>"
    assert (tmp_path / "out" / "sub" / "b.css").read_bytes() == b"b{}"
