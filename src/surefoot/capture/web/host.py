"""
The site host: the browser's proxy on loopback, through which every request must go.

It serves the one site of the current visit under a stable name such as
``http://npm-gentelella-4-2-0.localhost`` (no port and no path of this machine shows in
the page, so two captures are the same bytes) and refuses every other host.
"""

from __future__ import annotations

import contextlib
import http.server
import select
import socket
import socketserver
import threading
import urllib.parse
from collections import deque
from collections.abc import Iterator
from typing import Self

from surefoot.capture.routes import (
    MAX_BODY,
    Folder,
    HttpReply,
    Upstream,
    forward,
    read_file,
    stilled,
)
from surefoot.core.errors import CaptureError

FIXED_DATE = "Thu, 01 Jan 2026 00:00:00 GMT"
IDLE_S = 30.0
CHUNK = 65_536


class SiteHost:
    """
    Serve the routes of one visit at a time as an HTTP proxy on 127.0.0.1; a context manager.

    ``refused`` holds the last thousand targets that were turned away, oldest first; the
    browser's own attempts to call home are among them. ``changed`` is the error of the first
    file of the present route that is not what it was.
    """

    def __init__(self) -> None:
        self.refused: deque[str] = deque(maxlen=1000)
        self.routes: tuple[Folder | Upstream, ...] = ()
        self.changed: CaptureError | None = None
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.host = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True
        )

    @property
    def address(self) -> str:
        """Return the proxy's URL."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        """Start serving."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop serving and free the port."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @contextlib.contextmanager
    def serving(self, *routes: Folder | Upstream) -> Iterator[None]:
        """Serve these routes, and nothing else, for the length of a visit."""
        self.routes = routes
        self.changed = None
        try:
            yield
        finally:
            self.routes = ()


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    host: SiteHost

    def server_bind(self) -> None:
        """Bind without asking the name service who we are."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore a browser that hung up; the page's own failures are recorded elsewhere."""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = IDLE_S
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, *_: object) -> None:
        """Stay quiet."""

    def do_CONNECT(self) -> None:
        """Open a tunnel to an origin that is served now, or refuse."""
        upstreams = (
            upstream for upstream in self.server.host.routes if isinstance(upstream, Upstream)
        )
        route = next((upstream for upstream in upstreams if upstream.tunnel == self.path), None)
        if route is None:
            self._refuse()
            return
        try:
            remote = socket.create_connection((route.address, route.port), timeout=IDLE_S)
        except OSError as error:
            self._send(HttpReply.text(502, f"no connection to {self.path}: {error}"))
            return
        self.send_response(200)
        self.end_headers()
        self.close_connection = True
        with remote:
            _pump(self.connection, remote)

    def _answer(self) -> None:
        url = urllib.parse.urlsplit(self.path)
        asked = f"{url.scheme}://{url.netloc}"
        route = next(
            (folder for folder in self.server.host.routes if folder.origin == asked), None
        )
        if route is None:
            self._refuse()
        elif isinstance(route, Folder):
            self._send(stilled(self._read(route, url.path)))
        else:
            body = self.rfile.read(_length(self.headers.get("Content-Length")))
            self._send(
                stilled(forward(route, self.command, url, dict(self.headers.items()), body))
            )

    def _read(self, route: Folder, path: str) -> HttpReply:
        try:
            return read_file(route, self.command, path, self.headers.get("Range", ""))
        except CaptureError as error:
            self.server.host.changed = self.server.host.changed or error
            return HttpReply.text(409, str(error))

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _answer  # noqa: N815

    def _refuse(self) -> None:
        self.server.host.refused.append(f"{self.command} {self.path}")
        self._send(HttpReply.text(403, "refused: a captured page reaches no other site"))

    def _send(self, reply: HttpReply) -> None:
        self.send_response_only(reply.status)
        for name, value in reply.headers:
            self.send_header(name, value)
        self.send_header("Date", FIXED_DATE)
        if reply.length is not None:
            self.send_header("Content-Length", str(reply.length))
        if reply.status >= http.HTTPStatus.BAD_REQUEST or reply.length is None:
            self.close_connection = True
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command == "HEAD":
            return
        for chunk in reply.chunks:
            self.wfile.write(chunk)


def _length(header: str | None) -> int:
    return min(int(header), MAX_BODY) if header and header.isascii() and header.isdigit() else 0


def _pump(left: socket.socket, right: socket.socket) -> None:
    ends = {left: right, right: left}
    while True:
        ready, _, _ = select.select(list(ends), [], [], IDLE_S)
        if not ready:
            return
        for end in ready:
            data = end.recv(CHUNK)
            if not data:
                return
            ends[end].sendall(data)
