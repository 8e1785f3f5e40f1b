"""
Find MiniWoB++'s pages in its installed package, and play a task on one of them.

The package is never imported, since that would need its own drivers; only its pages are
served, from its folder, and its own reward says how a task ended.
"""

from __future__ import annotations

import importlib.metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from surefoot.capture.routes import Folder
from surefoot.capture.settings import Limits, Settings
from surefoot.capture.web.browser import Browser
from surefoot.core.errors import MissingComponentError, UnknownNameError
from surefoot.core.registry import suggest
from surefoot.forms.driver.executor import Effect, Executor
from surefoot.forms.driver.limits import EpisodeLimits
from surefoot.forms.driver.window import FormWindow
from surefoot.forms.miniwob.desk import MiniWobDesk
from surefoot.forms.miniwob.scripts import SCRIPTS

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MiniWobOutcome", "pages_folder", "play", "play_with", "tasks"]

ORIGIN: Final = "http://miniwob.localhost"
SIZE: Final = (480, 400)
REMEDY: Final = "run: pip install --no-deps miniwob==1.1.0"
# Tasks end by themselves after seconds that count real time; a slow machine is no failure.
START: Final = (
    "(seed) => { core.EPISODE_MAX_TIME = 600000; Math.seedrandom(seed); core.startEpisodeReal(); }"
)
WORDS: Final = "core.getUtterance()"
REWARD: Final = "[WOB_DONE_GLOBAL ? WOB_RAW_REWARD_GLOBAL : 0, WOB_DONE_GLOBAL]"


class MiniWobOutcome(msgspec.Struct, frozen=True):
    """
    Record one task: its words, its own raw reward (-1 to 1, without decay), what was done.

    ``done`` is false where the task did not end; its reward is then 0.
    """

    task: str
    seed: int
    words: str
    reward: float
    done: bool
    effects: tuple[Effect, ...]


def tasks() -> tuple[str, ...]:
    """Return the names of the form tasks that there is a script for."""
    return tuple(sorted(SCRIPTS))


def pages_folder() -> Path:
    """
    Return the folder of MiniWoB++'s pages; raises MissingComponentError without the package.
    """
    try:
        files = importlib.metadata.files("miniwob") or []
    except importlib.metadata.PackageNotFoundError as error:
        raise MissingComponentError("the package miniwob", found="none", remedy=REMEDY) from error
    for file in files:
        if file.parts[-3:] == ("html", "core", "core.js"):
            return Path(str(file.locate())).resolve().parent.parent
    raise MissingComponentError("the pages of miniwob", found="none", remedy=REMEDY)


def play(browser: Browser, task: str, seed: int) -> MiniWobOutcome:
    """
    Play a task by its script, which finds its points in the live page and only acts.

    Raises UnknownNameError for a task without a script, MissingComponentError without the
    pages, CaptureError for a page that hangs or crashes.
    """
    if task not in SCRIPTS:
        raise UnknownNameError(
            "a form task of MiniWoB++", found=f"'{task}'", remedy=suggest(task, list(tasks()))
        )
    return play_with(browser, task, seed, SCRIPTS[task])


def play_with(
    browser: Browser, task: str, seed: int, script: Callable[[MiniWobDesk], None]
) -> MiniWobOutcome:
    """Play a task by a script of one's own."""
    limits = EpisodeLimits()
    settings = Settings(width=SIZE[0], height=SIZE[1], limits=Limits(unit_s=limits.step_s))
    with browser.lend(Folder(ORIGIN, pages_folder()), settings) as context:
        window = FormWindow(context, ORIGIN, limits)
        window.open(f"{ORIGIN}/miniwob/{task}.html")
        window.page.evaluate(START, seed)
        words = str(window.page.evaluate(WORDS))
        desk = MiniWobDesk(window, Executor(window, 1.0, None), words, browser.grant)
        script(desk)
        reward, done = window.page.evaluate(REWARD)
    return MiniWobOutcome(task, seed, words, float(reward), bool(done), tuple(desk.effects))
