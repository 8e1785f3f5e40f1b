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

import re
from collections.abc import Sequence

from surefoot.core.errors import ModelError
from surefoot.models.backend import DEFAULT_KEY_VARIABLE, Backend, Options
from surefoot.models.format import ChatMessages
from surefoot.models.model import Reply, Request
from surefoot.models.replies.letters import asks_letter
from surefoot.models.servers.chat import ImageParts, chat_body, read_completion
from surefoot.models.servers.exchange import MAX_BODY_BYTES, Post
from surefoot.models.servers.refused import REFUSALS, accepted, dispensable, is_too_long
from surefoot.models.servers.server import Server, Service, addressed, key_for

# Left for a model's thoughts beside its reply, where the server has so much.
THOUGHTS = 4096
# The most alternatives of a token that OpenAI and vLLM tell.
LOGPROBS = {"logprobs": True, "top_logprobs": 20}
SERVICE = Service(
    backend="openai",
    maker="OpenAI",
    base="https://api.openai.com/v1",
    key_variable=DEFAULT_KEY_VARIABLE,
    # What OpenAI calls its own models, tuned ones among them.
    own_name=re.compile(r"(?!localhost\b|[\d.]+$)[A-Za-z0-9][A-Za-z0-9._-]*|ft:[A-Za-z0-9._:-]+"),
    example="openai:Qwen2.5-VL-7B@http://localhost:8000/v1",
)


class OpenAiResponder:
    """
    Reply through one server's chat completions.

    ``key`` may be empty; it is sent to the host of ``base`` alone, and never in the clear to
    another machine. Raises InvalidInputError for a base URL that holds credentials, a query or
    anything else but host and path, and for a key that all on the way could read.
    """

    speaks = ""

    def __init__(self, model: str, base: str, key: str, options: Options) -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.server = Server(base, options, key=key, headers=headers)
        self.name, self.base = model, self.server.base
        self.options = options
        self._refused: set[str] = set()
        self._room = THOUGHTS
        self.images = ImageParts()

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
        room = f"{self.base} has no room for {THOUGHTS:,} tokens of thoughts: asked without"
        return ([] if self._room else [room]) + [
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
        limit = request.max_tokens
        return await self._ask(
            request.messages, images, limit, again, room=self._room, letter=letter
        )

    async def say(self, messages: ChatMessages, max_tokens: int) -> Reply:
        """Return the server's reply to words alone; raises as ``reply`` does."""
        return await self._ask(messages, (), max_tokens)

    async def close(self) -> None:
        """Close the connections; the next request, on any event loop, opens new ones."""
        await self.server.close()

    def __repr__(self) -> str:
        return f"OpenAiResponder({self.name!r}, {self.base!r})"

    async def _ask(
        self,
        messages: ChatMessages,
        images: Sequence[bytes],
        max_tokens: int,
        again: int = 0,
        *,
        room: int = 0,
        letter: bool = False,
    ) -> Reply:
        without = False
        with self.server.scrub:
            while True:
                asks_tokens = letter and not without and self._tells_tokens()
                settings = self._settings(max_tokens, min(room, self._room), again) | (
                    LOGPROBS if asks_tokens else {}
                )
                try:
                    reply = await self._replied(chat_body(self.name, messages, images, settings))
                except ModelError as error:
                    if (
                        min(room, self._room)
                        and not self.options.max_tokens
                        and is_too_long(error)
                    ):
                        self._room = 0
                        continue
                    refused = dispensable(error, settings, self.options, self.name)
                    if refused in LOGPROBS:
                        self._refused |= LOGPROBS.keys()
                    elif refused:
                        self._refused.add(refused)
                    elif asks_tokens and error.reason in REFUSALS:
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

    async def _replied(self, body: bytes) -> Reply:
        data = await self.server.post(Post("/chat/completions", body))
        try:
            reply = read_completion(data)
        except (ValueError, RecursionError) as error:
            raise self.server.bad_reply(
                data,
                expected="a chat completion",
                remedy="check that the base URL ends where /chat/completions follows",
            ) from error
        return await self.server.scrubbed(reply)

    def _settings(self, max_tokens: int, room: int, again: int) -> dict[str, object]:
        """
        Return the fields of a request besides model and words, as this server takes them.

        ``room`` is left for thoughts. A question that is asked ``again``, so many times, is
        asked with a seed of its own.
        """
        options = self.options
        own: dict[str, object] = {
            "max_tokens": options.max_tokens
            or max_tokens + (0 if "max_tokens" in self._refused else room),
            "temperature": options.temperature,
            "seed": options.seed + again,
            "stream": False,
        }
        own = accepted(own, self._refused, limited=options.max_tokens > 0)
        return {**own, **options.extra}


def _open(rest: str, options: Options) -> OpenAiResponder:
    model, base = addressed(SERVICE, rest)
    return OpenAiResponder(model, base, key_for(SERVICE, base, options), options)


OPENAI = Backend(
    name="openai",
    version=1,
    summary=f"any OpenAI-compatible server; replies of up to {MAX_BODY_BYTES:,} bytes",
    usage="openai:NAME@BASE_URL",
    open=_open,
    checkable=True,
    several=True,
    key_variable=DEFAULT_KEY_VARIABLE,
    chat=_open,
)
