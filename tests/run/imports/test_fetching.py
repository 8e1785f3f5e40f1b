"""
Sets are fetched by name from a server that speaks as the Hub does, here on loopback.
"""

from __future__ import annotations

import hashlib
import http.server
import io
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from surefoot.core.errors import InvalidInputError, PlanMismatchError
from surefoot.run.imports.published import import_any

REPOSITORY = "likaixin/ScreenSpot-Pro"
COMMITS = {"main": "a" * 40, "v1": "b" * 40}


def files(words: str) -> dict[str, bytes]:
    """Return a repository's files: labels, a picture, and what nobody needs."""
    picture = io.BytesIO()
    Image.new("RGB", (200, 100), "#ddd").save(picture, "PNG")
    row = {"id": "e1", "img_filename": "a.png", "img_size": [200, 100], "bbox": [20, 10, 80, 40]}
    return {
        "annotations/eviews.json": json.dumps([row | {"instruction": words}]).encode(),
        "images/a.png": picture.getvalue(),
        "README.md": b"# a card",
        "model.bin": bytes(99),
    }


class Hub(http.server.ThreadingHTTPServer):
    """Serve two commits of one repository, and note which files were asked for."""

    asked: list[str]
    held: dict[str, dict[str, bytes]]

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.asked = []
        self.held = {"a" * 40: files("newest"), "b" * 40: files("first")}


class Answers(http.server.BaseHTTPRequestHandler):
    """Answer what huggingface_hub asks: a repository's files, and one file."""

    server: Hub
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        """Answer with the headers alone."""
        self._answer(body=False)

    def do_GET(self) -> None:
        """Answer with the contents."""
        self._answer(body=True)

    def _answer(self, *, body: bool) -> None:
        api = f"/api/datasets/{REPOSITORY}"
        path = self.path.partition("?")[0]
        if path.startswith(api):
            parts = path.removeprefix(api).strip("/").split("/")
            told = parts[1] if len(parts) > 1 else "main"
            self._listing(COMMITS.get(told, told), "tree" in parts, body=body)
            return
        commit, _, name = path.partition("/resolve/")[2].partition("/")
        data = self.server.held.get(commit, {}).get(name)
        if data is not None and body:
            self.server.asked.append(name)
        self._send(data, commit, body=body)

    def _listing(self, commit: str, tree: bool, *, body: bool) -> None:
        held = self.server.held.get(commit)
        if held is None:
            self._send(None, commit, body=body)
            return
        listed = [
            {
                "type": "file",
                "path": name,
                "size": len(data),
                "oid": hashlib.sha256(data).hexdigest()[:40],
            }
            for name, data in held.items()
        ]
        siblings = [{"rfilename": name} for name in held]
        whole = {"id": REPOSITORY, "sha": commit, "siblings": siblings}
        self._send(json.dumps(listed if tree else whole).encode(), commit, body=body)

    def _send(self, data: bytes | None, commit: str, *, body: bool) -> None:
        self.send_response(200 if data is not None else 404)
        data = data or b""
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("ETag", f'"{hashlib.sha256(data).hexdigest()[:40]}"')
        self.send_header("X-Repo-Commit", commit)
        self.end_headers()
        if body:
            self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep quiet."""


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    """Lend a server, named as others are, with a cache of its own."""
    constants = pytest.importorskip("huggingface_hub.constants")
    server = Hub()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    yield server
    server.shutdown()
    server.server_close()


def plan(folder: Path) -> dict[str, object]:
    """Return what an import's plan keeps of where it came from."""
    told = json.loads((folder / "plan.json").read_bytes())
    fetched: dict[str, object] = told["fetched"]
    return fetched


def words(folder: Path) -> str:
    """Return the instruction of an import's question."""
    question = json.loads((folder / "questions.jsonl").read_text().splitlines()[0])
    return str(question["instruction"]["text"])


def test_a_set_is_fetched_by_its_name(hub: Hub, tmp_path: Path) -> None:
    """Labels and pictures come, nothing else, and the plan keeps the commit."""
    out = tmp_path / "out"
    found = import_any("screenspot-pro", None, out)

    assert (found.counts["questions"], found.counts["unpictured"]) == (1, 0)
    assert words(out) == "newest"
    assert plan(out) == {"repository": REPOSITORY, "revision": "a" * 40}
    assert sorted(set(hub.asked)) == ["annotations/eviews.json", "images/a.png"]


@pytest.mark.parametrize("revision", ["v1", "b" * 40])
def test_a_revision_can_be_named(hub: Hub, tmp_path: Path, revision: str) -> None:
    """A tag or a commit is fetched, and stands in the plan as the commit that it is."""
    out = tmp_path / "out"
    import_any("screenspot-pro", None, out, revision=revision)

    assert hub.asked
    assert words(out) == "first"
    assert plan(out)["revision"] == "b" * 40


def test_an_import_stays_at_its_revision(hub: Hub, tmp_path: Path) -> None:
    """Where the newest commit is another meanwhile, the same folder keeps its own."""
    out = tmp_path / "out"
    import_any("screenspot-pro", None, out)
    before = (out / "questions.jsonl").read_bytes()
    hub.held["c" * 40] = files("later")
    COMMITS["main"] = "c" * 40
    try:
        import_any("screenspot-pro", None, out)
        import_any("screenspot-pro", None, tmp_path / "new")
        with pytest.raises(PlanMismatchError):
            import_any("screenspot-pro", None, out, revision="main")
    finally:
        COMMITS["main"] = "a" * 40

    assert (out / "questions.jsonl").read_bytes() == before
    assert words(tmp_path / "new") == "later"


def test_what_was_fetched_needs_no_network(hub: Hub, tmp_path: Path) -> None:
    """A commit that lies in the cache is imported again while the server is away."""
    import_any("screenspot-pro", None, tmp_path / "out")
    hub.held.clear()

    import_any("screenspot-pro", None, tmp_path / "again", revision="a" * 40)
    assert words(tmp_path / "again") == "newest"


@pytest.mark.parametrize(
    ("name", "revision", "told"),
    [
        ("screenspot-pro", "no-such", "likaixin/ScreenSpot-Pro at no-such"),
        ("screenspot-pro", "c" * 40, "likaixin/ScreenSpot-Pro"),
        ("coco", "", "no repository is known"),
        ("gui-perturbed", "", "path of 'gui-perturbed'"),
        ("ui-vision", "", "ServiceNow/ui-vision"),
    ],
)
def test_what_cannot_be_fetched_is_named(
    hub: Hub, tmp_path: Path, name: str, revision: str, told: str
) -> None:
    """An unknown revision, a set of no repository and an absent one end in a sentence."""
    assert hub.asked == []
    with pytest.raises(InvalidInputError, match=told):
        import_any(name, None, tmp_path / "out", revision=revision)
    assert not (tmp_path / "out").exists()


def test_without_a_network_the_folder_is_asked_for(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that does not answer ends in a sentence that names the ways out."""
    hub.shutdown()
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(InvalidInputError, match="give the set's folder"):
        import_any("screenspot-pro", None, tmp_path / "out")


def test_a_revision_and_a_path_exclude_one_another(tmp_path: Path) -> None:
    """A folder has no revision."""
    with pytest.raises(InvalidInputError, match="--revision"):
        import_any("screenspot-pro", tmp_path, tmp_path / "out", revision="main")
