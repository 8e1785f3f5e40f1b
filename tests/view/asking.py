"""
An application asked as a browser with its token would.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import httpx
from starlette.applications import Starlette

TOKEN: Final = "right-token"  # noqa: S105 - of these tests


class Asker:
    """Ask an application without a network between."""

    def __init__(self, app: Starlette) -> None:
        self.app = app

    def get(self, path: str, **how: Any) -> httpx.Response:  # noqa: ANN401 - httpx's own
        """Fetch a page."""
        return self.ask("GET", path, **how)

    def ask(self, method: str, path: str, **how: Any) -> httpx.Response:  # noqa: ANN401 - httpx's
        """Send any request."""

        async def fetch() -> httpx.Response:
            through = httpx.ASGITransport(self.app)
            headers = {"cookie": f"surefoot-8000={TOKEN}", **how.pop("headers", {})}
            async with httpx.AsyncClient(
                transport=through, base_url="http://127.0.0.1:8000"
            ) as client:
                return await client.request(method, path, headers=headers, **how)

        return asyncio.run(fetch())
