"""
Anthropic's Messages API, with its computer tool where the format asks for it.

Facts of the protocol (platform.claude.com, read in November 2026): ``POST /v1/messages`` with
x-api-key and anthropic-version; a reply is a list of blocks, of which "text" and "tool_use"
count; "stop_reason": "refusal" says that a classifier stopped it. Errors have a type and a
message; 429 comes with Retry-After, 529 means overloaded. There is no seed, and current models
refuse a temperature. Whether the tool is today's toolset or an older version with a beta header
depends on the model; of the toolset only the pointing members are left enabled.
"""

from __future__ import annotations

import fnmatch
import json
import re
from collections.abc import Mapping
from typing import Final

import msgspec

from surefoot.core.question import Usage
from surefoot.models.backend import Options
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
from surefoot.models.servers.server import Service

SERVICE: Final = Service(
    backend="anthropic",
    maker="Anthropic",
    base="https://api.anthropic.com/v1",
    key_variable="ANTHROPIC_API_KEY",
    own_name=re.compile(r"claude-[a-z0-9.-]+"),
    example="anthropic:claude-opus-5-5",
)
VERSION: Final = "2023-06-01"
TOOLSET: Final = "computer_toolset_20260801"
# Older versions of the tool, the header that each needs, and the models that know no other.
OLDER: Final = (
    (
        "computer_20251124",
        "computer-use-2025-11-24",
        ("claude-opus-4-[567]*", "claude-sonnet-4-6*"),
    ),
    (
        "computer_20250124",
        "computer-use-2025-01-24",
        (
            *("claude-sonnet-4-5*", "claude-haiku-4-5*", "claude-opus-4-1*"),
            *("claude-sonnet-4-[02]*", "claude-opus-4-[02]*", "claude-3-7-sonnet*"),
        ),
    ),
)
# Members of the toolset that point at nothing to click.
OTHERS: Final = (
    *("screenshot", "zoom", "left_click_drag", "left_mouse_down", "left_mouse_up"),
    *("cursor_position", "scroll", "type", "key", "hold_key", "wait"),
)


def computer_tool(model: str, width: int, height: int) -> tuple[dict[str, object], str]:
    """
    Return the entry of the computer tool that a model knows, and the beta header that it needs.

    >>> computer_tool("claude-sonnet-4-5-20250929", 1280, 800)[0]["type"]
    'computer_20250124'
    """
    for version, beta, models in OLDER:
        if any(fnmatch.fnmatchcase(model, pattern) for pattern in models):
            entry: dict[str, object] = {
                "type": version,
                "name": "computer",
                "display_width_px": width,
                "display_height_px": height,
            }
            return entry, beta
    configs = {member: {"enabled": False} for member in OTHERS}
    return {"type": TOOLSET, "configs": configs}, ""


def _headers(key: str) -> dict[str, str]:
    return {"anthropic-version": VERSION, **({"x-api-key": key} if key else {})}


def _image(kind: str, data: bytes) -> bytes:
    head = f'{{"type":"image","source":{{"type":"base64","media_type":"{kind}","data":"'.encode()
    return b"".join((head, data, b'"}}'))


def _settings(options: Options, max_tokens: int, again: int) -> dict[str, object]:  # noqa: ARG001
    return {
        "max_tokens": options.max_tokens or max_tokens + THOUGHTS,
        "temperature": options.temperature,
    }


def _post(call: NativeCall, extra: Mapping[str, object]) -> Post:
    given: dict[str, object] = {"model": call.model, **call.settings}
    headers: dict[str, str] = {}
    if call.messages.system:
        given["system"] = call.messages.system
    if call.computer_tool:
        entry, beta = computer_tool(call.model, *call.shown)
        given["tools"] = [entry]
        given["tool_choice"] = {"type": "auto", "disable_parallel_tool_use": True}
        headers = {"anthropic-beta": beta} if beta else {}
    given |= extra
    fields = json.dumps({name: value for name, value in given.items() if value is not None})
    text = json.dumps({"type": "text", "text": call.messages.user}).encode()
    content = content_parts(call.messages, text, call.images)
    body = b"".join(
        (fields[:-1].encode(), b',"messages":[{"role":"user","content":', content, b"}]}")
    )
    return Post("/messages", body, headers)


class _Block(msgspec.Struct, frozen=True):
    type: str = ""
    text: str = ""
    name: str = ""
    input: dict[str, object] = {}


class _StopDetails(msgspec.Struct, frozen=True):
    category: str | None = None
    explanation: str | None = None


class _TokensUsed(msgspec.Struct, frozen=True):
    input_tokens: object = 0
    cache_creation_input_tokens: object = 0
    cache_read_input_tokens: object = 0
    output_tokens: object = 0


class _Message(msgspec.Struct, frozen=True):
    content: list[_Block]
    stop_reason: str | None = None
    stop_details: _StopDetails | None = None
    usage: _TokensUsed = _TokensUsed()


def _read(data: bytes) -> Reply:
    plain = json.loads(data.decode("utf-8-sig", errors="replace"))
    message = msgspec.convert(plain, _Message)
    parts = [block.text for block in message.content if block.type == "text"]
    if message.stop_reason == "refusal":
        details = message.stop_details or _StopDetails()
        reason = ": ".join(filter(None, (details.category, details.explanation)))
        parts.append(spelled_refusal(reason or "stopped by Anthropic's classifiers"))
    else:
        calls = (block for block in message.content if block.type == "tool_use")
        parts += [spelled_call(block.name, block.input) for block in calls]
    used = message.usage
    prompt = (
        used.input_tokens,
        used.cache_creation_input_tokens,
        used.cache_read_input_tokens,
    )
    usage = Usage(sum(map(counted_tokens, prompt)), counted_tokens(used.output_tokens))
    cut = message.stop_reason in CUT_REASONS
    return Reply(writable("\n".join(filter(None, parts))), usage, cut=cut)


WIRE: Final = Wire(SERVICE, _headers, _image, _settings, _post, _read)
ANTHROPIC: Final = native_backend(
    WIRE, "Claude through Anthropic's own protocol, with its computer tool where asked"
)
