"""
Load the form server with field events, then kill it again and again.

Every event is acknowledged only after its commit is synced to the disk; the times are of
the whole exchange, from a client's post to the reply that acknowledges it. On a machine
that does other work besides, the server's CPU time a post says more than they do; the
clients write bare HTTP, so that they take little of it. The kills: a server in a process of
its own, clients that post without end, SIGKILL at a random moment; afterwards each
acknowledged event and submission must be there.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import itertools
import json
import os
import random
import signal
import ssl
import tempfile
import time
from http import HTTPStatus
from pathlib import Path

import httpx
import numpy as np
import psutil

from surefoot.forms.rendering import Rendering
from surefoot.forms.server.runs import open_run, record
from surefoot.forms.server.serving import serve_apart
from surefoot.forms.specification import Field, Form, Kind, Page

FORM = Form(
    "load",
    "Z1",
    "benchmark",
    {"en": "Load"},
    (Page({"en": "One"}, (Field("name", Kind.STRING, {"en": "Name"}, "person.full_name"),)),),
)
LOADS = ((1, 1), (16, 1), (200, 1), (16, 10))
PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def events(first: int, count: int) -> list[dict[str, object]]:
    """Return events whose values are numbers that follow each other."""
    return [
        {"field": "name", "page": 0, "kind": "input", "value": str(first + index), "at": first}
        for index in range(count)
    ]


async def type_on(root: str, batch: int, until: float, times: list[float]) -> int:
    """Post events one post after the other, and return how many were acknowledged."""
    host, _, path = root.removeprefix("http://").partition("/")
    reader, writer = await asyncio.open_connection(*host.split(":"))
    sent = 0
    while time.monotonic() < until:
        body = json.dumps(events(sent, batch))
        begun = time.monotonic()
        writer.write(
            f"POST /{path}events HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
        )
        reply = await reader.readuntil(b"\r\n\r\n")
        assert reply.startswith(b"HTTP/1.1 204 ")
        times.append(time.monotonic() - begun)
        sent += batch
    writer.close()
    await writer.wait_closed()
    return sent


def load(folder: Path, clients: int, batch: int, seconds: float) -> None:
    """Let so many clients post at once, and print the rate and the waiting times."""
    tokens = [open_run(folder, FORM, Rendering(), instance=0, seed=0) for _ in range(clients)]
    times: list[float] = []

    async def all_at_once(base: str) -> list[int]:
        until = time.monotonic() + seconds
        posting = (type_on(f"{base}/r/{token}/", batch, until, times) for token in tokens)
        return await asyncio.gather(*posting)

    with serve_apart(folder) as (base, process):
        begun, busy = time.monotonic(), psutil.Process(process).cpu_times()
        sent = asyncio.run(all_at_once(base))
        passed, after = time.monotonic() - begun, psutil.Process(process).cpu_times()
    kept = [[event.value for event in record(folder, token).events] for token in tokens]
    assert kept == [[str(number) for number in range(count)] for count in sent]
    middle, late = np.percentile(times, [50, 95]) * 1000
    spent = after.user + after.system - busy.user - busy.system
    print(
        f"{clients:4d} clients, {batch:2d} events a post: {sum(sent) / passed:7.0f} events/s,"
        f" {len(times) / passed:5.0f} posts/s, p50 {middle:.1f} ms, p95 {late:.1f} ms,"
        f" {spent / len(times) * 1000:.2f} ms of the server's CPU a post"
    )


class Poster:
    """Post events and submissions to one run, and count what was acknowledged."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.token = open_run(folder, FORM, Rendering(), instance=0, seed=0)
        self.numbers = itertools.count()
        self.events: list[str] = []
        self.names: list[str] = []

    async def post_on(self, base: str) -> None:
        """Post until the server is gone."""
        root = f"{base}/r/{self.token}/"
        async with httpx.AsyncClient(timeout=120, verify=PLAIN) as client:
            while True:
                number = next(self.numbers)
                try:
                    reply = await client.post(f"{root}events", json=events(number, 1))
                    assert reply.status_code == HTTPStatus.NO_CONTENT
                    self.events.append(str(number))
                    reply = await client.post(f"{root}submit", json={"name": str(number)})
                except httpx.TransportError:
                    return
                if reply.status_code == HTTPStatus.OK:
                    self.names.append(str(number))

    def lost(self) -> int:
        """Return how much of what was acknowledged is not there, or not in its order."""
        kept = record(self.folder, self.token)
        told = [event.value for event in kept.events if event.value in set(self.events)]
        sent = [submission.values["name"] for submission in kept.submissions]
        wrong = [submission.number for submission in kept.submissions] != list(
            range(1, len(sent) + 1)
        )
        named = [item for item in sent if item in set(self.names)]
        return int(told != self.events) + int(named != self.names) + int(wrong)


def kill(folder: Path, times: int, clients: int) -> None:
    """Kill the server so often, and print what was acknowledged and what was lost."""
    source = random.Random(0)  # noqa: S311 (moments, no secrets)
    kept = lost = 0
    for _ in range(times):
        posters = [Poster(folder) for _ in range(clients)]
        with serve_apart(folder) as (base, process):

            async def post(base: str, process: int, posters: list[Poster]) -> None:
                posting = asyncio.gather(*(poster.post_on(base) for poster in posters))
                await asyncio.sleep(source.uniform(0.02, 1.0))
                os.kill(process, signal.SIGKILL)
                await posting

            asyncio.run(post(base, process, posters))
        kept += sum(len(poster.events) + len(poster.names) for poster in posters)
        lost += sum(poster.lost() for poster in posters)
    print(f"{times} kills: {kept} acknowledged, runs with a loss: {lost}")
    assert lost == 0


def main() -> None:
    """Measure, kill, and name the disk's own speed beside it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--kills", type=int, default=50)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(f"one fsync of this disk: {synced(Path(folder)):.1f} ms")
        for number, (clients, batch) in enumerate(LOADS):
            load(Path(folder) / str(number), clients, batch, options.seconds)
        kill(Path(folder) / "kills", options.kills, 8)


def synced(folder: Path) -> float:
    """Return the median milliseconds of writing and syncing one small block."""
    times = []
    with (folder / "probe").open("wb") as stream:
        for number in range(50):
            begun = time.monotonic()
            stream.write(hashlib.sha256(bytes(number)).digest())
            stream.flush()
            os.fsync(stream.fileno())
            times.append(time.monotonic() - begun)
    return float(np.median(times)) * 1000


if __name__ == "__main__":
    main()
