"""
A page of a live web server, held to its own origin and to one resolved address.
"""

from __future__ import annotations

import ipaddress
import socket
import urllib.parse
from typing import Final, TypeAlias

from surefoot.capture.address import Address, OpenedAddress, PageSource, Services
from surefoot.capture.routes import Upstream
from surefoot.core.errors import CaptureError, InvalidInputError, plain_words
from surefoot.core.sites import PORTS, site_of

IP: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
FRAGMENT: Final = "!#$%&'()*+,-./:;=?@[\\]^_{|}~"  # what a browser leaves as it is
NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")


class WebSource(PageSource):
    """Open a URL of the live web."""

    version = 4

    def __init__(self, scheme: str) -> None:
        self.name = scheme

    def addresses(self, rest: str) -> tuple[Address, ...]:
        """
        Return the one page of a URL; raises InvalidInputError where it is malformed.

        The fragment is part of its name: a page may show another view for each.
        """
        url = _parse(f"{self.name}:{rest}").geturl()
        return (Address(url, url.partition("//")[2], site_of(url)),)

    def trusted(self, address: Address) -> bool:
        """Trust a server that is named as this machine's own."""
        return _named_loopback(_parse(address.spec).hostname or "")

    def open(self, address: Address, _services: Services) -> OpenedAddress:
        """
        Resolve the host once and allow this one origin at that one address.

        Raises CaptureError where the name does not resolve ("unreachable"), or resolves
        to a private, link-local or otherwise inner address that the URL does not itself
        name ("address-denied").
        """
        url = _parse(address.spec)
        return OpenedAddress(url.geturl(), _upstream(url))


def further_origin(spec: str) -> Upstream:
    """
    Return the route to an origin that pages of another one may load from.

    Raises InvalidInputError for what is no origin, and CaptureError as `WebSource.open` does.

    >>> further_origin("http://127.0.0.1:8000").origin
    'http://127.0.0.1:8000'
    """
    url = _parse(spec)
    if (url.path, url.query, url.fragment) != ("/", "", ""):
        raise InvalidInputError("an origin as in https://cdn.example.org", found=f"'{spec}'")
    return _upstream(url)


def _upstream(url: urllib.parse.SplitResult) -> Upstream:
    host, port = url.hostname or "", url.port or PORTS[url.scheme]
    pinned = _resolve(host, port)
    if not _named_inner(host) and not all(is_public(item) for item in pinned):
        raise CaptureError(
            "address-denied",
            expected=f"a public address for {host}",
            found=", ".join(map(str, pinned)),
            remedy="name the address itself in the URL if it is meant",
        )
    return Upstream(f"{url.scheme}://{url.netloc}", str(pinned[0]), port)


HTTP = WebSource("http")
HTTPS = WebSource("https")


def is_public(address: IP) -> bool:
    """
    Tell whether an address lies in the public internet, whatever it is wrapped in.

    >>> is_public(ipaddress.ip_address("169.254.169.254"))
    False
    >>> is_public(ipaddress.ip_address("::ffff:10.0.0.1"))
    False
    """
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
        if address.teredo is not None:
            return False
    return address.is_global and not address.is_multicast


def _parse(spec: str) -> urllib.parse.SplitResult:
    """Return the URL in the one spelling that a browser uses for it."""
    try:
        url = urllib.parse.urlsplit(spec)
        host = (url.hostname or "").encode("idna").decode()
        port = url.port
    except ValueError as error:
        raise InvalidInputError("a URL", found=f"'{spec}': {plain_words(error)}") from error
    if url.scheme not in PORTS or not host or "@" in url.netloc:
        raise InvalidInputError(
            "a URL as in https://example.org/page, without a password", found=f"'{spec}'"
        )
    label = f"[{host}]" if ":" in host else host
    netloc = label if port in {None, PORTS[url.scheme]} else f"{label}:{port}"
    path = urllib.parse.quote(url.path or "/", safe="/%:@!$&'()*+,;=~-._")
    query = urllib.parse.quote(url.query, safe="/?%:@!$&()*+,;=~-._[]|")
    fragment = urllib.parse.quote(url.fragment, safe=FRAGMENT)
    return urllib.parse.SplitResult(url.scheme, netloc, path, query, fragment)


def _named_inner(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return _named_loopback(host)
    return True


def _named_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _resolve(host: str, port: int) -> list[IP]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise CaptureError(
            "unreachable", expected=f"an address for {host}", found=error
        ) from error
    return [ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in found]
