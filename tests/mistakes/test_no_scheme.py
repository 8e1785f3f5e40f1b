"""
A server's address without its scheme, which OpenAI's public service must not be taken for.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from surefoot.core.errors import ExitCode, InvalidInputError
from surefoot.models.backend import Options
from surefoot.models.backends.openai import OpenAiResponder
from surefoot.models.opening import open_chat, open_model

Surefoot = Callable[..., Any]
KEY = "sk-very-secret-0123456789"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Put OpenAI's key into the environment, and note each host that anything is sent to."""
    hosts: list[str] = []

    async def refuse(_self: object, request: httpx.Request, **_how: object) -> httpx.Response:
        hosts.append(request.url.host)
        return httpx.Response(401, request=request)

    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr(httpx.AsyncClient, "send", refuse)
    return hosts


@pytest.mark.parametrize(
    "spec",
    [
        "openai:gta1@localhost:8000/v1",
        "openai:gta1@127.0.0.1:8000",
        "openai:Qwen/Qwen2.5-VL-7B@gpu-box:8000/v1",
        "openai:gta1@gpu-box",
        "openai:gta1@//localhost:8000/v1",
        "openai:gta1@http:localhost:8000/v1",
        "openai:gta1@ws://localhost:8000/v1",
        "openai:gta1@[::1]:8000/v1",
    ],
)
def test_the_mend_is_said_and_nothing_sent(
    surefoot: Surefoot, drawn: Path, tmp_path: Path, sent: list[str], spec: str
) -> None:
    """An address without http:// is refused with the mend, and nothing is sent."""
    ended = surefoot("run", drawn, "--model", spec, "--format", "json", "--out", tmp_path / "run")

    assert ended.code == ExitCode.USER_ERROR
    assert "begins with http:// or https://" in ended.err
    assert f"Write {spec.rpartition('@')[0]}@http://" in ended.err
    assert KEY not in ended.err + ended.out
    assert not (tmp_path / "run").exists()
    with pytest.raises(InvalidInputError, match="begins with http"):
        open_chat(spec)
    assert sent == []


@pytest.mark.parametrize(
    "rest",
    [
        "localhost:8000/v1",
        "http://localhost:8000/v1",
        "Qwen/Qwen2.5-VL-7B-Instruct",
        "gta1 http://localhost:8000/v1",
        "localhost",
        "192.168.0.7:8000",
    ],
)
def test_what_is_no_name_of_openais_is_not_sent_there(sent: list[str], rest: str) -> None:
    """An address without a name, or a name that OpenAI's models have not, wants an address."""
    with pytest.raises(InvalidInputError, match="openai:NAME@BASE_URL"):
        open_model(f"openai:{rest}", format_name="json")
    assert sent == []


def test_a_password_in_such_an_address_is_not_shown() -> None:
    """Of an address that may hold a password nothing is repeated."""
    with pytest.raises(InvalidInputError) as refused:
        open_model("openai:gta1@me:hunter2secret@localhost:8000/v1", format_name="json")
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("name", ["gpt-4o", "o3-mini", "gpt-5.1-2025-11-13", "ft:gpt-4o:me::a1"])
def test_openais_own_names_need_no_address(sent: list[str], name: str) -> None:
    """A name such as OpenAI's models have means OpenAI's own server."""
    model = open_model(f"openai:{name}", format_name="json", options=Options())

    assert isinstance(model.responder, OpenAiResponder)
    assert (model.name, model.responder.base) == (name, "https://api.openai.com/v1")
    assert sent == []
