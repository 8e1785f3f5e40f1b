"""
Google's generateContent of the Gemini API, with its computer tool where the format asks for it.

Facts of the protocol (ai.google.dev, read in November 2026): ``POST
/v1beta/models/NAME:generateContent`` with x-goog-api-key; a reply's first candidate has parts,
"text" (thoughts are marked as such) and "functionCall"; a "finishReason" such as SAFETY, or a
"blockReason" of the prompt, says that a filter stopped it. Errors have a code, a status and a
message; how long to wait stands in the details of a 429. The computer tool is told the
environment, and the actions that are not to be used.
"""

from __future__ import annotations

import json
import re
import urllib.parse
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
    backend="google",
    maker="Google",
    base="https://generativelanguage.googleapis.com/v1beta",
    key_variable="GEMINI_API_KEY",
    own_name=re.compile(r"gemini-[a-z0-9.-]+"),
    example="google:gemini-3.5-flash",
)
# Why a candidate has no whole reply, where it is a filter's doing.
STOPPED: Final = frozenset(
    {
        *("SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "RECITATION"),
        *("IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT"),
    }
)
ENVIRONMENTS: Final = {
    "desktop": "ENVIRONMENT_DESKTOP",
    "mobile": "ENVIRONMENT_MOBILE",
}
BROWSER: Final = "ENVIRONMENT_BROWSER"
# Actions that point at nothing to click, in each environment; Gemini 2.5 knows the browser alone.
POINTLESS: Final = {
    BROWSER: (
        *("mouse_down", "mouse_up", "type", "drag_and_drop", "wait", "press_key", "key_down"),
        *("key_up", "hotkey", "take_screenshot", "scroll", "go_back", "navigate", "go_forward"),
    ),
    "ENVIRONMENT_DESKTOP": (
        *("mouse_down", "mouse_up", "type", "drag_and_drop", "wait", "press_key", "key_down"),
        *("key_up", "hotkey", "take_screenshot", "scroll"),
    ),
    "ENVIRONMENT_MOBILE": (
        *("open_app", "list_apps", "wait", "go_back", "type", "drag_and_drop", "press_key"),
        "take_screenshot",
    ),
}
POINTLESS_25: Final = (
    *("open_web_browser", "wait_5_seconds", "go_back", "go_forward", "search", "navigate"),
    *("type_text_at", "key_combination", "scroll_document", "scroll_at", "drag_and_drop"),
)


def computer_tool(model: str, platform: str) -> dict[str, object]:
    """
    Return the entry of the computer tool for a model and a question's platform.

    >>> computer_tool("gemini-3.5-flash", "mobile")["computerUse"]["environment"]
    'ENVIRONMENT_MOBILE'
    """
    if model.startswith("gemini-2.5-"):
        environment, excluded = BROWSER, list(POINTLESS_25)
    else:
        environment = ENVIRONMENTS.get(platform, BROWSER)
        excluded = list(POINTLESS[environment])
    use = {"environment": environment, "excludedPredefinedFunctions": excluded}
    return {"computerUse": use}


def _headers(key: str) -> dict[str, str]:
    return {"x-goog-api-key": key} if key else {}


def _image(kind: str, data: bytes) -> bytes:
    head = f'{{"inlineData":{{"mimeType":"{kind}","data":"'.encode()
    return b"".join((head, data, b'"}}'))


def _settings(options: Options, max_tokens: int, again: int) -> dict[str, object]:
    return {
        "maxOutputTokens": options.max_tokens or max_tokens + THOUGHTS,
        "temperature": options.temperature,
        "seed": options.seed + again,
    }


def _post(call: NativeCall, extra: Mapping[str, object]) -> Post:
    own = {name: value for name, value in call.settings.items() if value is not None}
    given: dict[str, object] = {"generationConfig": own}
    if call.messages.system:
        given["systemInstruction"] = {"parts": [{"text": call.messages.system}]}
    if call.computer_tool:
        given["tools"] = [computer_tool(call.model, call.platform)]
    for name, value in extra.items():
        before = given.get(name)
        both = isinstance(before, dict) and isinstance(value, dict)
        given[name] = {**before, **value} if both else value  # type: ignore[dict-item]
    fields = json.dumps({name: value for name, value in given.items() if value is not None})
    text = json.dumps({"text": call.messages.user}).encode()
    parts = content_parts(call.messages, text, call.images)
    body = b"".join((fields[:-1].encode(), b',"contents":[{"role":"user","parts":', parts, b"}]}"))
    return Post(f"/models/{urllib.parse.quote(call.model, safe='')}:generateContent", body)


class _FunctionCall(msgspec.Struct, frozen=True):
    name: str = ""
    args: dict[str, object] = {}


class _Part(msgspec.Struct, frozen=True, rename="camel"):
    text: str = ""
    thought: bool = False
    function_call: _FunctionCall | None = None


class _Content(msgspec.Struct, frozen=True):
    parts: list[_Part] = []


class _Candidate(msgspec.Struct, frozen=True, rename="camel"):
    content: _Content = _Content()
    finish_reason: str = ""
    finish_message: str = ""


class _PromptFeedback(msgspec.Struct, frozen=True, rename="camel"):
    block_reason: str = ""


class _TokenCounts(msgspec.Struct, frozen=True, rename="camel"):
    prompt_token_count: object = 0
    tool_use_prompt_token_count: object = 0
    candidates_token_count: object = 0
    thoughts_token_count: object = 0


class _Generated(msgspec.Struct, frozen=True, rename="camel"):
    candidates: list[_Candidate] = []
    prompt_feedback: _PromptFeedback = _PromptFeedback()
    usage_metadata: _TokenCounts = _TokenCounts()


def _read(data: bytes) -> Reply:
    plain = json.loads(data.decode("utf-8-sig", errors="replace"))
    generated = msgspec.convert(plain, _Generated)
    blocked = generated.prompt_feedback.block_reason
    if not generated.candidates and not blocked:
        raise msgspec.ValidationError("no candidates")
    first = generated.candidates[0] if generated.candidates else _Candidate()
    parts = [part for part in first.content.parts if not part.thought]
    texts = [part.text for part in parts]
    if blocked or first.finish_reason in STOPPED:
        reason = ": ".join(filter(None, (blocked or first.finish_reason, first.finish_message)))
        texts.append(spelled_refusal(reason))
    else:
        calls = (part.function_call for part in parts if part.function_call)
        texts += [spelled_call(call.name, call.args) for call in calls]
    used = generated.usage_metadata
    usage = Usage(
        counted_tokens(used.prompt_token_count) + counted_tokens(used.tool_use_prompt_token_count),
        counted_tokens(used.candidates_token_count) + counted_tokens(used.thoughts_token_count),
    )
    cut = first.finish_reason.casefold() in CUT_REASONS
    return Reply(writable("\n".join(filter(None, texts))), usage, cut=cut)


WIRE: Final = Wire(SERVICE, _headers, _image, _settings, _post, _read)
GOOGLE: Final = native_backend(
    WIRE, "Gemini through Google's own protocol, with its computer tool where asked"
)
