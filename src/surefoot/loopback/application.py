"""
A local web application: its routes behind the guard, its errors as plain words.
"""

from __future__ import annotations

import http
import sqlite3
from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute

from surefoot.core.errors import SurefootError, UnknownNameError, UserError
from surefoot.loopback.guards import Guard


def guarded(routes: Sequence[BaseRoute], *, further: Sequence[Middleware] = ()) -> Starlette:
    """Return an application of routes, behind our guard, then ``further``, with our refusals."""
    app = Starlette(
        routes=list(routes),
        middleware=[Middleware(Guard), *further],
        exception_handlers={
            HTTPException: _told,
            UnknownNameError: _not_found,
            UserError: _faulty,
            ClientDisconnect: _gone,
            SurefootError: _unable,
            OSError: _unable,
            sqlite3.Error: _unable,
        },
    )
    app.router.redirect_slashes = False
    return app


def _told(request: Request, error: Exception) -> Response:
    """Name the status; one and the same reply for everything that is not there."""
    del request
    status = error.status_code if isinstance(error, HTTPException) else 500
    return PlainTextResponse(f"{http.HTTPStatus(status).phrase}.\n", status)


def _not_found(request: Request, error: Exception) -> Response:
    del error
    return _told(request, HTTPException(404))


def _faulty(request: Request, error: Exception) -> Response:
    del request
    return PlainTextResponse(f"{error}\n", 400)


def _gone(request: Request, error: Exception) -> Response:
    """Answer nobody: the client hung up."""
    del error
    return _told(request, HTTPException(400))


def _unable(request: Request, error: Exception) -> Response:
    """Say that nothing was kept."""
    del request
    return PlainTextResponse(f"{error}\n", 503)
