"""
The site host as a proxy: one origin passes, everything else is refused and noted.
"""

from __future__ import annotations

import socket
import threading
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import pytest

from surefoot.capture.routes import Folder, Upstream
from surefoot.capture.web.host import SiteHost

ORIGIN = "http://site.localhost"


@pytest.fixture
def host() -> Iterator[SiteHost]:
    """Lend a running host."""
    with SiteHost() as running:
        yield running


@pytest.fixture
def site(tmp_path: Path) -> Folder:
    """Make a site of one page with a secret beside it."""
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "index.html").write_text("welcome")
    (tmp_path / "secret").write_text("secret")
    return Folder(ORIGIN, tmp_path / "root")


def ask(host: SiteHost, lines: str) -> bytes:
    """Send raw lines to the proxy and return all that comes back."""
    port = urllib.parse.urlsplit(host.address).port or 0
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(lines.replace("\n", "\r\n").encode() + b"\r\nConnection: close\r\n\r\n")
        return b"".join(iter(lambda: connection.recv(65536), b""))


def test_site_is_served_under_its_origin(host: SiteHost, site: Folder) -> None:
    """The route's own pages pass, and no date of this machine is told."""
    with host.serving(site):
        reply = ask(host, f"GET {ORIGIN}/ HTTP/1.1\nHost: site.localhost")
    assert reply.startswith(b"HTTP/1.1 200 OK")
    assert reply.endswith(b"welcome")
    assert b"Date: Thu, 01 Jan 2026" in reply


@pytest.mark.parametrize(
    "request_line",
    [
        "GET http://other.localhost/ HTTP/1.1",
        "GET http://site.localhost:8080/ HTTP/1.1",
        "GET http://site.localhost@evil.example/ HTTP/1.1",
        "GET https://site.localhost/ HTTP/1.1",
        "GET http://169.254.169.254/latest/meta-data/ HTTP/1.1",
        "GET file:///etc/passwd HTTP/1.1",
        "GET /etc/passwd HTTP/1.1",
        "CONNECT site.localhost:443 HTTP/1.1",
        "CONNECT 127.0.0.1:22 HTTP/1.1",
    ],
)
def test_everything_else_is_refused(host: SiteHost, site: Folder, request_line: str) -> None:
    """Other hosts, ports, schemes and tunnels get status 403 and are noted."""
    with host.serving(site):
        reply = ask(host, f"{request_line}\nHost: site.localhost")
    assert reply.startswith(b"HTTP/1.1 403")
    assert list(host.refused) == [request_line.removesuffix(" HTTP/1.1")]


def test_nothing_is_served_between_visits(host: SiteHost, site: Folder) -> None:
    """Once its visit is over, a site is refused like any other."""
    with host.serving(site):
        pass
    assert ask(host, f"GET {ORIGIN}/ HTTP/1.1\nHost: x").startswith(b"HTTP/1.1 403")


def test_raw_traversal_is_not_found(host: SiteHost, site: Folder) -> None:
    """Dots that no browser would send do not lead out of the root either."""
    with host.serving(site):
        reply = ask(host, f"GET {ORIGIN}/../secret HTTP/1.1\nHost: x")
    assert reply.startswith(b"HTTP/1.1 404")
    assert b"secret" not in reply


@pytest.mark.parametrize("junk", ["\x00\x01\x02", "GET", "GET http://[bad/ HTTP/1.1\nHost: x"])
def test_junk_does_not_end_the_host(host: SiteHost, site: Folder, junk: str) -> None:
    """After a malformed request the next one is answered."""
    with host.serving(site):
        ask(host, junk)
        assert b"welcome" in ask(host, f"GET {ORIGIN}/ HTTP/1.1\nHost: x")


def test_tunnel_leads_to_the_pinned_address(host: SiteHost) -> None:
    """The one secure origin is reached at the address that was resolved, whatever its name."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"hello from " + connection.recv(3))

        threading.Thread(target=answer, daemon=True).start()
        route = Upstream("https://bank.example", "127.0.0.1", port)
        name = urllib.parse.urlsplit(host.address)
        with (
            host.serving(route),
            socket.create_connection((name.hostname or "", name.port or 0), timeout=5) as client,
        ):
            client.sendall(b"CONNECT bank.example:443 HTTP/1.1\r\n\r\n")
            assert client.recv(4096).startswith(b"HTTP/1.1 200")
            client.sendall(b"abc")
            assert b"".join(iter(lambda: client.recv(4096), b"")) == b"hello from abc"
