"""
Any OpenAI-compatible server (vLLM, SGLang, Ollama, OpenAI, ...) over raw HTTP.

One request asks for one whole reply (no streaming of tokens). The image travels as the
PNG that was captured, in a data URL that is built once per image and not once per
question; where there is no picture, words travel alone. The key comes from the environment
and goes nowhere but into the request.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import urllib.parse
from typing import TYPE_CHECKING

import msgspec

from surefoot.core.errors import InvalidInputError, ModelError
from surefoot.models.backend import DEFAULT_KEY_VARIABLE, Backend, Options
from surefoot.models.chat import ImageParts, chat_body, read_completion
from surefoot.models.exchange import MAX_BODY_BYTES, exchange
from surefoot.models.format import ChatMessages
from surefoot.models.model import Reply, Request
from surefoot.models.scrubbing import Scrubber

if TYPE_CHECKING:
    import httpx

__all__ = ["OPENAI", "OpenAiResponder"]

DEFAULT_BASE = "https://api.openai.com/v1"
SPEC = re.compile(r"(?P<model>[^@].*?)(?:@(?P<base>https?://.+))?", re.DOTALL)
BASE = re.compile(r"https?://[A-Za-z0-9.\-\[\]:]+(?:/[A-Za-z0-9._~\-/]*)?")


class OpenAiResponder:
    """
    Reply through one server's chat completions.

    ``key`` may be empty; it is sent to the host of ``base`` alone, and never in the clear to
    another machine. Raises InvalidInputError for a base URL that holds credentials, a query or
    anything else but host and path, and for a key that all on the way could read.
    """

    speaks = ""

    def __init__(self, model: str, base: str, key: str, options: Options) -> None:
        if not BASE.fullmatch(base):
            raise InvalidInputError(
                "a base URL of scheme, host, port and path",
                found="something else in it (not shown: it may hold a secret)",
                remedy="write NAME@http://localhost:8000/v1 and put the key into the environment",
            )
        if key and not _is_private(base):
            raise InvalidInputError(
                "https, or a server on this machine, for a key",
                found=f"{base}, where all on the way could read it",
                remedy="put https or a tunnel to this machine in between, or give no key",
            )
        self.name = model
        self.base = base.rstrip("/")
        self.options = options
        self._scrub = Scrubber(key)
        self._key = key
        self.images = ImageParts()
        self._slots = asyncio.Semaphore(options.concurrency)
        self._client: httpx.AsyncClient | None = None

    def identity(self) -> dict[str, object]:
        """Return model, address and sampling; the key is no part of it."""
        return {
            "backend": "openai",
            "base_url": self.base,
            "temperature": self.options.temperature,
            "seed": self.options.seed,
            "max_tokens": self.options.max_tokens,
            "extra": dict(self.options.extra),
        }

    async def reply(self, request: Request) -> Reply:
        """
        Return the server's reply.

        Connection failures, time-outs and the statuses 408, 409, 425, 429 and 5xx are
        tried again. Raises ModelError with the reason "connection", "timeout", "http-NNN",
        "too-large" or "bad-reply"; no message holds the key.
        """
        image = self.images.part(request.question.image, request.image)
        return await self._ask(self._body(request.messages, image, request.max_tokens))

    async def say(self, messages: ChatMessages, max_tokens: int) -> Reply:
        """Return the server's reply to words alone; raises as ``reply`` does."""
        return await self._ask(self._body(messages, b"", max_tokens))

    async def close(self) -> None:
        """Close the connections; the next request, on any event loop, opens new ones."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None
            self._slots = asyncio.Semaphore(self.options.concurrency)

    def __repr__(self) -> str:
        return f"OpenAiResponder({self.name!r}, {self.base!r})"

    async def _ask(self, body: bytes) -> Reply:
        with self._scrub:
            return await self._replied(body)

    async def _replied(self, body: bytes) -> Reply:
        async with self._slots:
            data = await exchange(self._http(), body, self.options, self._scrub)
        try:
            reply = read_completion(data)
        except (ValueError, RecursionError) as error:
            raise ModelError(
                "bad-reply",
                expected=f"a chat completion from {self.base}",
                found=self._scrub(data.decode(errors="replace"))[:300].strip() or "an empty body",
                remedy="check that the base URL ends where /chat/completions follows",
            ) from error
        return msgspec.structs.replace(reply, text=self._scrub(reply.text))

    def _body(self, messages: ChatMessages, image: bytes, max_tokens: int) -> bytes:
        return chat_body(
            self.name,
            messages,
            image,
            {
                "max_tokens": self.options.max_tokens or max_tokens,
                "temperature": self.options.temperature,
                "seed": self.options.seed,
                "stream": False,
                **self.options.extra,
            },
        )

    def _http(self) -> httpx.AsyncClient:
        if self._client is None:
            import httpx

            headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
            if self._key:
                headers["Authorization"] = f"Bearer {self._key}"
            self._client = httpx.AsyncClient(
                base_url=self.base,
                headers=headers,
                timeout=httpx.Timeout(self.options.timeout, pool=None),
                follow_redirects=False,
                # A proxy of the environment would read what is not encrypted.
                trust_env=self.base.startswith("https:"),
                limits=httpx.Limits(
                    max_connections=self.options.concurrency,
                    max_keepalive_connections=self.options.concurrency,
                ),
            )
        return self._client


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


def _key(options: Options, base: str) -> str:
    """Return the key for a server: OpenAI's own is for OpenAI's own, unless it is named."""
    named = options.key_variable or (DEFAULT_KEY_VARIABLE if _is_openai(base) else "")
    if not named:
        return ""
    key = options.key(named)
    if not key:
        raise InvalidInputError(
            f"a key in the environment variable {named}",
            found="none",
            remedy=f"export {named}, or name your own server: openai:NAME@BASE_URL",
        )
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise InvalidInputError(
            f"a key of printable ASCII without spaces in {named}",
            found="other characters (not shown)",
        )
    return key


def _open(rest: str, options: Options) -> OpenAiResponder:
    match = SPEC.fullmatch(rest)
    if match is None:
        raise InvalidInputError(
            "openai:NAME@BASE_URL",
            found="no name of a model",
            remedy="write for example openai:Qwen2.5-VL-7B@http://localhost:8000/v1",
        )
    base = match["base"] or DEFAULT_BASE
    return OpenAiResponder(match["model"], base, _key(options, base), options)


def _is_openai(base: str) -> bool:
    own, given = urllib.parse.urlsplit(DEFAULT_BASE), urllib.parse.urlsplit(base)
    return (given.scheme, given.netloc.casefold()) == (own.scheme, own.netloc)


OPENAI = Backend(
    name="openai",
    version=1,
    summary=f"any OpenAI-compatible server; replies of up to {MAX_BODY_BYTES:,} bytes",
    usage="openai:NAME@BASE_URL",
    open=_open,
    checkable=True,
    chat=_open,
)
