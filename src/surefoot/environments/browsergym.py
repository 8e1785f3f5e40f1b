"""
Forms and questions as BrowserGym tasks, for AgentLab's agents and any other of BrowserGym's.

    import gymnasium
    import surefoot.environments.browsergym

    env = gymnasium.make("browsergym/surefoot.bug_report", task_kwargs={"desk": address})

Importing the module registers a task for each form of the catalogue, and
"browsergym/surefoot.question" for questions on live pages. The desk is one that
``surefoot forms serve`` or ``surefoot episodes`` serves, anywhere that this process reaches; the
variable SUREFOOT_DESK names it where ``task_kwargs`` does not. BrowserGym pins a Playwright of its
own, so the desk usually runs in another environment of Python than the agent: here
Surefoot's base suffices.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Final

import msgspec
from browsergym.core.registration import register_task
from browsergym.core.task import AbstractBrowserTask
from playwright.sync_api import Page

from surefoot.capture.live.protocol import LONGEST_REFUSAL, MOST_STEPS
from surefoot.core.errors import InvalidInputError
from surefoot.environments.desk import DeskClient
from surefoot.environments.goals import RewardName, goal_of, reward_of
from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.desk.protocol import EpisodeRequest

VARIABLE: Final = "SUREFOOT_DESK"
_OVER: Final = frozenset({"infeasible"})


class DeskTask(AbstractBrowserTask):  # type: ignore[misc]
    """
    Let an agent of BrowserGym fill in one form of a desk.

    The task's seed is that of the values. The goal holds the paper and the paths of the files
    to upload, in a folder that the task makes. The task is done once the form was accepted or
    the agent reports it infeasible; the reward comes then, as FormEnv's. ``look`` names what
    an EpisodeRequest can. Raises InvalidInputError without a desk's address.
    """

    def __init__(
        self,
        seed: int,
        form: str = "bug_report",
        *,
        desk: str = "",
        instance: int = 0,
        reward: RewardName = "values",
        width: int = 1280,
        height: int = 800,
        **look: str,
    ) -> None:
        super().__init__(seed)
        self._desk = _desk(desk)
        self.viewport = {"width": width, "height": height}
        self.slow_mo = 0
        self.reward: RewardName = reward
        asked = {"agent": "browsergym", **look}
        self.request = msgspec.convert(
            {"form": form, "instance": instance, "seed": int(seed), **asked}, EpisodeRequest
        )
        self._folder = tempfile.TemporaryDirectory(prefix="surefoot-")

    def setup(self, page: Page) -> tuple[str, dict[str, Any]]:
        """Open an episode, fetch its files, and show its form; return the goal."""
        self.episode = self._desk.open(self.request)
        files = self._desk.fetch(self.episode, Path(self._folder.name))
        # Playwright asks the browser to hold back file choosers while somebody listens. One who
        # begins with the click may be too late, so that it is listened for all along.
        page.on("filechooser", lambda _: None)
        page.goto(self.episode.url)
        goal = goal_of(self.episode, tuple(map(str, files)))
        return goal, {"episode": self.episode.id, "url": self.episode.url}

    def validate(
        self, page: Page, chat_messages: list[dict[str, Any]]
    ) -> tuple[float, bool, str, dict[str, Any]]:
        """Ask the desk how the form stands; the score is in the last of what is returned."""
        del page
        score = self._desk.score(self.episode).score
        over = any(message.get("role") in _OVER for message in chat_messages)
        done = score.accepted or over
        worth = reward_of(score, self.reward) if done else 0.0
        return worth, done, "", {"score": msgspec.to_builtins(score)}

    def teardown(self) -> None:
        """Delete the files."""
        self._desk.close()
        self._folder.cleanup()


class QuestionTask(AbstractBrowserTask):  # type: ignore[misc]
    """
    Let an agent of BrowserGym answer a question by what it activates on the live page.

    The desk is one of ``surefoot episodes``; the ``question`` is one's id, else the next that is
    open. The goal is the instruction. The window gets the question's width and height in CSS
    pixels, whatever its pixels. The task is done once the episode has ended, or the agent reports
    it infeasible, which is a refusal; the reward is 1 for the target. The desk gets a picture of
    what is seen before each step. Raises InvalidInputError without a desk's address.
    """

    def __init__(
        self,
        seed: int,
        *,
        desk: str = "",
        question: str = "",
        width: int = 1280,
        height: int = 800,
    ) -> None:
        super().__init__(seed)
        self._desk = _desk(desk)
        self.viewport = {"width": width, "height": height}
        self.slow_mo = 0
        self._question = question

    def setup(self, page: Page) -> tuple[str, dict[str, Any]]:
        """Open an episode and its page, and wait until that is as it should be."""
        self.episode = self._desk.ask(self._question)
        shown = self.episode.browser
        page.set_viewport_size({"width": shown.width, "height": shown.height})
        page.goto(self.episode.url)
        self._desk.await_ready(self.episode)
        self._desk.note(self.episode, screenshot=page.screenshot())
        return self.episode.instruction, {"episode": self.episode.id, "url": self.episode.url}

    def validate(
        self, page: Page, chat_messages: list[dict[str, Any]]
    ) -> tuple[float, bool, str, dict[str, Any]]:
        """Ask the desk how the episode stands; the score is in the last of what is returned."""
        over = [item for item in chat_messages if item.get("role") in _OVER]
        refusal = str(over[-1].get("message", ""))[:LONGEST_REFUSAL] if over else ""
        score = self._desk.end(self.episode, refusal) if over else self._desk.stands(self.episode)
        if not score.ended and score.steps < MOST_STEPS:
            self._desk.note(self.episode, screenshot=page.screenshot())
        return float(score.right), bool(score.ended), "", {"score": msgspec.to_builtins(score)}

    def teardown(self) -> None:
        """End the episode, if it has not ended."""
        self._desk.end(self.episode)
        self._desk.close()


def _desk(address: str) -> DeskClient:
    """Return a client of the desk at an address, or the one that the environment names."""
    found = address or os.environ.get(VARIABLE, "")
    if not found:
        raise InvalidInputError(
            "the address of a desk",
            found="none",
            remedy=f"set {VARIABLE} to what `surefoot forms serve` or `episodes` prints",
        )
    return DeskClient(found)


register_task("surefoot.question", QuestionTask)
for _form in catalogue():
    register_task(f"surefoot.{_form}", DeskTask, task_kwargs={"form": _form})
