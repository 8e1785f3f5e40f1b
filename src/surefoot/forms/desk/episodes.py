"""
Episodes for any agent: a program asks for a form, an agent fills it in, the program its score.
"""

from __future__ import annotations

import secrets
import urllib.parse
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from surefoot.core.errors import InvalidInputError
from surefoot.forms.desk.cases import Cases, Offer, RunInstance, checked_look
from surefoot.forms.desk.protocol import EpisodeFile, EpisodeRequest, OpenedEpisode, ToldScore
from surefoot.forms.letters.writing import write_document
from surefoot.forms.rendering import Rendering
from surefoot.forms.specification import Form, said
from surefoot.forms.values.spelling import labelled_lines
from surefoot.loopback.guards import bounded, require_type

_T = TypeVar("_T")
_LARGEST_POST: Final = 1 << 14
_TYPES: Final = {".pdf": "application/pdf", ".png": "image/png"}


def episode_routes(cases: Cases, offer: Offer, forms_at: str) -> list[Route]:
    """Return the routes by which programs open episodes and read their scores."""

    async def open_episode(request: Request) -> Response:
        require_type(request, "application/json")
        asked = _decoded(await bounded(request, _LARGEST_POST).body(), EpisodeRequest)
        form = _offered(offer, asked.form)
        look = checked_look(_look(asked, offer))
        case = await run_in_threadpool(
            cases.open,
            form,
            look,
            instance=asked.instance,
            seed=asked.seed,
            handed=asked.level,
            agent=asked.agent,
        )
        return _json(_opened(case, forms_at, request, secret=case.episode.secret), 201)

    def episode(request: Request) -> Response:
        return _json(_opened(_case(cases, request), forms_at, request))

    def file(request: Request) -> Response:
        case, name = _case(cases, request), request.path_params["name"]
        fields = [field for field, kept in case.files.items() if kept == name]
        return file_response(case, fields[0] if fields else "")

    def score(request: Request) -> Response:
        case = _case(cases, request)
        _require_secret(request, case.episode.secret)
        truth = case.instance.values if "told" in request.query_params else {}
        return _json(ToldScore(cases.stand(case).score, dict(truth)))

    return [
        Route("/episodes", open_episode, methods=["POST"]),
        Route("/episodes/{id}", episode, methods=["GET"]),
        Route("/episodes/{id}/files/{name}", file, methods=["GET"]),
        Route("/episodes/{id}/score", score, methods=["GET"]),
    ]


def file_response(case: RunInstance, field: str) -> Response:
    """Send a file to upload under its own name; 404 for a field that takes none."""
    name = case.files.get(field)
    if name is None:
        raise HTTPException(404)
    quoted = urllib.parse.quote(name)
    return Response(
        case.file(field),
        media_type=_TYPES.get(Path(name).suffix, "application/octet-stream"),
        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{quoted}"},
    )


def _case(cases: Cases, request: Request) -> RunInstance:
    return cases.find(id=request.path_params["id"])


def _require_secret(request: Request, secret: str) -> None:
    """Refuse who does not name the secret as HTTP does it, with error 401."""
    given = request.headers.get("authorization", "").encode()
    if not secrets.compare_digest(given, f"Bearer {secret}".encode()):
        raise HTTPException(401)


def _decoded(body: bytes, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InvalidInputError(
            "a request for an episode",
            found=error,
            remedy='send JSON such as {"form": "bug_report", "instance": 0, "level": "labelled"}',
        ) from error


def _offered(offer: Offer, name: str) -> Form:
    """Return the form that is served under an id or a code; raises InvalidInputError."""
    form = next((item for item in offer.forms if name in {item.id, item.code}), None)
    if form is None:
        raise InvalidInputError("a form of this desk", found=f"'{name[:64]}'")
    return form


def _look(asked: EpisodeRequest, offer: Offer) -> Rendering:
    return Rendering(
        asked.renderer,
        asked.theme,
        asked.layout,
        asked.language,
        asked.direction,
        offer.rendering.seed if asked.seed is None else asked.seed,
    )


def _opened(
    case: RunInstance, forms_at: str, request: Request, *, secret: str = ""
) -> OpenedEpisode:
    run, episode = case.run, case.episode
    files = f"{request.url.scheme}://{request.headers['host']}/episodes/{episode.id}/files"
    return OpenedEpisode(
        id=episode.id,
        url=f"{forms_at}{run.base}",
        paper=_paper(case),
        files=tuple(
            EpisodeFile(name, f"{files}/{urllib.parse.quote(name)}")
            for name in case.files.values()
        ),
        form=run.form.id,
        title=said(run.form.title, run.rendering.language),
        instance=run.instance,
        seed=run.seed,
        level=episode.handed,
        language=run.rendering.language,
        secret=secret,
    )


def _paper(case: RunInstance) -> str:
    handed, run = case.episode.handed, case.run
    if handed == "lines":
        return labelled_lines(run.form, case.instance)
    return write_document(
        run.form,
        case.instance,
        level=handed,
        seed=run.seed,
        language=run.rendering.language,
    ).text


def _json(content: msgspec.Struct, status: int = 200) -> Response:
    return JSONResponse(msgspec.to_builtins(content), status)
