"""
The object store: bytes under their own hash, checked whenever they are read.
"""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError
from surefoot.core.store import ObjectStore


@given(data=st.binary(max_size=2000))
def test_what_is_put_is_got(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Any bytes come back under their SHA-256, at the documented place."""
    folder = tmp_path_factory.mktemp("store")
    store = ObjectStore(folder)
    sha = store.put(data)
    assert sha == hashlib.sha256(data).hexdigest()
    assert store.get(sha) == data
    assert store.path(sha) == folder / "objects" / sha[:2] / f"{sha}.png"


def test_equal_bytes_are_written_once(tmp_path: Path) -> None:
    """A second put of the same bytes passes no write point and leaves one file."""
    points: list[str] = []
    store = ObjectStore(tmp_path, at=points.append)
    assert store.put(b"picture") == store.put(b"picture")
    assert points.count("files:after-rename") == 1
    assert len(list(tmp_path.rglob("*.png"))) == 1


def test_suffixes_are_separate(tmp_path: Path) -> None:
    """The same bytes under another suffix are another file of the same hash."""
    store = ObjectStore(tmp_path)
    assert store.put(b"{}", "json") == store.put(b"{}")
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 2


@pytest.mark.parametrize("damage", [b"", b"pictur", b"Picture"])
def test_damage_is_seen_and_mended(tmp_path: Path, damage: bytes) -> None:
    """A torn or changed object is refused when read, and replaced when put again."""
    store = ObjectStore(tmp_path)
    sha = store.put(b"picture")
    store.path(sha).write_bytes(damage)
    with pytest.raises(InvalidInputError, match="named after"):
        store.get(sha)
    store.put(b"picture")
    assert store.get(sha) == b"picture"


@pytest.mark.parametrize(
    ("sha", "suffix"),
    [
        ("../../etc/passwd", "png"),
        ("", "png"),
        ("A" * 64, "png"),
        ("0" * 63, "png"),
        ("0" * 64 + "\n", "png"),
        ("0" * 64, "../png"),
        ("0" * 64, ""),
        ("0" * 64, "PNG"),
    ],
)
def test_names_cannot_leave_the_store(tmp_path: Path, sha: str, suffix: str) -> None:
    """Anything but a lower-case SHA-256 and a plain suffix is refused."""
    with pytest.raises(InvalidInputError):
        ObjectStore(tmp_path).path(sha, suffix)


def test_absent_objects_are_named(tmp_path: Path) -> None:
    """Asking for what was never put says which object is missing where."""
    with pytest.raises(InvalidInputError, match=f"the object {'0' * 64}.png in"):
        ObjectStore(tmp_path).get("0" * 64)


def test_many_writers_of_the_same_bytes_agree(tmp_path: Path) -> None:
    """Writers that put the same bytes at once all succeed and leave one whole file."""
    data = b"x" * 200_000
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(ObjectStore(tmp_path).put(data)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [hashlib.sha256(data).hexdigest()] * 8
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [
        ObjectStore(tmp_path).path(found[0])
    ]
