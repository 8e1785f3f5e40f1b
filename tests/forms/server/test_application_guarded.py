"""
Who may ask, how much may come in, and what the browser is told it may do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from surefoot.forms.rendering import Rendering
from surefoot.forms.server.limits import ServerLimits
from surefoot.forms.server.runs import open_run, record
from surefoot.forms.server.serving import serve
from surefoot.forms.specification import Form


def test_every_reply_carries_the_policy(visit: Callable[..., Any]) -> None:
    """Pages, files, refusals and things that are not there have the same strict headers."""
    run = visit()
    origin = run.root.split("/r/")[0]
    replies = [
        run.get(),
        run.post(0, "next"),
        run.send("events", []),
        run.send("events", {}),
        run.client.get(f"{origin}/assets/shared/watch.js"),
        run.client.get(f"{origin}/none"),
        run.client.get(run.root, headers={"host": "evil.example"}),
    ]
    assert [item.status_code for item in replies] == [200, 422, 204, 400, 200, 404, 421]
    for reply in replies:
        policy = reply.headers["content-security-policy"]
        for part in (
            "default-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "form-action 'self'",
        ):
            assert part in policy.split("; ")
        assert "unsafe" not in policy
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert reply.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil:80", ""]
)
def test_other_names_of_the_host_open_nothing(visit: Callable[..., Any], host: str) -> None:
    """A name that somebody points to loopback gets no page."""
    run = visit()
    reply = run.client.get(run.root, headers={"host": host})
    assert reply.status_code == 421
    assert "Small" not in reply.text


def test_localhost_is_this_host(visit: Callable[..., Any]) -> None:
    """The name of loopback with our port is as good as its number."""
    run = visit()
    port = run.root.split(":")[2].split("/")[0]
    assert run.client.get(run.root, headers={"host": f"localhost:{port}"}).status_code == 200


def test_posts_from_other_sites_are_refused(visit: Callable[..., Any]) -> None:
    """A post that a browser marks as another site's changes nothing; our own page's does."""
    run = visit()
    own = run.root.split("/r/")[0]
    foreign = [
        {"origin": "http://evil.example"},
        {"origin": "null", "sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ]
    ours: list[dict[str, str]] = [
        {},
        {"origin": own, "sec-fetch-site": "same-origin"},
        {"origin": "null", "sec-fetch-site": "same-origin"},
    ]
    event = [{"field": "name", "page": 0, "kind": "input", "value": "A", "at": 0}]
    for headers, status in [(item, 403) for item in foreign] + [(our, 204) for our in ours]:
        reply = run.client.post(f"{run.root}events", json=event, headers=headers)
        assert reply.status_code == status
    assert len(run.record().events) == 3


def test_what_is_not_there_looks_the_same(visit: Callable[..., Any]) -> None:
    """A token of nobody, of another shape, and a route that is none cannot be told apart."""
    run = visit()
    origin = run.root.split("/r/")[0]
    paths = [
        f"/r/{'0' * 32}/",
        f"/r/{run.token[:-1]}/",
        f"/r/{run.token}",
        f"/r/{run.token.upper()}x/",
        "/r/%00/",
        "/r/..%2f..%2fetc/",
        "/",
        "/assets/shared/",
        "/assets/shared/..%2f..%2fserver%2fstore.py",
        "/assets/none/x.js",
        f"/r/{run.token}/upload/name",
        "/forms.sqlite",
    ]
    replies = [run.client.get(f"{origin}{path}") for path in paths[:10]]
    replies += [run.client.post(f"{origin}/r/{'0' * 32}/{end}", json=[]) for end in ("events",)]
    shapes = {(reply.status_code, reply.text) for reply in replies}
    assert shapes == {(404, "Not Found.\n")}
    headers = [{k: v for k, v in reply.headers.items() if k != "date"} for reply in replies]
    assert all(header == headers[0] for header in headers)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """Return a served folder with small limits, and its base URL."""
    folder = tmp_path_factory.mktemp("small")
    limits = ServerLimits(
        json_bytes=1000,
        page_bytes=5000,
        file_bytes=2000,
        text_bytes=1000,
        events_per_run=5,
        refused_per_run=4,
        uploads_per_run=2,
        uploaded_bytes_per_run=2500,
        submissions_per_run=1,
    )
    with serve(folder, limits=limits) as base:
        yield folder, base


def test_bodies_have_an_end(small: tuple[Path, str], form: Form) -> None:
    """A body above its limit is refused by its announced length and by what arrives."""
    folder, base = small
    token = open_run(folder, form, Rendering(), instance=0, seed=0)
    root = f"{base}/r/{token}/"
    large = b"x" * 6000

    def unannounced() -> Iterator[bytes]:
        yield from [b'["' + b"x" * 500] * 20

    kind = {"content-type": "application/json"}
    with httpx.Client() as client:
        statuses = [
            client.post(f"{root}events", content=large, headers=kind).status_code,
            client.post(f"{root}submit", content=unannounced(), headers=kind).status_code,
            client.post(f"{root}upload/cv", files={"file": ("a.pdf", large)}).status_code,
            client.post(f"{root}upload/cv", files={"file": ("a.pdf", large[:2001])}).status_code,
            client.post(f"{root}page/0", files={"name": (None, large)}).status_code,
        ]
        assert statuses == [413] * 5
        assert client.post(f"{root}page/0", data={"name": "x" * 1001}).status_code == 400
    assert record(folder, token).events == ()
    assert not list(folder.rglob("*.bin"))


def test_runs_have_an_end(small: tuple[Path, str], form: Form) -> None:
    """Events, files, refusals and submissions of one run are counted, and others go on."""
    folder, base = small
    token, other = (open_run(folder, form, Rendering(), instance=0, seed=0) for _ in range(2))
    event = {"field": "name", "page": 0, "kind": "input", "value": "A", "at": 0}
    whole = {"name": "Ada", "colours": ["red"], "terms": "yes"}
    with httpx.Client(base_url=base) as client:

        def file(name: str, size: int) -> httpx.Response:
            return client.post(f"/r/{token}/upload/cv", files={"file": (name, b"x" * size)})

        assert file("a.pdf", 2000).status_code == 200
        assert file("b.pdf", 501).status_code == 400
        assert file("b.pdf", 500).status_code == 200
        assert file("c.pdf", 0).status_code == 400
        assert client.post(f"/r/{token}/events", json=[event] * 4).status_code == 400
        assert client.post(f"/r/{token}/events", json=[event] * 3).status_code == 204
        assert client.post(f"/r/{token}/events", json=[event]).status_code == 400
        assert client.post(f"/r/{token}/submit", json={}).status_code == 422
        assert client.post(f"/r/{token}/submit", json={}).status_code == 400
        answers = {**whole, "cv": file_of("a.pdf", 2000)}
        assert client.post(f"/r/{token}/submit", json=answers).status_code == 200
        answers["name"] = "Bea"
        assert client.post(f"/r/{token}/submit", json=answers).status_code == 400
        assert client.post(f"/r/{other}/events", json=[event]).status_code == 204
    kept = record(folder, token)
    assert (len(kept.events), len(kept.refused), len(kept.submissions)) == (5, 4, 1)


def file_of(name: str, size: int) -> dict[str, str]:
    """Return what the upload of so many letters x is answered with."""
    return {"name": name, "sha256": hashlib.sha256(b"x" * size).hexdigest()}
