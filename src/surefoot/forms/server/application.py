"""
The form server as one application: its routes, its files, its refusals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from surefoot.core.errors import InvalidInputError
from surefoot.forms.rendering import RENDERERS, Renderer
from surefoot.forms.server.changes import AcceptedChange, EntryEvent, add_events, add_upload, enter
from surefoot.forms.server.desk import Desk
from surefoot.forms.server.judging import FormVerdict, filled, judge
from surefoot.forms.server.limits import ServerLimits
from surefoot.forms.server.pages import page_number, page_routes
from surefoot.forms.server.reading import (
    Answers,
    SentEvent,
    SentFile,
    entered_texts,
    posted_form,
    posted_json,
)
from surefoot.forms.server.runs import Entered, FormProgress, FormRun
from surefoot.forms.server.store import Store
from surefoot.forms.specification import Field, Holds
from surefoot.loopback.application import guarded

_SHARED: Final = Path(__file__).parent.parent / "renderers" / "shared"


def answer_routes(desk: Desk) -> list[Route]:
    """Return the routes that a page's script talks to."""

    async def events(request: Request) -> Response:
        run = desk.run(request)
        sent = await posted_json(request, list[SentEvent], desk.limits)
        happened = _happened(run, [item for item in sent if item.kind != "open"], desk)
        anew = _opened(run, [item for item in sent if item.kind == "open"], desk)
        if happened or anew:
            await desk.store.write(add_events(run, happened, desk.limits, anew=anew))
        return Response(status_code=204)

    async def upload(request: Request) -> Response:
        run = desk.run(request)
        return await _upload(desk, run, request.path_params["field"], request)

    async def turn(request: Request) -> Response:
        run = desk.run(request)
        page = page_number(run, request.path_params["page"])
        answers = await posted_json(request, Answers, desk.limits)
        async with desk.turn(run):
            return await _turn(desk, run, answers, page)

    async def submit(request: Request) -> Response:
        run = desk.run(request)
        answers = await posted_json(request, Answers, desk.limits)
        async with desk.turn(run):
            return await _submit(desk, run, answers)

    return [
        Route("/r/{token}/events", events, methods=["POST"]),
        Route("/r/{token}/upload/{field}", upload, methods=["POST"]),
        Route("/r/{token}/turn/{page}", turn, methods=["POST"]),
        Route("/r/{token}/submit", submit, methods=["POST"]),
    ]


def _happened(run: FormRun, sent: list[SentEvent], desk: Desk) -> list[EntryEvent]:
    """
    Check events against the run's form; raises InvalidInputError, and then keeps none.

    A page may tell that a file was chosen; that one arrived the server alone can tell.
    """
    limits = desk.limits
    if len(sent) > limits.events_per_post:
        raise InvalidInputError(f"at most {limits.events_per_post} events", found=str(len(sent)))
    pages = {field.id: at for at, page in enumerate(run.form.pages) for field in page.fields}
    for event in sent:
        if pages.get(event.field) != event.page:
            raise InvalidInputError(
                "events of this form's fields on their pages",
                found=f"'{event.field[:64]}' on page {event.page}",
            )
        if len(event.value) > limits.value_chars:
            raise InvalidInputError(
                f"at most {limits.value_chars} characters", found=str(len(event.value))
            )
    return [
        EntryEvent(
            event.page,
            event.field,
            "change" if event.kind == "upload" else event.kind,
            event.value,
            event.at,
        )
        for event in sent
    ]


def _opened(run: FormRun, sent: list[SentEvent], desk: Desk) -> list[Field]:
    """
    Return the fields that stand in a page that was opened anew, as far as the server keeps them.

    A page with a script holds all of the form.
    """
    numbers = range(len(run.form.pages))
    pages = numbers if desk.renderer(run).scripted else {event.page for event in sent}
    return [field for at in numbers if sent and at in pages for field in run.form.pages[at].fields]


async def _upload(desk: Desk, run: FormRun, name: str, request: Request) -> Response:
    field = run.form.field(name)
    if field is None or field.traits.holds is not Holds.FILE:
        raise HTTPException(404)
    async with posted_form(request, desk.limits) as form:
        parts = form.multi_items()
        part = parts[0][1] if [item for item, _ in parts] == ["file"] else None
        if not isinstance(part, UploadFile) or not part.filename:
            raise InvalidInputError("one file named 'file'", found=f"{len(parts)} parts")
        arrival = await desk.keep(run, name, part)
    await desk.store.write(add_upload(run, arrival, desk.limits))
    return JSONResponse(msgspec.to_builtins(arrival.file))


async def _turn(desk: Desk, run: FormRun, answers: Mapping[str, object], page: int) -> Response:
    """Judge a page before it is turned, by all that the form holds, and keep that."""
    entered = _entered(desk, run, answers)
    verdict = judge(run, entered, page)
    if verdict.refusals:
        return await _refused(desk, run, verdict, entered)
    await desk.store.write(enter(run, desk.limits, entered=entered))
    return JSONResponse({"done": False})


async def _submit(desk: Desk, run: FormRun, answers: Mapping[str, object]) -> Response:
    entered = _entered(desk, run, answers)
    verdict = judge(run, entered)
    if verdict.refusals:
        return await _refused(desk, run, verdict, entered)
    kept = enter(
        run,
        desk.limits,
        entered=entered,
        accepted=AcceptedChange(filled(run.form, entered), verdict.values),
        progress=FormProgress(done=True),
    )
    await desk.store.write(kept)
    return JSONResponse({"done": True})


async def _refused(desk: Desk, run: FormRun, verdict: FormVerdict, entered: Entered) -> Response:
    kept = enter(run, desk.limits, entered=entered, refusals=verdict.refusals)
    await desk.store.write(kept)
    return JSONResponse({"errors": verdict.messages}, 422)


def _entered(desk: Desk, run: FormRun, answers: Mapping[str, object]) -> Entered:
    """
    Return the texts of a whole form, () for a field that was not sent.

    A file counts only if this run uploaded it for this field; raises InvalidInputError.
    """
    files = {field.id for field in run.form.fields if field.traits.holds is Holds.FILE}
    arrived = desk.store.uploaded(run)
    posted: dict[str, tuple[str, ...]] = {field.id: () for field in run.form.fields}
    for name, answer in answers.items():
        if isinstance(answer, SentFile):
            if (name, answer.name, answer.sha256) not in arrived:
                raise InvalidInputError("files that this run uploaded", found=f"'{name[:64]}'")
            posted[name] = (answer.name, answer.sha256)
            continue
        texts = (answer,) if isinstance(answer, str) else answer
        if not isinstance(texts, tuple) or (name in files and any(texts)):
            raise InvalidInputError("a file as its upload was answered", found=f"'{name[:64]}'")
        posted[name] = texts
    return entered_texts(run.form, {**posted}, desk.limits)


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


def _assets(renderers: Mapping[str, Renderer]) -> list[Mount]:
    folders = {name: renderer.assets for name, renderer in renderers.items()}
    return [
        Mount(f"/assets/{name}", StaticFiles(directory=folder))
        for name, folder in {**folders, "shared": _SHARED}.items()
        if folder is not None and folder.is_dir()
    ]
