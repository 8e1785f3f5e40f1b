"""
The client of OpenAI-compatible servers, against a real server on loopback.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import httpx
import msgspec
import pytest

from surefoot.benchmarks.matching import with_samples
from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError, ModelError, SurefootError
from surefoot.core.geometry import Point
from surefoot.core.question import Answer, Choice, Question, Usage
from surefoot.models.backend import Options
from surefoot.models.backends.openai import OpenAiResponder
from surefoot.models.format import ChatMessages
from surefoot.models.model import Model, Reply
from surefoot.models.opening import open_chat, open_model
from tests.models.backends.asking import KEY, Asker, quick

if TYPE_CHECKING:
    from tests.conftest import FakeServer, MakeStep
    from tests.models.conftest import AskFor

QUICK: Final = quick("OPENAI_API_KEY")
ask: Final = Asker("openai", "m", "json", QUICK)


def test_a_question_is_answered(server: FakeServer, ask_for: AskFor, png: bytes) -> None:
    """The request holds model, prompt, sampling and the image's own bytes; the reply is read."""
    (answer,) = ask(server.base, [ask_for()], png)
    assert answer == Answer("q1", '{"x": 5, "y": 6}', Point(5, 6), Usage(900, 12, 0.002))
    body = server.bodies[0]
    image, text = body["messages"][-1]["content"]
    url = image["image_url"]["url"]
    assert base64.b64decode(url.removeprefix("data:image/png;base64,")) == png
    assert "Click the 'Save' button" in text["text"]
    assert (body["model"], body["stream"], body["temperature"]) == ("m", False, 0.0)
    assert body["max_tokens"] == 128 + 4096
    assert server.paths == ["/v1/chat/completions"]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_extra_fields_are_added_and_taken_out(
    server: FakeServer, ask_for: AskFor, png: bytes
) -> None:
    """Extra fields reach the body, and a null takes one of ours out."""
    extra = {"top_p": 0.5, "seed": None}
    ask(server.base, [ask_for()], png, msgspec.structs.replace(QUICK, extra=extra))
    assert server.bodies[0]["top_p"] == 0.5
    assert "seed" not in server.bodies[0]


def test_samples_have_seeds_of_their_own(server: FakeServer, ask_for: AskFor, png: bytes) -> None:
    """Samples of one question are asked with the seed, the next one, and so on."""
    questions = with_samples([ask_for()], 3)
    answers = ask(server.base, list(questions), png, msgspec.structs.replace(QUICK, seed=7))
    assert [answer.question for answer in answers if isinstance(answer, Answer)] == [
        "q1", "q1~2", "q1~3",
    ]  # fmt: skip
    assert sorted(body["seed"] for body in server.bodies) == [7, 8, 9]


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_passing_failures_are_tried_again(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes, status: int
) -> None:
    """A busy or failing server is asked again until it answers."""
    server.steps = [step(b"busy", status=status), step(drop=True), step()]
    (answer,) = ask(server.base, [ask_for()], png)
    assert isinstance(answer, Answer)
    assert len(server.bodies) == 3


def test_retry_after_is_honoured(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """The next attempt comes no earlier than the server asked."""
    server.steps = [step(status=429, headers={"retry-after": "0.4"}), step()]
    (answer,) = ask(server.base, [ask_for()], png)
    assert isinstance(answer, Answer)
    assert server.times[1] - server.times[0] >= 0.4


def test_an_endless_retry_after_is_given_up(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """A server that asks to wait longer than allowed is not waited for."""
    server.steps = [step(status=429, headers={"retry-after": "86400"})]
    (error,) = ask(server.base, [ask_for()], png)
    assert isinstance(error, ModelError)
    assert error.reason == "http-429"
    assert len(server.bodies) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 302])
def test_lasting_failures_are_not_tried_again(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes, status: int
) -> None:
    """A refusal by the server is reported at once, with its words, and not followed away."""
    headers = {"location": "http://127.0.0.1:9/"}
    server.steps = [step(b'{"error": "no such model"}', status=status, headers=headers)]
    (error,) = ask(server.base, [ask_for()], png)
    assert isinstance(error, ModelError)
    assert error.reason == f"http-{status}"
    assert "no such model" in str(error)
    assert len(server.bodies) == 1


def test_lasting_outage_ends(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """After the last attempt the failure is reported."""
    server.steps = [step(b"down", status=503)]
    (error,) = ask(server.base, [ask_for()], png)
    assert isinstance(error, ModelError)
    assert error.reason == "http-503"
    assert len(server.bodies) == 3


def test_a_silent_server_times_out(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """A server that accepts and never answers costs the time-out and no more."""
    server.steps = [step(wait=30)]
    options = msgspec.structs.replace(QUICK, attempts=2, timeout=0.2)
    (error,) = ask(server.base, [ask_for()], png, options)
    assert isinstance(error, ModelError)
    assert error.reason == "timeout"
    assert len(server.bodies) == 2


def test_what_was_never_reached_is_not_waited_for(ask_for: AskFor, png: bytes) -> None:
    """A refused connection ends the run at once, however patient it is, and is said."""
    patient = Options(attempts=6, wait=3600, longest_wait=3600)
    (error,) = ask("http://127.0.0.1:9/v1", [ask_for()], png, patient)
    assert type(error) is SurefootError
    assert "a server at http://127.0.0.1:9/v1" in error.expected
    assert "connection refused" in error.found


def test_a_host_that_nobody_knows_is_said(ask_for: AskFor, png: bytes) -> None:
    """A name without a machine ends the run at once, too."""
    (error,) = ask("http://nowhere.invalid:8000/v1", [ask_for()], png, Options())
    assert type(error) is SurefootError
    assert error.found == "no machine of that name"


def test_a_server_that_went_away_is_waited_for(
    server: FakeServer, ask_for: AskFor, png: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once it has responded, a refused connection is tried again, and fails one question."""
    responder = OpenAiResponder("m", server.base, "", QUICK)
    model = Model(responder, open_model("center").format)
    tries: list[str] = []

    async def refuse(*_: object, **__: object) -> httpx.Response:
        tries.append("refused")
        raise httpx.ConnectError("All connection attempts failed")

    async def main() -> Answer:
        try:
            await model.answer(ask_for(), png)
            monkeypatch.setattr(httpx.AsyncClient, "send", refuse)
            return await model.answer(ask_for(number=2), png)
        finally:
            await model.close()

    with pytest.raises(ModelError) as error:
        asyncio.run(main())
    assert error.value.reason == "connection"
    assert len(tries) == QUICK.attempts


TEMPERATURE: Final = {
    "error": {
        "message": "Unsupported value: 'temperature' does not support 0.0 with this model. "
        "Only the default (1) value is supported.",
        "type": "invalid_request_error",
        "param": "temperature",
        "code": "unsupported_value",
    }
}
MAX_TOKENS: Final = {
    "error": {
        "message": "Unsupported parameter: 'max_tokens' is not supported with this model. "
        "Use 'max_completion_tokens' instead.",
        "type": "invalid_request_error",
        "param": "max_tokens",
        "code": "unsupported_parameter",
    }
}


def refusing(step: MakeStep, *refusals: tuple[str, int, object]) -> Callable[..., Any]:
    """Return a server's choice: it refuses each parameter that is in a body, in its words."""

    def choose(body: dict[str, Any]) -> object:
        for name, status, words in refusals:
            if name in body:
                return step(json.dumps(words).encode(), status=status)
        return step()

    return choose


def test_a_reasoning_model_gets_what_it_takes(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """A refused temperature is left out and the limit is sent anew; each is refused once."""
    server.choose = refusing(
        step, ("max_tokens", 400, MAX_TOKENS), ("temperature", 400, TEMPERATURE)
    )
    model = open_model(f"openai:o9@{server.base}", format_name="json", options=QUICK)

    async def main() -> list[Answer]:
        answers = [await model.answer(ask_for(number=number), png) for number in range(3)]
        await model.close()
        return answers

    assert all(isinstance(answer.parsed, Point) for answer in asyncio.run(main()))
    assert len(server.bodies) == 2 + 3
    assert server.bodies[-1]["max_completion_tokens"] == 128 + 25_000
    assert not {"max_tokens", "temperature"} & set(server.bodies[-1])
    assert [note.partition(" for ")[0] for note in model.notes()] == [
        f"{server.base} takes no max_tokens",
        f"{server.base} takes no temperature",
    ]


def test_what_the_user_set_is_never_left_out(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """A limit of the user's is sent as it is; a temperature of the user's ends the run."""
    server.choose = refusing(
        step, ("max_tokens", 400, MAX_TOKENS), ("temperature", 400, TEMPERATURE)
    )
    limited = msgspec.structs.replace(QUICK, max_tokens=4000)
    ask(server.base, [ask_for()], png, limited)
    assert server.bodies[-1]["max_completion_tokens"] == 4000
    warm = msgspec.structs.replace(QUICK, temperature=0.7)
    (error,) = ask(server.base, [ask_for()], png, warm)
    assert type(error) is SurefootError
    assert "takes 'temperature'" in str(error)
    odd = msgspec.structs.replace(QUICK, extra={"max_tokens": 9})
    (error,) = ask(server.base, [ask_for()], png, odd)
    assert type(error) is SurefootError


def test_headers_are_sent_and_told_nowhere(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """A header's value reaches the server; identity, errors and answers hold its name at most."""
    value = "hf-7c1d9e2b"
    echo = json.dumps({"choices": [{"message": {"content": f"you sent {value}"}}]}).encode()
    server.steps = [step(f"no such tenant {value}".encode(), status=401), step(echo)]
    options = msgspec.structs.replace(
        QUICK, key_variable="", headers={"X-Tenant": f"Bearer {value}"}
    )
    outcomes = [ask(server.base, [ask_for(number=number)], png, options) for number in range(2)]
    model = open_model(f"openai:m@{server.base}", format_name="json", options=options)

    assert server.headers[0]["x-tenant"] == f"Bearer {value}"
    assert model.identity()["headers"] == ["x-tenant"]
    told = repr((outcomes, model, model.identity(), options)) + str(options)
    assert "***" in told
    assert value not in told
    with pytest.raises(InvalidInputError, match="https"):
        open_model("openai:m@http://10.0.0.7:8000/v1", format_name="json", options=options)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>gateway</html>",
        b"[]",
        b'{"choices": []}',
        b'{"choices": [{"message": null}]}',
        b'{"error": {"message": "overloaded"}}',
        b"\xff\xfe",
        b'{"choices":' + b"[" * 200_000,
    ],
)
def test_garbage_is_a_bad_reply(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes, body: bytes
) -> None:
    """A body that is no chat completion is a recorded failure with an excerpt."""
    server.steps = [step(body)]
    (error,) = ask(server.base, [ask_for()], png)
    assert isinstance(error, ModelError)
    assert error.reason == "bad-reply"
    assert len(str(error)) < 800


def test_a_giant_reply_is_cut_off(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """A reply over 1 MB is a failure, not memory."""
    server.steps = [step(b" " * 30_000_000)]
    (error,) = ask(server.base, [ask_for()], png)
    assert isinstance(error, ModelError)
    assert error.reason == "too-large"


def test_no_more_requests_at_once_than_allowed(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """However many questions are asked, the server sees only so many at a time."""
    server.steps = [step(wait=0.05)]
    options = msgspec.structs.replace(QUICK, concurrency=3)
    answers = ask(server.base, [ask_for(number=index) for index in range(12)], png, options)
    assert all(isinstance(answer, Answer) for answer in answers)
    assert server.busiest == 3


def test_the_key_is_nowhere_but_in_the_request(
    server: FakeServer,
    step: MakeStep,
    ask_for: AskFor,
    png: bytes,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """No log, error, cause, identity, repr or answer holds the key, even if a server echoes it."""
    caplog.set_level(logging.DEBUG)
    echo = json.dumps({"choices": [{"message": {"content": f"your key is {KEY}"}}]}).encode()
    server.steps = [
        step(f"wrong key {KEY}".encode(), status=503),
        step(f"wrong key {KEY}".encode(), status=401),
        step(f"not json {KEY}".encode()),
        step(echo),
    ]
    said: list[str] = []
    for number in range(3):
        (outcome,) = ask(server.base, [ask_for(number=number)], png)
        if isinstance(outcome, BaseException):
            said.extend(traceback.format_exception(outcome))
        else:
            said.extend([canonical_json(outcome).decode(), repr(outcome)])
    model = open_model(f"openai:m@{server.base}", format_name="json", options=QUICK)
    said += [repr(model), repr(model.responder), str(model.identity()), caplog.text]
    said += [str(vars(record)) for record in caplog.records]
    assert len(server.bodies) == 4
    assert "***" in "".join(said)
    assert KEY not in "".join(said)


def test_the_key_may_come_from_another_variable(
    server: FakeServer, ask_for: AskFor, png: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A named variable is used instead, and must exist."""
    options = msgspec.structs.replace(QUICK, key_variable="OTHER_KEY")
    with pytest.raises(InvalidInputError, match="OTHER_KEY"):
        ask(server.base, [ask_for()], png, options)
    monkeypatch.setenv("OTHER_KEY", "other-secret-key")
    ask(server.base, [ask_for()], png, options)
    assert server.headers[0]["authorization"] == "Bearer other-secret-key"


def test_a_broken_key_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that no header can hold is refused without being repeated."""
    monkeypatch.setenv("OPENAI_API_KEY", "secret\nInjected: header")
    with pytest.raises(InvalidInputError) as error:
        open_model("openai:m@http://127.0.0.1:9/v1", format_name="json", options=QUICK)
    assert "secret\n" not in str(error.value)
    assert "Injected" not in str(error.value)


@pytest.mark.parametrize(
    "base",
    [
        "http://user:hunter2secret@127.0.0.1/v1",
        "http://127.0.0.1/v1?key=hunter2secret",
        "http://127.0.0.1/v1#hunter2secret",
    ],
)
def test_secrets_in_the_address_are_refused(base: str) -> None:
    """Credentials and queries in the base URL are refused without being repeated."""
    with pytest.raises(InvalidInputError) as error:
        open_model(f"openai:m@{base}", format_name="json")
    assert "hunter2" not in str(error.value)


@pytest.mark.parametrize("rest", ["", "@http://127.0.0.1/v1"])
def test_a_name_is_needed(rest: str) -> None:
    """A model's name cannot be left out."""
    with pytest.raises(InvalidInputError):
        open_model(f"openai:{rest}", format_name="json")


def test_no_key_is_sent_where_there_is_none(
    server: FakeServer, ask_for: AskFor, png: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OpenAI's key goes to no other server unless it is named; OpenAI's own needs it."""
    unnamed = msgspec.structs.replace(QUICK, key_variable="")
    ask(server.base, [ask_for()], png, unnamed)
    assert "authorization" not in server.headers[0]
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(InvalidInputError, match="OPENAI_API_KEY"):
        open_model("openai:gpt-4o")


@pytest.mark.parametrize("host", ["10.0.0.7", "192.168.1.4", "gpu", "127.0.0.1.example", "[::2]"])
def test_a_key_never_travels_in_the_clear(host: str) -> None:
    """A key for another machine wants https; without a key plain http will do."""
    with pytest.raises(InvalidInputError, match="https"):
        open_model(f"openai:m@http://{host}:8000/v1", format_name="json", options=QUICK)
    open_model(f"openai:m@https://{host}:8000/v1", format_name="json", options=QUICK)
    open_model(f"openai:m@http://{host}:8000/v1", format_name="json")


def test_options_show_no_key() -> None:
    """Keys that were handed over are found, and stand in no text of the options."""
    options = Options(keys={"FAR_KEY": KEY})
    assert options.key("FAR_KEY") == KEY
    assert KEY not in repr(options) + str(options)


def test_an_image_is_encoded_once(server: FakeServer, ask_for: AskFor, png: bytes) -> None:
    """Many questions about one image build its data URL once."""
    responder = OpenAiResponder("m", server.base, "", QUICK)
    model = Model(responder, open_model("center").format)

    async def main() -> None:
        await asyncio.gather(*(model.answer(ask_for(number=index), png) for index in range(9)))
        await model.close()

    asyncio.run(main())
    assert len(server.bodies) == 9
    assert responder.images.built == 1


def test_an_image_of_unknown_kind_is_not_sent(server: FakeServer, ask_for: AskFor) -> None:
    """Bytes that are no image are a recorded failure and no request."""
    (error,) = ask(server.base, [ask_for()], b"GIF89a")
    assert isinstance(error, ModelError)
    assert error.reason == "bad-image"
    assert server.bodies == []


def test_words_alone_are_replied_to(server: FakeServer) -> None:
    """A turn without a picture goes to the same server, with the limit that it was given."""

    async def main() -> Reply:
        chat = open_chat(f"openai:m@{server.base}", options=QUICK)
        try:
            return await chat.say(ChatMessages("", "Say it otherwise."), 77)
        finally:
            await chat.close()

    assert asyncio.run(main()) == Reply('{"x": 5, "y": 6}', Usage(900, 12, 0.002))
    assert server.bodies[0]["messages"] == [{"role": "user", "content": "Say it otherwise."}]
    assert server.bodies[0]["max_tokens"] == 77
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def optional(ask_for: AskFor, number: int = 1, *, reasoning: bool = False) -> Question:
    """Return a question of four options whose right one is B."""
    question = ask_for(number=number)
    return msgspec.structs.replace(
        question,
        asks="option",
        options=tuple("ABCD"),
        answers=("B",),
        cell=msgspec.structs.replace(question.cell, reasoning=reasoning),
    )


def lettered(logprobs: object) -> bytes:
    """Return a completion that says B, with what is told of its tokens."""
    choice = {"message": {"content": '{"answer": "B"}'}, "logprobs": logprobs}
    return json.dumps({"choices": [choice]}).encode()


KNOWN: Final = {
    "content": [
        {"token": '{"answer":', "logprob": 0.0, "top_logprobs": []},
        {
            "token": ' "B',
            "logprob": -0.6931471805599453,
            "top_logprobs": [
                {"token": ' "B', "logprob": -0.6931471805599453},
                {"token": ' "C', "logprob": -1.3862943611198906},
                {"token": "(B", "logprob": -2.0794415416798357},
            ],
        },
    ]
}


def test_letters_have_the_probabilities_that_the_server_tells(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """Options alone are asked for probabilities, which are recorded beside the letter read."""
    server.steps = [step(lettered(KNOWN))]
    asked = [optional(ask_for), optional(ask_for, 2, reasoning=True), ask_for(number=3)]
    answers = [ask(server.base, [question], png)[0] for question in asked]
    assert isinstance(answers[0], Answer)
    assert answers[0].parsed == Choice("B")
    assert answers[0].probabilities == pytest.approx({"B": 0.625, "C": 0.25})
    assert [body.get("top_logprobs") for body in server.bodies] == [20, None, None]
    assert [body.get("logprobs") for body in server.bodies] == [True, None, None]
    assert all(isinstance(one, Answer) and not one.probabilities for one in answers[1:])
    assert b"probabilities" not in canonical_json(answers[1])


@pytest.mark.parametrize(
    "words",
    [{"error": {"message": "Unknown parameter: 'logprobs'"}}, {"detail": "not on this model"}],
    ids=["named", "in other words"],
)
def test_a_server_that_refuses_probabilities_costs_no_question(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes, words: object
) -> None:
    """Questions are answered without probabilities, which are asked for once."""
    refuse = refusing(step, ("logprobs", 400, words))
    server.choose = lambda body: refuse(body) if "logprobs" in body else step(lettered(None))
    model = open_model(f"openai:m@{server.base}", format_name="json", options=QUICK)

    async def main() -> list[Answer]:
        answers = [await model.answer(optional(ask_for, at), png) for at in range(3)]
        await model.close()
        return answers

    assert [one.parsed for one in asyncio.run(main())] == [Choice("B")] * 3
    assert ["logprobs" in body for body in server.bodies] == [True, False, False, False]
    assert any("takes no logprobs" in note for note in model.notes())


def test_another_refusal_is_not_laid_to_probabilities(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """A question that is refused without them too fails, and the next is asked with them."""
    server.steps = [step(b"too long", status=400), step(b"too long", status=400), step()]
    model = open_model(f"openai:m@{server.base}", format_name="json", options=QUICK)

    async def main() -> None:
        with pytest.raises(ModelError):
            await model.answer(optional(ask_for), png)
        await model.answer(optional(ask_for, 2), png)
        await model.close()

    asyncio.run(main())
    assert ["logprobs" in body for body in server.bodies] == [True, False, True]


def test_hostile_probabilities_leave_the_letter(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """A record of tokens that makes no sense is none, and the text is read all the same."""
    server.steps = [step(lettered({"content": [{"token": "B", "logprob": float("nan")}]}))]
    (answer,) = ask(server.base, [optional(ask_for)], png)
    assert isinstance(answer, Answer)
    assert (answer.parsed, answer.probabilities) == (Choice("B"), {})


def test_a_reply_is_read_before_secrets_are_taken_out(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """A header's value that is a word of the reply costs no place, and is kept nowhere."""
    call = '<tool_call>{"name": "computer_use", "arguments": {"coordinate": [5, 6]}}</tool_call>'
    body = {"choices": [{"message": {"content": call}}]}
    server.choose = lambda _: step(json.dumps(body).encode())
    headers = {"X-Title": "computer_use", "X-Other": "coordinate"}
    options = msgspec.structs.replace(QUICK, headers=headers)

    async def main() -> Answer:
        model = open_model(f"openai:m@{server.base}", format_name="qwen3-vl", options=options)
        try:
            return await model.answer(ask_for(), png)
        finally:
            await model.close()

    answer = asyncio.run(main())
    assert isinstance(answer.parsed, Point)
    assert "coordinate" not in answer.raw


def test_a_server_without_room_for_thoughts_is_asked_without(
    server: FakeServer, step: MakeStep, ask_for: AskFor, png: bytes
) -> None:
    """A limit that exceeds the model's context is lowered to the reply's own, once, and told."""
    words = (
        "'max_tokens' or 'max_completion_tokens' is too large: 4224. This model's maximum "
        "context length is 4096 tokens and your request has 1300 input tokens"
    )

    def choose(body: dict[str, Any]) -> Any:  # noqa: ANN401 - a step
        return step(words.encode(), status=400) if body["max_tokens"] > 4000 else step()

    server.choose = choose
    model = open_model(f"openai:m@{server.base}", format_name="json", options=QUICK)

    async def main() -> list[Answer]:
        answers = [await model.answer(ask_for(number=number), png) for number in range(2)]
        await model.close()
        return answers

    assert all(isinstance(answer.parsed, Point) for answer in asyncio.run(main()))
    assert [body["max_tokens"] for body in server.bodies] == [128 + 4096, 128, 128]
    assert any("no room" in note for note in model.notes())
