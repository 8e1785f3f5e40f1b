"""
Many runs at once are never mixed up, and what was acknowledged outlives a kill.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from surefoot.core.errors import FolderBusyError, SurefootError
from surefoot.core.seeds import random_source
from surefoot.forms.instance import FileValue
from surefoot.forms.rendering import Rendering
from surefoot.forms.server.runs import open_run, record
from surefoot.forms.server.serving import serve, serve_apart
from surefoot.forms.server.uploads import uploaded_path
from surefoot.forms.specification import Form

CLIENTS: Final = 6
PATIENCE: Final = httpx.Timeout(120)
# Made once: a client of its own for every run is quicker than one pool of all connections.
NO_SECRETS: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def document(number: int) -> bytes:
    """Return the file of a run, which no other run has."""
    return f"%PDF-1.4 of run {number}".encode() * (1 + number % 50)


async def answer_pages(client: httpx.AsyncClient, root: str, number: int) -> None:
    """Answer a form page by page, with values that name the run."""
    colours = [("colours", (None, item.encode())) for item in colours_of(number)]
    first = [("action", (None, b"next")), ("name", (None, f"Run {number}".encode())), *colours]
    pages: list[list[Any]] = [
        first,
        [("action", (None, b"next"))],
        [
            ("action", (None, b"submit")),
            ("terms", (None, b"yes")),
            ("note", (None, f"note {number}".encode())),
            ("cv", (f"{number}.pdf", document(number))),
        ],
    ]
    for page, parts in enumerate(pages):
        event = {"field": "note", "page": 2, "kind": "input", "value": f"{number}", "at": page}
        assert (await client.post(f"{root}events", json=[event, event])).status_code == 204
        assert (await client.post(f"{root}page/{page}", files=parts)).status_code == 303


async def answer_at_once(client: httpx.AsyncClient, root: str, number: int) -> None:
    """Answer a form as a page's script does, with values that name the run."""
    for at in range(3):
        event = {"field": "note", "page": 2, "kind": "input", "value": f"{number}", "at": at}
        assert (await client.post(f"{root}events", json=[event, event])).status_code == 204
    file = {"file": (f"{number}.pdf", document(number))}
    kept = (await client.post(f"{root}upload/cv", files=file)).json()
    answers = {
        "name": f"Run {number}",
        "colours": colours_of(number),
        "note": f"note {number}",
        "terms": "yes",
        "cv": kept,
    }
    assert (await client.post(f"{root}submit", json=answers)).status_code == 200


def colours_of(number: int) -> list[str]:
    """Return the colours of a run: some of three, at least one."""
    chosen = 1 + number % 7
    return [item for bit, item in enumerate(("blue", "green", "red")) if chosen >> bit & 1]


@pytest.mark.parametrize("runs", [50, pytest.param(200, marks=pytest.mark.long)])
def test_runs_at_once_are_not_mixed_up(tmp_path: Path, form: Form, runs: int) -> None:
    """Every run has its own events, file and submission, in order, and nobody else's."""
    tokens = [
        open_run(tmp_path, form, Rendering(), instance=number, seed=1) for number in range(runs)
    ]

    async def answer(base: str, number: int) -> None:
        way = (answer_pages, answer_at_once)[number % 2]
        async with httpx.AsyncClient(timeout=PATIENCE, verify=NO_SECRETS) as client:
            await way(client, f"{base}/r/{tokens[number]}/", number)

    async def answer_all(base: str) -> None:
        await asyncio.gather(*(answer(base, number) for number in range(runs)))

    with serve(tmp_path) as base:
        asyncio.run(answer_all(base))
    for number, token in enumerate(tokens):
        kept = record(tmp_path, token)
        told = [event for event in kept.events if event.kind == "input"]
        assert [(item.value, item.at) for item in told] == [
            (str(number), at) for at in range(3) for _ in range(2)
        ]
        assert [event.sequence for event in kept.events] == list(range(1, 8))
        (sent,) = kept.submissions
        file = FileValue(f"{number}.pdf", hashlib.sha256(document(number)).hexdigest())
        assert sent.values["name"] == f"Run {number}"
        assert sent.values["note"] == f"note {number}"
        assert sent.values["colours"] == tuple(colours_of(number))
        assert sent.values["cv"] == file
        assert uploaded_path(tmp_path, file.sha256).read_bytes() == document(number)
        assert (kept.instance, kept.refused) == (number, ())


class Client:
    """Post without end to one run, and remember what was acknowledged."""

    def __init__(self, folder: Path, form: Form, number: int) -> None:
        self.folder = folder
        self.number = number
        self.token = open_run(folder, form, Rendering(), instance=number, seed=0)
        self.count = 0
        self.events: list[str] = []
        self.files: list[FileValue] = []
        self.names: list[str] = []
        self.submitted = asyncio.Event()

    async def post_on(self, base: str) -> None:
        """Post events, a file and a submission in turn until the server is gone."""
        root = f"{base}/r/{self.token}/"
        async with httpx.AsyncClient(timeout=PATIENCE, verify=NO_SECRETS) as client:
            while True:
                try:
                    await self.post_once(client, root)
                except httpx.TransportError:
                    return

    async def post_once(self, client: httpx.AsyncClient, root: str) -> None:
        """Post one of each; what is answered is acknowledged."""
        self.count += 1
        words = [f"{self.number}:{self.count}:{part}" for part in range(3)]
        events = [
            {"field": "name", "page": 0, "kind": "input", "value": word, "at": self.count}
            for word in words
        ]
        assert (await client.post(f"{root}events", json=events)).status_code == 204
        self.events += words
        data = words[0].encode()
        reply = await client.post(f"{root}upload/cv", files={"file": ("a.pdf", data)})
        assert reply.json() == {"name": "a.pdf", "sha256": hashlib.sha256(data).hexdigest()}
        self.files.append(FileValue(**reply.json()))
        answers = {"name": words[0], "colours": ["red"], "terms": "yes", "cv": reply.json()}
        assert (await client.post(f"{root}submit", json=answers)).status_code == 200
        self.names.append(words[0])
        self.submitted.set()

    def check(self) -> None:
        """Find all that was acknowledged, in order, once, and nothing that was never sent."""
        kept = record(self.folder, self.token)
        told = [event.value for event in kept.events if event.kind == "input"]
        assert [event.sequence for event in kept.events] == list(range(1, len(kept.events) + 1))
        names = [submission.values["name"] for submission in kept.submissions]
        assert [submission.number for submission in kept.submissions] == list(
            range(1, len(names) + 1)
        )
        assert len(set(told)) == len(told)
        assert len(set(names)) == len(names)
        assert [item for item in told if item in set(self.events)] == self.events
        assert [name for name in names if name in set(self.names)] == self.names
        assert {item.split(":")[0] for item in told} <= {str(self.number)}
        for file in self.files:
            data = uploaded_path(self.folder, file.sha256).read_bytes()
            assert hashlib.sha256(data).hexdigest() == file.sha256


async def post_until_killed(
    clients: list[Client], base: str, kill: Callable[[], None], seconds: float
) -> None:
    """Let the clients post, and kill the server in their midst; one that fails ends all."""
    for client in clients:
        client.submitted = asyncio.Event()
    posting = [asyncio.create_task(client.post_on(base)) for client in clients]
    ready = asyncio.gather(*(client.submitted.wait() for client in clients))
    all_of_them: list[asyncio.Future[Any]] = [ready, *posting]
    await asyncio.wait(all_of_them, return_when=asyncio.FIRST_COMPLETED)
    ready.cancel()
    await asyncio.sleep(seconds)
    kill()
    await asyncio.gather(*posting)


@pytest.mark.parametrize("kills", [3, pytest.param(10, marks=pytest.mark.long)])
def test_what_was_acknowledged_outlives_a_kill(tmp_path: Path, form: Form, kills: int) -> None:
    """After each kill, every acknowledged event, file and submission is there."""
    source = random_source(5, "kills")
    clients = [Client(tmp_path, form, number) for number in range(CLIENTS)]
    for _ in range(kills):
        with serve_apart(tmp_path) as (base, process):

            def kill(process: int = process) -> None:
                os.kill(process, signal.SIGKILL)

            asyncio.run(post_until_killed(clients, base, kill, source.uniform(0, 0.3)))
        for client in clients:
            client.check()
    with serve(tmp_path) as base:
        for client in clients:
            assert httpx.get(f"{base}/r/{client.token}/").status_code == 200
            client.check()
    assert not list(tmp_path.rglob("*.partial"))


def test_runs_opened_later_and_elsewhere_are_served(tmp_path: Path, form: Form) -> None:
    """A run opened beside a server, in another process, is served and read at once."""
    with serve_apart(tmp_path) as (base, _):
        token = open_run(tmp_path, form, Rendering(), instance=0, seed=0)
        assert httpx.get(f"{base}/r/{token}/").status_code == 200
        event = {"field": "name", "page": 0, "kind": "input", "value": "A", "at": 0}
        assert httpx.post(f"{base}/r/{token}/events", json=[event]).status_code == 204
        assert [item.value for item in record(tmp_path, token).events] == ["A"]
        with pytest.raises(FolderBusyError), serve(tmp_path):
            pass
    with pytest.raises(httpx.ConnectError):
        httpx.get(base)
    assert len(record(tmp_path, token).events) == 1


def test_a_server_listens_on_loopback_alone(tmp_path: Path) -> None:
    """The base is an address of loopback, a taken port is refused, and a freed one is free."""
    with serve(tmp_path / "a") as base:
        host, port = base.removeprefix("http://").split(":")
        assert host == "127.0.0.1"
        with pytest.raises(SurefootError, match=port), serve(tmp_path / "b", port=int(port)):
            pass
    with serve(tmp_path / "a", port=int(port)) as again:
        assert again == base
