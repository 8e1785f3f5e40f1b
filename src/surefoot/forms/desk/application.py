"""
The desk, where a person tries forms: its pages, and its server on another origin than theirs.

It alone knows what would be right. A form's page can neither read the desk, nor post to it,
nor tell from its own address where on the desk its score is.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from surefoot.core.errors import InvalidInputError
from surefoot.forms.desk.cases import Cases, Offer, RunInstance, checked_look
from surefoot.forms.desk.episodes import episode_routes, file_response
from surefoot.forms.desk.standing import FormStanding, State
from surefoot.forms.letters.writing import LEVELS, USUAL, Level, Sort, kinds_of, write_document
from surefoot.forms.rendering import RENDERERS, Rendering
from surefoot.forms.server.serving import serve
from surefoot.forms.specification import LANGUAGES, Form, said
from surefoot.loopback.application import guarded
from surefoot.loopback.guards import bounded, page_response, require_type
from surefoot.loopback.serving import serve_application

if TYPE_CHECKING:
    from jinja2 import Environment
    from starlette.applications import Starlette


_FOLDER: Final = Path(__file__).parent / "templates"
_LANGUAGES: Final = dict(
    zip(
        LANGUAGES,
        ["English", "中文", "Français", "Русский", "日本語", "ไทย", "العربية"],
        strict=True,
    )
)
_LEVELS: Final[dict[Level, str]] = dict(
    zip(LEVELS, ["under their labels", "told in sentences", "in two sentences"], strict=True)
)
_KINDS: Final[dict[Sort, str]] = {
    "letter": "letter",
    "resume": "résumé",
    "thread": "thread of e-mails",
    "notes": "sheet of notes",
    "circular": "form letter",
}
_STATES: Final[dict[State, str]] = {
    "sent": "Right, and sent",
    "right": "Right, not sent yet",
    "strayed": "In the wrong field",
    "lost": "Was there, is gone",
    "wrong": "Not the right value",
    "empty": "Still empty",
    "extra": "Should stay empty",
    "spare": "Rightly left alone",
}
_ASSETS: Final = Path(__file__).parent / "assets"
_LARGEST_POST: Final = 1 << 14


@contextlib.contextmanager
def serve_desk(folder: Path, offer: Offer, *, port: int = 0) -> Iterator[str]:
    """
    Serve a folder's forms and their desk for the length of a block; yield the desk's URL.

    The desk takes the port, the forms the next one; 0 takes two free ones. Raises what
    ``checked_look`` and ``serve`` raise.
    """
    checked_look(offer.rendering)
    with (
        serve(folder, port=port + 1 if port else 0) as forms_at,
        serve_application(desk_application(folder, forms_at, offer), port=port) as desk_at,
    ):
        yield desk_at


class HandedPaper(msgspec.Struct, frozen=True):
    """Choose the paper to fill in from; without a kind, the run's seed chooses."""

    level: Level = USUAL
    kind: Sort | None = None


def draw_index(offer: Offer, chosen: str, runs: Sequence[tuple[RunInstance, FormStanding]]) -> str:
    """Draw the forms by domain, the ways to draw them, and the runs opened so far."""
    domains: dict[str, list[Form]] = {}
    for form in offer.forms:
        domains.setdefault(form.domain, []).append(form)
    return _draw(
        "index.html.j2",
        domains=domains,
        renderers=RENDERERS.entries.values(),
        renderer=RENDERERS.get(chosen),
        rendering=offer.rendering,
        languages=_LANGUAGES,
        machine_made={language for form in offer.forms for language in form.machine_made},
        runs=runs,
    )


def draw_papers(case: RunInstance, address: str, handed: HandedPaper) -> str:
    """Draw what a person is handed: where the form is, the paper to read, the files."""
    run = case.run
    paper = write_document(
        run.form, case.instance, kind=handed.kind, level=handed.level, seed=run.seed
    )
    return _draw(
        "papers.html.j2",
        case=case,
        address=address,
        paper=paper,
        kinds={kind: _KINDS[kind] for kind in kinds_of(run.form)},
        levels=_LEVELS,
        here="papers",
    )


def draw_score(
    case: RunInstance, address: str, standing: FormStanding, *, shows_truth: bool
) -> str:
    """Draw the page of the score; ``shows_truth`` shows the right values too."""
    return _draw(
        "score.html.j2",
        case=case,
        address=address,
        standing=standing,
        shows_truth=shows_truth,
        states=_STATES,
        here="score",
    )


def draw_standing(standing: FormStanding, *, shows_truth: bool) -> str:
    """Draw the part of the score's page that changes."""
    return _draw("standing.html.j2", standing=standing, shows_truth=shows_truth, states=_STATES)


def _draw(template: str, **parts: object) -> str:
    return _templates().get_template(template).render(said=said, **parts)


@functools.cache
def _templates() -> Environment:
    """Return the desk's templates; what they write is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


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
            *episode_routes(cases, offer, forms_at),
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
        case = await run_in_threadpool(cases.open, form, look)
        return RedirectResponse(case.pages, 303)

    return [
        Route("/", index, methods=["GET"]),
        Route("/open", open_form, methods=["POST"]),
    ]


def _run_routes(cases: Cases, forms_at: str) -> list[Route]:
    def case_of(request: Request) -> RunInstance:
        return cases.find(secret=request.path_params["secret"])

    def papers(request: Request) -> Response:
        case = case_of(request)
        return page_response(draw_papers(case, f"{forms_at}{case.run.base}", _handed(request)))

    def file(request: Request) -> Response:
        return file_response(case_of(request), request.path_params["field"])

    def score(request: Request) -> Response:
        case, shows_truth = case_of(request), "told" in request.query_params
        address = f"{forms_at}{case.run.base}"
        return page_response(draw_score(case, address, cases.stand(case), shows_truth=shows_truth))

    def now(request: Request) -> Response:
        shows_truth = "told" in request.query_params
        return page_response(draw_standing(cases.stand(case_of(request)), shows_truth=shows_truth))

    return [
        Route("/run/{secret}/", papers, methods=["GET"]),
        Route("/run/{secret}/files/{field}", file, methods=["GET"]),
        Route("/run/{secret}/score", score, methods=["GET"]),
        Route("/run/{secret}/score/now", now, methods=["GET"]),
    ]


def _handed(request: Request) -> HandedPaper:
    """Read which paper is wanted; raises InvalidInputError for one that there is not."""
    asked = {name: text for name, text in request.query_params.items() if text}
    try:
        return msgspec.convert(asked, HandedPaper)
    except msgspec.ValidationError as error:
        raise InvalidInputError("a kind of paper that there is", found=error) from error


def _chosen(offer: Offer, posted: dict[str, str]) -> tuple[Form, Rendering]:
    """Read the form and the look that were posted; raises InvalidInputError."""
    form = next((item for item in offer.forms if item.id == posted.get("form")), None)
    if form is None:
        raise InvalidInputError("a form of this desk", found=f"'{posted.get('form', '')[:64]}'")
    try:
        look = msgspec.convert(
            {name: text for name, text in posted.items() if name != "form"}, Rendering
        )
    except msgspec.ValidationError as error:
        raise InvalidInputError("a look of a form", found=error) from error
    return form, checked_look(msgspec.structs.replace(look, seed=offer.rendering.seed))
