"""
A connection that keeps the server waiting, or too many of them, cost nobody else anything.
"""

from __future__ import annotations

import contextlib
import socket
import urllib.parse
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from surefoot.forms.catalogue.reading import find_form
from surefoot.forms.rendering import Rendering
from surefoot.forms.server.runs import open_run
from surefoot.forms.server.serving import serve
from surefoot.loopback import connections

GET = b"GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n"
POST = (
    b"POST /r/TOKEN/events HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n"
    b"Content-Type: application/json\r\nContent-Length: 9\r\n\r\nhalf"
)
Connect = Callable[[bytes], socket.socket]


@pytest.fixture
def connect(tmp_path: Path) -> Iterator[Connect]:
    """Serve a folder; open connections to it and say something."""
    token = open_run(tmp_path, find_form("bug_report"), Rendering(), instance=0, seed=0)
    with contextlib.ExitStack() as stack:
        port = urllib.parse.urlsplit(stack.enter_context(serve(tmp_path))).port

        def begin(words: bytes) -> socket.socket:
            opened = socket.create_connection(("127.0.0.1", port or 0), timeout=60)
            stack.enter_context(opened)
            told = words.replace(b"PORT", str(port).encode()).replace(b"TOKEN", token.encode())
            opened.sendall(told)
            return opened

        yield begin


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        ("HEAD_S", b""),
        ("HEAD_S", GET),
        (
            "REQUEST_S",
            POST,
        ),
    ],
)
def test_what_never_comes_is_not_awaited(
    limit: str, words: bytes, monkeypatch: pytest.MonkeyPatch, connect: Connect
) -> None:
    """A connection without a whole head, or a whole request, is closed when its time is over."""
    monkeypatch.setattr(connections, limit, 0.05)

    opened = connect(words)

    with contextlib.suppress(ConnectionResetError):
        while opened.recv(4096):
            pass


def test_a_begun_head_after_an_answer_is_not_awaited_either(
    monkeypatch: pytest.MonkeyPatch, connect: Connect
) -> None:
    """A second request on the same connection has its time, too."""
    opened = connect(GET + b"\r\n")
    heard = b""
    while not heard.endswith(b"Not Found.\n"):
        heard += opened.recv(4096)
    monkeypatch.setattr(connections, "HEAD_S", 0.05)
    opened.sendall(GET)

    with contextlib.suppress(ConnectionResetError):
        assert opened.recv(4096) == b""


def test_the_oldest_gives_way(monkeypatch: pytest.MonkeyPatch, connect: Connect) -> None:
    """Where no more may be open a new one is served, and the one heard of longest ago closed."""
    monkeypatch.setattr(connections, "MOST", 2)
    waiting = [connect(GET) for _ in range(2)]

    assert connect(GET + b"\r\n").recv(4096).startswith(b"HTTP/1.1 404")
    with contextlib.suppress(ConnectionResetError):
        assert waiting[0].recv(4096) == b""
    waiting[1].sendall(b"\r\n")
    assert waiting[1].recv(4096).startswith(b"HTTP/1.1 404")


def test_requests_ahead_of_their_turn_are_not_served(connect: Connect) -> None:
    """Of several requests sent at once the first is answered, and the connection closed."""
    opened = connect((GET + b"\r\n") * 5)
    heard = b""
    with contextlib.suppress(ConnectionResetError):
        while more := opened.recv(4096):
            heard += more

    assert heard.count(b"HTTP/1.1 404") == 1
