"""
A real server on loopback that does as it is told.
"""

from __future__ import annotations

import http.server
import json
import threading
import time
from collections.abc import Iterator

import pytest

GOOD = json.dumps(
    {
        "choices": [{"message": {"role": "assistant", "content": '{"x": 5, "y": 6}'}}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 12, "cost": 0.002},
    }
).encode()


class Step:
    """Say what the server does with one request."""

    def __init__(
        self,
        body: bytes = GOOD,
        *,
        status: int = 200,
        headers: dict[str, str] | None = None,
        wait: float = 0.0,
        drop: bool = False,
    ) -> None:
        self.body = body
        self.status = status
        self.headers = headers or {}
        self.wait = wait
        self.drop = drop


class FakeServer:
    """Play steps in order, the last one for ever, and remember the requests."""

    def __init__(self) -> None:
        self.steps = [Step()]
        self.bodies: list[dict[str, object]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.times: list[float] = []
        self.busy = 0
        self.busiest = 0
        self.lock = threading.Lock()
        self.stopped = threading.Event()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler_for(self))
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,))
        self.thread.start()

    def take(self, handler: http.server.BaseHTTPRequestHandler) -> Step:
        """Note a request and return its step."""
        body = handler.rfile.read(int(handler.headers["content-length"]))
        with self.lock:
            self.busy += 1
            self.busiest = max(self.busiest, self.busy)
            self.bodies.append(json.loads(body))
            self.headers.append({key.lower(): value for key, value in handler.headers.items()})
            self.paths.append(handler.path)
            self.times.append(time.monotonic())
            return self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]

    @property
    def base(self) -> str:
        """Return the base URL."""
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def stop(self) -> None:
        """Stop serving."""
        self.stopped.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


def handler_for(fake: FakeServer) -> type[http.server.BaseHTTPRequestHandler]:
    """Return a handler that plays a fake's steps."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            step = fake.take(self)
            fake.stopped.wait(step.wait)
            with fake.lock:
                fake.busy -= 1
            if step.drop:
                self.close_connection = True
                self.connection.shutdown(2)
                return
            self.send_response(step.status)
            for name, value in step.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(step.body)))
            self.end_headers()
            try:
                self.wfile.write(step.body)
            except OSError:
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    return Handler


@pytest.fixture
def server() -> Iterator[FakeServer]:
    """Return a running server."""
    fake = FakeServer()
    yield fake
    fake.stop()


@pytest.fixture
def step() -> type[Step]:
    """Return the maker of steps."""
    return Step
