"""
Servers of models: whose they are, and whose key they get.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import ssl
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.models.backend import Options
from surefoot.models.backends.anthropic import WIRE as ANTHROPIC
from surefoot.models.backends.google import WIRE as GOOGLE
from surefoot.models.backends.openai import SERVICE as OPENAI
from surefoot.models.servers.exchange import Post
from surefoot.models.servers.server import Server, Service, addressed, key_for

SERVICES = [OPENAI, ANTHROPIC.service, GOOGLE.service]
OWN = {"openai": "gpt-5.1", "anthropic": "claude-opus-5-5", "google": "gemini-3.5-flash"}


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.backend)
def test_a_makers_name_means_the_makers_server(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own names go to its own server with its own key; any other address gets no key."""
    monkeypatch.setenv(service.key_variable, "its-own-key-0123")
    own = addressed(service, OWN[service.backend])
    other = addressed(service, f"{OWN[service.backend]}@https://elsewhere.example/v1")

    assert own.base == service.base
    assert key_for(service, own.base, Options()) == "its-own-key-0123"
    assert other.base == "https://elsewhere.example/v1"
    assert key_for(service, other.base, Options()) == ""
    named = Options(key_variable=service.key_variable)
    assert key_for(service, other.base, named) == "its-own-key-0123"


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.backend)
@pytest.mark.parametrize("rest", ["", "localhost:8000", "a/b", "m@localhost:8000"])
def test_nothing_is_sent_to_a_maker_by_mistake(service: Service, rest: str) -> None:
    """What is no name of the maker's and no address is refused, with an example."""
    with pytest.raises(InvalidInputError) as error:
        addressed(service, rest)
    assert f"{service.backend}:" in str(error.value)


def test_a_key_is_not_shown_and_not_sent_in_the_clear() -> None:
    """A server that all on the way could read gets no key, and none stands in its repr."""
    with pytest.raises(InvalidInputError, match="https"):
        Server("http://10.0.0.7/v1", Options(), key="a-secret-key", headers={})
    safe = Server("https://10.0.0.7/v1", Options(), key="a-secret-key", headers={})
    assert "a-secret-key" not in repr(safe) + repr(safe.scrub)


class CountingServer(ThreadingHTTPServer):
    """Count connections, and how many requests there were at one time."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), CountingHandler)
        self.connections = self.now = self.most = 0
        self.lock = threading.Lock()

    @property
    def base(self) -> str:
        """Return the base URL."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class CountingHandler(BaseHTTPRequestHandler):
    """Reply to a request with itself, a moment later."""

    protocol_version = "HTTP/1.1"
    server: CountingServer

    def handle(self) -> None:
        """Serve a connection, which a client may break off."""
        with contextlib.suppress(ConnectionError):
            super().handle()

    def setup(self) -> None:
        """Count a connection."""
        super().setup()
        with self.server.lock:
            self.server.connections += 1

    def do_POST(self) -> None:
        """Answer one request."""
        with self.server.lock:
            self.server.now += 1
            self.server.most = max(self.server.most, self.server.now)
        body = self.rfile.read(int(self.headers["content-length"]))
        time.sleep(0.01)
        with self.server.lock:
            self.server.now -= 1
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def counting() -> Iterator[CountingServer]:
    """Serve for one test."""
    server = CountingServer()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


async def echoed(server: Server, count: int) -> list[bytes]:
    """Post so many requests at once, and return their replies."""
    posts = (server.post(Post("/echo", b"%d" % number)) for number in range(count))
    return list(await asyncio.gather(*posts))


def test_connections_are_used_again_and_no_more_than_allowed(counting: CountingServer) -> None:
    """So many requests at a time as the options say share so many connections; closed ones go."""
    server = Server(counting.base, Options(concurrency=3))

    async def twice() -> list[list[bytes]]:
        found = [await echoed(server, 20), await echoed(server, 20)]
        await server.close()
        return found

    expected = [b"%d" % number for number in range(20)]
    assert asyncio.run(twice()) == [expected, expected]
    assert (counting.connections, counting.most) == (3, 3)
    assert asyncio.run(twice()) == [expected, expected]
    assert counting.connections == 6


def test_one_request_after_the_other_needs_one_connection(counting: CountingServer) -> None:
    """A connection that is free is taken before a new one, also where one was given up before."""
    server = Server(counting.base, Options(concurrency=3))

    async def asked() -> None:
        for _ in range(5):
            await echoed(server, 1)
        assert counting.connections == 1
        given_up = asyncio.create_task(server.post(Post("/echo", b"")))
        await asyncio.sleep(0.005)
        given_up.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await given_up
        for _ in range(5):
            await echoed(server, 1)
        await server.close()

    asyncio.run(asked())
    assert counting.connections <= 2


@pytest.mark.parametrize("moment", [0.0, 0.002, 0.006, 0.012])
def test_a_cancelled_request_leaves_room_for_others(
    counting: CountingServer, moment: float
) -> None:
    """At whatever moment it is cancelled, the next ones get a connection that works."""

    async def asked() -> None:
        for _ in range(10):
            server = Server(counting.base, Options(concurrency=3))
            await echoed(server, 2)
            cancelled = asyncio.create_task(server.post(Post("/echo", b"")))
            await asyncio.sleep(moment)
            cancelled.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await cancelled
            async with asyncio.timeout(60):
                assert await echoed(server, 3) == [b"0", b"1", b"2"]
            await server.close()

    asyncio.run(asked())


@pytest.mark.parametrize("moment", [0.0, 0.001, 0.002, 0.005, 0.015])
def test_what_is_in_flight_when_all_is_closed_leaves_nothing_behind(
    counting: CountingServer, moment: float
) -> None:
    """It ends, and its connection with it, which no request of another event loop uses."""
    server = Server(counting.base, Options(concurrency=3, attempts=1))

    async def closed_early() -> None:
        asked = asyncio.create_task(echoed(server, 3))
        await asyncio.sleep(moment)
        await server.close()
        assert await asked == [b"0", b"1", b"2"]
        await server.close()  # those that had not begun

    async def asked_later() -> list[bytes]:
        found = await echoed(server, 3)
        await server.close()
        return found

    asyncio.run(closed_early())

    assert asyncio.run(asked_later()) == [b"0", b"1", b"2"]
    gc.collect()  # a connection that is left open warns now, and fails this test


def test_a_server_in_the_clear_needs_no_certificates(
    counting: CountingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None are read for it, and a server that needs some is not trusted without."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("certificates are read")

    for name in ("load_verify_locations", "load_default_certs"):
        monkeypatch.setattr(ssl.SSLContext, name, refuse)

    async def asked(base: str) -> list[bytes]:
        server = Server(base, Options())
        found = await echoed(server, 2)
        await server.close()
        return found

    assert asyncio.run(asked(counting.base)) == [b"0", b"1"]
    with pytest.raises(AssertionError, match="certificates are read"):
        asyncio.run(asked("https://127.0.0.1:9/v1"))
