"""
The pages of ``surefoot view``, served on loopback to whoever has the token.
"""

from __future__ import annotations

import contextlib
import secrets
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from surefoot.benchmarks.proofs import RECORDED, guess_words, proof_words
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.question import Question
from surefoot.core.store import ObjectStore
from surefoot.diagnose.folder import FAILING, read_diagnosis
from surefoot.diagnose.search.moves import MOVES
from surefoot.failures.modes import MODES
from surefoot.forms.rendering import Rendering
from surefoot.loopback.application import guarded
from surefoot.loopback.serving import serve_application
from surefoot.loopback.token import TokenGuard
from surefoot.phrasing.words import population_sentence
from surefoot.run.folders.folder import read_manifest
from surefoot.run.forms.running import read_results
from surefoot.view.counting import compare_models, count_models, count_proofs_of, values_of
from surefoot.view.drawing import (
    LARGE,
    SMALL,
    MarkedPicture,
    answer_words,
    draw_question,
)
from surefoot.view.episode_pages import episode_routes
from surefoot.view.exporting import csv_lines, json_lines
from surefoot.view.judge_pages import judge_routes
from surefoot.view.judging import Judgements, SampleChoice
from surefoot.view.looking import LookedAt, ScreensFile
from surefoot.view.opening import GivenFolders
from surefoot.view.proof import prove_label
from surefoot.view.rendering import LASTING, assets, draw_page
from surefoot.view.selection import (
    FLIPS,
    NOT_TOLD,
    ORDERS,
    OUTCOMES,
    Selection,
    query_of,
    read_selection,
)

if TYPE_CHECKING:
    from starlette.applications import Starlette


_PAGE: Final = 48
_CROP: Final = 640
_THUMBNAIL: Final = 480


@contextlib.contextmanager
def serve_view(
    looked_at: LookedAt,
    *,
    port: int = 0,
    judgements: Judgements | None = None,
    choice: SampleChoice | None = None,
) -> Iterator[str]:
    """
    Serve pages for the length of a block, and yield the address that opens them, token and all.

    Port 0 takes a free one; with ``judgements`` the person they are of can judge. Raises
    SurefootError where the port is taken.
    """
    token = secrets.token_urlsafe(24)
    app = view_application(looked_at, token, judgements, choice)
    with serve_application(app, port=port) as address:
        yield f"{address}/?token={token}"


def view_application(
    looked_at: LookedAt,
    token: str,
    judgements: Judgements | None = None,
    choice: SampleChoice | None = None,
) -> Starlette:
    """
    Return the application; it serves nobody without the token, and writes judgements alone.
    """
    pages = _Pages(looked_at, judging=judgements is not None)
    judging = []
    if judgements:
        judging = judge_routes(
            looked_at, judgements, pages.draw, pages.link, choice or SampleChoice()
        )
    routes = [
        Route("/", pages.overview),
        Route("/questions", pages.questions),
        Route("/question/{bench:int}/{id:path}", pages.question),
        Route("/compare", pages.compare),
        Route("/export.csv", pages.export_csv),
        Route("/export.jsonl", pages.export_json_lines),
        Route("/crop/{row:int}/{left:int}/{top:int}/{right:int}/{bottom:int}", pages.crop),
        Route("/picture/{source}/{number:int}/{sha}", pages.picture),
        Route("/screens/{number:int}", pages.screens),
        Route("/screen/{number:int}/{id:path}", pages.screen),
        Route("/thumbnail/{number:int}/{sha}", pages.thumbnail),
        Route("/diagnosis/{number:int}", pages.diagnosis),
        Route("/forms/{number:int}", pages.forms),
        Route("/forms/{number:int}/{attempt:int}", pages.attempt),
        *episode_routes(looked_at, pages.draw),
        *judging,
        assets(),
    ]
    return guarded(routes, further=[Middleware(TokenGuard, token=token)])


class _Pages:
    def __init__(self, looked_at: LookedAt, *, judging: bool) -> None:
        self.looked_at = looked_at
        self.judging = judging
        self.given: GivenFolders = looked_at.given

    def overview(self, request: Request) -> Response:
        """Show what was opened, and how each model did under each variant."""
        del request
        table = self.looked_at.table
        benches = [
            (bench.name, bench.folder.name, count_proofs_of(table, number))
            for number, bench in enumerate(table.benches)
        ]
        return self.draw(
            "overview.html.j2",
            benches=benches,
            recorded=RECORDED,
            counts=count_models(table),
            variants=[name for name, _ in values_of(table, "variant")],
            partial=[(run.name, run.partial.words) for run in table.runs if run.partial],
            whose=population_sentence(table.outcomes.population),
            sentences=self.looked_at.sentences,
        )

    def questions(self, request: Request) -> Response:
        """Show the questions of a selection as a grid, a page at a time."""
        selection = read_selection(request.query_params)
        rows = self.looked_at.rows(selection)
        last = max(1, -(-len(rows) // _PAGE))
        page = min(_number(request, "page", 1), last)
        shown = rows[(page - 1) * _PAGE : page * _PAGE].tolist()
        table = self.looked_at.table
        choices = {column: values_of(table, column) for column in table.labels}
        return self.draw(
            "questions.html.j2",
            selection=selection,
            choices={name: found for name, found in choices.items() if len(found) > 1},
            modes=[*MODES, NOT_TOLD],
            told=table.told.is_set(),
            total=len(rows),
            page=page,
            last=last,
            first=(page - 1) * _PAGE,
            tiles=[(self.link(row), *self._drawn(row)) for row in shown],
        )

    def question(self, request: Request) -> Response:
        """Show one question large: what was asked, what was answered, and why it is so."""
        selection, row = read_selection(request.query_params), self._row(request)
        table, whole = self.looked_at.table, request.query_params.get("view") == "whole"
        rows = self.looked_at.rows(selection)
        places = (rows == row).nonzero()[0]
        at = int(places[0]) if len(places) else None
        question, picture = self._drawn(row, LARGE, whole=whole)
        scene = self.looked_at.scene(row)
        others = [] if at is None else [at - 1, at + 1]
        near = [int(rows[other]) if 0 <= other < len(rows) else None for other in others]
        return self.draw(
            "question.html.j2",
            selection=selection,
            question=question,
            picture=picture,
            whole=whole,
            answers=answer_words(table, row, question, scene),
            proof=prove_label(question, scene) if scene else None,
            guessed=guess_words(question),
            plays=self._plays(row),
            variants=[(self.link(other), *self._drawn(other)) for other in table.variants(row)],
            samples=[(self.link(other), other) for other in table.samples(row)],
            here=self.link(row),
            row=row,
            bench=table.benches[int(table.bench[row])],
            bench_number=int(table.bench[row]),
            screens_number=self._screens_of(int(table.bench[row])),
            at=at,
            total=len(rows),
            before=self.link(near[0]) if near and near[0] is not None else "",
            after=self.link(near[1]) if near and near[1] is not None else "",
            # Where in the grid the question stands, so that going back leads there.
            page=1 if at is None else at // _PAGE + 1,
        )

    def compare(self, request: Request) -> Response:
        """Show two models on the questions that both were asked."""
        models = self.looked_at.table.models
        chosen = [request.query_params.get(name, "") for name in ("first", "second")]
        default = [*models[:2], "", ""]
        first, second = (name or default[at] for at, name in enumerate(chosen))
        if first not in models or second not in models:
            found = [] if len(models) > 1 else [*models]
            return self.draw("compare.html.j2", first="", second="", counts=[], alone=found)
        counts = compare_models(self.looked_at.table, models.index(first), models.index(second))
        return self.draw("compare.html.j2", first=first, second=second, counts=counts, alone=[])

    def export_csv(self, request: Request) -> Response:
        """Send the selection as CSV."""
        rows = self.looked_at.rows(read_selection(request.query_params))
        lines = csv_lines(self.looked_at.table, rows)
        return _file(lines, "text/csv; charset=utf-8", "selection.csv")

    def export_json_lines(self, request: Request) -> Response:
        """Send the selection as JSON Lines."""
        rows = self.looked_at.rows(read_selection(request.query_params))
        lines = json_lines(self.looked_at.table, rows)
        return _file(lines, "application/jsonl", "selection.jsonl")

    def crop(self, request: Request) -> Response:
        """Send a part of a question's picture."""
        row = request.path_params["row"]
        if row >= len(self.looked_at.table):
            raise HTTPException(404)
        table = self.looked_at.table
        question = table.question(row)
        names = ("left", "top", "right", "bottom")
        left, top, right, bottom = (request.path_params[name] for name in names)
        whole = Box(0.0, 0.0, float(question.width), float(question.height))
        if not (question.image and left < right <= whole.right and top < bottom <= whole.bottom):
            raise HTTPException(404)
        folder = table.benches[int(table.bench[row])].folder
        part = Box(left, top, right, bottom)
        width = 2 * _CROP if part == whole else _CROP
        return _picture(self.looked_at.pictures.crop(folder, question.image, part, width), "webp")

    def picture(self, request: Request) -> Response:
        """Send a picture of a benchmark, screens, forms or a run's episodes, as it was stored."""
        sources = {
            "bench": [bench.folder for bench in self.looked_at.table.benches],
            "screens": [screens.folder for screens in self.looked_at.screens],
            "forms": list(self.given.forms),
            "runs": [run.folder for run in self.looked_at.table.runs],
        }
        folder = _nth(sources.get(request.path_params["source"], []), request)
        return _picture(_stored(folder, request.path_params["sha"]), "png")

    def screens(self, request: Request) -> Response:
        """Show the screens of a folder."""
        screens = _nth(self.looked_at.screens, request)
        last = max(1, -(-len(screens.lines) // _PAGE))
        page = min(_number(request, "page", 1), last)
        lines = range((page - 1) * _PAGE, min(page * _PAGE, len(screens.lines)))
        return self.draw(
            "screens.html.j2",
            folder=screens,
            number=request.path_params["number"],
            shown=[screens.lines.read(line) for line in lines],
            total=len(screens.lines),
            first=lines.start,
            page=page,
            last=last,
        )

    def screen(self, request: Request) -> Response:
        """Show one screen with the boxes of its elements."""
        screens: ScreensFile = _nth(self.looked_at.screens, request)
        line = screens.places.get(request.path_params["id"])
        if line is None:
            raise HTTPException(404)
        screen = screens.lines.read(line)
        chosen = screen.element(request.query_params.get("element", ""))
        return self.draw(
            "screen.html.j2",
            folder=screens,
            number=request.path_params["number"],
            screen=screen,
            chosen=chosen,
            seen=[item for item in screen.elements if item.visible_fraction > 0],
        )

    def thumbnail(self, request: Request) -> Response:
        """Send a small picture of a screen."""
        screens: ScreensFile = _nth(self.looked_at.screens, request)
        _stored(screens.folder, request.path_params["sha"])
        cut = self.looked_at.pictures.small(screens.folder, request.path_params["sha"], _THUMBNAIL)
        return _picture(cut, "webp")

    def diagnosis(self, request: Request) -> Response:
        """Show what a diagnosis found and how, each failure with a link to its question."""
        folder: Path = _nth(self.given.diagnoses, request)
        if "diagnosis.json" not in read_manifest(folder, "diagnosis").files:
            raise HTTPException(404)
        bench = folder / FAILING
        numbers = [table.folder for table in self.looked_at.table.benches]
        number = numbers.index(bench) if bench in numbers else -1
        places = self.looked_at.table.places
        found = read_diagnosis(folder)
        links = {
            failing.question: self.link(places[number, failing.question])
            for element in found.elements
            for failing in element.failures
            if (number, failing.question) in places
        }
        proofs = count_proofs_of(self.looked_at.table, number)
        guessed = proof_words(proofs, "failing instructions") if proofs.keys() - {RECORDED} else ""
        return self.draw(
            "diagnosis.html.j2",
            folder=folder,
            found=found,
            links=links,
            guessed=guessed,
            elements=sorted(
                (element for element in found.elements if element.trail),
                key=lambda element: not element.failures,
            ),
            moves=MOVES,
        )

    def forms(self, request: Request) -> Response:
        """Show the attempts of a run over forms."""
        folder: Path = _nth(self.given.forms, request)
        return self.draw(
            "forms.html.j2",
            folder=folder,
            number=request.path_params["number"],
            results=read_results(folder),
        )

    def attempt(self, request: Request) -> Response:
        """Show one attempt at a form: its fields, the replies, and the pages as they were left."""
        folder: Path = _nth(self.given.forms, request)
        results = read_results(folder)
        at = request.path_params["attempt"]
        if at >= len(results):
            raise HTTPException(404)
        return self.draw(
            "attempt.html.j2",
            folder=folder,
            number=request.path_params["number"],
            result=results[at],
            at=at,
            total=len(results),
        )

    def _drawn(
        self, row: int, width: float = SMALL, *, whole: bool = False
    ) -> tuple[Question, MarkedPicture]:
        table = self.looked_at.table
        question = table.question(row)
        bench = table.benches[int(table.bench[row])]
        screen = bench.screen(question.screen) if question.instruction.landmark else None
        return question, draw_question(table, row, question, screen, width=width, whole=whole)

    def _plays(self, row: int) -> dict[int, list[tuple[str, str]]]:
        """Return where the episodes of a question are played and how they ended, by model."""
        table, name = self.looked_at.table, self.looked_at.table.ids[row]
        bench = table.benches[int(table.bench[row])].folder
        return {
            number + 1: [
                (f"/episodes/{number}/{at}/0", episode.words)
                for at, episode in enumerate(episodes)
                if episode.question.id == name
            ]
            for number, episodes in enumerate(self.looked_at.episodes)
            if table.runs[number].bench == bench
        }

    def link(self, row: int) -> str:
        """Return the path of a question."""
        table = self.looked_at.table
        return f"/question/{table.bench[row]}/{urllib.parse.quote(table.ids[row], safe='')}"

    def _row(self, request: Request) -> int:
        key = (request.path_params["bench"], request.path_params["id"])
        row = self.looked_at.table.places.get(key)
        if row is None:
            raise HTTPException(404)
        return row

    def _screens_of(self, bench: int) -> int | None:
        folder = self.looked_at.table.benches[bench].folder
        folders = [screens.folder for screens in self.looked_at.screens]
        return folders.index(folder) if folder in folders else None

    def draw(self, template: str, **parts: object) -> Response:
        """Draw a template as a page."""
        return draw_page(
            template,
            given=self.given,
            screens_given=self.looked_at.screens,
            models=self.looked_at.table.models,
            played=[
                (at, len(episode)) for at, episode in enumerate(self.looked_at.episodes) if episode
            ],
            questions_count=len(self.looked_at.table),
            query_of=query_of,
            nothing=Selection(),
            judging=self.judging,
            outcomes=OUTCOMES,
            flips=FLIPS,
            orders=ORDERS,
            markup=Markup,
            drawn=_drawn_by,
            zipped=lambda names: [(name, name) for name in names],
            **parts,
        )


def _drawn_by(rendering: Rendering) -> str:
    """Say how a form was drawn: by what, and all that was chosen about it."""
    parts = (rendering.theme, rendering.layout, rendering.language, rendering.direction)
    return ", ".join([rendering.renderer, *filter(None, parts)])


def _number(request: Request, name: str, default: int) -> int:
    """Read a number above 0 from the query; raises InvalidInputError."""
    text = request.query_params.get(name, "") or str(default)
    if not (text.isascii() and text.isdecimal() and int(text[:9]) > 0 and len(text) <= 9):  # noqa: PLR2004
        raise InvalidInputError(f"a number as {name}", found=f"'{text[:64]}'")
    return int(text)


def _nth(items: Any, request: Request) -> Any:  # noqa: ANN401 - whatever the sequence holds
    number = request.path_params["number"]
    if number >= len(items):
        raise HTTPException(404)
    return items[number]


def _stored(folder: Path, sha: str) -> bytes:
    """Read an object by its SHA-256, which is all that a path can name; 404 for no such one."""
    try:
        store = ObjectStore(folder)
        if not store.path(sha).is_file():
            raise HTTPException(404)
        return store.get(sha)
    except InvalidInputError as error:
        raise HTTPException(404) from error


def _picture(data: bytes, kind: str) -> Response:
    return Response(data, media_type=f"image/{kind}", headers=LASTING)


def _file(lines: Iterator[str], kind: str, name: str) -> Response:
    disposition = f'attachment; filename="{name}"'
    return StreamingResponse(lines, media_type=kind, headers={"Content-Disposition": disposition})
