"""
The form server as one application: its routes, its files, its refusals.
"""

from __future__ import annotations

import http
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from surefoot.core.errors import SurefootError, UnknownNameError, UserError
from surefoot.forms.rendering import RENDERERS, Renderer
from surefoot.forms.server.answers import answer_routes
from surefoot.forms.server.desk import Desk
from surefoot.forms.server.guards import Guard
from surefoot.forms.server.limits import ServerLimits
from surefoot.forms.server.pages import page_routes
from surefoot.forms.server.store import Store

__all__ = ["application", "guarded"]

_SHARED: Final = Path(__file__).parent.parent / "renderers" / "shared"


def application(
    store: Store,
    *,
    limits: ServerLimits | None = None,
    renderers: Mapping[str, Renderer] | None = None,
    extra_routes: Sequence[BaseRoute] = (),
) -> Starlette:
    """
    Return the application that serves an open store's runs; who opened it closes it.

    ``renderers`` are all registered ones unless given. ``extra_routes`` come after ours
    and are guarded like them. Nothing that a run sends is acknowledged (status 200, 204,
    303 or 422) before it is committed.
    """
    known = RENDERERS.entries if renderers is None else renderers
    desk = Desk(store, limits or ServerLimits(), known)
    return guarded([*page_routes(desk), *answer_routes(desk), *_assets(known), *extra_routes])


def guarded(routes: Sequence[BaseRoute]) -> Starlette:
    """Return an application of routes, behind our guard and with our refusals."""
    app = Starlette(
        routes=list(routes),
        middleware=[Middleware(Guard)],
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


def _assets(renderers: Mapping[str, Renderer]) -> list[Mount]:
    folders = {name: each.assets for name, each in renderers.items()}
    return [
        Mount(f"/assets/{name}", StaticFiles(directory=folder))
        for name, folder in {**folders, "shared": _SHARED}.items()
        if folder is not None and folder.is_dir()
    ]


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
