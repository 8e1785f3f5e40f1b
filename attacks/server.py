"""
Attacks on the form server: clients that open, dribble, stop reading or talk nonsense.

The server is the real one, in a process of its own, with as many descriptors as a usual
system gives a process. Honest clients fill in a run meanwhile; what counts is that each of
them is served, and that what they were told is kept.
"""

from __future__ import annotations

import contextlib
import dataclasses
import http.client
import itertools
import json
import random
import resource
import socket
import threading
import time
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attacks.attack import Attack, Trial
from surefoot.core.seeds import random_source
from surefoot.forms.catalogue.reading import find_form
from surefoot.forms.rendering import Rendering
from surefoot.forms.server.runs import open_run, record
from surefoot.forms.server.serving import serve_apart

DESCRIPTORS: Final = 1024
HOSTILE: Final = 1300
HONEST: Final = 8
# Whoever is not answered within this time has not been served.
PATIENCE_S: Final = 60.0
KINDS: Final = (
    "silent",
    "half a head",
    "a dribbled head",
    "half a body",
    "garbage in a pipeline",
    "requests in a pipeline, nothing read",
)


def hostile_crowds(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Let a crowd of one kind, or of several, hold on to the server while others use it."""
    source = random_source(seed, "server")
    for trial in range(number):
        kinds = [KINDS[trial]] if trial < len(KINDS) else source.sample(KINDS, 3)
        served = folder / f"trial-{trial}"
        with serve_apart(served) as (base, pid):
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
            runs = [_run(served, trial, at) for at in range(HONEST)]
            with _crowd(base, runs[0], kinds, source):
                troubles = _served(base, runs)
            kept = [len(record(served, token).events) for token in runs]
        seen = [f"{len(troubles)} of {HONEST} were not served: {troubles[0]}"] if troubles else []
        seen += [f"{kept} events kept of 3 each"] if not troubles and set(kept) != {3} else []
        yield Trial(f"{HOSTILE} clients: {', '.join(kinds)}", not seen, "; ".join(seen))


def _run(folder: Path, trial: int, at: int) -> str:
    return open_run(folder, find_form("bug_report"), Rendering(), instance=at, seed=trial)


def _served(base: str, tokens: list[str]) -> list[str]:
    """Read a page and tell three events for each run, all at a time; return what went wrong."""
    troubles: list[str] = []

    def use(token: str) -> None:
        try:
            for at in range(3):
                event = {"field": "title", "kind": "input", "value": f"value {at}", "at": at}
                event |= {"page": 0}
                for method, path, body in (
                    ("GET", f"/r/{token}/", None),
                    ("POST", f"/r/{token}/events", json.dumps([event])),
                ):
                    _ask(base, method, path, body)
        except (OSError, http.client.HTTPException) as error:
            troubles.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=use, args=(token,)) for token in tokens]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return troubles


def _ask(base: str, method: str, path: str, body: str | None) -> None:
    host = urllib.parse.urlsplit(base).netloc
    connection = http.client.HTTPConnection(host, timeout=PATIENCE_S)
    headers = {"content-type": "application/json", "origin": base} if body else {}
    with contextlib.closing(connection):
        connection.request(method, path, body, headers)
        reply = connection.getresponse()
        text = reply.read()
    if reply.status not in {200, 204}:
        raise http.client.HTTPException(f"{method} {path}: {reply.status} {text[:100]!r}")


@contextlib.contextmanager
def _crowd(base: str, token: str, kinds: list[str], source: random.Random) -> Iterator[None]:
    """Hold the crowd's connections open for a block; who is thrown out comes back."""
    over = threading.Event()
    port = urllib.parse.urlsplit(base).port or 0
    began = threading.Event()
    crowd = [
        Caller(_open(port), kind) for kind in itertools.islice(itertools.cycle(kinds), HOSTILE)
    ]
    source.shuffle(crowd)

    def talk() -> None:
        while not over.is_set():
            for caller in crowd:
                try:
                    caller.connection.send(caller.words(token, base))
                    caller.began = True
                except BlockingIOError:
                    pass
                except OSError:  # thrown out, or not let in yet: come back
                    caller.connection.close()
                    caller.connection, caller.began = _open(port), False
            began.set()
            time.sleep(0.2)

    thread = threading.Thread(target=talk)
    thread.start()
    began.wait()
    try:
        yield
    finally:
        over.set()
        thread.join()
        for caller in crowd:
            caller.connection.close()


@dataclasses.dataclass
class Caller:
    """One of the crowd: its connection, and whether it has said its first words."""

    connection: socket.socket
    kind: str
    began: bool = False

    def words(self, token: str, base: str) -> bytes:
        """Return what it says now."""
        host = urllib.parse.urlsplit(base).netloc
        get = f"GET /r/{token}/ HTTP/1.1\r\nHost: {host}\r\n"
        post = f"POST /r/{token}/events HTTP/1.1\r\nHost: {host}\r\nOrigin: {base}\r\n"
        post += "Content-Type: application/json\r\nContent-Length: 400\r\n\r\n["
        first, then = {
            "silent": ("", ""),
            "half a head": (get, ""),
            "a dribbled head": (get, "X"),
            "half a body": (post, " "),
            "garbage in a pipeline": (get + "\r\n" + "\0\r\nnonsense\r\n\r\n" * 9, "\0\r\n"),
            "requests in a pipeline, nothing read": ((get + "\r\n") * 20, get + "\r\n"),
        }[self.kind]
        return (then if self.began else first).encode()


def _open(port: int) -> socket.socket:
    connection = socket.socket()
    connection.settimeout(0)
    with contextlib.suppress(BlockingIOError):
        connection.connect(("127.0.0.1", port))
    return connection


ATTACKS: Final = (
    Attack(
        name="hostile-crowds",
        promise="The form server serves honest clients, whatever others do",
        does="Hold 1,300 connections half open, slow, unread or full of nonsense",
        trials=hostile_crowds,
        many=6,
        whole=10,
    ),
)
