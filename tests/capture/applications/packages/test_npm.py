"""
What a lock of npm names is installed, and nothing else is done for it.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.server
import io
import json
import shutil
import tarfile
import threading
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from surefoot.capture.applications import installing
from surefoot.capture.applications.__main__ import load
from surefoot.capture.applications.installing import RECIPES, folder_of, install
from surefoot.capture.applications.packages.npm import NPM_PACKAGES, manifest, manifest_of
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.applications.running import run
from surefoot.capture.routes import Upstream, forward
from surefoot.core.errors import InvalidInputError, MissingComponentError

SERVED: Final = """
const [folder, port] = process.argv.slice(2);
const leaves = require("fs").readFileSync(`${folder}/leaves.txt`, "utf8");
const say = () => `${leaves} ${new Date().toISOString()} ${Date.now() === +new Date()}`;
require("http").createServer((_, reply) => reply.end(say())).listen(+port, "127.0.0.1");
"""
SCRIPT: Final = "node -e \"require('fs').writeFileSync('ran', '')\""


def packed() -> bytes:
    """Return the archive of the module, as npm packs one, with a script that is to be run."""
    facts = {"name": "ferry", "version": "1.0.0", "scripts": {"postinstall": SCRIPT}}
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as written:
        for name, text in (("package.json", json.dumps(facts)), ("serve.js", SERVED)):
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(text)
            written.addfile(entry, io.BytesIO(text.encode()))
    return archive.getvalue()


@contextlib.contextmanager
def registry(archive: bytes, integrity: str) -> Iterator[str]:
    """Serve a registry of one module on loopback."""

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            origin = f"http://{self.headers['Host']}"
            dist = {"tarball": f"{origin}/ferry.tgz", "integrity": integrity}
            version = {"name": "ferry", "version": "1.0.0", "dist": dist}
            facts = {"name": "ferry", "versions": {"1.0.0": version}}
            body = archive if self.path == "/ferry.tgz" else json.dumps(facts).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing to nobody."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def lock_of(integrity: str) -> dict[str, Any]:
    """Return the lock of the module."""
    root = {"name": "ferry", "dependencies": {"ferry": "1.0.0"}}
    module = {"version": "1.0.0", "integrity": integrity, "hasInstallScript": True}
    packages = {"": root, "node_modules/ferry": module}
    return {"name": "ferry", "lockfileVersion": 3, "requires": True, "packages": packages}


@pytest.fixture
def ferry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ApplicationRecipe:
    """Bring the recipe without its lock, and lend the cache that it goes into."""
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "package" / "ferry.py"
    file.parent.mkdir()
    shutil.copy(Path(__file__).with_name("ferry.py"), file)
    return load(file, "ferry")


def integrity_of(archive: bytes) -> str:
    """Return the integrity that npm writes of an archive."""
    return f"sha512-{base64.b64encode(hashlib.sha512(archive).digest()).decode()}"


@pytest.mark.long
def test_modules_come_by_the_lock_alone(
    ferry: ApplicationRecipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was fetched outlives an interruption; no script ran; the program's time stands."""
    archive = packed()
    integrity = integrity_of(archive)
    ferry.file.with_suffix(".json").write_text(json.dumps(lock_of(integrity)))
    with registry(archive, integrity) as address:
        monkeypatch.setenv("NPM_CONFIG_REGISTRY", address)
        with monkeypatch.context() as broken:
            broken.setattr(installing, "_fill", _interrupted)
            with pytest.raises(KeyboardInterrupt):
                install(ferry, print)
    known = install(ferry, print)  # the registry is gone
    with run(ferry) as application:
        route = Upstream("http://app-ferry.localhost", "", 0, socket=application.ready())
        reply = forward(route, "GET", urllib.parse.urlsplit(f"{route.origin}/"), {})
        said = b"".join(reply.chunks).decode()

    assert said == "8:30 2026-01-15T10:00:00.000Z true"
    assert sorted(path for path in known.packages if "/node_modules/" in path) == [
        "packages/node_modules/ferry/package.json",
        "packages/node_modules/ferry/serve.js",
    ]
    assert not folder_of(ferry).joinpath("packages", "node_modules", "ferry", "ran").exists()
    assert known.contents["ferry.json"] == known.beside["ferry.json"]


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_another_archive_is_refused(
    ferry: ApplicationRecipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A registry that gives other bytes than the lock names installs nothing."""
    archive = packed()
    ferry.file.with_suffix(".json").write_text(json.dumps(lock_of(integrity_of(b"another"))))
    with registry(archive, integrity_of(archive)) as address:
        monkeypatch.setenv("NPM_CONFIG_REGISTRY", address)
        with pytest.raises(MissingComponentError, match="Ferry"):
            install(ferry, print)

    assert not folder_of(ferry).exists()


@pytest.mark.parametrize(
    "lock",
    [
        b"",
        b"[]",
        b'{"packages": {}}',
        b'{"packages": {"": {"dependencies": {}}, "node_modules/a": {"version": "1.0.0"}}}',
        b'{"packages": {"": {"dependencies": {}}, "a": {"integrity": "-", "resolved": "b.tgz"}}}',
        b"[" * 100_000,
    ],
    ids=["empty", "list", "no root", "no integrity", "address", "deep"],
)
def test_a_lock_that_does_not_pin_is_refused(lock: bytes) -> None:
    """A lock says what every package is, and of none where it is to be fetched from."""
    with pytest.raises(InvalidInputError, match="lock of npm"):
        manifest_of(lock)


def test_our_locks_are_those_of_our_recipes() -> None:
    """Each recipe that wants packages of npm has a lock that was made for just these."""
    for recipe in RECIPES.entries.values():
        if recipe.npm_packages:
            wanted = dict(item.rsplit("@", 1) for item in recipe.npm_packages)
            locked = manifest_of(NPM_PACKAGES.lock(recipe).read_bytes())

            assert json.loads(locked) == manifest(wanted), recipe.name
