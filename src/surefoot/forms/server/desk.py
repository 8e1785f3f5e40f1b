"""
What every route needs: the store, the limits, the renderers, and one post at a time a run.
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Mapping

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request

from surefoot.core.errors import SurefootError
from surefoot.forms.rendering import Renderer
from surefoot.forms.server.changes import Arrival, allow_upload
from surefoot.forms.server.limits import ServerLimits
from surefoot.forms.server.runs import FormRun
from surefoot.forms.server.store import Store
from surefoot.forms.server.uploads import keep


class Desk:
    """Hold what the routes of one server share."""

    def __init__(
        self, store: Store, limits: ServerLimits, renderers: Mapping[str, Renderer]
    ) -> None:
        self.store = store
        self.limits = limits
        self.renderers = renderers
        self._turns: weakref.WeakValueDictionary[int, asyncio.Lock] = weakref.WeakValueDictionary()

    def run(self, request: Request) -> FormRun:
        """Return the run that a request is about; raises UnknownNameError."""
        return self.store.run(request.path_params["token"])

    def turn(self, run: FormRun) -> asyncio.Lock:
        """Return the lock under which a run's posts are judged, one after the other."""
        return self._turns.setdefault(run.key, asyncio.Lock())

    def renderer(self, run: FormRun) -> Renderer:
        """Return the renderer of a run; raises SurefootError where it is not to be had."""
        name = run.rendering.renderer
        renderer = self.renderers.get(name)
        if renderer is None:
            raise SurefootError(f"the renderer '{name}'", found="none")
        renderer.require()
        return renderer

    async def keep(self, run: FormRun, field: str, file: UploadFile) -> Arrival:
        """
        Store a file that was posted; nothing is known of it before its change is made.

        Raises InvalidInputError where the run has used up what it may upload.
        """
        size = file.size or 0
        self.store.read(lambda reader: allow_upload(reader, run, size, self.limits))
        kept, size = await run_in_threadpool(
            keep, self.store.folder, file.filename or "", file.file
        )
        return Arrival(field, run.form.page_of(field), kept, size)
