"""
A client of a desk: opens episodes, fetches their files, and reads what they came to.

It needs neither a browser nor a server of its own, so that it goes where an agent runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Self, TypeVar

import httpx
import msgspec

from surefoot.core.errors import InvalidInputError, SurefootError, plain_words
from surefoot.forms.desk.protocol import EpisodeRequest, OpenedEpisode, ToldScore

_T = TypeVar("_T")
_PATIENCE_S: Final = 60.0


class DeskClient:
    """
    Ask a desk that ``surefoot forms serve`` serves, by its address; a context manager.

    Every method raises InvalidInputError for what the desk refuses, in its own words, and
    SurefootError where nobody answers.
    """

    def __init__(self, address: str) -> None:
        self._client = httpx.Client(base_url=address, timeout=_PATIENCE_S)

    def open(self, request: EpisodeRequest) -> OpenedEpisode:
        """Open an episode; its secret is for the caller, never for the agent."""
        asked = msgspec.json.encode(request)
        kind = {"content-type": "application/json"}
        return self._decoded(
            self._ask("POST", "/episodes", content=asked, headers=kind), OpenedEpisode
        )

    def fetch(self, episode: OpenedEpisode, folder: Path) -> tuple[Path, ...]:
        """Save the files to upload in a folder, under their own names; return their paths."""
        saved = []
        for file in episode.files:
            # The name was chosen elsewhere: nothing of it may lead out of the folder.
            path = folder / Path(file.name).name
            path.write_bytes(self._ask("GET", file.url).content)
            saved.append(path)
        return tuple(saved)

    def score(self, episode: OpenedEpisode, *, told: bool = False) -> ToldScore:
        """Read the score of an episode as it stands, with the right values if ``told``."""
        path = f"/episodes/{episode.id}/score{'?told' * told}"
        bearer = {"authorization": f"Bearer {episode.secret}"}
        return self._decoded(self._ask("GET", path, headers=bearer), ToldScore)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(
        self,
        method: str,
        path: str,
        *,
        content: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        try:
            reply = self._client.request(method, path, content=content, headers=headers)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise SurefootError(
                f"a desk at {self._client.base_url}",
                found=plain_words(error),
                remedy="start one: surefoot forms serve --out DIR --port PORT",
            ) from error
        if not reply.is_success:
            raise InvalidInputError(
                "what the desk takes", found=f"{reply.status_code}: {reply.text.strip()[:500]}"
            )
        return reply

    def _decoded(self, reply: httpx.Response, kind: type[_T]) -> _T:
        try:
            return msgspec.json.decode(reply.content, type=kind)
        except msgspec.MsgspecError as error:
            raise SurefootError(
                f"a reply of a desk from {self._client.base_url}",
                found=error,
                remedy="name the desk's address, and a desk of this version",
            ) from error
