"""
Chat completions on the wire: the request's bytes, and the reply's text and usage.
"""

from __future__ import annotations

import base64
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

import msgspec

from surefoot.core.errors import ModelError
from surefoot.core.question import MOST_DOLLARS, MOST_TOKENS, Usage
from surefoot.models.format import ChatMessages
from surefoot.models.model import Reply
from surefoot.models.reading import writable
from surefoot.models.replies.letters import read_tokens

CACHE_BYTES = 64 * 2**20
# Why a reply ended, as servers name a limit of tokens, and a filter.
CUT_REASONS = frozenset(
    {
        *("length", "max_tokens", "max_output_tokens", "max_completion_tokens", "token_limit"),
        *("model_length", "model_context_window_exceeded", "context_length_exceeded"),
    }
)
FILTERED = frozenset({"content_filter", "content-filter", "safety", "refusal"})
SIGNATURES = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"RIFF": "webp"}


def url_part(kind: str, data: bytes) -> bytes:
    """Return an image as chat completions have it: a data URL of its type and its base64."""
    head = f'{{"type":"image_url","image_url":{{"url":"data:{kind};base64,'.encode()
    return b"".join((head, data, b'"}}'))


class ImageParts:
    """
    Build the JSON of an image once, and keep the latest 64 MiB of them by image hash.

    ``spell`` writes it from the image's media type and its base64; ``prepare`` makes the bytes
    that are sent of those that came.
    """

    def __init__(
        self, limit: int = CACHE_BYTES, spell: Callable[[str, bytes], bytes] = url_part
    ) -> None:
        self.limit = limit
        self.spell = spell
        self.prepare: Callable[[bytes], bytes] | None = None
        self.held = 0
        self.built = 0
        self._parts: OrderedDict[str, bytes] = OrderedDict()

    def part(self, sha: str, image: bytes) -> bytes:
        """Return the content part of an image; raises ModelError for an unknown format."""
        known = self._parts.get(sha)
        if known is not None:
            self._parts.move_to_end(sha)
            return known
        if self.prepare is not None:
            image = self.prepare(image)
        kind = next((name for mark, name in SIGNATURES.items() if image.startswith(mark)), "")
        if not kind:
            raise ModelError(
                "bad-image", expected="a PNG, JPEG or WebP image", found="other bytes"
            )
        part = self.spell(f"image/{kind}", base64.b64encode(image))
        self.built += 1
        self.held += len(part)
        self._parts[sha] = part
        while self.held > self.limit and len(self._parts) > 1:
            self.held -= len(self._parts.popitem(last=False)[1])
        return part


def chat_body(
    model: str, messages: ChatMessages, images: Sequence[bytes], settings: Mapping[str, object]
) -> bytes:
    """
    Return the body of one request; ``images`` are parts that ImageParts built, in their order.

    Without images the user's turn is plain text, which every server understands. The
    parts are joined as bytes, so that no encoder walks over the image again. A setting of
    None is left out.
    """
    given = {
        "model": model,
        **{key: setting for key, setting in settings.items() if setting is not None},
    }
    fields = json.dumps(given)[:-1].encode()
    system = json.dumps({"role": "system", "content": messages.system}).encode() + b","
    return b"".join(
        (
            fields,
            b',"messages":[',
            system if messages.system else b"",
            b'{"role":"user","content":',
            *_content(messages, images),
            b"}]}",
        )
    )


def _content(messages: ChatMessages, images: Sequence[bytes]) -> tuple[bytes, ...]:
    if not images:
        return (json.dumps(messages.user).encode(),)
    text = json.dumps({"type": "text", "text": messages.user}).encode()
    return (content_parts(messages, text, images),)


def content_parts(messages: ChatMessages, text: bytes, images: Sequence[bytes]) -> bytes:
    """Return a JSON list of a turn's text and images, in the order that the messages say."""
    parts = (*images, text) if messages.image_first else (text, *images)
    return b"".join((b"[", b",".join(parts), b"]"))


class _Function(msgspec.Struct, frozen=True):
    name: str = ""
    arguments: object = ""


class _ToolCall(msgspec.Struct, frozen=True):
    function: _Function = _Function()


class _Message(msgspec.Struct):
    content: str | list[dict[str, object]] | None = None
    refusal: str | None = None
    tool_calls: list[_ToolCall] | None = None


class _ChatChoice(msgspec.Struct):
    message: _Message
    finish_reason: object = None
    logprobs: object = None


class _Completion(msgspec.Struct):
    choices: list[_ChatChoice]
    usage: object = None


def read_completion(data: bytes) -> Reply:
    """
    Read the first choice of a chat completion, and its usage where it is given.

    Text in parts is joined. Tool calls that a server took out of the text are put back as
    the model wrote them, in <tool_call> tags, and a refusal that it told outside the text as
    ``spelled_refusal`` does. A letter that was cut, in UTF-8 or in JSON's
    escapes, is replaced. Raises ValueError or RecursionError for anything that is no
    completion.
    """
    # Not msgspec's own decoder: it refuses a whole reply for half a letter in it.
    plain = json.loads(data.decode("utf-8-sig", errors="replace"))
    completion = msgspec.convert(plain, _Completion)
    if not completion.choices:
        raise msgspec.ValidationError("no choices")
    first = completion.choices[0]
    message = first.message
    content, refused, ended = message.content, message.refusal or "", str(first.finish_reason)
    if isinstance(content, list):
        refused = refused or "".join(_words(part.get("refusal")) for part in content)
        content = "".join(_words(part.get("text")) for part in content)
    if ended.casefold() in FILTERED:
        refused = refused or ended
    calls = [
        spelled_call(call.function.name, call.function.arguments)
        for call in message.tool_calls or ()
    ]
    last = [spelled_refusal(refused)] if refused.strip() else calls
    said = writable("\n".join(part for part in (content, *last) if part))
    cut = ended.casefold() in CUT_REASONS and not refused
    return Reply(said, _usage(completion.usage), read_tokens(first.logprobs), cut)


def _words(part: object) -> str:
    return part if isinstance(part, str) else ""


def spelled_call(name: str, arguments: object) -> str:
    """
    Return a call that a server took out of the text, as models write it.

    >>> print(spelled_call("left_click", {"coordinate": [3, 4]}))
    <tool_call>
    {"name": "left_click", "arguments": {"coordinate": [3, 4]}}
    </tool_call>
    """
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments)
    return f'<tool_call>\n{{"name": {json.dumps(name)}, "arguments": {arguments}}}\n</tool_call>'


def spelled_refusal(reason: str) -> str:
    """
    Return a refusal that a server told outside the text, as readers of replies know it.

    >>> spelled_refusal("safety")
    '{"refusal": "safety"}'
    """
    return json.dumps({"refusal": reason})


def _usage(usage: object) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    return Usage(
        prompt_tokens=counted_tokens(usage.get("prompt_tokens")),
        completion_tokens=counted_tokens(usage.get("completion_tokens")),
        cost=_dollars(usage.get("cost")),
    )


def counted_tokens(value: object) -> int:
    """Return a number of tokens that a server told, 0 for what is none."""
    if isinstance(value, bool) or not isinstance(value, int):
        return 0
    return value if 0 <= value <= MOST_TOKENS else 0


def _dollars(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value) if 0 <= value <= MOST_DOLLARS else 0.0
