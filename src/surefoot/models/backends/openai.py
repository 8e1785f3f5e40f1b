"""
Any OpenAI-compatible server (vLLM, SGLang, Ollama, OpenAI, ...) over raw HTTP.

One request asks for one whole reply (no streaming of tokens). The image travels as the
PNG that was captured, in a data URL that is built once per image and not once per
question, several of a question in their order; where there is no picture, words travel
alone. The key comes from the environment and goes nowhere but into the request, and so do the
values of headers. A parameter that the server refuses is left out, or sent as the server has
it, from then on.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import urllib.parse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from surefoot.core.errors import InvalidInputError, ModelError, SurefootError
from surefoot.models.backend import DEFAULT_KEY_VARIABLE, Backend, Options
from surefoot.models.chat import ImageParts, chat_body, read_completion
from surefoot.models.exchange import MAX_BODY_BYTES, Contact, exchange
from surefoot.models.format import ChatMessages
from surefoot.models.letters import asks_letter
from surefoot.models.model import Reply, Request
from surefoot.models.refused import accepted, refused_parameter
from surefoot.models.scrubbing import Scrubber

if TYPE_CHECKING:
    import httpx

__all__ = ["OPENAI", "OpenAiResponder"]

DEFAULT_BASE = "https://api.openai.com/v1"
REFUSALS = frozenset({"http-400", "http-422"})
# The most alternatives of a token that OpenAI and vLLM tell.
LOGPROBS = {"logprobs": True, "top_logprobs": 20}
EXAMPLE = "openai:Qwen2.5-VL-7B@http://localhost:8000/v1"
ADDRESSED = re.compile(r"(?P<model>[^@].*?)@(?P<base>https?://.+)", re.DOTALL)
# What OpenAI calls its own models, tuned ones among them. Nothing else is taken for a name
# alone: it would be an address without its scheme, or the name of a model that is elsewhere.
OWN_NAME = re.compile(r"(?!localhost\b|[\d.]+$)[A-Za-z0-9][A-Za-z0-9._-]*|ft:[A-Za-z0-9._:-]+")
SAFE = re.compile(r"[A-Za-z0-9._:/\[\]-]+")  # in it is no place for a password
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
        if (key or options.headers) and not _is_private(base):
            raise InvalidInputError(
                f"https, or a server on this machine, for {'a key' if key else 'headers'}",
                found=f"{base}, where all on the way could read it",
                remedy="put https or a tunnel to this machine in between, or give no key",
            )
        self.name = model
        self.base = base.rstrip("/")
        self.options = options
        words = (word for value in options.headers.values() for word in (value, *value.split()))
        self._scrub = Scrubber(key, *words)
        self._key = key
        self._contact = Contact()
        self._refused: set[str] = set()
        self.images = ImageParts()
        self._slots = asyncio.Semaphore(options.concurrency)
        self._client: httpx.AsyncClient | None = None

    def identity(self) -> dict[str, object]:
        """Return model, address, sampling and the headers' names; no key, no header's value."""
        headers = sorted(name.casefold() for name in self.options.headers)
        return {
            "backend": "openai",
            "base_url": self.base,
            "temperature": self.options.temperature,
            "seed": self.options.seed,
            "max_tokens": self.options.max_tokens,
            "extra": dict(self.options.extra),
            **({"headers": headers} if headers else {}),
        }

    def notes(self) -> list[str]:
        """Return what a person should know of how the server was asked, a sentence each."""
        return [
            f"{self.base} takes no {name} for {self.name}: "
            + ("it was asked with max_completion_tokens" if name == "max_tokens" else "left out")
            for name in sorted(self._refused)
        ]

    async def reply(self, request: Request) -> Reply:
        """
        Return the server's reply.

        Connection failures, time-outs and the statuses 408, 409, 425, 429 and 5xx are
        tried again. Raises ModelError with the reason "connection", "timeout", "http-NNN",
        "too-large" or "bad-reply"; no message holds the key.
        """
        shown = zip(request.question.images, (request.image, *request.further), strict=True)
        images = [self.images.part(sha, image) for sha, image in shown]
        again = request.question.sample - 1
        asked = request.question
        letter = asks_letter(asked)
        return await self._ask(request.messages, images, request.max_tokens, again, letter=letter)

    async def say(self, messages: ChatMessages, max_tokens: int) -> Reply:
        """Return the server's reply to words alone; raises as ``reply`` does."""
        return await self._ask(messages, (), max_tokens)

    async def close(self) -> None:
        """Close the connections; the next request, on any event loop, opens new ones."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None
            self._slots = asyncio.Semaphore(self.options.concurrency)

    def __repr__(self) -> str:
        return f"OpenAiResponder({self.name!r}, {self.base!r})"

    async def _ask(
        self,
        messages: ChatMessages,
        images: Sequence[bytes],
        max_tokens: int,
        again: int = 0,
        *,
        letter: bool = False,
    ) -> Reply:
        without = False
        with self._scrub:
            while True:
                told = letter and not without and self._tells_tokens()
                settings = self._settings(max_tokens, again) | (LOGPROBS if told else {})
                try:
                    reply = await self._replied(chat_body(self.name, messages, images, settings))
                except ModelError as error:
                    refused = self._refusal(error, settings)
                    if refused in LOGPROBS:
                        self._refused |= LOGPROBS.keys()
                    elif refused:
                        self._refused.add(refused)
                    elif told and error.reason in REFUSALS:
                        without = True  # servers refuse these in many words
                    else:
                        raise
                    continue
                if without:
                    self._refused |= LOGPROBS.keys()
                return reply

    def _tells_tokens(self) -> bool:
        """Tell whether to ask for probabilities: not where refused, or set by the user."""
        return LOGPROBS.keys().isdisjoint({*self._refused, *self.options.extra})

    def _refusal(self, error: ModelError, settings: Mapping[str, object]) -> str:
        """
        Return which parameter the server refuses that it can be asked without, "" for none.

        Raises SurefootError, which ends a run, where it is one that the user set.
        """
        if error.reason not in REFUSALS:
            return ""
        refused = refused_parameter(error.found, settings)
        options = self.options
        chosen = {*options.extra, *(["temperature"] if options.temperature else [])}
        if refused not in chosen:
            return refused
        raise SurefootError(
            f"a server that takes '{refused}' for {self.name}",
            found=error.found,
            remedy="leave it out of the command",
        ) from error

    async def _replied(self, body: bytes) -> Reply:
        async with self._slots:
            data = await exchange(self._http(), body, self.options, self._scrub, self._contact)
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

    def _settings(self, max_tokens: int, again: int) -> dict[str, object]:
        """
        Return the fields of a request besides model and words, as this server takes them.

        A question that is asked ``again``, so many times, is asked with a seed of its own.
        """
        options = self.options
        own: dict[str, object] = {
            "max_tokens": options.max_tokens or max_tokens,
            "temperature": options.temperature,
            "seed": options.seed + again,
            "stream": False,
        }
        own = accepted(own, self._refused, limited=options.max_tokens > 0)
        return {**own, **options.extra}

    def _http(self) -> httpx.AsyncClient:
        if self._client is None:
            import httpx

            headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
            if self._key:
                headers["Authorization"] = f"Bearer {self._key}"
            headers |= {name.title(): value for name, value in self.options.headers.items()}
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
    model, base = _server(rest)
    return OpenAiResponder(model, base, _key(options, base), options)


def _server(rest: str) -> tuple[str, str]:
    """
    Return the model's name and the base URL of its server.

    OpenAI's own server is meant only by a name such as it has: screenshots and a key go
    nowhere by mistake. Raises InvalidInputError.
    """
    addressed = ADDRESSED.fullmatch(rest)
    if addressed is not None:
        return addressed["model"], addressed["base"]
    if OWN_NAME.fullmatch(rest):
        return rest, DEFAULT_BASE
    name, sign, address = rest.partition("@")
    if sign and name:
        bare = address.rpartition("//")[2]
        host = bare if SAFE.fullmatch(bare) else "HOST:PORT/v1"
        raise InvalidInputError(
            f"an address that begins with http:// or https:// behind '{name}@'",
            found="none" if host != bare else f"'{address}'",
            remedy=f"write openai:{name}@http://{host}, or https:// where the server has it",
        )
    raise InvalidInputError(
        "openai:NAME@BASE_URL, or openai:NAME of one of OpenAI's own models",
        found="no name of a model" if not rest or sign else f"'{rest}', and no address",
        remedy=f"write for example {EXAMPLE}",
    )


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
    several=True,
    chat=_open,
)
