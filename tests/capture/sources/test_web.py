"""
A URL is held to public addresses, unless it names another one itself.
"""

from __future__ import annotations

import ipaddress
import socket

import pytest

from surefoot.capture.routes import Upstream
from surefoot.capture.sources import Services, list_addresses, open_address
from surefoot.capture.sources.web import is_public
from surefoot.core.errors import CaptureError, InvalidInputError

INNER = [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.100.100.200",
    "0.0.0.0",  # noqa: S104 - an address to refuse
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fd00:ec2::254",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
]


@pytest.mark.parametrize("address", INNER)
def test_inner_addresses_are_not_public(address: str) -> None:
    """Loopback, private, link-local, metadata and wrapped addresses are told apart."""
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1", "::ffff:8.8.8.8"])
def test_outer_addresses_are_public(address: str) -> None:
    """Addresses of the internet pass, wrapped ones too."""
    assert is_public(ipaddress.ip_address(address))


def resolving(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[str]:
    """Let every name resolve to these addresses; return the names that were asked for."""
    asked: list[str] = []

    def resolve(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        asked.append(host)
        return [(None, None, None, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return asked


def test_name_is_resolved_once_and_pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the name means later does not matter: the address is fixed when it is opened."""
    asked = resolving(monkeypatch, "93.184.216.34")
    (address,) = list_addresses("HTTPS://Example.ORG:443/a b?q=ä#/part ä")
    assert address.spec == "https://example.org/a%20b?q=%C3%A4#/part%20%C3%A4"
    assert address.page == "example.org/a%20b?q=%C3%A4#/part%20%C3%A4"
    assert list_addresses(address.spec) == (address,)
    with Services() as services:
        opened = open_address(address, services)
    assert opened.route == Upstream("https://example.org", "93.184.216.34", 443)
    assert asked == ["example.org"]


@pytest.mark.parametrize("addresses", [("10.0.0.1",), ("93.184.216.34", "169.254.169.254")])
def test_name_of_an_inner_address_is_denied(
    monkeypatch: pytest.MonkeyPatch, addresses: tuple[str, ...]
) -> None:
    """A public name that leads inside, even in part, is refused."""
    resolving(monkeypatch, *addresses)
    (address,) = list_addresses("http://rebind.example/")
    with Services() as services, pytest.raises(CaptureError) as caught:
        open_address(address, services)
    assert caught.value.reason == "address-denied"


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000"])
def test_inner_address_may_be_named(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    """A user who writes the inner address means it."""
    resolving(monkeypatch, "127.0.0.1")
    (address,) = list_addresses(f"http://{host}/")
    with Services() as services:
        opened = open_address(address, services)
    assert opened.url == f"http://{host}/"
    assert opened.route == Upstream(f"http://{host}", "127.0.0.1", 8000)


def test_unknown_name_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name without an address is one failed page."""

    def fail(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    (address,) = list_addresses("http://absent.example/")
    with Services() as services, pytest.raises(CaptureError) as caught:
        open_address(address, services)
    assert caught.value.reason == "unreachable"


@pytest.mark.parametrize(
    "spec", ["http://", "http:///a", "http://u:p@a.example/", "http://[x/", "http://a:99999/"]
)
def test_malformed_urls_are_refused(spec: str) -> None:
    """A URL without a host, with a password, or malformed is the caller's mistake."""
    with pytest.raises(InvalidInputError):
        list_addresses(spec)


def test_servers_on_other_ports_are_other_sites() -> None:
    """Three servers on one loopback address are three sites; their pages are of one each."""
    urls = [f"http://127.0.0.1:{port}/{page}" for port in (8001, 8002, 80) for page in "ab"]
    sites = [list_addresses(url)[0].site for url in urls]

    assert sites == [
        *["127.0.0.1:8001"] * 2,
        *["127.0.0.1:8002"] * 2,
        *["127.0.0.1"] * 2,
    ]
