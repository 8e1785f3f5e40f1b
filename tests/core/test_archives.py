"""
Archives: good ones arrive whole, hostile zips and tars are refused and write nothing outside.
"""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.archives import ArchiveLimits, is_archive, unpack
from surefoot.core.errors import InvalidInputError

Member = tuple[str, bytes, int]
FILE, LINK, PIPE = stat.S_IFREG, stat.S_IFLNK, stat.S_IFIFO
KINDS = {FILE: tarfile.REGTYPE, LINK: tarfile.SYMTYPE, PIPE: tarfile.FIFOTYPE}
TARS = {".tar": "w", ".tar.gz": "w:gz", ".tgz": "w:gz", ".tar.bz2": "w:bz2", ".tar.xz": "w:xz"}
SUFFIXES = [".zip", *TARS]


def pack(folder: Path, suffix: str, members: Iterable[Member]) -> Path:
    """Write an archive of members: name, content (or link's target), kind."""
    path = folder / f"set{suffix}"
    if suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, content, kind in members:
                info = zipfile.ZipInfo(name)
                info.external_attr = (kind | 0o644) << 16
                info.compress_type = zipfile.ZIP_DEFLATED
                packed.writestr(info, content)
        return path
    with tarfile.open(path, TARS[suffix]) as tar:  # type: ignore[call-overload]
        for name, content, kind in members:
            entry = tarfile.TarInfo(name)
            entry.type = KINDS[kind]
            entry.size = len(content) if kind == FILE else 0
            entry.linkname = content.decode() if kind == LINK else ""
            tar.addfile(entry, io.BytesIO(content) if kind == FILE else None)
    return path


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_good_archive_arrives_whole(tmp_path: Path, suffix: str) -> None:
    """Files keep path and bytes, whatever the packing; leading parts can be left off."""
    members = [("set/a.json", b"[]", FILE), ("set/images/b.png", bytes(9), FILE)]
    archive = pack(tmp_path, suffix, members)
    assert is_archive(archive)
    unpack(archive, tmp_path / "out")
    assert (tmp_path / "out/set/a.json").read_bytes() == b"[]"
    assert (tmp_path / "out/set/images/b.png").read_bytes() == bytes(9)
    unpack(archive, tmp_path / "bare", drop=1)
    assert (tmp_path / "bare/a.json").read_bytes() == b"[]"


HOSTILE: dict[str, list[Member]] = {
    "a path upwards": [("a/../../evil", b"x", FILE)],
    "an absolute path": [("/evil", b"x", FILE)],
    "a backslash": [("..\\evil", b"x", FILE)],
    "a link": [("link", b"/etc/passwd", LINK)],
    "a write through a link": [("link", b"/tmp", LINK), ("link/evil", b"x", FILE)],
    "a pipe": [("pipe", b"", PIPE)],
    "a file twice": [("a", b"x", FILE), ("a", b"y", FILE)],
    "a file as a folder": [("a", b"x", FILE), ("a/b", b"y", FILE)],
    "folders in folders": [("a/" * 1500 + "evil", b"x", FILE)],
    "a few more folders than may be": [("a/" * 100 + "evil", b"x", FILE)],
    "folders without end": [("a/" * 20_000 + "evil", b"x", FILE)],
    "a bomb": [("zero", bytes(30 * 2**20), FILE)],
    "a bomb in parts": [(f"zero{n}", bytes(3 * 2**20), FILE) for n in range(10)],
}


@pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")
@pytest.mark.parametrize("suffix", [".zip", ".tar.gz", ".tar.xz"])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_archive_is_refused(tmp_path: Path, name: str, suffix: str) -> None:
    """Each trick raises InvalidInputError, and nothing appears outside the folder."""
    archive = pack(tmp_path, suffix, HOSTILE[name])
    with pytest.raises(InvalidInputError):
        unpack(archive, tmp_path / "out" / "in")
    assert not list(tmp_path.rglob("evil"))
    assert {path.name for path in tmp_path.iterdir()} <= {archive.name, "out"}


@pytest.mark.parametrize("suffix", [".zip", ".tar"])
def test_limits_hold(tmp_path: Path, suffix: str) -> None:
    """Members and bytes are counted as they come, and one too many is refused."""
    members = [(f"{n}", bytes(1000), FILE) for n in range(10)]
    archive = pack(tmp_path, suffix, members)
    with pytest.raises(InvalidInputError, match="at most 9 members"):
        unpack(archive, tmp_path / "a", limits=ArchiveLimits(members=9))
    with pytest.raises(InvalidInputError, match=r"at most .* bytes unpacked"):
        unpack(archive, tmp_path / "b", limits=ArchiveLimits(total=9000))
    unpack(archive, tmp_path / "c", limits=ArchiveLimits(members=10, total=2**20))


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    """A zip that asks for a password is named, not crashed on."""
    archive = pack(tmp_path, ".zip", [("a", b"x", FILE)])
    data = bytearray(archive.read_bytes())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    archive.write_bytes(bytes(data))
    with pytest.raises(InvalidInputError, match="encrypted"):
        unpack(archive, tmp_path / "out")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_cut_archive_is_refused(tmp_path: Path, suffix: str) -> None:
    """Half an archive raises InvalidInputError."""
    noise = bytes(n * n * 7919 % 251 for n in range(50_000))
    archive = pack(tmp_path, suffix, [("a", noise, FILE), ("b", noise, FILE)])
    data = archive.read_bytes()
    archive.write_bytes(data[: len(data) // 2])
    with pytest.raises(InvalidInputError):
        unpack(archive, tmp_path / "out")


@given(junk=st.binary(max_size=300), suffix=st.sampled_from(SUFFIXES))
def test_junk_is_no_archive(
    tmp_path_factory: pytest.TempPathFactory, junk: bytes, suffix: str
) -> None:
    """Any bytes either unpack to nothing or raise InvalidInputError."""
    folder = tmp_path_factory.mktemp("junk")
    archive = folder / f"set{suffix}"
    archive.write_bytes(junk)
    try:
        unpack(archive, folder / "out")
    except InvalidInputError:
        return
    assert not any(path.is_file() for path in (folder / "out").rglob("*"))
