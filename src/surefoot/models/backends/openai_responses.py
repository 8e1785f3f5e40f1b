"""
OpenAI's Responses API, with its computer tool where the format asks for it.

Facts of the protocol (OpenAI's documentation and its Python library, read in November 2026):
``POST /v1/responses``; a reply is a list of output items, of which "message" has parts of text or
a refusal, and "computer_call" has "actions" (of computer-use-preview one "action"), each with a
"type", of clicks with "x" and "y" in pixels of the picture. The tool is ``{"type": "computer"}``;
computer-use-preview knows an older one that is told the display's size. There is no seed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

import msgspec

from surefoot.core.question import Usage
from surefoot.models.backend import Options
from surefoot.models.backends import openai
from surefoot.models.model import Reply
from surefoot.models.reading import writable
from surefoot.models.servers.chat import (
    CUT_REASONS,
    content_parts,
    counted_tokens,
    spelled_call,
    spelled_refusal,
)
from surefoot.models.servers.exchange import Post
from surefoot.models.servers.native import THOUGHTS, NativeCall, Wire, native_backend

SERVICE: Final = openai.SERVICE._replace(
    backend="openai-responses", example="openai-responses:gpt-5.4"
)
PREVIEW: Final = "computer-use-preview"


def computer_tool(model: str, width: int, height: int, platform: str) -> dict[str, object]:
    """
    Return the entry of the computer tool that a model knows.

    >>> computer_tool("gpt-5.4", 1280, 800, "web")
    {'type': 'computer'}
    """
    if not model.startswith(PREVIEW):
        return {"type": "computer"}
    return {
        "type": "computer_use_preview",
        "display_width": width,
        "display_height": height,
        "environment": "linux" if platform == "desktop" else "browser",
    }


def _headers(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"} if key else {}


def _image(kind: str, data: bytes) -> bytes:
    head = f'{{"type":"input_image","detail":"auto","image_url":"data:{kind};base64,'.encode()
    return b"".join((head, data, b'"}'))


def _settings(options: Options, max_tokens: int, again: int) -> dict[str, object]:  # noqa: ARG001
    return {
        "max_output_tokens": options.max_tokens or max_tokens + THOUGHTS,
        "temperature": options.temperature,
    }


def _post(call: NativeCall, extra: Mapping[str, object]) -> Post:
    given: dict[str, object] = {"model": call.model, **call.settings, "store": False}
    if call.messages.system:
        given["instructions"] = call.messages.system
    if call.computer_tool:
        given["tools"] = [computer_tool(call.model, *call.shown, call.platform)]
        if call.model.startswith(PREVIEW):
            given["truncation"] = "auto"
    given |= extra
    fields = json.dumps({name: value for name, value in given.items() if value is not None})
    text = json.dumps({"type": "input_text", "text": call.messages.user}).encode()
    content = content_parts(call.messages, text, call.images)
    body = b"".join(
        (fields[:-1].encode(), b',"input":[{"role":"user","content":', content, b"}]}")
    )
    return Post("/responses", body)


class _OutputPart(msgspec.Struct, frozen=True):
    type: str = ""
    text: str = ""
    refusal: str = ""


class _OutputItem(msgspec.Struct, frozen=True):
    type: str = ""
    content: list[_OutputPart] | None = None
    actions: list[dict[str, object]] = []
    action: dict[str, object] | None = None


class _Incomplete(msgspec.Struct, frozen=True):
    reason: str = ""


class _TokensTold(msgspec.Struct, frozen=True):
    input_tokens: object = 0
    output_tokens: object = 0


class _Response(msgspec.Struct, frozen=True):
    output: list[_OutputItem]
    incomplete_details: _Incomplete | None = None
    usage: _TokensTold | None = None


def _read(data: bytes) -> Reply:
    plain = json.loads(data.decode("utf-8-sig", errors="replace"))
    response = msgspec.convert(plain, _Response)
    texts: list[str] = []
    refused = ""
    for item in response.output:
        for part in (item.content or []) if item.type == "message" else []:
            texts.append(part.text)
            refused = refused or part.refusal
    if response.incomplete_details and response.incomplete_details.reason == "content_filter":
        refused = refused or "content_filter"
    if refused:
        texts.append(spelled_refusal(refused))
    else:
        texts += [_spelled(action) for item in response.output for action in _actions(item)]
    used = response.usage or _TokensTold()
    usage = Usage(counted_tokens(used.input_tokens), counted_tokens(used.output_tokens))
    ended = response.incomplete_details.reason if response.incomplete_details else ""
    cut = ended in CUT_REASONS and not refused
    return Reply(writable("\n".join(filter(None, texts))), usage, cut=cut)


def _actions(item: _OutputItem) -> list[dict[str, object]]:
    if item.type != "computer_call":
        return []
    return item.actions or ([item.action] if item.action else [])


def _spelled(action: Mapping[str, object]) -> str:
    given = {name: value for name, value in action.items() if name != "type"}
    return spelled_call(str(action.get("type", "")), given)


WIRE: Final = Wire(SERVICE, _headers, _image, _settings, _post, _read)
OPENAI_RESPONSES: Final = native_backend(
    WIRE, "OpenAI's models through its Responses protocol, with its computer tool where asked"
)
