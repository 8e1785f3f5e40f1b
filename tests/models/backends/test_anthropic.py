"""
Anthropic's protocol, against a real server on loopback that replies as its documents say.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import msgspec
import pytest
from PIL import Image

from surefoot.core.errors import InvalidInputError, ModelError, SurefootError
from surefoot.core.geometry import Point
from surefoot.core.question import Answer, Refusal, Unparsed, Usage
from surefoot.models.backends.anthropic import computer_tool
from surefoot.models.format import ChatMessages
from surefoot.models.model import Reply
from surefoot.models.opening import open_chat, open_model
from tests.models.backends.asking import KEY, Asker, quick

if TYPE_CHECKING:
    from tests.conftest import FakeServer, MakeStep
    from tests.models.conftest import AskFor

QUICK: Final = quick("ANTHROPIC_API_KEY")
ask: Final = Asker("anthropic", "claude-opus-5-5", "claude-computer", QUICK)


def message(*content: object, stop: str = "end_turn", **more: object) -> bytes:
    """Return a message as the documentation of the Messages API shows one."""
    fields = {
        "id": "msg_01XFDUDYJgAACzvnptvVoYEL",
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-5-5",
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {
            "input_tokens": 2000,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": 100,
        },
    }
    return json.dumps(fields | more).encode()


def said(text: str) -> dict[str, object]:
    """Return a block of text."""
    return {"type": "text", "text": text}


def member(name: str, **given: object) -> dict[str, object]:
    """Return a call of a member of the computer toolset."""
    return {
        "type": "tool_use",
        "id": "toolu_01A09q90qw90lq917835lq9",
        "toolset_name": "computer",
        "name": name,
        "input": given,
    }


def failed(status: int, kind: str, words: str, **headers: str) -> dict[str, object]:
    """Return how a step of the server fails, in the documented shape of errors."""
    error = {"type": "error", "error": {"type": kind, "message": words}, "request_id": "req_011C"}
    return {"body": json.dumps(error).encode(), "status": status, "headers": headers}


def test_a_tool_call_is_a_click(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """A call of left_click is a place, with its tokens and what they cost at list prices."""
    thought = {"type": "thinking", "thinking": "", "signature": "EosnCkYI"}
    server.steps = [
        step(message(thought, member("left_click", coordinate=[5, 6]), stop="tool_use"))
    ]
    (answer,) = ask(server.base, [ask_for()], png)

    assert isinstance(answer, Answer)
    assert answer.parsed == Point(5, 6)
    assert answer.usage == Usage(2000, 100, 2000 * 4e-6 + 100 * 20e-6)
    assert '{"name": "left_click", "arguments": {"coordinate": [5, 6]}}' in answer.raw
    body = server.bodies[0]
    assert (server.paths, body["model"]) == (["/v1/messages"], "claude-opus-5-5")
    text, picture = body["messages"][0]["content"]
    assert "Click the 'Save' button" in text["text"]
    assert picture["source"]["media_type"] == "image/png"
    assert base64.b64decode(picture["source"]["data"]) == png
    headers = server.headers[0]
    assert headers["x-api-key"] == KEY
    assert headers["anthropic-version"] == "2023-06-01"
    assert "anthropic-beta" not in headers
    assert "authorization" not in headers


def test_the_toolset_may_only_point(server: FakeServer, ask_for: AskFor, png: bytes) -> None:
    """Of the 17 members those that do not point are switched off, and one call is asked for."""
    ask(server.base, [ask_for()], png)
    body = server.bodies[0]
    (entry,) = body["tools"]

    assert entry["type"] == "computer_toolset_20260801"
    assert set(entry) == {"type", "configs"}
    assert all(config == {"enabled": False} for config in entry["configs"].values())
    assert not {"left_click", "double_click", "mouse_move"} & set(entry["configs"])
    assert len(entry["configs"]) == 17 - 6
    assert body["tool_choice"] == {"type": "auto", "disable_parallel_tool_use": True}


@pytest.mark.parametrize(
    ("model", "version", "beta"),
    [
        ("claude-sonnet-4-5-20250929", "computer_20250124", "computer-use-2025-01-24"),
        ("claude-haiku-4-5-20251001", "computer_20250124", "computer-use-2025-01-24"),
        ("claude-opus-4-6", "computer_20251124", "computer-use-2025-11-24"),
        ("claude-opus-4-7", "computer_20251124", "computer-use-2025-11-24"),
        ("claude-opus-4-8", "computer_toolset_20260801", ""),
        ("claude-sonnet-5", "computer_toolset_20260801", ""),
    ],
)
def test_each_model_is_offered_the_tool_that_it_knows(model: str, version: str, beta: str) -> None:
    """The tool's version and beta header are those of the documented table."""
    entry, header = computer_tool(model, 1280, 800)
    assert (entry["type"], header) == (version, beta)
    assert ("display_width_px" in entry) is bool(beta)


def test_an_older_tool_is_told_the_size_and_its_calls_are_read(
    server: FakeServer, step: MakeStep, ask_for: AskFor, picture: Callable[..., bytes]
) -> None:
    """The picture is shrunk by the documented rule, the tool told its size, the click put back."""
    call = {
        "type": "tool_use",
        "id": "toolu_1",
        "name": "computer",
        "input": {"action": "left_click", "coordinate": [728, 400]},
    }
    server.steps = [step(message(call, stop="tool_use"))]
    image = picture(1920, 1080)
    (answer,) = ask(
        server.base,
        [ask_for(image=image, size=(1920, 1080))],
        image,
        model="claude-sonnet-4-5-20250929",
        form="claude-computer-1568",
    )

    (entry,) = server.bodies[0]["tools"]
    assert (entry["display_width_px"], entry["display_height_px"]) == (1456, 819)
    sent = base64.b64decode(server.bodies[0]["messages"][0]["content"][1]["source"]["data"])
    with Image.open(io.BytesIO(sent)) as opened:
        assert opened.size == (1456, 819)
    assert server.headers[0]["anthropic-beta"] == "computer-use-2025-01-24"
    assert isinstance(answer, Answer)
    assert isinstance(answer.parsed, Point)
    assert answer.parsed.x == pytest.approx(728 * 1920 / 1456)
    assert answer.parsed.y == pytest.approx(400 * 1080 / 819)


def test_plain_replies_are_read_without_the_tool(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """In its plain vision mode the model is asked for JSON, and no tool is offered."""
    server.steps = [step(message(said('{"x": 5, "y": 6}')))]
    (answer,) = ask(server.base, [ask_for()], png, form="")

    assert isinstance(answer, Answer)
    assert answer.parsed == Point(5, 6)
    assert "tools" not in server.bodies[0]
    assert server.bodies[0]["messages"][0]["content"][0]["type"] == "image"


def test_overload_and_limits_are_waited_for(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """529 and 429 are tried again, after as long as Retry-After says."""
    limited = failed(429, "rate_limit_error", "Number of requests", **{"retry-after": "0.3"})
    server.steps = [
        step(**failed(529, "overloaded_error", "Overloaded")),
        step(**limited),
        step(message(member("left_click", coordinate=[5, 6]))),
    ]
    (answer,) = ask(server.base, [ask_for()], png)

    assert isinstance(answer, Answer)
    assert len(server.bodies) == 3
    assert server.times[2] - server.times[1] >= 0.3


def test_a_spent_budget_is_not_waited_for(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """A 429 that says that the month's budget is spent fails at once."""
    error = {
        "type": "rate_limit_error",
        "message": "spend limit",
        "details": {"error_code": "enforced_spend_limit_reached"},
    }
    body = json.dumps({"type": "error", "error": error}).encode()
    server.steps = [step(body, status=429)]
    (outcome,) = ask(server.base, [ask_for()], png)

    assert isinstance(outcome, ModelError)
    assert outcome.reason == "http-429"
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "invalid_request_error"),
        (401, "authentication_error"),
        (403, "permission_error"),
        (404, "not_found_error"),
        (413, "request_too_large"),
    ],
)
def test_lasting_errors_are_told_at_once(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes, status: int, kind: str
) -> None:
    """Any other documented error is one failure with its words."""
    server.steps = [step(**failed(status, kind, "not this way"))]
    (outcome,) = ask(server.base, [ask_for()], png)

    assert isinstance(outcome, ModelError)
    assert outcome.reason == f"http-{status}"
    assert kind in str(outcome)
    assert len(server.bodies) == 1


@pytest.mark.parametrize("form", ["claude-computer", "claude"])
def test_a_classifiers_refusal_is_a_refusal(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes, form: str
) -> None:
    """The stop reason "refusal" is a Refusal with its category, whatever was said before."""
    details = {"type": "refusal", "category": "cyber", "explanation": "It could do harm."}
    content = (said("I click"), member("left_click", coordinate=[5, 6]))
    server.steps = [
        step(message(*content, stop="refusal", stop_details=details)),
        step(message(stop="refusal", stop_details=None)),
    ]
    answers = [ask(server.base, [ask_for(number=at)], png, form=form)[0] for at in range(2)]

    assert [one.parsed for one in answers if isinstance(one, Answer)] == [
        Refusal("cyber: It could do harm."),
        Refusal("stopped by Anthropic's classifiers"),
    ]


def test_a_call_that_points_at_nothing_is_not_read(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """A screenshot asked for, or words alone, are no place, and say so."""
    server.steps = [step(message(member("screenshot"))), step(message(said("It is there.")))]
    answers = [ask(server.base, [ask_for(number=at)], png)[0] for at in range(2)]

    assert [one.parsed for one in answers if isinstance(one, Answer)] == [
        Unparsed("no click, only screenshot"),
        Unparsed("no JSON object with a place"),
    ]


def test_a_temperature_that_is_not_taken_is_left_out(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """A model that knows no temperature is asked without; one that the user set ends the run."""
    refused = failed(400, "invalid_request_error", "`temperature` is deprecated for this model.")
    fine = step(message(member("left_click", coordinate=[5, 6])))
    server.choose = lambda body: step(**refused) if "temperature" in body else fine
    (answer,) = ask(server.base, [ask_for()], png)

    assert isinstance(answer, Answer)
    assert ["temperature" in body for body in server.bodies] == [True, False]
    warm = msgspec.structs.replace(QUICK, temperature=0.7)
    (error,) = ask(server.base, [ask_for()], png, options=warm)
    assert type(error) is SurefootError
    assert "takes 'temperature'" in str(error)


def test_limits_leave_room_for_thoughts(server: FakeServer, ask_for: AskFor, png: bytes) -> None:
    """The limit of tokens has room for thoughts, unless the user set it; no seed is sent."""
    ask(server.base, [ask_for()], png)
    ask(server.base, [ask_for()], png, options=msgspec.structs.replace(QUICK, max_tokens=700))

    assert [body["max_tokens"] for body in server.bodies] == [512 + 16_000, 700]
    assert all("seed" not in body for body in server.bodies)


def test_extra_fields_are_added(server: FakeServer, ask_for: AskFor, png: bytes) -> None:
    """Extra fields reach the body, and a null takes one of ours out."""
    extra = {"output_config": {"effort": "low"}, "temperature": None}
    ask(server.base, [ask_for()], png, options=msgspec.structs.replace(QUICK, extra=extra))

    assert server.bodies[0]["output_config"] == {"effort": "low"}
    assert "temperature" not in server.bodies[0]


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"[]", b'{"content": null}', b'{"content":' + b"[" * 200_000]
)
def test_garbage_is_a_bad_reply(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes, body: bytes
) -> None:
    """A body that is no message is a recorded failure with an excerpt."""
    server.steps = [step(body)]
    (error,) = ask(server.base, [ask_for()], png)

    assert isinstance(error, ModelError)
    assert error.reason == "bad-reply"
    assert len(str(error)) < 800


def test_the_key_is_told_nowhere(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """No error, reply, repr or identity holds the key, even where the server echoes it."""
    server.steps = [
        step(**failed(401, "authentication_error", f"invalid x-api-key {KEY}")),
        step(message(said(f"your key is {KEY}"))),
    ]
    outcomes = [ask(server.base, [ask_for(number=at)], png)[0] for at in range(2)]
    model = open_model(f"anthropic:m@{server.base}", format_name="claude", options=QUICK)
    told = [
        *(repr(one) for one in outcomes),
        *traceback.format_exception(outcomes[0] if isinstance(outcomes[0], Exception) else None),
        repr((model, model.responder, model.identity(), model.notes())),
    ]

    assert "***" in "".join(told)
    assert KEY not in "".join(told)


def test_the_makers_key_is_for_the_maker(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name alone means Anthropic's own server and needs its key; another server gets none."""
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with pytest.raises(InvalidInputError, match="ANTHROPIC_API_KEY"):
        open_model("anthropic:claude-opus-5-5")
    open_model("anthropic:claude-opus-5-5@http://127.0.0.1:9/v1")
    with pytest.raises(InvalidInputError, match="anthropic:claude-opus-5-5"):
        open_model("anthropic:localhost:8000")


def test_an_unpriced_model_says_so(server: FakeServer) -> None:
    """A model without a list price costs nothing in the records, and a note says why."""
    model = open_model(f"anthropic:claude-new@{server.base}", format_name="claude")

    assert model.notes() == ["no list price of claude-new is known: its cost is not counted"]


def test_words_alone_are_replied_to(server: FakeServer, step: MakeStep) -> None:
    """A turn without a picture goes to the same server."""
    server.steps = [step(message(said("Otherwise.")))]

    async def main() -> Reply:
        chat = open_chat(f"anthropic:claude-opus-5-5@{server.base}", options=QUICK)
        try:
            return await chat.say(ChatMessages("Be brief.", "Say it otherwise."), 77)
        finally:
            await chat.close()

    assert asyncio.run(main()).text == "Otherwise."
    assert server.bodies[0]["system"] == "Be brief."
    assert server.bodies[0]["messages"][0]["content"] == [said("Say it otherwise.")]
