"""
What the site host serves: a folder's files, or one upstream server that was resolved once.
"""

from __future__ import annotations

import contextlib
import http
import http.client
import mimetypes
import posixpath
import re
import socket
import stat
import urllib.parse
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from surefoot.capture.contents import RESTORE, Digests, changed
from surefoot.core.canonical import sha256
from surefoot.core.sites import PORTS

CHUNK: Final = 262_144
UPSTREAM_S: Final = 30.0
MAX_BODY: Final = 100 * 2**20
EVENTS: Final = "text/event-stream"
# The interpreter's own table, without the files of the machine, so that types are the same
# everywhere; then what it lacks.
TYPES: Final = mimetypes.MimeTypes(filenames=())
MORE_TYPES: Final = {
    ".mjs": "text/javascript",
    ".js": "text/javascript",
    ".map": "application/json",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".ttf": "font/ttf",
    ".otf": "font/otf",
    ".eot": "application/vnd.ms-fontobject",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".wasm": "application/wasm",
    ".ico": "image/vnd.microsoft.icon",
    ".md": "text/plain",
}
STILL: Final = b"<style>*, *::before, *::after { animation: none !important }</style>"
SINGLE_RANGE: Final = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")
HOP_BY_HOP: Final = frozenset(
    {
        "connection",
        "content-length",
        "date",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)


class Folder(msgspec.Struct, frozen=True):
    """
    Name a folder whose files are served under an origin, its own root first.

    With ``digests`` (SHA-256 by path in the root) the files that they name are served, and
    only as those bytes; ``place`` and ``remedy`` are for the error where they are others.
    """

    origin: str
    root: Path
    digests: Digests | None = None
    place: str = ""
    remedy: str = RESTORE


class Upstream(msgspec.Struct, frozen=True):
    """
    Name one server: its origin as the page sees it, and the address it was resolved to.

    Where ``read_only`` holds, only GET and HEAD pass, so that no capture changes another.
    ``socket`` is the path of the socket that it listens on, where that is its address.
    ``wrote`` is called before any other request than GET and HEAD passes.
    """

    origin: str
    address: str
    port: int
    read_only: bool = False
    socket: str = ""
    wrote: Callable[[], None] | None = None

    @property
    def tunnel(self) -> str:
        """
        Return the ``host:port`` that may be tunnelled to, "" where none may.

        Pages without encryption tunnel for websockets alone, whose messages may write.
        """
        url = urllib.parse.urlsplit(self.origin)
        if url.scheme == "http" and (self.read_only or self.socket):
            return ""
        return url.netloc if url.port else f"{url.netloc}:{PORTS[url.scheme]}"


class HttpReply(msgspec.Struct, frozen=True):
    """
    Hold an HTTP reply: status, headers, the body's length in bytes, and its chunks.

    The length is None of a stream that ends when its server, or who reads it, goes away.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    length: int | None
    chunks: Iterable[bytes]

    @classmethod
    def text(cls, status: int, text: str) -> HttpReply:
        """Build a plain-text reply."""
        body = text.encode()
        return cls(status, (("Content-Type", "text/plain; charset=utf-8"),), len(body), (body,))


def read_file(folder: Folder, method: str, path: str, wanted_range: str = "") -> HttpReply:
    """
    Answer a request for a path of a folder; a folder's own page is its index.html.

    ``path`` is percent-encoded. Nothing outside the root is read, be it named by ``..``
    or by a symbolic link; only regular files are served, and no listing is made. Raises
    CaptureError "content-changed" for a file that is not what the folder's digests say.

    >>> read_file(Folder("http://x.localhost", Path("/nowhere")), "GET", "/a.html").status
    404
    """
    if method not in {"GET", "HEAD"}:
        return HttpReply.text(405, "only GET and HEAD are served")
    file = _locate(folder.root, urllib.parse.unquote(path))
    name = posixpath.normpath(urllib.parse.unquote(path)).lstrip("/")
    known = "" if folder.digests is None else folder.digests.get(name)
    if known and (file is None or file.is_dir()):
        raise changed(name, folder.place, gone=True, remedy=folder.remedy)
    if file is None or (known is None and file.is_file()):
        return HttpReply.text(404, "no such file")
    if file.is_dir():
        if not path.endswith("/"):
            return HttpReply(
                301, (("Location", urllib.parse.quote(path, safe="/%") + "/"),), 0, ()
            )
        return read_file(folder, method, path + "index.html", wanted_range)
    if not known:
        return _content(file, wanted_range)
    content = file.read_bytes()
    if sha256(content) != known:
        raise changed(name, folder.place, gone=False, remedy=folder.remedy)
    return _content(file, wanted_range, content)


def forward(
    route: Upstream,
    method: str,
    url: urllib.parse.SplitResult,
    headers: Mapping[str, str],
    body: bytes = b"",
) -> HttpReply:
    """
    Pass a request on to the upstream's pinned address and return its whole reply.

    A stream of events, which may never be whole, is handed on as it comes. An unreachable
    upstream gives status 502, as do a body that was cut short and one over
    100 MiB.
    """
    if route.read_only and method not in {"GET", "HEAD"}:
        return HttpReply.text(405, "this site is captured read-only")
    if route.wrote is not None and method not in {"GET", "HEAD"}:
        route.wrote()
    target = urllib.parse.urlunsplit(("", "", url.path or "/", url.query, ""))
    passed = {name: value for name, value in headers.items() if name.lower() not in HOP_BY_HOP}
    connection = _Connection(route)
    streams = False
    try:
        connection.request(method, target, body or None, passed | {"Connection": "close"})
        response = connection.getresponse()
        # Applications of ours keep the pages that they had before streams were handed on.
        streams = response.headers.get_content_type() == EVENTS and not route.socket
        if streams:
            return HttpReply(response.status, _kept(response), None, _events(connection, response))
        data = response.read(MAX_BODY + 1)
        cut = bool(response.length) and len(data) <= MAX_BODY
    except (OSError, http.client.HTTPException, ValueError) as error:
        return HttpReply.text(502, f"no reply from {route.origin}: {error}")
    finally:
        if not streams:
            connection.close()
    if cut:
        return HttpReply.text(502, "the reply ended before its announced length")
    if len(data) > MAX_BODY:
        return HttpReply.text(502, "the reply is larger than 100 MiB")
    return HttpReply(response.status, _kept(response), len(data), (data,))


def stilled(reply: HttpReply) -> HttpReply:
    """Return a drawing without animations of its style sheet: nothing stops them in a picture."""
    headers = {name.lower(): value for name, value in reply.headers}
    drawn = headers.get("content-type", "").startswith("image/svg+xml")
    if not drawn or reply.status != http.HTTPStatus.OK or "content-encoding" in headers:
        return reply
    data = b"".join(reply.chunks)
    before, end, after = data.rpartition(b"</svg>")
    if end and b"@keyframes" in data:
        data = before + STILL + end + after
    return HttpReply(reply.status, reply.headers, len(data), (data,))


def _kept(response: http.client.HTTPResponse) -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in response.getheaders() if pair[0].lower() not in HOP_BY_HOP)


def _events(
    connection: http.client.HTTPConnection, response: http.client.HTTPResponse
) -> Iterator[bytes]:
    """Yield a stream as it comes, and end the connection with it."""
    with contextlib.closing(connection), contextlib.suppress(OSError, http.client.HTTPException):
        while data := response.read1(CHUNK):
            yield data


class _Connection(http.client.HTTPConnection):
    """Connect to where a server listens, be it a socket of this machine."""

    def __init__(self, route: Upstream) -> None:
        super().__init__(route.address, route.port, timeout=UPSTREAM_S)
        self._listener = route.socket

    def connect(self) -> None:
        """Connect, and let errors be what they are for any server."""
        if not self._listener:
            super().connect()
            return
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(UPSTREAM_S)
        self.sock.connect(self._listener)


def _content(file: Path, wanted_range: str, content: bytes | None = None) -> HttpReply:
    """Return a file or a span of it, of the bytes that were read already where they are given."""
    size = file.stat().st_size if content is None else len(content)
    kind = (("Content-Type", _content_type(file)), ("Accept-Ranges", "bytes"))
    span = _span(wanted_range, size)
    if span is None:
        return HttpReply(200, kind, size, _chunks(file if content is None else content, 0, size))
    start, stop = span
    if start >= stop:
        return HttpReply(416, (("Content-Range", f"bytes */{size}"),), 0, ())
    part = (("Content-Range", f"bytes {start}-{stop - 1}/{size}"),)
    return HttpReply(
        206, kind + part, stop - start, _chunks(file if content is None else content, start, stop)
    )


def _locate(root: Path, path: str) -> Path | None:
    if "\0" in path:
        return None
    base = root.resolve()
    try:
        file = base.joinpath(path.lstrip("/")).resolve()
        mode = file.stat().st_mode
    except (OSError, RuntimeError):
        return None
    inside = file.is_relative_to(base)
    return file if inside and (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) else None


def _content_type(file: Path) -> str:
    suffix = file.suffix.lower()
    guess = MORE_TYPES.get(suffix) or TYPES.guess_type(f"x{suffix}")[0]
    if guess in {"text/css", "text/javascript", "application/json"}:
        return f"{guess}; charset=utf-8"
    return guess or "application/octet-stream"


def _span(wanted: str, size: int) -> tuple[int, int] | None:
    """Return the first and the past-the-last byte, or None for the whole file."""
    match = SINGLE_RANGE.fullmatch(wanted)
    if match is None or not (match[1] or match[2]):
        return None
    if not match[1]:
        return max(size - int(match[2]), 0), size
    stop = min(int(match[2]) + 1, size) if match[2] else size
    return int(match[1]), stop


def _chunks(file: Path | bytes, start: int, stop: int) -> Iterator[bytes]:
    if isinstance(file, bytes):
        yield file[start:stop]
        return
    with file.open("rb") as stream:
        stream.seek(start)
        while start < stop and (chunk := stream.read(min(CHUNK, stop - start))):
            start += len(chunk)
            yield chunk
