"""
The server of episodes: what programs ask of it, beside the pages on origins of their own.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator
from typing import Final, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from surefoot.capture.live.protocol import (
    EpisodeEnd,
    OpenedQuestion,
    PostedStep,
    QuestionRequest,
)
from surefoot.capture.live.serving import LivePages
from surefoot.core.errors import InvalidInputError
from surefoot.loopback.application import guarded
from surefoot.loopback.guards import bounded, require_type
from surefoot.loopback.serving import serve_application
from surefoot.run.episodes.playing import EpisodeAnswers, LiveEpisode
from surefoot.run.episodes.steps import LARGEST_STEP

_T = TypeVar("_T")
_LARGEST_POST: Final = 1 << 14


@contextlib.contextmanager
def serve_episodes(answers: EpisodeAnswers, *, port: int = 0) -> Iterator[str]:
    """
    Serve episodes and their pages for the length of a block; yield the address of episodes.

    It takes the port, the pages the next one; 0 takes two free ones. Raises SurefootError
    where a port is taken.
    """
    with (
        LivePages() as pages,
        serve_application(
            Starlette(routes=[Mount("/", pages)]), port=port + 1 if port else 0
        ) as at,
        serve_application(
            guarded(episode_routes(answers, pages, int(at.rpartition(":")[2]))), port=port
        ) as address,
    ):
        yield address


def episode_routes(answers: EpisodeAnswers, pages: LivePages, pages_port: int) -> list[Route]:
    """Return the routes by which programs open episodes, tell steps, end them and read scores."""

    async def begin(request: Request) -> Response:
        asked = await _posted(request, QuestionRequest)
        return await run_in_threadpool(begun, asked)

    def begun(asked: QuestionRequest) -> Response:
        episode = answers.begin(asked.question)
        pages.add(episode.page)
        return _json(_opened(episode, pages_port, secret=episode.secret), 201)

    def episode(request: Request) -> Response:
        return _json(_opened(answers.find(request.path_params["id"]), pages_port))

    def score(request: Request) -> Response:
        return _json(_secretly(answers, request).score)

    async def end(request: Request) -> Response:
        found = _secretly(answers, request)
        await run_in_threadpool(found.give_up, await _posted(request, EpisodeEnd))
        return _json(found.score)

    async def step(request: Request) -> Response:
        found = _secretly(answers, request)
        example = '{"action": "click(640, 330)", "screenshot": "PNG in base64"}'
        posted = await _posted(request, PostedStep, LARGEST_STEP, example)
        return _json(await run_in_threadpool(answers.note, found, posted), 201)

    return [
        Route("/episodes", begin, methods=["POST"]),
        Route("/episodes/{id}", episode, methods=["GET"]),
        Route("/episodes/{id}/score", score, methods=["GET"]),
        Route("/episodes/{id}/steps", step, methods=["POST"]),
        Route("/episodes/{id}/end", end, methods=["POST"]),
    ]


def _secretly(answers: EpisodeAnswers, request: Request) -> LiveEpisode:
    """Return the episode of a request; error 401 for who does not name its secret."""
    found = answers.find(request.path_params["id"])
    given = request.headers.get("authorization", "").encode()
    if not secrets.compare_digest(given, f"Bearer {found.secret}".encode()):
        raise HTTPException(401)
    return found


async def _posted(
    request: Request,
    kind: type[_T],
    most: int = _LARGEST_POST,
    example: str = '{"question": "ID"}',
) -> _T:
    require_type(request, "application/json")
    try:
        return msgspec.json.decode(await bounded(request, most).body(), type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidInputError(
            "a request about an episode", found=error, remedy=f"send JSON such as {example}"
        ) from error


def _opened(episode: LiveEpisode, port: int, *, secret: str = "") -> OpenedQuestion:
    question = episode.question
    return OpenedQuestion(
        episode.id,
        episode.page.url(port),
        question.instruction.text,
        episode.page.browser,
        question.id,
        question.cell.variant,
        ready=episode.ready is not None,
        secret=secret,
    )


def _json(content: msgspec.Struct, status: int = 200) -> Response:
    return JSONResponse(msgspec.to_builtins(content), status)
