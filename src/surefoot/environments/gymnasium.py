"""
A form as a Gymnasium environment: pictures of the live page, actions in words, one score.

    import gymnasium
    import surefoot.environments.gymnasium

    env = gymnasium.make("surefoot/Form-v0", form="bug_report")
    seen, info = env.reset(seed=7)
    seen, reward, ended, cut, info = env.step("mouse_click(400, 220)")
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar, cast

import gymnasium
import msgspec
import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Error

from surefoot.capture.live.protocol import MOST_STEPS
from surefoot.capture.web.browser import Browser
from surefoot.core.errors import CaptureError, InvalidInputError
from surefoot.core.pictures import pixels_of
from surefoot.core.question import Unparsed
from surefoot.environments.desk import DeskClient
from surefoot.environments.goals import RewardName, reward_of
from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.desk.application import serve_desk
from surefoot.forms.desk.cases import Offer
from surefoot.forms.desk.protocol import EpisodeRequest, OpenedEpisode
from surefoot.forms.driver.actions import Finish
from surefoot.forms.driver.episode import FormAddress, open_form
from surefoot.forms.driver.executor import ExecutedAction, Executor
from surefoot.forms.driver.language import ACTION_LANGUAGES
from surefoot.forms.driver.limits import EpisodeLimits
from surefoot.forms.driver.observation import FormView, Observation, observe
from surefoot.forms.driver.window import FormWindow
from surefoot.forms.scoring.episodes import EpisodeScore

_T = TypeVar("_T")
Seen: TypeAlias = dict[str, Any]
# What differs between forms and questions, which FormEnv itself never looks into.
Asked: TypeAlias = Any
Played: TypeAlias = Any
_SEEDS: Final = 1 << 31


class Words(gymnasium.Space[str]):
    """
    Hold every text, in any script.

    >>> "Ünïcode 漢字" in Words(), 7 in Words()
    (True, False)
    """

    def __init__(self, drawn: str = "", seed: int | None = None) -> None:
        super().__init__(None, str, seed)
        self.drawn = drawn

    def sample(self, mask: object = None, probability: object = None) -> str:
        """Return the one text that is drawn; there is no fair choice among all."""
        del mask, probability
        return self.drawn

    def contains(self, x: object) -> bool:
        """Tell whether something is a text."""
        return isinstance(x, str)

    @property
    def is_np_flattenable(self) -> bool:
        """Tell that no array holds every text."""
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words)

    def __hash__(self) -> int:
        return hash(Words)


class FormEnv(gymnasium.Env[Seen, str]):
    """
    Let an agent fill in a live form, step by step.

    An observation has the ``screenshot`` (height x width x 3 bytes, RGB), the ``paper`` that
    says what to enter, and the names of the ``files`` to upload. An action is a text with any
    number of calls in the language ``actions`` ("browsergym", "paper", "ui-tars", "qwen",
    "computer-use"), its coordinates pixels of the screenshot. The episode is terminated once
    the form was accepted, the agent finished or left the site, and truncated at the
    ``limits``. The reward comes then: the share of the ``values`` that arrived in their
    fields, or 1 for a ``form`` that is wholly right; ``info["score"]`` has the whole score,
    which agents must not see.

    Forms come from the desk at an address of this machine, else from one of its own, whose
    record lies in the folder ``out``. ``look`` names what an EpisodeRequest can: renderer,
    theme, layout, language, direction, level, agent. The seed of ``reset`` is that of the
    values; its options are whatever an EpisodeRequest has. It raises InvalidInputError for a
    request that cannot be met, and CaptureError for a page that hangs or crashes, or a browser
    that dies; the episode is over then, and the next ``reset`` starts another browser.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 1}  # noqa: RUF012

    def __init__(  # noqa: PLR0913 - one argument an option
        self,
        form: str = "bug_report",
        *,
        desk: str = "",
        out: Path | str | None = None,
        actions: str = "browsergym",
        reward: RewardName = "values",
        width: int = 1280,
        height: int = 800,
        limits: EpisodeLimits = EpisodeLimits(),  # noqa: B008 (frozen)
        render_mode: str | None = None,
        **look: str,
    ) -> None:
        self.language = ACTION_LANGUAGES.get(actions)
        self.render_mode, self.limits = render_mode, limits
        self.reward: RewardName = reward
        self.asked: dict[str, object] = {"form": form, "agent": "gymnasium", **look}
        _request(self.asked)
        self.view = FormView(width=width, height=height, follow="window")
        self.action_space = Words("noop()")
        self.observation_space = gymnasium.spaces.Dict(
            {
                "screenshot": gymnasium.spaces.Box(0, 255, (height, width, 3), np.uint8),
                "paper": Words(),
                "files": gymnasium.spaces.Sequence(Words()),
            }
        )
        self._address, self._out = desk, None if out is None else Path(out)
        # A browser is driven from one thread, which has no event loop of the caller's.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="form-environment")
        self._stack = contextlib.ExitStack()
        self._browsing = contextlib.ExitStack()
        self._page = contextlib.ExitStack()
        self._browser: Browser | None = None
        self._desk: DeskClient | None = None
        self._playing: _Playing | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Open a new episode; equal seeds and options are equal tasks."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(_SEEDS)) if seed is None else seed
        request = self._request(drawn, options or {})
        return self._run(lambda: self._reset(request))

    def step(self, action: str) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Carry out the calls of a text; what cannot be read is told in ``info["unread"]``."""
        playing = self._playing
        if playing is None:
            raise gymnasium.error.ResetNeeded("Expected a reset before the first step.")
        return self._run(lambda: self._step(playing, action))

    def _request(self, seed: int, options: Mapping[str, object]) -> Asked:
        """Return what the desk is asked for."""
        return _request({"instance": 0, "seed": seed, **self.asked, **options})

    def render(self) -> NDArray[np.uint8] | None:
        """Return the screenshot that was seen last, if pictures were asked for."""
        if self.render_mode is None or self._playing is None:
            return None
        return _pixels(self._playing.seen)

    def close(self) -> None:
        """Close the page, the browser and a desk of its own; closed once is closed for good."""
        with contextlib.suppress(RuntimeError):  # closed before
            self._run(self._close)
        self._thread.shutdown()

    @property
    def episode(self) -> OpenedEpisode:
        """Return the keys of the episode, for the trainer alone; ResetNeeded before the first."""
        if self._playing is None:
            raise gymnasium.error.ResetNeeded("Expected a reset before an episode.")
        return cast("OpenedEpisode", self._playing.episode)

    def score(self) -> EpisodeScore:
        """Return the score of the episode as it stands; raises ResetNeeded before the first."""
        if self._desk is None:
            raise gymnasium.error.ResetNeeded("Expected a reset before a score.")
        return self._desk.score(self.episode).score

    def _run(self, work: Callable[[], _T]) -> _T:
        return self._thread.submit(self._guarded, work).result()

    def _guarded(self, work: Callable[[], _T]) -> _T:
        """Do some work; whatever the browser does wrong ends it, and is an error of ours."""
        try:
            return work()
        except CaptureError:
            self._drop_browser()
            raise
        except Error as error:
            self._drop_browser()
            raise CaptureError(
                "browser-error",
                expected="a browser that lives as long as the episode",
                found=error,
                remedy="reset the environment, which starts another",
            ) from error

    def _drop_browser(self) -> None:
        self._playing = self._browser = None
        for stack in (self._page, self._browsing):
            with contextlib.suppress(Error, CaptureError):  # what it died of is told already
                stack.close()

    def _reset(self, request: Asked) -> tuple[Seen, dict[str, Any]]:
        if self._browser is not None and not self._browser.alive:
            self._drop_browser()
        self._page.close()
        self._playing = None
        if self._browser is None:
            self._browser = self._browsing.enter_context(Browser())
        if self._desk is None:
            self._desk = self._stack.enter_context(DeskClient(self._address or self._served()))
        with contextlib.ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="surefoot-")))
            episode, place = self._begin(self._desk, request, folder)
            view = self._view(episode)
            window, executor = stack.enter_context(
                open_form(self._browser, place, view=view, limits=self.limits, folder=folder)
            )
            self._await(self._desk, episode)
            seen = observe(window, view, executor.state)
            playing = self._playing = _Playing(episode, window, executor, seen)
            self._browser.grant(self.limits.seconds)
            self._page = stack.pop_all()
        return self._observation(playing), {}

    def _step(
        self, playing: _Playing, action: str
    ) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        if self._browser is None or self._desk is None:
            raise gymnasium.error.ResetNeeded("Expected a reset before a step.")
        if playing.steps < MOST_STEPS:
            self._note(self._desk, playing.episode, playing.seen, action)
        read = self.language.read(action)
        effects: list[ExecutedAction] = []
        ended = False
        for item in read:
            if isinstance(item, Unparsed) or playing.actions >= self.limits.actions:
                continue
            if isinstance(item, Finish):
                ended = True
                break
            self._browser.grant(self.limits.step_s)
            playing.actions += 1
            effects.append(playing.executor.execute(item))
            ended = effects[-1].done or effects[-1].refused == "left-site"
            if ended:
                break
        playing.steps += 1
        self._browser.grant(self.limits.step_s)
        playing.seen = observe(playing.window, self._view(playing.episode), playing.executor.state)
        self._browser.grant(self.limits.seconds)
        ended = ended or self._is_over(self._desk, playing.episode)
        cut = not ended and (
            playing.actions >= self.limits.actions or playing.steps >= self.limits.replies
        )
        info: dict[str, Any] = {
            "unread": [item.why for item in read if isinstance(item, Unparsed)],
            "refused": [effect.refused for effect in effects if effect.refused],
        }
        worth = 0.0
        if ended or cut:
            playing.window.hear_out()
            info["score"], worth = self._scored(self._desk, playing.episode)
        return self._observation(playing), worth, ended, cut, info

    # What differs between forms and questions.

    def _begin(
        self,
        desk: DeskClient,
        request: Asked,
        folder: Path,
    ) -> tuple[Played, str | FormAddress]:
        """Open an episode with its files; return it, and where its page is."""
        episode = desk.open(request)
        desk.fetch(episode, folder)
        return episode, episode.url

    def _told(self, episode: Played) -> Seen:
        """Return what an agent is told beside the picture."""
        files = tuple(file.name for file in episode.files)
        return {"paper": episode.paper, "files": files}

    def _await(self, desk: DeskClient, episode: Played) -> None:
        """Wait until the page is what an agent should see."""

    def _note(self, desk: DeskClient, episode: Played, seen: Observation, action: str) -> None:
        """Tell the desk what the agent sees and is about to do."""

    def _view(self, episode: Played) -> FormView:
        """Return how the page is looked at."""
        del episode
        return self.view

    def _is_over(self, desk: DeskClient, episode: Played) -> bool:
        """Tell whether the desk knows the episode to be over."""
        del desk, episode
        return False

    def _scored(self, desk: DeskClient, episode: Played) -> tuple[Any, float]:
        """Return the score, spelled as JSON has it, and what it is worth."""
        score = desk.score(episode).score
        return msgspec.to_builtins(score), reward_of(score, self.reward)

    def _observation(self, playing: _Playing) -> Seen:
        return {"screenshot": _pixels(playing.seen), **self._told(playing.episode)}

    def _served(self) -> str:
        out = self._out
        if out is None:
            folder = tempfile.TemporaryDirectory(prefix="surefoot-desk-")
            out = Path(self._stack.enter_context(folder))
        offer = Offer(tuple(catalogue().values()))
        return self._stack.enter_context(serve_desk(out, offer))

    def _close(self) -> None:
        self._drop_browser()
        self._stack.close()


class _Playing:
    """Hold the episode that is being played, and how far it has come."""

    def __init__(
        self,
        episode: Played,
        window: FormWindow,
        executor: Executor,
        seen: Observation,
    ) -> None:
        self.episode, self.window, self.executor, self.seen = episode, window, executor, seen
        self.steps = self.actions = 0


def _request(asked: Mapping[str, object]) -> EpisodeRequest:
    try:
        return msgspec.convert(asked, EpisodeRequest)
    except msgspec.ValidationError as error:
        known: Sequence[str] = EpisodeRequest.__struct_fields__
        raise InvalidInputError(
            "options of an episode", found=error, remedy=f"choose among {', '.join(known)}"
        ) from error


def _pixels(seen: Observation) -> NDArray[np.uint8]:
    return pixels_of(seen.image)


gymnasium.register("surefoot/Form-v0", entry_point=FormEnv)
