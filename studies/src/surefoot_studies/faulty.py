"""
A model and an agent with a fault in every pillar of a suite: the self-test of a check-up.

The model misses what a mask hides, what stands on a dark page, and what is asked about a page
in Thai; the agent clicks on the label of a field that it types into. What is none of these goes
wrong in one asking of fifty. A card of both must name the four and nothing else.
"""

from __future__ import annotations

import functools
import itertools
from typing import Final

import numpy as np

from surefoot.core.geometry import Point
from surefoot.core.pictures import pixels_of
from surefoot.core.question import Question
from surefoot.core.seeds import random_source
from surefoot.forms.driver.actions import Click, Type
from surefoot.forms.driver.agent import AgentKind, AgentReply, FormTask
from surefoot.forms.driver.filler import Filler
from surefoot.forms.driver.observation import Observation
from surefoot.models import BACKENDS, Options
from surefoot.models.backend import Backend
from surefoot.models.local import answer_reply, place_reply
from surefoot.models.model import Reply, Request

WITHIN: Final = 0.9
WITHOUT: Final = 0.02
DARK: Final = 96  # of 255: the median of a dark page's grey
AWAY: Final = 40.0  # pixels beside the true box
ABOVE: Final = 12.0  # pixels from a field's upper edge to its label


@functools.lru_cache(maxsize=64)
def _is_dark(image: bytes) -> bool:
    return float(np.median(pixels_of(image)[::8, ::8])) < DARK


def is_planted(question: Question, image: bytes) -> bool:
    """Tell whether a question is of a class that the model misses."""
    hidden = "masked" in question.facts and question.cell.variant != "original"
    thai = question.instruction.language == "th"
    return hidden or thai or (question.asks == "place" and _is_dark(image))


class FaultyModel:
    """Reply with the truth, but for what is planted; ``seed`` draws which askings go wrong."""

    name = "faulty"
    speaks = "json"

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._oracle = BACKENDS.get("oracle").open("", Options())

    def identity(self) -> dict[str, object]:
        """Return the backend's name and the seed."""
        return {"backend": self.name, "seed": self._seed}

    async def reply(self, request: Request) -> Reply:
        """Return the truth, or what is beside it."""
        question = request.question
        chance = WITHIN if is_planted(question, request.image) else WITHOUT
        draw = random_source(self._seed, self.name, question.id)
        if draw.random() >= chance:
            return await self._oracle.reply(request)
        if question.asks != "place":
            wrong = [label for label in question.options if label not in question.answers]
            return Reply(answer_reply(draw.choice(wrong)))
        truth = question.truth
        right = truth.right + AWAY
        across = right if right < question.width else max(truth.left - AWAY, 0.0)
        return Reply(place_reply(across, truth.center.y))

    async def close(self) -> None:
        """Hold nothing, free nothing."""


class LabelClicker(Filler):
    """Fill in right values, but click on the label of most fields that are typed into."""

    def act(self, observation: Observation) -> AgentReply:
        """Return the filler's actions, most clicks before a typed value moved to the label."""
        actions = list(super().act(observation).actions)
        for at, (first, then) in enumerate(itertools.pairwise(actions)):
            if not isinstance(first, Click) or not isinstance(then, Type):
                continue
            at_field = Point(first.x, first.y)
            boxes = [live.box for live in observation.fields if live.box.contains(at_field)]
            draw = random_source(0, self.name, f"{self.form.id} {then.text}")
            if boxes and draw.random() < WITHIN:
                actions[at] = Click(first.x, max(boxes[0].top - ABOVE, 0.0))
        return AgentReply(tuple(actions))


def _open_agent(task: FormTask) -> LabelClicker:
    form, instance = task.gold()
    return LabelClicker("faulty", form, instance.values, task.language)


FAULTY_MODEL = Backend(
    name="faulty",
    version=1,
    summary="is right but for what is hidden, dark or Thai: tests a check-up",
    usage="faulty",
    open=lambda rest, options: FaultyModel(options.seed),  # noqa: ARG005
    speaks="json",
)

FAULTY_AGENT = AgentKind(
    name="faulty",
    version=1,
    summary="is right but clicks on labels in place of fields: tests a check-up",
    open=_open_agent,
    privileged=True,
)
