"""
A folder's files are known by their digests, and served as those bytes or not at all.
"""

from __future__ import annotations

import os
import urllib.parse
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.contents import file_digest, folder_digests, verify
from surefoot.capture.routes import Folder, read_file
from surefoot.core.errors import CaptureError, InvalidInputError

ORIGIN = "http://x.localhost"


def write(root: Path, name: str, content: bytes = b"text") -> Path:
    """Write a file below a root."""
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_bytes(content)
    return root / name


def served(root: Path, name: str, digests: dict[str, str] | None) -> tuple[int, bytes]:
    """Return the status and the body of a file of a folder whose digests are known."""
    reply = read_file(
        Folder(ORIGIN, root, digests, "folder:x"), "GET", "/" + urllib.parse.quote(name)
    )
    return reply.status, b"".join(reply.chunks)


def test_what_may_be_served_is_listed(tmp_path: Path) -> None:
    """Hidden files, our own folders, links that lead out and loops are left out."""
    root = tmp_path / "site"
    for name in ("a.html", "sub/b.css", "häus chen.js", ".git/config", "out/ledger.sqlite"):
        write(root, name)
    write(root, "out/plan.json")
    outside = write(tmp_path, "secret.txt")
    (root / "in.html").symlink_to(root / "a.html")
    (root / "out.txt").symlink_to(outside)
    (root / "loop").symlink_to(root)
    (root / "again").symlink_to(root / "sub")
    os.mkfifo(root / "pipe")

    assert folder_digests(root) == dict.fromkeys(
        ("a.html", "again/b.css", "häus chen.js", "in.html", "sub/b.css"),
        sha256(b"text").hexdigest(),
    )


def test_a_folder_without_end_is_refused(tmp_path: Path) -> None:
    """A page in a folder of everything is asked to move."""
    write(tmp_path, "a.html", bytes(10))
    with pytest.raises(InvalidInputError, match="a folder of their own"):
        folder_digests(tmp_path, most_bytes=9)


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_other_bytes_are_never_served(
    tmp_path_factory: pytest.TempPathFactory, before: bytes, after: bytes
) -> None:
    """A file is served with the bytes of its digest, or its name is in the error."""
    root = tmp_path_factory.mktemp("site")
    file = write(root, "sub/a b.css", before)
    digests = folder_digests(root)
    file.write_bytes(after)
    if before == after:
        assert served(root, "sub/a b.css", digests) == (200, before)
        return
    with pytest.raises(CaptureError, match=r"sub/a b\.css") as raised:
        served(root, "sub/a b.css", digests)
    assert raised.value.reason == "content-changed"


def test_a_file_that_went_is_named_and_one_that_came_is_not_there(tmp_path: Path) -> None:
    """A folder is served as it was: what is gone is an error, what is new does not exist."""
    file = write(tmp_path, "a.html")
    digests = folder_digests(tmp_path)
    file.unlink()
    write(tmp_path, "b.html")
    with pytest.raises(CaptureError, match="found no such file"):
        served(tmp_path, "a.html", digests)
    assert served(tmp_path, "b.html", digests)[0] == 404
    assert served(tmp_path, "b.html", None)[0] == 200


def test_a_folder_in_place_of_a_file_is_named(tmp_path: Path) -> None:
    """What was a file and is a folder with an index is not followed."""
    file = write(tmp_path, "a")
    digests = folder_digests(tmp_path)
    file.unlink()
    write(tmp_path, "a/index.html")
    with pytest.raises(CaptureError, match="'a' of folder:x"):
        served(tmp_path, "a", digests)


def test_a_span_is_cut_from_the_bytes_that_were_checked(tmp_path: Path) -> None:
    """Parts of a file are parts of what its digest says."""
    write(tmp_path, "a.bin", bytes(range(100)))
    folder = Folder(ORIGIN, tmp_path, folder_digests(tmp_path))
    reply = read_file(folder, "GET", "/a.bin", "bytes=10-19")
    assert (reply.status, b"".join(reply.chunks)) == (206, bytes(range(10, 20)))


def test_an_absent_file_has_a_digest_of_its_own(tmp_path: Path) -> None:
    """A picture that comes to lie beside another one later is a change."""
    now = {"a.png": file_digest(tmp_path / "a.png")}
    verify("shots", now, now)
    with pytest.raises(CaptureError, match=r"a\.png"):
        verify("shots", now, {"a.png": file_digest(write(tmp_path, "a.png"))})
