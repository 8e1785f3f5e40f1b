"""
A token that opens a local application: in the first address, then in a cookie.
"""

from __future__ import annotations

import hmac
import urllib.parse

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

_NAME = "token"


class TokenGuard:
    """
    Serve who has the token, and refuse everybody else with status 403.

    The address that bears it is answered with a cookie and the same address without it, so
    that it stands in no link and in no title. The cookie's name has the port, as cookies of
    other local servers are sent along. A link from elsewhere, as a card's, is followed with
    it ("lax"): reading changes nothing, and what does is a POST, which is sent without it.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        cookie = f"surefoot-{scope['server'][1]}"
        if self._is_token(request.query_params.get(_NAME, "")):
            await self._welcome(request, cookie)(scope, receive, send)
        elif self._is_token(request.cookies.get(cookie, "")):
            await self.app(scope, receive, send)
        else:
            refusal = PlainTextResponse(
                "Open the address that the command printed, with its token.\n", 403
            )
            await refusal(scope, receive, send)

    def _is_token(self, found: str) -> bool:
        return hmac.compare_digest(found.encode(errors="replace"), self._token.encode())

    def _welcome(self, request: Request, cookie: str) -> Response:
        rest = [item for item in request.query_params.multi_items() if item[0] != _NAME]
        query = urllib.parse.urlencode(rest)
        path = urllib.parse.quote("/" + request.url.path.lstrip("/"))
        response = RedirectResponse(f"{path}?{query}" if query else path, 303)
        response.set_cookie(cookie, self._token, httponly=True, samesite="lax")
        return response
