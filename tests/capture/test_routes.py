"""
Files are served from inside their root only, and requests go to the pinned upstream only.
"""

from __future__ import annotations

import os
import urllib.parse
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.routes import Folder, HttpReply, Upstream, forward, read_file

ORIGIN = "http://x.localhost"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Make a root with a secret beside it, and links of every kind inside it."""
    base = tmp_path_factory.mktemp("base")
    (base / "secret.txt").write_text("secret")
    (base / "root-beside").mkdir()
    (base / "root-beside" / "secret.txt").write_text("secret")
    root = base / "root"
    (root / "sub").mkdir(parents=True)
    (root / "empty").mkdir()
    (root / "index.html").write_text("<h1>top</h1>")
    (root / "sub" / "index.html").write_text("<h1>sub</h1>")
    (root / "data.bin").write_bytes(bytes(range(100)))
    (root / "häus chen.css").write_text("b {}")
    (root / "out").symlink_to(base / "secret.txt")
    (root / "up").symlink_to(base)
    (root / "loop").symlink_to(root / "loop")
    (root / "inside").symlink_to(root / "data.bin")
    os.mkfifo(root / "pipe")
    return Folder(ORIGIN, root)


def body(reply: HttpReply) -> bytes:
    """Return the whole body."""
    return b"".join(reply.chunks)


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/sub/..%2f..%2fsecret.txt",
        "//../secret.txt",
        "/../root-beside/secret.txt",
        "/out",
        "/up/secret.txt",
        "/loop",
        "/pipe",
        "/a%00b",
        "/empty/",
        "/" + "a" * 5000,
        "/%ff%fe",
    ],
)
def test_nothing_outside_the_root_is_read(folder: Folder, path: str) -> None:
    """Traversal, links that lead out, pipes and unlisted folders are not found."""
    assert read_file(folder, "GET", path).status == 404


def test_absolute_path_stays_inside(folder: Folder) -> None:
    """A path that is absolute once decoded is taken from the root."""
    secret = folder.root.parent / "secret.txt"
    assert read_file(folder, "GET", f"/{secret}").status == 404
    assert read_file(folder, "GET", urllib.parse.quote(f"/{secret}", safe="")).status == 404


@given(
    parts=st.lists(st.sampled_from(["..", ".", "sub", "up", "out", "", "secret.txt", "%2e%2e"]))
)
def test_no_path_reveals_the_secret(folder: Folder, parts: list[str]) -> None:
    """However a path is put together, the file beside the root is never sent."""
    assert b"secret" not in body(read_file(folder, "GET", "/" + "/".join(parts)))


def test_files_and_index_pages_are_served(folder: Folder) -> None:
    """Files, files of folders, and links that stay inside are sent with their type."""
    assert body(read_file(folder, "GET", "/")) == b"<h1>top</h1>"
    assert body(read_file(folder, "GET", "/sub/")) == b"<h1>sub</h1>"
    assert read_file(folder, "GET", "/sub").headers == (("Location", "/sub/"),)
    assert body(read_file(folder, "GET", "/inside")) == bytes(range(100))
    style = read_file(folder, "HEAD", "/h%C3%A4us%20chen.css")
    assert style.headers[0] == ("Content-Type", "text/css; charset=utf-8")
    assert read_file(folder, "POST", "/").status == 405


@given(start=st.none() | st.integers(0, 120), stop=st.none() | st.integers(0, 120))
def test_ranges_are_slices(folder: Folder, start: int | None, stop: int | None) -> None:
    """A byte range is the slice that Python would take, or is refused as a whole."""
    data = bytes(range(100))
    wanted = f"bytes={'' if start is None else start}-{'' if stop is None else stop}"
    reply = read_file(folder, "GET", "/data.bin", wanted)
    if start is None and stop is None:
        assert (reply.status, body(reply)) == (200, data)
        return
    if start is None:
        expected = data[-stop:] if stop else b""
    else:
        expected = data[start:] if stop is None else data[start : stop + 1]
    assert reply.status == (206 if expected else 416)
    assert body(reply) == expected
    assert reply.length == len(expected)


@pytest.mark.parametrize("wanted", ["bytes=a-b", "items=0-1", "bytes=0-1,4-5", "bytes=--1"])
def test_malformed_ranges_give_the_whole_file(folder: Folder, wanted: str) -> None:
    """What is no single byte range is ignored, as HTTP asks."""
    assert read_file(folder, "GET", "/data.bin", wanted).status == 200


@pytest.mark.parametrize(
    ("origin", "tunnel"),
    [
        ("https://a.example", "a.example:443"),
        ("https://a.example:8443", "a.example:8443"),
        ("http://a.example", "a.example:80"),
        ("http://a.example:8000", "a.example:8000"),
    ],
)
def test_an_origin_alone_is_tunnelled_to(origin: str, tunnel: str) -> None:
    """A tunnel, which is for websockets without TLS, leads to an origin's own port alone."""
    assert Upstream(origin, "127.0.0.1", 1).tunnel == tunnel


def test_what_only_reads_and_what_is_ours_has_no_tunnel() -> None:
    """A websocket could write to a read-only origin, and applications of ours have none."""
    assert Upstream("http://a.example", "127.0.0.1", 1, read_only=True).tunnel == ""
    assert Upstream("http://a.example", "", 0, socket="at.sock").tunnel == ""


def test_read_only_upstream_refuses_posts() -> None:
    """A site that is captured read-only never sees a request that could change it."""
    route = Upstream(ORIGIN, "127.0.0.1", 1, read_only=True)
    url = urllib.parse.urlsplit(f"{ORIGIN}/delete")
    assert forward(route, "POST", url, {}, b"x").status == 405


def test_absent_upstream_is_a_bad_gateway() -> None:
    """A refused connection is status 502, not an exception."""
    route = Upstream(ORIGIN, "127.0.0.1", 1)
    reply = forward(route, "GET", urllib.parse.urlsplit(f"{ORIGIN}/"), {})
    assert reply.status == 502


def test_missing_root_serves_nothing(tmp_path: Path) -> None:
    """A root that went away is not found."""
    assert read_file(Folder(ORIGIN, tmp_path / "gone"), "GET", "/").status == 404
