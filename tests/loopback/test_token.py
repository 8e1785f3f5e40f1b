"""
Who has the token is let in, and nobody else learns anything.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import httpx
import pytest
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from surefoot.loopback.application import guarded
from surefoot.loopback.token import TokenGuard

TOKEN: Final = "right-token"  # noqa: S105 - of this test
BASE: Final = "http://127.0.0.1:8000"


def ask(path: str, **how: Any) -> httpx.Response:  # noqa: ANN401 - httpx's own
    """Ask an application that says its path."""

    def page(request: Request) -> Response:
        return PlainTextResponse(f"secret {request.url.path}")

    app = guarded([Route("/{rest:path}", page)], further=[Middleware(TokenGuard, token=TOKEN)])

    async def fetch() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE) as client:
            return await client.get(path, **how)

    return asyncio.run(fetch())


def test_the_token_becomes_a_cookie() -> None:
    """The address with the token leads to itself without it; the cookie opens it, links too."""
    first = ask(f"/a%20b?x=1&token={TOKEN}&y=2")
    assert (first.status_code, first.headers["location"]) == (303, "/a%20b?x=1&y=2")
    cookie = first.headers["set-cookie"]
    assert cookie.startswith(f"surefoot-8000={TOKEN};")
    assert {"HttpOnly", "SameSite=lax"} <= set(cookie.split("; "))

    again = ask("/a%20b", headers={"cookie": f"surefoot-8000={TOKEN}"})
    assert (again.status_code, again.text) == (200, "secret /a b")


@pytest.mark.parametrize(
    ("query", "cookie"),
    [
        ("", ""),
        ("?token=", ""),
        ("?token=wrong", ""),
        ("?token=%ff%00", ""),
        ("", "surefoot-8000=wrong"),
        ("", f"surefoot-8001={TOKEN}"),
    ],
)
def test_without_it_nothing_is_served(query: str, cookie: str) -> None:
    """No token, a wrong one and another server's cookie are refused, under the strict policy."""
    reply = ask(f"/page{query}", headers={"cookie": cookie})

    assert reply.status_code == 403
    assert "secret" not in reply.text
    assert "default-src 'self'" in reply.headers["content-security-policy"]


def test_a_path_cannot_lead_elsewhere() -> None:
    """The way back from the token stays on this server, whatever the path looks like."""
    reply = ask(f"{BASE}//evil.example/?token={TOKEN}")

    assert reply.headers["location"].startswith("/evil.example")


def test_another_name_of_the_host_is_refused_first() -> None:
    """A name that somebody points to loopback opens nothing, token or not."""
    reply = ask(f"/?token={TOKEN}", headers={"host": "evil.example"})

    assert reply.status_code == 421
    assert "set-cookie" not in reply.headers
