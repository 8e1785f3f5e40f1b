"""
A client of a desk: opens episodes of forms or of questions, and reads what they came to.

It needs neither a browser nor a server of its own, so that it goes where an agent runs.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final, Self, TypeVar

import httpx
import msgspec

from surefoot.capture.live.protocol import (
    ClickScore,
    EpisodeEnd,
    KeptStep,
    OpenedQuestion,
    PostedStep,
    QuestionRequest,
)
from surefoot.core.errors import InvalidInputError, SurefootError, plain_words
from surefoot.forms.desk.protocol import EpisodeRequest, OpenedEpisode, ToldScore

_T = TypeVar("_T")
_PATIENCE_S: Final = 60.0
_POLL_S: Final = 0.05


class DeskClient:
    """
    Ask a desk that ``surefoot forms serve`` or ``surefoot episodes`` serves, by its address.

    It is a context manager. Forms have files and papers, questions a page and an instruction.

    Every method raises InvalidInputError for what the desk refuses, in its own words, and
    SurefootError where nobody answers.
    """

    def __init__(self, address: str) -> None:
        self._client = httpx.Client(base_url=address, timeout=_PATIENCE_S)

    def open(self, request: EpisodeRequest) -> OpenedEpisode:
        """Open an episode of a form; its secret is for the caller, never for the agent."""
        return self._decoded(self._post("/episodes", request), OpenedEpisode)

    def ask(self, question: str = "") -> OpenedQuestion:
        """Open an episode of a question by its id, or of the next that is open."""
        return self._decoded(self._post("/episodes", QuestionRequest(question)), OpenedQuestion)

    def await_ready(self, episode: OpenedQuestion, seconds: float = 60.0) -> None:
        """Wait until the page of an episode, once a browser has it, looks as it should."""
        deadline = time.monotonic() + seconds
        path = f"/episodes/{episode.id}"
        while not self._decoded(self._ask("GET", path), OpenedQuestion).ready:
            if time.monotonic() > deadline:
                raise SurefootError(
                    f"a page that is ready within {seconds:g} s",
                    found="one that is not",
                    remedy=f"open {episode.url} in a browser that runs scripts",
                )
            time.sleep(_POLL_S)

    def stands(self, episode: OpenedQuestion) -> ClickScore:
        """Read how the episode of a question stands."""
        path = f"/episodes/{episode.id}/score"
        return self._decoded(self._ask("GET", path, headers=_bearer(episode)), ClickScore)

    def note(
        self,
        episode: OpenedQuestion,
        action: object = "",
        screenshot: bytes = b"",
        thought: str = "",
    ) -> KeptStep:
        """
        Tell a step before it is done: the action, the PNG that is seen, the thought.

        The action is a text or whatever else JSON holds.
        """
        step = PostedStep(msgspec.Raw(msgspec.json.encode(action)), screenshot, thought)
        path = f"/episodes/{episode.id}/steps"
        return self._decoded(self._post(path, step, **_bearer(episode)), KeptStep)

    def end(self, episode: OpenedQuestion, refusal: str = "") -> ClickScore:
        """End the episode of a question, if it has not ended: the agent gives up, or refuses."""
        path = f"/episodes/{episode.id}/end"
        return self._decoded(self._post(path, EpisodeEnd(refusal), **_bearer(episode)), ClickScore)

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
        return self._decoded(self._ask("GET", path, headers=_bearer(episode)), ToldScore)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _post(self, path: str, content: msgspec.Struct, **headers: str) -> httpx.Response:
        kind = {"content-type": "application/json", **headers}
        return self._ask("POST", path, content=msgspec.json.encode(content), headers=kind)

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
                remedy="start one: surefoot forms serve, or surefoot episodes, with --port PORT",
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


def _bearer(episode: OpenedEpisode | OpenedQuestion) -> dict[str, str]:
    return {"authorization": f"Bearer {episode.secret}"}
