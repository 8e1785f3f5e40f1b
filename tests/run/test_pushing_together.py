"""
A benchmark is pushed to a server that speaks as the Hub does, and read back by ``datasets``.

The server here is on loopback; it keeps commits, takes large files by LFS, and counts nothing but
what it was sent. How the real Hub replies to all else is not shown.
"""

from __future__ import annotations

import base64
import hashlib
import http.server
import json
import os
import re
import subprocess
import sys
import threading
import urllib.parse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.run.folders.folder import read_questions, read_screens
from surefoot.run.imports.published import import_any
from surefoot.run.pushing import push_bench

# httpx finds the client's way to send a file out of date.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:httpx.*")
REPOSITORY = "me/drawn"
API = f"/api/datasets/{REPOSITORY}"


class Store(http.server.ThreadingHTTPServer):
    """Hold one repository: its commits, its large files, whether it is private, who asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Speaker)
        self.private: bool | None = None
        self.commits: list[tuple[str, dict[str, bytes]]] = []
        self.large: dict[str, bytes] = {}
        self.tokens: set[str] = set()
        self.writes = 0

    @property
    def address(self) -> str:
        """Return where it is."""
        return f"http://127.0.0.1:{self.server_port}"

    def at(self, revision: str) -> tuple[str, dict[str, bytes]] | None:
        """Return a commit and its files."""
        if revision == "main":
            return self.commits[-1] if self.commits else None
        return next((item for item in self.commits if item[0] == revision), None)


class Speaker(http.server.BaseHTTPRequestHandler):
    """Speak the few words of the Hub that a push and a reading need."""

    server: Store
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Create, say how files come, hand out where large ones go, commit, tell of paths."""
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        path = urllib.parse.unquote(self.path.partition("?")[0])
        self.server.tokens.add(self.headers.get("authorization", ""))
        if path == "/api/repos/create":
            if self.server.private is None:
                self.server.private = json.loads(body).get("visibility") == "private"
                self._json({"url": f"{self.server.address}/datasets/{REPOSITORY}", "name": "x"})
            else:
                self._json({"error": "exists", "url": REPOSITORY}, 409)
        elif path == "/api/validate-yaml":
            self._json({"errors": [], "warnings": []})
        elif path == f"{API}/preupload/main":
            self._json({"files": [_way(item["path"]) for item in json.loads(body)["files"]]})
        elif path.endswith("/info/lfs/objects/batch"):
            self._json({"transfer": "basic", "objects": [
                {"oid": item["oid"], "size": item["size"],
                 "actions": {"upload": {"href": f"{self.server.address}/large/{item['oid']}"}}}
                for item in json.loads(body)["objects"]
            ]})  # fmt: skip
        elif path == f"{API}/commit/main":
            self._commit([json.loads(line) for line in body.splitlines()])
        elif path.startswith(f"{API}/paths-info/"):
            found = self.server.at(path.rpartition("/")[2])
            asked = urllib.parse.parse_qs(body.decode()) if b"=" in body else json.loads(body)
            names = asked["paths"]
            self._json(
                [_file(name, found[1][name]) for name in names if found and name in found[1]]
            )
        else:
            self._json({"error": "no such door"}, 404)

    def do_PUT(self) -> None:
        """Take a large file; its name is its hash."""
        length = self.headers["content-length"]
        data = self.rfile.read(int(length)) if length else b"".join(self._chunks())
        name = self.path.rpartition("/")[2]
        assert hashlib.sha256(data).hexdigest() == name
        self.server.large[name] = data
        self.server.writes += 1
        self._send(b"", 200)

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def do_HEAD(self) -> None:
        """Answer with the headers alone."""
        self._get(body=False)

    def do_GET(self) -> None:
        """Answer with the contents."""
        self._get(body=True)

    def _get(self, *, body: bool) -> None:
        path = urllib.parse.unquote(self.path.partition("?")[0])
        self.server.tokens.add(self.headers.get("authorization", ""))
        if path.startswith(API):
            parts = path.removeprefix(API).strip("/").split("/")
            found = self.server.at(parts[1] if len(parts) > 1 else "main")
            if "tree" in parts:
                listed = found[1] if found else {}
                under = "/".join(parts[2:])
                self._json([_file(n, d) for n, d in listed.items() if n.startswith(under)])
                return
            if found is None and len(parts) > 1:
                self._json({"error": "no such revision"}, 404)
                return
            names = [{"rfilename": name} for name in (found[1] if found else {})]
            self._json({"id": REPOSITORY, "sha": found[0] if found else None,
                        "private": self.server.private, "siblings": names})  # fmt: skip
            return
        named = re.fullmatch(rf"/datasets/{REPOSITORY}/resolve/([^/]+)/(.+)", path)
        found = self.server.at(named[1]) if named else None
        data = found[1].get(named[2]) if found and named else None
        if data is None or found is None:
            missing = {"X-Error-Code": "EntryNotFound"} if found else {}
            self._send(b"", 404, missing, body=body)
            return
        start, end = 0, len(data)
        if span := re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("range", "")):
            start, end = int(span[1]), min(int(span[2] or end - 1) + 1, end)
        headers = {"ETag": f'"{hashlib.sha256(data).hexdigest()}"', "X-Repo-Commit": found[0],
                "Content-Range": f"bytes {start}-{end - 1}/{len(data)}"}  # fmt: skip
        self._send(data[start:end], 206 if span else 200, headers, body=body)

    def _commit(self, lines: list[dict[str, Any]]) -> None:
        files = dict(self.server.commits[-1][1]) if self.server.commits else {}
        for line in lines:
            value = line["value"]
            if line["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "lfsFile":
                files[value["path"]] = self.server.large[value["oid"]]
            elif line["key"] == "deletedFile":
                files.pop(value["path"])
        name = hashlib.sha1(
            repr(sorted(files.items())).encode(), usedforsecurity=False
        ).hexdigest()
        self.server.commits.append((name, files))
        self.server.writes += 1
        url = f"{self.server.address}/datasets/{REPOSITORY}/commit/{name}"
        self._json({"commitOid": name, "commitUrl": url, "pullRequestUrl": None})

    def _json(self, value: object, status: int = 200) -> None:
        self._send(json.dumps(value).encode(), status, {"Content-Type": "application/json"})

    def _send(
        self, data: bytes, status: int, headers: dict[str, str] | None = None, *, body: bool = True
    ) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if body and self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep quiet."""


def _way(path: str) -> dict[str, object]:
    large = path.endswith(".parquet")
    return {"path": path, "uploadMode": "lfs" if large else "regular", "shouldIgnore": False}


def _file(name: str, data: bytes) -> dict[str, object]:
    return {"type": "file", "path": name, "size": len(data),
            "oid": hashlib.sha256(data).hexdigest()[:40]}  # fmt: skip


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Store]:
    """Lend a server, and a token of it in the place where it is looked for."""
    constants = pytest.importorskip("huggingface_hub.constants")
    server = Store()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("HF_ENDPOINT", server.address)
    monkeypatch.setenv("HF_TOKEN", "hf_sesame")
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setenv("HF_HUB_DISABLE_XET", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    yield server
    server.shutdown()
    server.server_close()


def test_a_pushed_benchmark_is_read_back_by_datasets(
    surefoot: Callable[..., Any], drawn: Path, store: Store
) -> None:
    """The revision that is printed loads, by its name alone, with pictures and all questions."""
    pytest.importorskip("datasets")
    ended = surefoot("export", drawn, "--push", REPOSITORY)

    assert ended.code == 0, ended.err
    ((revision, files),) = store.commits
    assert f"private, at revision {revision}" in ended.out
    assert store.private is True
    assert store.tokens == {"Bearer hf_sesame"}
    assert "hf_sesame" not in ended.out + ended.err
    assert f'load_dataset("{REPOSITORY}", "questions")' in files["README.md"].decode()
    script = (
        "from datasets import load_dataset\n"
        f"q = load_dataset({REPOSITORY!r}, 'questions', revision={revision!r}, split='test')\n"
        f"s = load_dataset({REPOSITORY!r}, 'screens', split='test')\n"
        "print(sorted(q['id']), [(i.size, i.getpixel((25, 95))) for i in s['image']])\n"
    )
    read = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=os.environ, check=False
    )
    assert read.returncode == 0, read.stderr[-2000:]
    assert str(sorted(item.id for item in read_questions(drawn))) in read.stdout
    assert read.stdout.count("(320, 200)") == len(read_screens(drawn))


def test_what_was_pushed_is_the_benchmark_again(drawn: Path, store: Store, tmp_path: Path) -> None:
    """The files of the commit import to the same questions and pictures."""
    push_bench(drawn, REPOSITORY)
    folder = tmp_path / "fetched"
    folder.mkdir()
    for name, data in store.commits[-1][1].items():
        (folder / name).write_bytes(data)
    import_any("surefoot-hf", folder, tmp_path / "again")
    assert read_questions(tmp_path / "again") == read_questions(drawn)


def test_a_second_push_replaces_the_first(drawn: Path, worded: Path, store: Store) -> None:
    """Shards of an earlier push are gone; the earlier revision keeps its own."""
    first = push_bench(drawn, REPOSITORY)
    store.commits[-1][1]["questions-old-00000.parquet"] = b"of an earlier version"
    second = push_bench(worded, REPOSITORY)
    assert first.revision != second.revision
    assert "questions-old-00000.parquet" not in store.commits[-1][1]
    assert "questions-old-00000.parquet" in store.commits[0][1]


def test_nothing_private_goes_where_everybody_reads(drawn: Path, store: Store) -> None:
    """A repository that is public already is refused before anything goes up."""
    store.private = False
    with pytest.raises(InvalidInputError, match="private data set"):
        push_bench(drawn, REPOSITORY)
    assert store.writes == 0
    assert push_bench(drawn, REPOSITORY, public=True).private is False


def test_what_cannot_be_pushed_is_an_error(
    surefoot: Callable[..., Any], drawn: Path, store: Store, tmp_path: Path
) -> None:
    """No owner, a second place, another format, and a server that refuses."""
    assert surefoot("export", drawn, "--push", "drawn").code == 2
    assert surefoot("export", drawn, "--push", REPOSITORY, "--out", tmp_path / "a").code == 2
    assert surefoot("export", drawn, "--push", REPOSITORY, "--format", "coco").code == 2
    assert surefoot("export", drawn).code == 2
    refused = surefoot("export", drawn, "--push", "others/drawn")
    assert refused.code == 2
    assert "HF_TOKEN" in refused.err
    assert "hf_sesame" not in refused.err
    assert store.writes == 0
