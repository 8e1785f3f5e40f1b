"""
Models that look at pictures, as agents that fill in forms: asked on a server, or replayed.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Protocol, TypeAlias

import msgspec

from surefoot.core.canonical import sha256
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question, Unparsed
from surefoot.forms.driver.actions import Action
from surefoot.forms.driver.agent import AgentReply, FormTask, Policy
from surefoot.forms.driver.language import ACTION_LANGUAGES
from surefoot.forms.driver.observation import Observation
from surefoot.forms.rendering import Rendering
from surefoot.models import Model
from surefoot.models.format import ChatMessages
from surefoot.models.model import Reply, Request
from surefoot.models.reading import FARTHEST, writable
from surefoot.models.spaces import Space
from surefoot.run.engine.stopping import require_descriptors
from surefoot.run.forms.prompts import FormPrompt, placed, prompt_identity

PAGE_TOKENS: Final = 4096
STEP_TOKENS: Final = 2048
LONGEST_REPLY: Final = 100_000
PATIENCE: Final = 3  # replies in a row without an action, after which a model is given up

Say: TypeAlias = Callable[[ChatMessages, Observation], Reply]


class AskOptions(msgspec.Struct, frozen=True, omit_defaults=True):
    """
    Choose how models are asked to fill in forms.

    ``policy`` "page": all actions of a page in one reply; "step": a few, and then a look at
    what came of them. ``actions`` names the language of actions. ``format`` names the
    format whose coordinate space the model points in, "" where its name tells.
    """

    policy: Policy = "page"
    actions: str = "browsergym"
    format: str = ""


class EpisodeCase(msgspec.Struct, frozen=True):
    """Name one episode by what is shown, whoever acts."""

    form: str
    instance: int
    seed: int
    rendering: Rendering
    ruler: int
    level: str
    change: str = ""


class Manner(msgspec.Struct, frozen=True):
    """
    Hold how a model is asked and understood.

    ``actions`` is "NAME@VERSION" of a language; points are in ``space``.
    """

    model: str
    policy: Policy
    actions: str
    space: Space

    @property
    def name(self) -> str:
        """Return the name that stands in records and reports."""
        return f"{self.model} ({self.policy}, {self.actions.partition('@')[0]})"


class Speaker(Protocol):
    """Give the words of a model for episode after episode."""

    @property
    def manner(self) -> Manner:
        """Return how it is asked and understood."""

    def identity(self) -> dict[str, object]:
        """Return all that determines the replies, for a plan; holds no secret."""

    def talk(self, case: EpisodeCase) -> Say:
        """Return what replies to each turn of one episode; raises ModelError."""

    def close(self) -> None:
        """Free connections and threads."""


class FormModel:
    """
    Fill in a form in a model's own words.

    What cannot be read of a reply has no effect and is counted. After three replies in a
    row without any action, the episode is given up.
    """

    privileged = False

    def __init__(self, manner: Manner, task: FormTask, ruler: int, say: Say) -> None:
        self.name = manner.name
        self.policy = manner.policy
        self.language = ACTION_LANGUAGES.get(manner.actions)
        self.space = manner.space
        self.prompt = FormPrompt(task, manner.policy, self.language, manner.space, ruler)
        self._say = say
        self._past: list[str] = []
        self._size = (0, 0)
        self._unread = 0

    def act(self, observation: Observation) -> AgentReply:
        """Reply to a picture; raises ModelError where the model does not."""
        if self.policy == "step":
            self._past += [
                self.prompt.told(outcome, *self._size) for outcome in observation.outcomes
            ]
        self._size = observation.width, observation.height
        messages = self.prompt.messages(observation, self._past, unread=self._unread > 0)
        reply_text = self._say(messages, observation)
        reply = AgentReply(
            self._read(reply_text.text, observation), reply_text.text, reply_text.usage
        )
        acts = any(not isinstance(action, Unparsed) for action in reply.actions)
        self._unread = 0 if acts else self._unread + 1
        if self._unread < PATIENCE:
            return reply
        why = f"{PATIENCE} replies in a row without an action"
        return msgspec.structs.replace(reply, given_up=why)

    def _read(self, text: str, seen: Observation) -> tuple[Action | Unparsed, ...]:
        if len(text) > LONGEST_REPLY:
            return (Unparsed(f"a reply of over {LONGEST_REPLY:,} characters"),)
        read = self.language.read(text)
        return tuple(in_pixels(item, self.space, seen.width, seen.height) for item in read)


def in_pixels(
    action: Action | Unparsed, space: Space, width: int, height: int
) -> Action | Unparsed:
    """Return an action of a space with its points in a picture's pixels, if there are such."""

    def pixels(x: float, y: float) -> tuple[float, float]:
        if max(abs(x), abs(y)) > FARTHEST:
            raise InvalidInputError("a place on a screen", found=f"{x:g}, {y:g}")
        point = space.to_image(x, y, width=width, height=height)
        return point.x, point.y

    if isinstance(action, Unparsed):
        return action
    try:
        return placed(action, pixels)
    except InvalidInputError as error:
        return Unparsed(str(error))


class ModelSpeaker:
    """
    Ask a model on a server, from code that waits for each reply.

    It runs in a thread of its own, since a browser's driver keeps a loop in the caller's.
    """

    def __init__(self, model: Model, manner: Manner) -> None:
        self.model = model
        self.manner = manner
        self._tokens = PAGE_TOKENS if manner.policy == "page" else STEP_TOKENS
        self._thread = ThreadPoolExecutor(1, "model")
        self._runner: asyncio.Runner | None = None

    def identity(self) -> dict[str, object]:
        """Return name, address, sampling, prompts and manner; the key is no part of it."""
        return {
            **msgspec.to_builtins(self.manner),
            **self.model.responder.identity(),
            "prompts": prompt_identity(),
            "tokens": self._tokens,
        }

    def talk(self, case: EpisodeCase) -> Say:  # noqa: ARG002 - a server is asked about all alike
        """Return what asks the server; it raises ModelError as the backend does."""
        return self._ask

    def close(self) -> None:
        """Close the connections, their loop and its thread."""
        if self._runner is not None:
            self._thread.submit(self._run, self.model.close()).result()
            self._thread.submit(self._runner.close).result()
        self._thread.shutdown()

    def _ask(self, messages: ChatMessages, seen: Observation) -> Reply:
        request = Request(_question(messages, seen), seen.image, messages, self._tokens)
        reply: Reply = self._thread.submit(self._run, self.model.responder.reply(request)).result()
        return msgspec.structs.replace(reply, text=writable(reply.text))

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:  # noqa: ANN401 - whatever it returns
        with contextlib.closing(work):
            if self._runner is None:
                require_descriptors()
                self._runner = asyncio.Runner()
            return self._runner.run(work)


def _question(messages: ChatMessages, seen: Observation) -> Question:
    """Return what a backend is told besides the words: only the picture counts."""
    image = sha256(seen.image)
    words = Instruction(messages.user, "en", "given", "high", Expression(), "")
    return Question(
        id=image,
        pair=image,
        cluster="form",
        cell=Cell("original", "given"),
        screen=image,
        image=image,
        width=seen.width,
        height=seen.height,
        instruction=words,
        truth=Box(0, 0, 0, 0),
        asks="words",
    )
