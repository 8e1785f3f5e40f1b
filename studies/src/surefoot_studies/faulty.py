"""
A model and an agent with a fault in every pillar of a suite: the self-test of a check-up.

The model misses what a mask hides, what stands on a dark page, and what is asked about a page
in Thai; the agent clicks on the label of a field that it types into. What is none of these goes
wrong in one asking of fifty. A card of both must name the four and nothing else.

`faulty:design` misses what a page's design makes hard to find in place of these: small, faint and
without words. What would help must be just that.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.pictures import pixels_of
from surefoot.core.question import Question
from surefoot.core.seeds import random_source
from surefoot.models import BACKENDS, Options
from surefoot.models.local import answer_reply, place_reply
from surefoot.models.model import Reply, Request

WITHIN: Final = 0.9
WITHOUT: Final = 0.02
DARK: Final = 96  # of 255: the median of a dark page's grey
AWAY: Final = 40.0  # pixels beside the true box
SMALL: Final = 24.0  # pixels of the picture
FAINT: Final = 3.0  # contrast
STRAY_PX: Final = 8  # of a box, and at most a hundredth of it, that stand out by accident
RIM: Final = 0.15  # of a box's shorter side, which may show what is around a round button


Planted: TypeAlias = Callable[[Question, bytes], bool]


@functools.lru_cache(maxsize=64)
def _is_dark(image: bytes) -> bool:
    return float(np.median(pixels_of(image)[::8, ::8])) < DARK


def is_planted(question: Question, image: bytes) -> bool:
    """Tell whether a question is of a class that the model misses."""
    hidden = "masked" in question.facts and question.cell.variant != "original"
    thai = question.instruction.language == "th"
    return hidden or thai or (question.asks == "place" and _is_dark(image))


def is_badly_designed(question: Question, image: bytes) -> bool:
    """Tell whether a target is small, faint, or shows no words of its name."""
    box = question.truth
    small = min(box.width, box.height) < SMALL
    return small or not question.instruction.name_visible or _contrast(box, image) < FAINT


def _contrast(box: Box, image: bytes) -> float:
    """Return the contrast of a box's middle grey with what stands out most from it (WCAG)."""
    # A share of the width would cut off the words of a wide field, which begin at its left.
    rim = RIM * min(box.width, box.height)
    rows = slice(max(0, round(box.top + rim)), max(1, round(box.bottom - rim)))
    columns = slice(max(0, round(box.left + rim)), max(1, round(box.right - rim)))
    part = pixels_of(image)[rows, columns].reshape(-1, 3) / 255
    if not part.size:
        return 1.0
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)  # noqa: PLR2004
    light = linear @ np.array([0.2126, 0.7152, 0.0722]) + 0.05
    ground = np.median(light)
    # A share alone would take the few words of a large box for strays.
    stray = min(STRAY_PX, light.size // 100)
    ordered = np.partition(light, (stray, light.size - 1 - stray))
    return float(max(ordered[-1 - stray] / ground, ground / ordered[stray]))


class FaultyModel:
    """Reply with the truth, but for what is planted; ``seed`` draws which askings go wrong."""

    name = "faulty"
    speaks = "json"

    def __init__(self, seed: int, planted: Planted = is_planted) -> None:
        self._seed = seed
        self._planted = planted
        self._oracle = BACKENDS.get("oracle").open("", Options())

    def identity(self) -> dict[str, object]:
        """Return the backend's name and the seed."""
        own = {} if self._planted is is_planted else {"planted": self._planted.__name__}
        return {"backend": self.name, "seed": self._seed, **own}

    async def reply(self, request: Request) -> Reply:
        """Return the truth, or what is beside it."""
        question = request.question
        chance = WITHIN if self._planted(question, request.image) else WITHOUT
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


FAULTS: Final[Mapping[str, Planted]] = {"": is_planted, "design": is_badly_designed}


def open_faulty(rest: str, options: Options) -> FaultyModel:
    """Return the model with its seed; raises InvalidInputError for a fault that it lacks."""
    if rest not in FAULTS:
        raise InvalidInputError("'faulty' or 'faulty:design'", found=f"'faulty:{rest}'")
    return FaultyModel(options.seed, FAULTS[rest])
