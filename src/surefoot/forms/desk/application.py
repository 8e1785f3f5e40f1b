"""
The desk as an application of its own, on another origin than the forms.

It alone knows what would be right. A form's page can neither read the desk, nor post to it.
"""

from __future__ import annotations

import urllib.parse
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from surefoot.core.errors import InvalidInputError
from surefoot.forms.desk.cases import Cases, Offer, RunInstance, checked_look
from surefoot.forms.desk.pages import Handed, draw_index, draw_papers, draw_score, draw_standing
from surefoot.forms.rendering import Rendering
from surefoot.forms.server.application import guarded
from surefoot.forms.server.guards import bounded, page_response, require_type
from surefoot.forms.specification import Form

if TYPE_CHECKING:
    from starlette.applications import Starlette

__all__ = ["desk_application"]

_ASSETS: Final = Path(__file__).parent / "assets"
_LARGEST_POST: Final = 1 << 14
_TYPES: Final = {".pdf": "application/pdf", ".png": "image/png"}


def desk_application(folder: Path, forms_at: str, offer: Offer) -> Starlette:
    """
    Return the desk of a folder whose forms are served at another base URL.

    Runs are opened in the folder, and read there; right values are made anew from a run's
    form, seed and number, and written nowhere.
    """
    cases = Cases(folder, offer.seed)
    return guarded(
        [
            *_index_routes(cases, offer),
            *_run_routes(cases, forms_at),
            Mount("/assets", StaticFiles(directory=_ASSETS)),
        ]
    )


def _index_routes(cases: Cases, offer: Offer) -> list[Route]:
    def index(request: Request) -> Response:
        chosen = request.query_params.get("renderer") or offer.rendering.renderer
        runs = [(case, cases.stand(case)) for case in cases.latest()]
        return page_response(draw_index(offer, chosen, runs))

    async def open_form(request: Request) -> Response:
        require_type(request, "application/x-www-form-urlencoded")
        async with bounded(request, _LARGEST_POST).form() as posted:
            form, look = _chosen(offer, {name: str(text) for name, text in posted.items()})
        token = await run_in_threadpool(cases.open, form, look)
        return RedirectResponse(f"/run/{token}/", 303)

    return [
        Route("/", index, methods=["GET"]),
        Route("/open", open_form, methods=["POST"]),
    ]


def _run_routes(cases: Cases, forms_at: str) -> list[Route]:
    def case_of(request: Request) -> RunInstance:
        return cases.find(request.path_params["token"])

    def papers(request: Request) -> Response:
        case = case_of(request)
        return page_response(draw_papers(case, f"{forms_at}{case.run.base}", _handed(request)))

    def file(request: Request) -> Response:
        return _file(case_of(request), request.path_params["field"])

    def score(request: Request) -> Response:
        case, told = case_of(request), "told" in request.query_params
        address = f"{forms_at}{case.run.base}"
        return page_response(draw_score(case, address, cases.stand(case), told=told))

    def now(request: Request) -> Response:
        told = "told" in request.query_params
        return page_response(draw_standing(cases.stand(case_of(request)), told=told))

    return [
        Route("/run/{token}/", papers, methods=["GET"]),
        Route("/run/{token}/files/{field}", file, methods=["GET"]),
        Route("/run/{token}/score", score, methods=["GET"]),
        Route("/run/{token}/score/now", now, methods=["GET"]),
    ]


def _handed(request: Request) -> Handed:
    """Read which paper is wanted; raises InvalidInputError for one that there is not."""
    asked = {name: text for name, text in request.query_params.items() if text}
    try:
        return msgspec.convert(asked, Handed)
    except msgspec.ValidationError as error:
        raise InvalidInputError("a kind of paper that there is", found=error) from error


def _chosen(offer: Offer, posted: dict[str, str]) -> tuple[Form, Rendering]:
    """Read the form and the look that were posted; raises InvalidInputError."""
    form = next((each for each in offer.forms if each.id == posted.get("form")), None)
    if form is None:
        raise InvalidInputError("a form of this desk", found=f"'{posted.get('form', '')[:64]}'")
    try:
        look = msgspec.convert(
            {name: text for name, text in posted.items() if name != "form"}, Rendering
        )
    except msgspec.ValidationError as error:
        raise InvalidInputError("a look of a form", found=error) from error
    return form, checked_look(msgspec.structs.replace(look, seed=offer.rendering.seed))


def _file(case: RunInstance, field: str) -> Response:
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
