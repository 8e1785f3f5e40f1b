"""
The pages on which episodes are played, step by step.
"""

from __future__ import annotations

import urllib.parse
from collections.abc import Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from surefoot.core.store import ObjectStore
from surefoot.view.episodes import PlayableEpisode, PlayedStep
from surefoot.view.looking import LookedAt
from surefoot.view.playing import draw_step, heard_words, step_label

Draw = Callable[..., Response]


def episode_routes(looked_at: LookedAt, draw: Draw) -> list[Route]:
    """Return the routes of a run's episodes; ``draw`` draws a template."""
    pages = _EpisodePages(looked_at, draw)
    return [
        Route("/episodes/{number:int}", pages.episodes),
        Route("/episodes/{number:int}/{at:int}/{step:int}", pages.step),
    ]


class _EpisodePages:
    def __init__(self, looked_at: LookedAt, draw: Draw) -> None:
        self.looked_at, self.draw = looked_at, draw

    def episodes(self, request: Request) -> Response:
        """Show how the episodes of a run ended."""
        number, episodes = self._run(request)
        return self.draw(
            "episodes.html.j2",
            number=number,
            model=self.looked_at.table.models[number],
            episodes=episodes,
        )

    def step(self, request: Request) -> Response:
        """Show one step of an episode: the picture, the action, and what was activated."""
        number, episodes = self._run(request)
        episode: PlayableEpisode = _nth(episodes, request.path_params["at"])
        at = request.path_params["step"]
        step: PlayedStep = _nth(episode.steps, at)
        table, question = self.looked_at.table, episode.question
        run = table.runs[number]
        bench = [files.folder for files in table.benches].index(run.bench)
        screen = table.benches[bench].screen(question.screen)
        there = step.posted is not None and _is_there(ObjectStore(run.folder), step.posted.image)
        links = (f"/picture/runs/{number}", f"/picture/bench/{bench}")
        picture = draw_step(step, question, screen, links, there=there)
        row = table.places.get((bench, question.id))
        here = f"/question/{bench}/{urllib.parse.quote(question.id, safe='')}"
        return self.draw(
            "episode.html.j2",
            number=number,
            model=table.models[number],
            episode=episode,
            question=question,
            place=request.path_params["at"],
            episodes_count=len(episodes),
            at=at,
            step=step,
            picture=picture,
            there=there,
            heard=heard_words(step, screen, picture),
            labels=[step_label(item, screen) for item in episode.steps],
            question_link="" if row is None else here,
        )

    def _run(self, request: Request) -> tuple[int, tuple[PlayableEpisode, ...]]:
        """Return a run's number and its episodes; error 404 for a run without any."""
        number = request.path_params["number"]
        found = _nth(self.looked_at.episodes, number)
        if not found:
            raise HTTPException(404)
        return number, found


def _is_there(store: ObjectStore, image: str) -> bool:
    return bool(image) and store.path(image).is_file()


def _nth(items: Any, number: int) -> Any:  # noqa: ANN401 - whatever the sequence holds
    if number >= len(items):
        raise HTTPException(404)
    return items[number]
