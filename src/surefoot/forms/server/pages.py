"""
Forms as pages: the current page is shown, posted with its files, judged and turned.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Final

import msgspec
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from surefoot.core.errors import InvalidInputError
from surefoot.forms.rendering import PageState
from surefoot.forms.server.changes import AcceptedChange, Arrival, add_upload, enter
from surefoot.forms.server.desk import Desk
from surefoot.forms.server.judging import FormVerdict, as_shown, filled, judge
from surefoot.forms.server.reading import entered_texts, posted_form
from surefoot.forms.server.runs import Entered, FormProgress, FormRun
from surefoot.forms.server.writer import Change
from surefoot.forms.specification import Holds
from surefoot.loopback.guards import page_response

_ACTIONS: Final = ("next", "back", "submit")


class _Post(msgspec.Struct, frozen=True):
    """Hold what one page was posted with; ``texts`` has every field of the page but files."""

    page: int
    action: str
    texts: Entered
    files: dict[str, UploadFile]


def page_routes(desk: Desk) -> list[Route]:
    """Return the routes that show a run's page and take it in."""

    async def show(request: Request) -> Response:
        run = desk.run(request)
        progress = desk.store.progress(run)
        return _page(desk, run, progress, desk.store.drafts(run))

    async def post(request: Request) -> Response:
        run = desk.run(request)
        page = page_number(run, request.path_params["page"])
        async with posted_form(request, desk.limits) as form:
            posted = _read(desk, run, page, form)
            async with desk.turn(run):
                return await _turn(desk, run, posted)

    return [
        Route("/r/{token}/", show, methods=["GET"]),
        Route("/r/{token}/page/{page}", post, methods=["POST"]),
    ]


def page_number(run: FormRun, spelled: str) -> int:
    """Return the number of a page of the run's form, which must be spelled as we spell it."""
    pages = [str(index) for index in range(len(run.form.pages))]
    if spelled not in pages:
        raise HTTPException(404)
    return pages.index(spelled)


def _read(desk: Desk, run: FormRun, page: int, form: FormData) -> _Post:
    """Sort the parts of a posted page; raises InvalidInputError for one that is not its own."""
    holds = {field.id: field.traits.holds for field in run.form.pages[page].fields}
    texts: dict[str, list[str]] = {
        name: [] for name, what in holds.items() if what is not Holds.FILE
    }
    files: dict[str, UploadFile] = {}
    actions: list[str] = []
    for name, part in form.multi_items():
        if name == "action" and isinstance(part, str):
            actions.append(part)
        elif name in texts and isinstance(part, str):
            texts[name].append(part)
        elif holds.get(name) is Holds.FILE and isinstance(part, UploadFile):
            if part.filename:
                files[name] = part
        else:
            raise InvalidInputError("fields of this page, as it sends them", found=name[:64])
    if len(actions) != 1 or actions[0] not in _ACTIONS:
        raise InvalidInputError(f"one action of {', '.join(_ACTIONS)}", found=f"{len(actions)}")
    return _Post(page, actions[0], entered_texts(run.form, {**texts}, desk.limits), files)


async def _turn(desk: Desk, run: FormRun, posted: _Post) -> Response:
    """Keep what a page was posted with, and go where its button leads."""
    progress, last = desk.store.progress(run), len(run.form.pages) - 1
    if posted.page > progress.reached:
        raise HTTPException(409)
    if (posted.action == "submit") != (posted.page == last) and posted.action != "back":
        raise InvalidInputError(
            "'next' on every page but the last, 'submit' there", found=posted.action
        )
    arrivals = [await desk.keep(run, name, file) for name, file in posted.files.items()]
    held = {arrival.field: (arrival.file.name, arrival.file.sha256) for arrival in arrivals}
    new: Entered = {**posted.texts, **held}
    entered: Entered = {**desk.store.drafts(run), **new}
    verdict = _judged(run, posted, entered)
    moved = _moved(run, posted, progress, verdict)
    accepted = None
    if moved.done:
        accepted = AcceptedChange(filled(run.form, entered), verdict.values)
    kept = enter(
        run,
        desk.limits,
        entered=new,
        refusals=verdict.refusals,
        accepted=accepted,
        progress=moved,
    )
    await desk.store.write(_all(run, desk, arrivals, kept))
    if verdict.refusals:
        return _page(desk, run, moved, entered, verdict.messages)
    return RedirectResponse(run.base, 303)


def _judged(run: FormRun, posted: _Post, entered: Entered) -> FormVerdict:
    """Judge a page, or at the end the form; going back, nothing is judged."""
    if posted.action == "back":
        return FormVerdict({})
    return judge(run, entered, posted.page if posted.action == "next" else None)


def _moved(
    run: FormRun, posted: _Post, progress: FormProgress, verdict: FormVerdict
) -> FormProgress:
    """Say which page comes next: the first with a refused field, if there is one."""
    if verdict.refusals:
        page = min(run.form.page_of(refusal.field) for refusal in verdict.refusals)
        return FormProgress(page, progress.reached)
    if posted.action == "submit":
        return FormProgress(posted.page, progress.reached, done=True)
    page = posted.page + 1 if posted.action == "next" else max(posted.page - 1, 0)
    return FormProgress(page, max(page, progress.reached))


def _all(run: FormRun, desk: Desk, arrivals: list[Arrival], kept: Change[int]) -> Change[int]:
    uploads = [add_upload(run, arrival, desk.limits) for arrival in arrivals]

    def change(connection: sqlite3.Connection) -> int:
        for upload in uploads:
            upload(connection)
        return kept(connection)

    return change


def _page(
    desk: Desk,
    run: FormRun,
    progress: FormProgress,
    entered: Entered,
    errors: Mapping[str, str] | None = None,
) -> Response:
    """Draw a run's current page, with status 422 where values were refused."""
    state = PageState(
        run.base,
        progress.page,
        values=as_shown(run.form, entered),
        errors=errors or {},
        done=progress.done,
    )
    document = desk.renderer(run).document(run.form, run.rendering, state)
    return page_response(document, 422 if errors else 200)
