"""
A server of models: where it is, whose key it gets, and how it is asked over HTTP.

A key comes from the environment and goes nowhere but into the requests to its own server, over
https or within this machine; the values of headers are kept as secret.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import re
import ssl
import urllib.parse
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from surefoot.core.errors import InvalidInputError, ModelError
from surefoot.core.foreign.scrubbing import Scrubber
from surefoot.models.backend import Options
from surefoot.models.model import Reply
from surefoot.models.servers.exchange import Contact, Endpoint, Post, exchange

if TYPE_CHECKING:
    import httpx


ADDRESSED = re.compile(r"(?P<model>[^@].*?)@(?P<base>https?://.+)", re.DOTALL)
SAFE = re.compile(r"[A-Za-z0-9._:/\[\]-]+")  # in it is no place for a password
LONG_TEXT = 20_000  # characters, from which on secrets are looked for beside other work
BASE = re.compile(r"https?://[A-Za-z0-9.\-\[\]:]+(?:/[A-Za-z0-9._~\-/]*)?")


class Service(NamedTuple):
    """
    Name whose interface a server speaks: the backend, the maker, and the maker's own server.

    ``key_variable`` is the environment variable of the maker's key. ``own_name`` matches what
    the maker calls its models: nothing else is taken for a name alone, since it would be an
    address without its scheme, or the name of a model that is elsewhere.
    """

    backend: str
    maker: str
    base: str
    key_variable: str
    own_name: re.Pattern[str]
    example: str

    def owns(self, base: str) -> bool:
        """Tell whether a base URL is of the maker's own server."""
        own, given = urllib.parse.urlsplit(self.base), urllib.parse.urlsplit(base)
        return (given.scheme, given.netloc.casefold()) == (own.scheme, own.netloc)


class ServedModel(NamedTuple):
    """Pair a model's name with the base URL of its server."""

    model: str
    base: str


def addressed(service: Service, rest: str) -> ServedModel:
    """
    Return what is named behind a backend's colon: NAME@BASE_URL, or one of the maker's names.

    The maker's own server is meant only by a name such as it has: screenshots and a key go
    nowhere by mistake. Raises InvalidInputError.
    """
    found = ADDRESSED.fullmatch(rest)
    if found is not None:
        return ServedModel(found["model"], found["base"])
    if service.own_name.fullmatch(rest):
        return ServedModel(rest, service.base)
    head = service.backend
    name, sign, address = rest.partition("@")
    if sign and name:
        bare = address.rpartition("//")[2]
        host = bare if SAFE.fullmatch(bare) else "HOST:PORT/v1"
        raise InvalidInputError(
            f"an address that begins with http:// or https:// behind '{name}@'",
            found="none" if host != bare else f"'{address}'",
            remedy=f"write {head}:{name}@http://{host}, or https:// where the server has it",
        )
    raise InvalidInputError(
        f"{head}:NAME@BASE_URL, or {head}:NAME of one of {service.maker}'s own models",
        found="no name of a model" if not rest or sign else f"'{rest}', and no address",
        remedy=f"write for example {service.example}",
    )


def key_for(service: Service, base: str, options: Options) -> str:
    """
    Return the key for a server: the maker's own is for the maker's own, unless it is named.

    Raises InvalidInputError where there is none, or one that no header can hold.
    """
    named = options.key_variable or (service.key_variable if service.owns(base) else "")
    if not named:
        return ""
    key = options.key(named)
    if not key:
        raise InvalidInputError(
            f"a key in the environment variable {named}",
            found="none",
            remedy=f"export {named}, or name your own server: {service.backend}:NAME@BASE_URL",
        )
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise InvalidInputError(
            f"a key of printable ASCII without spaces in {named}",
            found="other characters (not shown)",
        )
    return key


class Server:
    """
    Post to one server, so many requests at a time as the options allow.

    ``headers`` go with every request; ``key`` is what in them must never be told. Raises
    InvalidInputError for a base URL that holds credentials, a query or anything else but host
    and path, and for a key or headers that all on the way could read.
    """

    def __init__(
        self, base: str, options: Options, *, key: str = "", headers: Mapping[str, str] = {}
    ) -> None:
        if not BASE.fullmatch(base):
            raise InvalidInputError(
                "a base URL of scheme, host, port and path",
                found="something else in it (not shown: it may hold a secret)",
                remedy="write NAME@http://localhost:8000/v1 and put the key into the environment",
            )
        if (key or options.headers) and not _is_private(base):
            raise InvalidInputError(
                f"https, or a server on this machine, for {'a key' if key else 'headers'}",
                found=f"{base}, where all on the way could read it",
                remedy="put https or a tunnel to this machine in between, or give no key",
            )
        self.base = base.rstrip("/")
        self.options = options
        words = (word for value in options.headers.values() for word in (value, *value.split()))
        self.scrub = Scrubber(key, *words)
        self._headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        self._headers |= headers
        self._headers |= {name.title(): value for name, value in options.headers.items()}
        self._endpoint = Endpoint(self._connection, self.base, options, self.scrub, Contact())
        self._slots = asyncio.Semaphore(options.concurrency)
        # A client for each connection: one that shares them looks through all of them at every
        # request, which takes more processor time than all else that a request needs.
        self._idle: list[httpx.AsyncClient] = []
        self._context: ssl.SSLContext | None = None

    async def post(self, post: Post) -> bytes:
        """Return the body of the reply to a request; raises as ``exchange`` does."""
        async with self._slots:
            return await exchange(self._endpoint, post)

    async def scrubbed(self, reply: Reply) -> Reply:
        """Return a reply without secrets; others come while a long one is looked through."""
        text = reply.text
        short = len(text) < LONG_TEXT
        clean = self.scrub(text) if short else await asyncio.to_thread(self.scrub, text)
        if clean == text:
            return reply
        return msgspec.structs.replace(reply, text=clean, unscrubbed=text)

    def bad_reply(self, data: bytes, *, expected: str, remedy: str) -> ModelError:
        """Return the error of a reply that is not what its protocol says, with an excerpt."""
        return ModelError(
            "bad-reply",
            expected=f"{expected} from {self.base}",
            found=self.scrub(data[:LONG_TEXT].decode(errors="replace"))[:300].strip()
            or "an empty body",
            remedy=remedy,
        )

    async def close(self) -> None:
        """
        Close the connections; the next request, on any event loop, opens new ones.

        A connection that is in use is closed once its request has ended.
        """
        idle, self._idle = self._idle, []
        self._slots = asyncio.Semaphore(self.options.concurrency)
        for client in idle:
            await client.aclose()

    def __repr__(self) -> str:
        return f"Server({self.base!r})"

    @contextlib.asynccontextmanager
    async def _connection(self) -> AsyncIterator[httpx.AsyncClient]:
        """
        Lend a client of one connection for the length of a block; one that fails, no more.

        A client whose request was cancelled may wait for its own connection for ever, and one
        that is closed before it connects leaves its connection open.
        """
        idle = self._idle  # of now: others come when these are closed
        client = idle.pop() if idle else self._client()
        whole = False
        try:
            yield client
            whole = idle is self._idle
        finally:
            if whole:
                idle.append(client)
            else:
                await client.aclose()

    def _client(self) -> httpx.AsyncClient:
        """Return a client of one connection, which no other request uses meanwhile."""
        import httpx

        encrypted = self.base.startswith("https:")
        if self._context is None:
            # Reading all certificates takes as long as many requests, so that it is done once,
            # and not at all where nothing is encrypted: without one, no server is trusted.
            plain = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            self._context = httpx.create_ssl_context() if encrypted else plain
        return httpx.AsyncClient(
            base_url=self.base,
            headers=self._headers,
            timeout=httpx.Timeout(self.options.timeout, pool=None),
            follow_redirects=False,
            # A proxy of the environment would read what is not encrypted.
            trust_env=encrypted,
            verify=self._context,
            limits=httpx.Limits(max_connections=1, max_keepalive_connections=1),
        )


def _is_private(base: str) -> bool:
    """Tell whether nobody on the way reads what is sent to a base URL."""
    parts = urllib.parse.urlsplit(base)
    if parts.scheme == "https":
        return True
    host = parts.hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
