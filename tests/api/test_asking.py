"""
The options of models, read from what a person types.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from surefoot.api.asking import read_body, read_headers
from surefoot.core.errors import ExitCode, InvalidInputError
from surefoot.core.ledger import read_plan

if TYPE_CHECKING:
    from tests.conftest import FakeServer

Surefoot = Callable[..., Any]
VALUE = "lagoon-81-blue"


def ask(surefoot: Surefoot, server: FakeServer, bench: Path, out: Path, *more: object) -> Any:  # noqa: ANN401
    """Ask a benchmark with further options."""
    model = ("--model", f"openai:m@{server.base}", "--format", "json", "--no-self-check")
    return surefoot("run", bench, *model, "--limit", 1, "--out", out, *more)


def test_what_changes_answers_is_sent_and_in_the_plan(
    surefoot: Surefoot, drawn: Path, tmp_path: Path, server: FakeServer
) -> None:
    """Sampling reaches the request and the plan; how long is waited reaches neither."""
    more = ("--temperature", 0.7, "--top-p", 0.9, "--max-tokens", 99)
    body = '{"top_k": 5, "seed": null}'
    out = tmp_path / "run"
    ended = ask(
        surefoot, server, drawn, out, *more, "--timeout", 9, "--retries", 0, "--extra-body", body
    )

    assert ended.code == ExitCode.FINE, ended.err
    sent = server.bodies[0]
    assert {name: sent.get(name) for name in ("temperature", "top_p", "max_tokens", "top_k")} == {
        "temperature": 0.7,
        "top_p": 0.9,
        "max_tokens": 99,
        "top_k": 5,
    }
    assert "seed" not in sent
    plan = read_plan(out)["model"]
    assert isinstance(plan, dict)
    assert (plan["temperature"], plan["max_tokens"]) == (0.7, 99)
    assert plan["extra"] == {"top_p": 0.9, "top_k": 5, "seed": None}
    other = ask(surefoot, server, drawn, out, *more, "--retries", 2, "--extra-body", body)
    assert other.code == ExitCode.FINE


def test_a_share_to_draw_from_leaves_the_temperature_to_the_server(
    surefoot: Surefoot, drawn: Path, tmp_path: Path, server: FakeServer
) -> None:
    """With --top-p alone no temperature is sent: at 0 the share would mean nothing."""
    ask(surefoot, server, drawn, tmp_path / "run", "--top-p", 0.5)

    assert "temperature" not in server.bodies[0]
    assert server.bodies[0]["top_p"] == 0.5


@pytest.mark.parametrize("given", [f"X-Tenant: {VALUE}", f"X-Tenant={VALUE}", "X-Tenant: $TENANT"])
def test_a_headers_value_reaches_the_server_alone(
    surefoot: Surefoot,
    drawn: Path,
    tmp_path: Path,
    server: FakeServer,
    monkeypatch: pytest.MonkeyPatch,
    given: str,
) -> None:
    """No file of the run and nothing printed holds the value, however it was given."""
    monkeypatch.setenv("TENANT", VALUE)
    out = tmp_path / "run"
    ended = ask(surefoot, server, drawn, out, "--header", given)

    assert server.headers[0]["x-tenant"] == VALUE
    held = b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file())
    assert b"x-tenant" in held
    assert VALUE.encode() not in held
    assert VALUE not in ended.out + ended.err


@pytest.mark.parametrize(
    "given",
    [
        VALUE,
        f"Host: {VALUE}",
        f"X Tenant: {VALUE}",
        f"X-Tenant: {VALUE}\nX-Other: 1",
        f"X-Tenant: {VALUE}é",
        "X-Tenant:",
        "X-Tenant: $NO_SUCH_VARIABLE",
        f": {VALUE}",
    ],
)
def test_what_is_no_header_is_refused_without_its_value(given: str) -> None:
    """A header that cannot be sent, or is our own, is refused, and its value not repeated."""
    with pytest.raises(InvalidInputError) as refused:
        read_headers(["X-Fine: 1", given])
    assert VALUE not in str(refused.value)


@pytest.mark.parametrize(
    "given",
    [
        f"[{VALUE!r}]",
        '["a"]',
        "{",
        '{"api_key": "lagoon-81-blue"}',
        '{"deep": [{"password": "lagoon-81-blue"}]}',
    ],
)
def test_a_body_is_an_object_without_secrets(given: str) -> None:
    """What is no object, and a field that would put a secret into the plan, is refused."""
    with pytest.raises(InvalidInputError) as refused:
        read_body(given)
    assert VALUE not in str(refused.value)
    assert read_body('{"max_tokens": 5, "stop_token_ids": [1]}')


@pytest.mark.parametrize("verb", ["run", "diagnose"])
def test_verbs_that_ask_models_have_the_options(surefoot: Surefoot, verb: str) -> None:
    """The options of models stand in the help of each verb that asks them."""
    named = {
        word.partition("/")[0][2:].replace("-", "_")
        for word in surefoot(verb, "--help").out.split()
        if word.startswith("--")
    }

    assert {"temperature", "top_p", "max_tokens", "timeout", "retries", "extra_body"} <= set(named)
