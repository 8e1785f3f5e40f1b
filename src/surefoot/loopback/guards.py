"""
What holds for every request: who may ask, how much may come in, what the browser may do.
"""

from __future__ import annotations

import secrets

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from surefoot.loopback.policy import HEADERS, POLICY, STYLE_NONCE


class Guard:
    """
    Refuse requests under another host's name or from another site's page; set the headers.

    The Host header must be "127.0.0.1" or "localhost" with the port that the server
    listens on, so that a name which somebody points to loopback opens nothing.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("Content-Security-Policy", POLICY)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = _refusal(scope)
        await (refusal or self.app)(scope, receive, guarded)


def bounded(request: Request, most: int) -> Request:
    """Return the request with a body that ends in error 413 above ``most`` bytes."""
    announced = request.headers.get("content-length", "0")
    if announced.isascii() and announced.isdigit() and int(announced) > most:
        raise HTTPException(413)
    seen = 0

    async def receive() -> Message:
        nonlocal seen
        message = await request.receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise HTTPException(413)
        return message

    return Request(request.scope, receive)


def require_type(request: Request, *kinds: str) -> None:
    """Refuse a body of another content type than the ones named, with error 415."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in kinds:
        raise HTTPException(415)


def page_response(document: str, status: int = 200) -> Response:
    """Send a page; where it holds STYLE_NONCE, its policy lets that page's styles in."""
    if STYLE_NONCE not in document:
        return HTMLResponse(document, status)
    nonce = secrets.token_urlsafe(16)
    policy = f"{POLICY}; style-src 'self' 'nonce-{nonce}'"
    return HTMLResponse(
        document.replace(STYLE_NONCE, nonce), status, {"Content-Security-Policy": policy}
    )


def _refusal(scope: Scope) -> Response | None:
    """Return the reply to a request that must not be served, or None."""
    headers = Headers(scope=scope)
    port = scope["server"][1]
    hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
    if headers.getlist("host") != [headers.get("host")] or headers["host"] not in hosts:
        return PlainTextResponse("Not this host.\n", 421)
    if scope["method"] in {"GET", "HEAD"}:
        return None
    # A form's own post says "null", since our pages send no referrer.
    origin = headers.get("origin", "null")
    foreign = origin not in {"null", f"http://{headers['host']}"}
    if foreign or headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        return PlainTextResponse("Not from this site.\n", 403)
    return None
