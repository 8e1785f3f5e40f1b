"""
Google's protocol, against a real server on loopback that replies as its documents say.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Final

import msgspec
import pytest

from surefoot.benchmarks.matching import with_samples
from surefoot.core.errors import InvalidInputError, ModelError
from surefoot.core.geometry import Point
from surefoot.core.question import Answer, Refusal, Unparsed, Usage
from surefoot.models.backends.google import computer_tool
from surefoot.models.opening import open_model
from tests.models.backends.asking import KEY, Asker, quick

if TYPE_CHECKING:
    from tests.conftest import FakeServer, MakeStep
    from tests.models.conftest import AskFor

QUICK: Final = quick("GEMINI_API_KEY")
ask: Final = Asker("google", "gemini-3.5-flash", "gemini-computer", QUICK)


def generated(*parts: object, finish: str = "STOP", **more: object) -> bytes:
    """Return a reply as the documentation of generateContent shows one."""
    fields: dict[str, object] = {
        "candidates": [
            {
                "content": {"parts": parts, "role": "model"},
                "finishReason": finish,
                "index": 0,
            }
        ],
        "usageMetadata": {
            "promptTokenCount": 1500,
            "candidatesTokenCount": 40,
            "thoughtsTokenCount": 60,
            "totalTokenCount": 1600,
        },
        "modelVersion": "gemini-3.5-flash",
        "responseId": "mAitaLmkHPPlz7IPvtfUqQ4",
    }
    return json.dumps(fields | more).encode()


def call(name: str, **args: object) -> dict[str, object]:
    """Return a part that calls an action of the computer tool."""
    return {"functionCall": {"name": name, "args": args}, "thoughtSignature": "CtoC"}


def failed(code: int, status: str, words: str, *details: object) -> dict[str, object]:
    """Return how a step of the server fails, in the documented shape of errors."""
    error = {"code": code, "message": words, "status": status, "details": details}
    return {"body": json.dumps({"error": error}, indent=2).encode(), "status": code}


def test_a_function_call_is_a_click(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """A click in thousandths is a place of the picture, with its tokens and their list price."""
    thought = {"text": "The button is at the top left.", "thought": True}
    server.steps = [step(generated(thought, call("click", y=250, x=500, intent="Save")))]
    (answer,) = ask(server.base, [ask_for(size=(64, 40))], png)

    assert isinstance(answer, Answer)
    assert answer.parsed == Point(32, 10)
    assert answer.usage == Usage(1500, 100, (1500 * 1.5 + 100 * 9.0) / 1e6)
    assert "top left" not in answer.raw
    assert server.paths == ["/v1/models/gemini-3.5-flash:generateContent"]
    body = server.bodies[0]
    picture, text = body["contents"][0]["parts"]
    assert base64.b64decode(picture["inlineData"]["data"]) == png
    assert picture["inlineData"]["mimeType"] == "image/png"
    assert "Click the 'Save' button" in text["text"]
    assert body["generationConfig"] == {
        "maxOutputTokens": 512 + 16_000, "temperature": 0.0, "seed": 0,
    }  # fmt: skip
    assert "action" in body["systemInstruction"]["parts"][0]["text"]
    assert server.headers[0]["x-goog-api-key"] == KEY


def test_the_actions_of_gemini_25_are_read(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """Its names differ, and a click that wants a person's consent is one all the same."""
    consent = {"decision": "require_confirmation", "explanation": "It accepts terms."}
    server.steps = [step(generated(call("click_at", y=500, x=250, safety_decision=consent)))]
    model = "gemini-2.5-computer-use-preview-10-2025"
    (answer,) = ask(server.base, [ask_for(size=(64, 40))], png, model=model, form="")

    assert isinstance(answer, Answer)
    assert answer.parsed == Point(16, 20)
    (tool,) = server.bodies[0]["tools"]
    assert tool["computerUse"]["environment"] == "ENVIRONMENT_BROWSER"
    assert "type_text_at" in tool["computerUse"]["excludedPredefinedFunctions"]


@pytest.mark.parametrize(
    ("platform", "environment"),
    [
        ("", "ENVIRONMENT_BROWSER"),
        ("web", "ENVIRONMENT_BROWSER"),
        ("desktop", "ENVIRONMENT_DESKTOP"),
        ("mobile", "ENVIRONMENT_MOBILE"),
    ],
)
def test_the_tool_is_told_where_it_is_used(platform: str, environment: str) -> None:
    """The environment is the question's platform; no action that clicks is excluded."""
    use = computer_tool("gemini-3.5-flash", platform)["computerUse"]

    assert isinstance(use, dict)
    assert use["environment"] == environment
    assert not {"click", "double_click", "move", "long_press"} & set(
        use["excludedPredefinedFunctions"]
    )


def test_points_have_y_first(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """In its plain vision mode the reply is JSON with y before x, and no tool is offered."""
    text = '```json\n[{"point": [250, 500], "label": "Save"}]\n```'
    server.steps = [step(generated({"text": text}))]
    (answer,) = ask(server.base, [ask_for(size=(64, 40))], png, form="")

    assert isinstance(answer, Answer)
    assert answer.parsed == Point(32, 10)
    assert "tools" not in server.bodies[0]


def test_quotas_are_waited_for_as_long_as_the_body_says(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """A 429 names its delay in the details; 503 is tried again, too."""
    delay = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.3s"}
    server.steps = [
        step(**failed(429, "RESOURCE_EXHAUSTED", "You exceeded your quota", delay)),
        step(**failed(503, "UNAVAILABLE", "The model is overloaded.")),
        step(generated(call("click", y=1, x=2))),
    ]
    (answer,) = ask(server.base, [ask_for()], png)

    assert isinstance(answer, Answer)
    assert len(server.bodies) == 3
    assert server.times[1] - server.times[0] >= 0.3


@pytest.mark.parametrize(
    ("code", "status"),
    [(400, "INVALID_ARGUMENT"), (403, "PERMISSION_DENIED"), (404, "NOT_FOUND")],
)
def test_lasting_errors_are_told_at_once(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes, code: int, status: str
) -> None:
    """Any other documented error is one failure with its words, without the key."""
    server.steps = [step(**failed(code, status, f"API key not valid: {KEY}"))]
    (outcome,) = ask(server.base, [ask_for()], png)

    assert isinstance(outcome, ModelError)
    assert outcome.reason == f"http-{code}"
    assert "API key not valid: ***" in str(outcome)
    assert KEY not in repr(outcome)
    assert len(server.bodies) == 1


@pytest.mark.parametrize("form", ["gemini-computer", "gemini"])
@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (generated({"text": "I"}, finish="SAFETY"), "SAFETY"),
        (generated(finish="PROHIBITED_CONTENT"), "PROHIBITED_CONTENT"),
        (
            json.dumps({"promptFeedback": {"blockReason": "OTHER"}}).encode(),
            "OTHER",
        ),
    ],
)
def test_a_filters_stop_is_a_refusal(
    server: FakeServer,
    step: MakeStep,
    ask_for: AskFor,
    png: bytes,
    form: str,
    reply: bytes,
    reason: str,
) -> None:
    """A reply that a filter stopped, and a prompt that it blocked, are Refusals."""
    server.steps = [step(reply)]
    (answer,) = ask(server.base, [ask_for()], png, form=form)

    assert isinstance(answer, Answer)
    assert answer.parsed == Refusal(reason)


def test_a_reply_without_a_click_is_not_read(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """A scroll, and a call that the model spelt wrongly, are no place, and say so."""
    malformed = {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL", "index": 0}]}
    server.steps = [
        step(generated(call("scroll", y=1, x=2, direction="down"))),
        step(json.dumps(malformed).encode()),
    ]
    answers = [ask(server.base, [ask_for(number=at)], png)[0] for at in range(2)]

    assert [one.parsed for one in answers if isinstance(one, Answer)] == [
        Unparsed("no click, only scroll"),
        Unparsed("no JSON object with a point or a box_2d"),
    ]


def test_a_seed_that_is_not_taken_is_left_out(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """An unknown name is left out of the configuration from then on, and a note says so."""
    words = "Invalid JSON payload received. Unknown name \"seed\" at 'generation_config'"
    fine = step(generated(call("click", y=1, x=2)))
    refused = failed(400, "INVALID_ARGUMENT", words)
    server.choose = lambda body: step(**refused) if "seed" in body["generationConfig"] else fine
    (answer,) = ask(server.base, [ask_for()], png)

    assert isinstance(answer, Answer)
    assert ["seed" in body["generationConfig"] for body in server.bodies] == [True, False]


def test_samples_have_seeds_of_their_own(server: FakeServer, ask_for: AskFor, png: bytes) -> None:
    """Samples of one question are asked with the seed, the next one, and so on."""
    options = msgspec.structs.replace(QUICK, seed=7)
    ask(server.base, list(with_samples([ask_for()], 3)), png, options=options)

    assert sorted(body["generationConfig"]["seed"] for body in server.bodies) == [7, 8, 9]


def test_extra_fields_are_put_in(server: FakeServer, ask_for: AskFor, png: bytes) -> None:
    """Extra fields join the configuration, and a null takes one of ours out."""
    extra = {"generationConfig": {"thinkingConfig": {"thinkingLevel": "LOW"}}, "tools": None}
    ask(server.base, [ask_for()], png, options=msgspec.structs.replace(QUICK, extra=extra))

    config = server.bodies[0]["generationConfig"]
    assert config["thinkingConfig"] == {"thinkingLevel": "LOW"}
    assert config["seed"] == 0
    assert "tools" not in server.bodies[0]


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"[]", b"{}", b'{"candidates": [{"content": 3}]}']
)
def test_garbage_is_a_bad_reply(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes, body: bytes
) -> None:
    """A body that is no reply is a recorded failure with an excerpt."""
    server.steps = [step(body)]
    (error,) = ask(server.base, [ask_for()], png)

    assert isinstance(error, ModelError)
    assert error.reason == "bad-reply"


def test_names_stay_in_their_place(server: FakeServer, ask_for: AskFor, png: bytes) -> None:
    """A model's name cannot lead to another address, and a name alone is Google's own."""
    ask(server.base, [ask_for()], png, model="../x?y=1")
    assert server.paths == ["/v1/models/..%2Fx%3Fy%3D1:generateContent"]
    with pytest.raises(InvalidInputError, match="for example google:gemini"):
        open_model("google:llama-3")
