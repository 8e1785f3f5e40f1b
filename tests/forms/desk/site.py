"""
The two origins of a desk's folder, asked as a browser asks them.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
from starlette.applications import Starlette

from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.desk.application import desk_application
from surefoot.forms.desk.cases import Offer
from surefoot.forms.desk.keys import find_episode
from surefoot.forms.server.application import application
from surefoot.forms.server.store import Store

DESK_AT: Final = "http://127.0.0.1:8000"
FORMS_AT: Final = "http://127.0.0.1:8001"


class Client:
    """Ask an application as a browser would, without a network between."""

    def __init__(self, app: Starlette, address: str) -> None:
        self.app = app
        self.address = address

    def get(self, path: str, **how: Any) -> httpx.Response:  # noqa: ANN401 - httpx's own
        """Fetch a page."""
        return asyncio.run(self._ask("GET", path, how))

    def post(self, path: str, **how: Any) -> httpx.Response:  # noqa: ANN401 - httpx's own
        """Post a form, or JSON."""
        return asyncio.run(self._ask("POST", path, how))

    async def _ask(self, method: str, path: str, how: dict[str, Any]) -> httpx.Response:
        through = httpx.ASGITransport(self.app)
        async with httpx.AsyncClient(transport=through, base_url=self.address) as client:
            return await client.request(method, path, **how)


class Site:
    """The two origins of one folder."""

    def __init__(self, folder: Path, store: Store) -> None:
        self.folder = folder
        offer = Offer(tuple(catalogue().values()), seed=5)
        self.desk = Client(desk_application(folder, FORMS_AT, offer), DESK_AT)
        self.forms = Client(application(store), FORMS_AT)

    def open(self, form: str, **look: str) -> str:
        """Open a form as the index does, and return the secret of its run."""
        reply = self.desk.post("/open", data={"form": form, "renderer": "plain", **look})
        assert reply.status_code == 303
        return reply.headers["location"].split("/")[2]

    def token(self, secret: str) -> str:
        """Return what stands in the address of a run's form."""
        return find_episode(self.folder, secret=secret).token


@contextlib.contextmanager
def served_site(folder: Path) -> Iterator[Site]:
    """Serve a folder for the length of a block."""
    with Store(folder) as store:
        yield Site(folder, store)
