"""
The page on which a person answers a benchmark's questions; nothing on it tells a target.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from surefoot.core.canonical import decode
from surefoot.core.store import ObjectStore
from surefoot.loopback.application import guarded
from surefoot.loopback.guards import bounded, require_type
from surefoot.loopback.serving import serve_application
from surefoot.loopback.token import TokenGuard
from surefoot.view.clicking import HumanAnswers, SentAnswer
from surefoot.view.rendering import LASTING, assets, draw_page

if TYPE_CHECKING:
    from starlette.applications import Starlette


_LARGEST_POST: Final = 1 << 14


@contextlib.contextmanager
def serve_clicking(asked: HumanAnswers, *, port: int = 0) -> Iterator[str]:
    """Serve the page for the length of a block, as ``serve_view`` does."""
    token = secrets.token_urlsafe(24)
    with serve_application(click_application(asked, token), port=port) as address:
        yield f"{address}/?token={token}"


def click_application(asked: HumanAnswers, token: str) -> Starlette:
    """Return the application of one person; it serves nobody without the token."""
    store = ObjectStore(asked.bench)
    pictures = {sha for question in asked.questions for sha in question.images}

    def page(request: Request) -> Response:
        del request
        return draw_page("click.html.j2", person=asked.name, total=len(asked), out=asked.out.name)

    def question(request: Request) -> Response:
        del request
        return _shown(asked)

    async def answer(request: Request) -> Response:
        require_type(request, "application/json")
        data = await bounded(request, _LARGEST_POST).body()
        sent = decode(data, SentAnswer, what="an answer")
        kept = await run_in_threadpool(asked.take, sent)
        return _shown(asked, 200 if kept else 409)

    def picture(request: Request) -> Response:
        if request.path_params["sha"] not in pictures:
            raise HTTPException(404)
        data = store.get(request.path_params["sha"])
        return Response(data, media_type="image/png", headers=LASTING)

    routes = [
        Route("/", page),
        Route("/question", question),
        Route("/answer", answer, methods=["POST"]),
        Route("/picture/{sha}", picture),
        assets(),
    ]
    return guarded(routes, further=[Middleware(TokenGuard, token=token)])


def _shown(asked: HumanAnswers, status: int = 200) -> Response:
    """Send the question whose turn it is, without what is right; of the last, that all is done."""
    at = asked.at
    found: dict[str, Any] = {"number": at, "total": len(asked)}
    if at < len(asked):
        one = asked.questions[at]
        found |= {
            "words": one.instruction.text,
            "language": one.instruction.language,
            "picture": f"/picture/{one.image}",
            "further": [f"/picture/{shown.image}" for shown in one.further],
            "width": one.width,
            "height": one.height,
            "asks": asked.kind(one),
            "options": one.options,
            "refusable": asked.may_refuse(one),
        }
    return Response(msgspec.json.encode(found), status, media_type="application/json")
