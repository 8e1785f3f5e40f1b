"""
OpenAI's Responses protocol, against a real server on loopback that replies as documented.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Final

import pytest

from surefoot.core.errors import ModelError
from surefoot.core.geometry import Point
from surefoot.core.question import Answer, Refusal, Unparsed, Usage
from surefoot.models.backends.openai_responses import computer_tool
from tests.models.backends.asking import KEY, Asker, quick

if TYPE_CHECKING:
    from tests.conftest import FakeServer, MakeStep
    from tests.models.conftest import AskFor

QUICK: Final = quick("OPENAI_API_KEY")
ask: Final = Asker("openai-responses", "gpt-5.4", "openai-computer", QUICK)


def response(*output: object, **more: object) -> bytes:
    """Return a response as the library's types have it."""
    fields: dict[str, object] = {
        "id": "resp_1",
        "object": "response",
        "status": "completed",
        "output": output,
        "usage": {"input_tokens": 1200, "output_tokens": 30, "total_tokens": 1230},
    }
    return json.dumps(fields | more).encode()


def call(*actions: dict[str, object]) -> dict[str, object]:
    """Return a call of the computer tool."""
    return {
        "type": "computer_call", "id": "cu_1", "call_id": "call_1", "status": "completed",
        "pending_safety_checks": [], "actions": actions,
    }  # fmt: skip


def said(**part: object) -> dict[str, object]:
    """Return a message of one part."""
    return {"type": "message", "role": "assistant", "content": [part]}


def test_an_action_that_clicks_is_a_click(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """The first action that points counts, after a 429, and what comes behind it does not."""
    thought = {"type": "reasoning", "id": "rs_1", "summary": []}
    clicked = call({"type": "click", "x": 5, "y": 6, "button": "left"}, {"type": "wait"})
    server.steps = [
        step(b'{"error": {"message": "Rate limit reached"}}', status=429),
        step(response(thought, clicked)),
    ]
    (answer,) = ask(server.base, [ask_for()], png)

    assert isinstance(answer, Answer)
    assert answer.parsed == Point(5, 6)
    assert answer.usage == Usage(1200, 30)
    body = server.bodies[-1]
    assert server.paths == ["/v1/responses"] * 2
    assert (body["tools"], body["store"]) == ([{"type": "computer"}], False)
    picture, text = body["input"][0]["content"]
    assert base64.b64decode(picture["image_url"].partition("base64,")[2]) == png
    assert "Click the 'Save' button" in text["text"]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_the_preview_is_told_the_display(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """computer-use-preview has an older tool, and one action in each call."""
    item = {"type": "computer_call", "action": {"type": "double_click", "x": 5, "y": 6}}
    server.steps = [step(response(item))]
    (answer,) = ask(server.base, [ask_for()], png, model="computer-use-preview")

    assert isinstance(answer, Answer)
    assert answer.parsed == Point(5, 6)
    assert server.bodies[0]["tools"] == [
        {
            "type": "computer_use_preview", "display_width": 64, "display_height": 40,
            "environment": "browser",
        }
    ]  # fmt: skip
    assert server.bodies[0]["truncation"] == "auto"
    assert computer_tool("computer-use-preview", 1, 1, "desktop")["environment"] == "linux"


@pytest.mark.parametrize(
    ("reply", "parsed"),
    [
        (response(said(type="refusal", refusal="I cannot.")), Refusal("I cannot.")),
        (
            response(incomplete_details={"reason": "content_filter"}),
            Refusal("content_filter"),
        ),
        (response(call({"type": "screenshot"})), Unparsed("no click, only screenshot")),
        (
            response(said(type="output_text", text="There.")),
            Unparsed("no JSON object with a place"),
        ),
    ],
)
def test_what_is_no_click_says_so(
    server: FakeServer,
    step: MakeStep,
    ask_for: AskFor,
    png: bytes,
    reply: bytes,
    parsed: Refusal | Unparsed,
) -> None:
    """Refusals are Refusals; a screenshot asked for and words are no place."""
    server.steps = [step(reply)]
    (answer,) = ask(server.base, [ask_for()], png)

    assert isinstance(answer, Answer)
    assert answer.parsed == parsed


@pytest.mark.parametrize("body", [b"", b"[]", b'{"output": 3}'])
def test_garbage_is_a_bad_reply(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes, body: bytes
) -> None:
    """A body that is no response is a recorded failure."""
    server.steps = [step(body)]
    (error,) = ask(server.base, [ask_for()], png)

    assert isinstance(error, ModelError)
    assert error.reason == "bad-reply"
