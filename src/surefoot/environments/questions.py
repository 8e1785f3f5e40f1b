"""
A question as a Gymnasium environment: the live page, actions in words, what is activated scored.

    import gymnasium
    import surefoot.environments.questions

    env = gymnasium.make("surefoot/Question-v0", desk="http://127.0.0.1:8423")
    seen, info = env.reset()
    seen, reward, ended, cut, info = env.step("mouse_click(400, 220)")
"""

from __future__ import annotations

import urllib.parse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium
import msgspec
import numpy as np

from surefoot.capture.live.protocol import LONGEST_WORDS, OpenedQuestion
from surefoot.capture.routes import Upstream
from surefoot.environments.desk import DeskClient
from surefoot.environments.gymnasium import FormEnv, Seen, Words
from surefoot.forms.driver.episode import FormAddress
from surefoot.forms.driver.limits import EpisodeLimits
from surefoot.forms.driver.observation import FormView, Observation


class QuestionEnv(FormEnv):
    """
    Let an agent answer questions by what it activates on their live pages.

    The ``desk`` is one that ``surefoot episodes`` serves. An observation has the ``screenshot``
    and the ``instruction``; actions are FormEnv's. The episode is terminated once the target was
    activated, too much else was, or the agent finished; the reward is 1 for the target, and
    ``info["score"]`` has the whole score, which agents must not see. Each step's picture and
    action are posted to the desk, which keeps them. The option ``question`` of
    ``reset`` is a question's id, else it is the next that is open. ``width`` and ``height`` are
    those of the benchmark's pictures. It raises as FormEnv does.
    """

    def __init__(
        self,
        *,
        desk: str,
        actions: str = "browsergym",
        width: int = 1280,
        height: int = 800,
        limits: EpisodeLimits = EpisodeLimits(),  # noqa: B008 (frozen)
        render_mode: str | None = None,
    ) -> None:
        super().__init__(
            desk=desk,
            actions=actions,
            width=width,
            height=height,
            limits=limits,
            render_mode=render_mode,
        )
        self.observation_space = gymnasium.spaces.Dict(
            {
                "screenshot": gymnasium.spaces.Box(0, 255, (height, width, 3), np.uint8),
                "instruction": Words(),
            }
        )

    def _request(self, seed: int, options: Mapping[str, object]) -> str:
        del seed
        return str(options.get("question", ""))

    def _begin(
        self, desk: DeskClient, request: str, folder: Path
    ) -> tuple[OpenedQuestion, FormAddress]:
        del folder
        episode = desk.ask(request)
        parts = urllib.parse.urlsplit(episode.url)
        route = Upstream(f"http://{parts.netloc}", "127.0.0.1", parts.port or 80)
        return episode, FormAddress(episode.url, route)

    def _await(self, desk: DeskClient, episode: OpenedQuestion) -> None:
        desk.await_ready(episode)

    def _note(
        self, desk: DeskClient, episode: OpenedQuestion, seen: Observation, action: str
    ) -> None:
        desk.note(episode, action[:LONGEST_WORDS], seen.image)

    def _view(self, episode: OpenedQuestion) -> FormView:
        shown = episode.browser
        return FormView(width=shown.width, height=shown.height, scale=shown.scale, follow="window")

    def _is_over(self, desk: DeskClient, episode: OpenedQuestion) -> bool:
        return bool(desk.stands(episode).ended)

    def _scored(self, desk: DeskClient, episode: OpenedQuestion) -> tuple[Any, float]:
        score = desk.end(episode)
        return msgspec.to_builtins(score), float(score.right)

    def _told(self, episode: OpenedQuestion) -> Seen:
        return {"instruction": episode.instruction}


gymnasium.register(
    "surefoot/Question-v0", entry_point="surefoot.environments.questions:QuestionEnv"
)
