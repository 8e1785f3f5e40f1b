"""
One agent on one live form, from the first picture to the end, with everything kept.
"""

from __future__ import annotations

import contextlib
import time
import urllib.parse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from playwright.sync_api import BrowserContext

from surefoot.capture.routes import Folder, Upstream
from surefoot.capture.settings import Limits, Settings
from surefoot.capture.web.browser import Browser
from surefoot.core.canonical import sha256
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.question import Unparsed, Usage
from surefoot.forms.driver.actions import Action, Click, Finish, MouseUp, NextPage, Submit
from surefoot.forms.driver.agent import Agent, AgentReply, FormTask
from surefoot.forms.driver.changed import FormChange
from surefoot.forms.driver.executor import ExecutedAction, Executor
from surefoot.forms.driver.hands import BrowserHands, Hands
from surefoot.forms.driver.limits import EpisodeLimits
from surefoot.forms.driver.observation import (
    ActionOutcome,
    FormView,
    LiveField,
    Observation,
    observe,
    places,
)
from surefoot.forms.driver.screen import X11Screen
from surefoot.forms.driver.touch import ScreenHands, ScreenWindow
from surefoot.forms.driver.window import FormWindow

Ended: TypeAlias = Literal[
    "submitted",
    "finished",
    "unreadable",
    "refused",
    "left-site",
    "actions",
    "replies",
    "seconds",
    "typed",
    "",
]


class FormAddress(msgspec.Struct, frozen=True):
    """Name an address, and the one route by which its page reaches anything."""

    url: str
    route: Folder | Upstream


class EpisodeStep(msgspec.Struct, frozen=True):
    """
    Record one observation, the reply to it, and what came of it.

    ``image`` is the SHA-256 of the PNG that was shown; ``fields`` and ``buttons`` say where
    things lay in it, whether or not the agent was told. ``read`` is the reply as it was
    understood; an Unparsed in it had no effect. ``usage`` is what it took to make.
    """

    image: str
    width: int
    height: int
    page: int
    fields: tuple[LiveField, ...]
    buttons: dict[str, Box]
    reply: str
    read: tuple[Action | Unparsed, ...]
    effects: tuple[ExecutedAction, ...]
    usage: Usage = Usage()


class LeftPage(msgspec.Struct, frozen=True):
    """
    Record a page as it was left, before it was turned or handed in.

    ``image`` is the SHA-256 of the PNG, without a ruler; ``fields`` lay there as it was taken.
    """

    page: int
    image: str
    width: int
    height: int
    fields: tuple[LiveField, ...]


class Episode(msgspec.Struct, frozen=True):
    """
    Record one episode.

    ``ended`` says how: "submitted" (the form was accepted), "finished" (the agent stopped),
    "unreadable" (it was given up, since its replies held no action), "refused" (its one
    reply a page did not turn the page), "left-site", or the limit that was reached;
    ``message`` why it stopped or was given up. ``refused`` are the requests that were turned
    away, ``dialogs`` the page's dialogs, ``failures`` its script errors, ``left`` the pages
    as they were last left.
    """

    agent: str
    ended: Ended
    steps: tuple[EpisodeStep, ...]
    seconds: float
    message: str = ""
    refused: tuple[str, ...] = ()
    dialogs: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    left: tuple[LeftPage, ...] = ()


def run_episode(  # noqa: PLR0913 - all that an episode depends on
    browser: Browser,
    place: str | FormAddress,
    agent: Agent,
    task: FormTask,
    *,
    view: FormView = FormView(),  # noqa: B008 (frozen)
    limits: EpisodeLimits = EpisodeLimits(),  # noqa: B008 (frozen)
    keep: Callable[[bytes], str] = sha256,
    screen: X11Screen | None = None,
    change: FormChange = FormChange(),  # noqa: B008 (frozen)
) -> Episode:
    """
    Show a live form to an agent until it is handed in, given up, or a limit is reached.

    A bare address lies on this machine; the place's origin is the only one that the page
    reaches. A ``change`` is made on every page of the form. ``keep`` takes each picture and
    returns its SHA-256. On the ``screen`` that the browser is shown on, it is acted on by X
    events. Raises CaptureError for a page that
    hangs, crashes or cannot be opened, and ModelError where the agent cannot reply.
    """
    if change.zoom != 1:
        sides = (max(1, round(side / change.zoom)) for side in (view.width, view.height))
        width, height = sides
        view = msgspec.structs.replace(
            view, width=width, height=height, scale=view.scale * change.zoom
        )
    with open_form(
        browser, place, view=view, limits=limits, folder=task.folder, screen=screen, change=change
    ) as (window, executor):
        run = _Run(browser, window, agent, view, executor, keep)
        ended = run.play()
    return Episode(
        agent.name,
        ended,
        tuple(run.steps),
        time.monotonic() - run.start,
        run.message,
        tuple(window.refused),
        tuple(window.dialogs),
        tuple(window.failures),
        tuple(run.left[page] for page in sorted(run.left)),
    )


@contextlib.contextmanager
def open_form(
    browser: Browser,
    place: str | FormAddress,
    *,
    view: FormView,
    limits: EpisodeLimits,
    folder: Path | None,
    screen: X11Screen | None = None,
    change: FormChange = FormChange(),  # noqa: B008 (frozen)
) -> Iterator[tuple[FormWindow, Executor]]:
    """
    Open a live form for the length of a block; yield its window and what acts on it.

    Files to upload are those of the ``folder``. Raises as ``run_episode`` does.
    """
    place = place if isinstance(place, FormAddress) else place_of(place)
    with browser.lend(place.route, _settings(view, limits)) as context:
        window, hands = _seat(context, place.route.origin, limits, screen, change)
        window.open(place.url)
        executor = Executor(window, view.scale, folder, hands)
        yield window, executor
        executor.release()
        window.hear_out()


def place_of(url: str) -> FormAddress:
    """
    Return the place of an address on this machine.

    Raises InvalidInputError for anything but plain HTTP on loopback.

    >>> place_of("http://127.0.0.1:8000/r/x/").route.origin
    'http://127.0.0.1:8000'
    """
    parts = urllib.parse.urlsplit(url)
    if parts.scheme != "http" or parts.hostname not in {"127.0.0.1", "localhost"}:
        raise InvalidInputError("an address http://127.0.0.1:PORT/...", found=repr(url[:80]))
    return FormAddress(url, Upstream(f"http://{parts.netloc}", "127.0.0.1", parts.port or 80))


def _settings(view: FormView, limits: EpisodeLimits) -> Settings:
    return Settings(
        width=view.width,
        height=view.height,
        scale=view.scale,
        limits=Limits(unit_s=limits.step_s, memory_bytes=limits.memory_bytes),
    )


def _seat(
    context: BrowserContext,
    origin: str,
    limits: EpisodeLimits,
    screen: X11Screen | None,
    change: FormChange,
) -> tuple[FormWindow, Hands]:
    """Return a window, and the hands that act on it: the browser's own, or a screen's."""
    if screen is None:
        window = FormWindow(context, origin, limits, change)
        return window, BrowserHands(window.page)
    shown = ScreenWindow(context, origin, limits, screen)
    return shown, ScreenHands(shown)


class _Run:
    """Play one episode; ``steps`` grows as it goes."""

    def __init__(
        self,
        browser: Browser,
        window: FormWindow,
        agent: Agent,
        view: FormView,
        executor: Executor,
        keep: Callable[[bytes], str],
    ) -> None:
        self.browser, self.window, self.agent, self.view = browser, window, agent, view
        self.executor, self.keep = executor, keep
        self.limits = window.limits
        self.steps: list[EpisodeStep] = []
        self.left: dict[int, LeftPage] = {}
        self.shown: Observation | None = None
        self.message = ""
        self.actions = 0
        self.start = time.monotonic()

    def play(self) -> Ended:
        effects: list[ExecutedAction] = []
        ended: Ended = ""
        while not ended:
            self.browser.grant(self.limits.step_s)
            seen = self.shown = observe(self.window, self.view, self.executor.state)
            seen = msgspec.structs.replace(seen, outcomes=tuple(map(_outcome, effects)))
            self.browser.grant(self.limits.seconds + self.limits.step_s)
            reply = self.agent.act(seen if self.agent.privileged else seen.bare())
            effects = []
            ended = self._carry_out(reply, effects)
            self.steps.append(self._step(seen, reply, effects))
            ended = ended or self._over()
        if ended not in {"submitted", "left-site"}:
            self._leave(self.view.follow)
        return ended

    def _over(self) -> Ended:
        """Tell whether a limit ends the episode, also of an agent that does nothing."""
        if len(self.steps) >= self.limits.replies:
            return "replies"
        return "seconds" if time.monotonic() - self.start > self.limits.seconds else ""

    def _carry_out(self, reply: AgentReply, effects: list[ExecutedAction]) -> Ended:
        page = self.executor.state.page
        for action in reply.actions:
            if isinstance(action, Unparsed):
                continue
            if isinstance(action, Finish):
                self.message = action.message
                return "finished"
            ended = self._do(action, effects)
            if ended:
                return ended
        if reply.given_up:
            self.message = reply.given_up
            return "unreadable"
        if self.agent.policy == "step" or self.executor.state.page != page:
            return ""
        return self._turn(reply, effects)

    def _turn(self, reply: AgentReply, effects: list[ExecutedAction]) -> Ended:
        """Turn the page for an agent that fills one in with one reply."""
        page = self.executor.state.page
        asked = any(isinstance(action, NextPage | Submit) for action in reply.actions)
        if not asked:
            last = "next" not in self.window.ask(dict[str, object], "buttons")
            ended = self._do(Submit() if last else NextPage(), effects, own=False)
            if ended:
                return ended
        return "refused" if self.executor.state.page == page else ""

    def _do(self, action: Action, effects: list[ExecutedAction], *, own: bool = True) -> Ended:
        if self.actions >= self.limits.actions:
            return "actions"
        if time.monotonic() - self.start > self.limits.seconds:
            return "seconds"
        self.actions += 1
        self.browser.grant(self.limits.step_s)
        if self._leads_on(action):
            self._leave("window")
        self.shown = None
        effect = self.executor.execute(action, own=own)
        effects.append(effect)
        if effect.done:
            return "submitted"
        if effect.refused == "left-site":
            return "left-site"
        return "typed" if effect.refused == "too-much-typed" else ""

    def _leads_on(self, action: Action) -> bool:
        if isinstance(action, Click | MouseUp):
            scale = self.view.scale
            hit = self.window.hit(action.x / scale, action.y / scale)
            return hit.action in {"next", "submit"}
        return isinstance(action, NextPage | Submit)

    def _leave(self, follow: Literal["page", "window"]) -> None:
        """Keep the page as it is; before an action nothing may move, so "window" then."""
        seen = self._unchanged()
        if seen is None:
            view = msgspec.structs.replace(self.view, ruler=0, follow=follow)
            seen = observe(self.window, view, self.executor.state)
        if seen.page >= 0:
            self.left[seen.page] = LeftPage(
                seen.page, self.keep(seen.image), seen.width, seen.height, seen.fields
            )

    def _unchanged(self) -> Observation | None:
        """Return what was shown last where nothing was done since and all still lies there."""
        seen = self.shown
        if seen is None or self.view.ruler:
            return None
        same = places(self.window, self.view) == (seen.fields, seen.buttons)
        return seen if same else None

    def _step(
        self, seen: Observation, reply: AgentReply, effects: list[ExecutedAction]
    ) -> EpisodeStep:
        return EpisodeStep(
            self.keep(seen.image),
            seen.width,
            seen.height,
            seen.page,
            seen.fields,
            seen.buttons,
            reply.text,
            reply.actions,
            tuple(effects),
            reply.usage,
        )


def _outcome(effect: ExecutedAction) -> ActionOutcome:
    """Leave out of an effect what only a look behind the page tells, such as its boxes."""
    return ActionOutcome(
        effect.action,
        tuple(change.after for change in effect.changes),
        turned=effect.page_after != effect.page,
        refused=effect.refused,
    )
