"""
A provider of Inspect's is a model of ours: ``--model inspect:PROVIDER/NAME``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.models import open_model
from surefoot.models.backend import Options
from surefoot.run.folders.folder import read_answers

BODY = {
    "id": "1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "usage": {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13},
}


def _reply(words: str, reason: str = "stop") -> bytes:
    message = {"role": "assistant", "content": words}
    choice = {"index": 0, "finish_reason": reason, "message": message}
    return json.dumps(BODY | {"choices": [choice]}).encode()


@pytest.fixture
def mock(server: Any, monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - see the conftest
    """Let Inspect's provider of OpenAI-compatible servers ask the fake one."""
    monkeypatch.setenv("MOCK_API_KEY", "a-key-of-theirs")
    monkeypatch.setenv("MOCK_BASE_URL", server.base)
    return server


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_run_through_inspect_is_a_run_as_any(
    surefoot: Callable[..., Any],
    drawn: Path,
    tmp_path: Path,
    mock: Any,  # noqa: ANN401 - a server
    step: Any,  # noqa: ANN401 - as above
) -> None:
    """Replies are kept with what they used; the plan names the provider and holds no key."""
    mock.steps = [step(_reply('{"x": 40, "y": 100}'))]
    out = tmp_path / "run"
    words = ("--model", "inspect:openai-api/mock/m", "--format", "json", "--no-self-check")

    ended = surefoot("run", drawn, *words, "--keep-going", "--seed", 5, "--out", out)

    assert ended.code == 0, ended.err
    answers = read_answers(out)
    assert len(answers) == 36
    assert {(answer.raw, answer.usage.prompt_tokens) for answer in answers} == {
        ('{"x": 40, "y": 100}', 9)
    }
    body = mock.bodies[0]
    assert (body["temperature"], body["seed"], body["max_tokens"]) == (0, 5, 128)
    kept = (out / "plan.json").read_text()
    assert '"openai-api/mock/m"' in kept
    assert "a-key-of-theirs" not in kept


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_cut_reply_and_a_refused_request_are_what_they_are(
    surefoot: Callable[..., Any],
    drawn: Path,
    tmp_path: Path,
    mock: Any,  # noqa: ANN401 - a server
    step: Any,  # noqa: ANN401 - as above
) -> None:
    """A reply that its limit ended is unparsed; a server's refusal fails the question."""
    name = "inspect:openai-api/mock/m"
    words = (
        "--model",
        name,
        "--format",
        "json",
        "--no-self-check",
        "--keep-going",
        "--retries",
        0,
    )
    mock.steps = [step(_reply('{"x": 40, "y": 100}', "length"))]
    surefoot("run", drawn, *words, "--limit", 1, "--out", tmp_path / "cut")
    mock.steps = [step(b'{"error": {"message": "no"}}', status=401)]
    refused = surefoot("run", drawn, *words, "--limit", 1, "--out", tmp_path / "refused")

    assert {type(item.parsed).__name__ for item in read_answers(tmp_path / "cut")} == {"Unparsed"}
    assert refused.code == 1
    assert not read_answers(tmp_path / "refused")
    assert "provider" in (tmp_path / "refused" / "failures.jsonl").read_text()


def test_names_without_a_provider_are_errors() -> None:
    """A bare name, a header, and a provider that Inspect does not know."""
    with pytest.raises(InvalidInputError, match="PROVIDER/NAME"):
        open_model("inspect:m", format_name="json")
    with pytest.raises(InvalidInputError, match="header"):
        open_model("inspect:a/m", format_name="json", options=Options(headers={"x": "y"}))
    with pytest.raises(InvalidInputError, match="nowhere/m"):
        open_model("inspect:nowhere/m", format_name="json").prepare()
