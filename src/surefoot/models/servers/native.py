"""
Makers' own protocols: what differs between them is data and pure functions, the rest is here.

A picture is shrunk before it is sent where the format states the maker's rule, so that the places
of the reply are those of the picture that was sent. A parameter that the server refuses by name
is left out from then on.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from surefoot.core.errors import ModelError
from surefoot.core.question import Usage
from surefoot.models.backend import Backend, Options
from surefoot.models.format import ChatMessages
from surefoot.models.model import Reply, Request
from surefoot.models.servers.chat import ImageParts
from surefoot.models.servers.exchange import Post
from surefoot.models.servers.prices import price_of
from surefoot.models.servers.refused import dispensable
from surefoot.models.servers.server import Server, Service, addressed, key_for
from surefoot.models.spaces import Resize

# Current models think before they reply, and the limit of a reply counts thoughts, too.
THOUGHTS = 16_000


class NativeCall(NamedTuple):
    """
    Hold what one request is made of.

    ``images`` are JSON parts that the wire's ``image`` built; ``shown`` is the size in pixels of
    the first picture as it is sent; ``settings`` are the parameters by the server's own names.
    ``platform`` is the question's ("web", "desktop", "mobile", or "").
    """

    model: str
    messages: ChatMessages
    images: Sequence[bytes]
    shown: tuple[int, int]
    settings: Mapping[str, object]
    computer_tool: bool = False
    platform: str = ""


class Wire(NamedTuple):
    """
    Describe a maker's protocol.

    ``headers`` takes the key, or ""; ``image`` a media type and base64; ``settings`` the
    options, the limit of tokens, and how many times the question was asked before; ``post`` makes
    a request; ``read`` reads a reply's body, and raises ValueError or RecursionError for what is
    none.
    """

    service: Service
    headers: Callable[[str], dict[str, str]]
    image: Callable[[str, bytes], bytes]
    settings: Callable[[Options, int, int], dict[str, object]]
    post: Callable[[NativeCall, Mapping[str, object]], Post]
    read: Callable[[bytes], Reply]


class NativeResponder:
    """
    Reply through a maker's own protocol; raises as Server does.
    """

    speaks = ""

    def __init__(self, wire: Wire, model: str, base: str, key: str, options: Options) -> None:
        self.server = Server(base, options, key=key, headers=wire.headers(key))
        self.wire = wire
        self.name = model
        self.options = options
        self.images = ImageParts(spell=wire.image)
        self._price = price_of(wire.service.backend, model)
        self._rule: Resize | None = None
        self._refused: set[str] = set()

    def resize_as(self, rule: Resize) -> None:
        """Shrink pictures by this rule before they are sent."""
        self._rule = rule
        self.images.prepare = functools.partial(shrunk, rule)

    def identity(self) -> dict[str, object]:
        """Return model, address, sampling and the headers' names; no key, no header's value."""
        headers = sorted(name.casefold() for name in self.options.headers)
        return {
            "backend": self.wire.service.backend,
            "base_url": self.server.base,
            "temperature": self.options.temperature,
            "seed": self.options.seed,
            "max_tokens": self.options.max_tokens,
            "extra": dict(self.options.extra),
            **({"headers": headers} if headers else {}),
        }

    def notes(self) -> list[str]:
        """Return what a person should know of how the server was asked, a sentence each."""
        unpriced = f"no list price of {self.name} is known: its cost is not counted"
        return [
            f"{self.server.base} takes no {name} for {self.name}: left out"
            for name in sorted(self._refused)
        ] + ([unpriced] if self._price is None else [])

    async def reply(self, request: Request) -> Reply:
        """
        Return the server's reply, tool calls spelled in <tool_call> tags; raises ModelError.

        Connection failures, time-outs and the statuses 408, 409, 425, 429 and 5xx (Anthropic's
        529 among them) are tried again, after as long as the server asks.
        """
        question = request.question
        shown = zip(question.images, (request.image, *request.further), strict=True)
        images = [self.images.part(sha, image) for sha, image in shown]
        size = (question.width, question.height)
        call = NativeCall(
            self.name,
            request.messages,
            images,
            self._rule.size(*size) if self._rule else size,
            self.wire.settings(self.options, request.max_tokens, question.sample - 1),
            request.computer_tool,
            question.platform,
        )
        return await self._answered(call)

    async def say(self, messages: ChatMessages, max_tokens: int) -> Reply:
        """Return the server's reply to words alone; raises as ``reply`` does."""
        settings = self.wire.settings(self.options, max_tokens, 0)
        return await self._answered(NativeCall(self.name, messages, (), (0, 0), settings))

    async def close(self) -> None:
        """Close the connections; the next request, on any event loop, opens new ones."""
        await self.server.close()

    def __repr__(self) -> str:
        return f"NativeResponder({self.name!r}, {self.server.base!r})"

    async def _answered(self, call: NativeCall) -> Reply:
        with self.server.scrub:
            while True:
                settings = {
                    name: value
                    for name, value in call.settings.items()
                    if name not in self._refused
                }
                post = self.wire.post(call._replace(settings=settings), self.options.extra)
                try:
                    return await self.server.scrubbed(self._read(await self.server.post(post)))
                except ModelError as error:
                    refused = dispensable(error, settings, self.options, self.name)
                    if not refused:
                        raise
                    self._refused.add(refused)

    def _read(self, data: bytes) -> Reply:
        try:
            reply = self.wire.read(data)
        except (ValueError, RecursionError) as error:
            raise self.server.bad_reply(
                data,
                expected=f"a reply in {self.wire.service.maker}'s protocol",
                remedy="check the base URL, or ask through openai: what speaks OpenAI's protocol",
            ) from error
        used = reply.usage
        if self._price is not None:
            cost = self._price.cost(used.prompt_tokens, used.completion_tokens)
            used = Usage(used.prompt_tokens, used.completion_tokens, cost)
        return msgspec.structs.replace(reply, usage=used)


def shrunk(rule: Resize, image: bytes) -> bytes:
    """Return a picture in the size that a rule says, as PNG; one of that size as it is."""
    from PIL import Image

    from surefoot.core.pictures import opened, plain, size_of

    try:
        found = size_of(image)
        size = rule.size(*found)
        if size == found:
            return plain(image)
        small = opened(image).resize(size, Image.Resampling.LANCZOS)
    except (OSError, ValueError, SyntaxError) as error:
        raise ModelError(
            "bad-image", expected="a PNG, JPEG or WebP image", found="other bytes"
        ) from error
    file = io.BytesIO()
    small.save(file, "PNG", compress_level=6)
    return file.getvalue()


def _open(wire: Wire, rest: str, options: Options) -> NativeResponder:
    model, base = addressed(wire.service, rest)
    return NativeResponder(wire, model, base, key_for(wire.service, base, options), options)


def native_backend(wire: Wire, summary: str) -> Backend:
    """Return the backend of a maker's own protocol."""
    head = wire.service.backend
    opened = functools.partial(_open, wire)
    return Backend(
        name=head,
        version=1,
        summary=summary,
        usage=f"{head}:NAME",
        open=opened,
        checkable=True,
        several=True,
        computer_tool=True,
        key_variable=wire.service.key_variable,
        chat=opened,
    )
