"""
A Gaussian around the centre of the target, as wide as the target: GUI-G2's point reward.
"""

from __future__ import annotations

import math
from typing import Final

from surefoot.core.geometry import Box
from surefoot.core.question import Parsed, Question
from surefoot.score.truths import place_of
from surefoot.train.reward import ReplyReward, best_place

ALPHA: Final = 0.5  # deviations in sides of the target
LEAST: Final = 0.5  # the least deviation, in pixels


def judge(question: Question, parsed: Parsed) -> float:
    """
    Return exp(-((dx / sx)^2 + (dy / sy)^2) / 2): 1 in the centre, 0.37 in a corner.

    dx and dy are the place's distances from the centre, sx and sy half the sides, all in pixels.
    """
    place = place_of(parsed)

    def nearness(box: Box) -> float:
        if place is None:
            return 0.0
        across = (place.x - box.center.x) / max(ALPHA * box.width, LEAST)
        down = (place.y - box.center.y) / max(ALPHA * box.height, LEAST)
        return math.exp(-(across * across + down * down) / 2)

    return best_place(question, parsed, nearness)


GAUSSIAN: Final = ReplyReward(
    name="gaussian",
    version=1,
    summary="1 in the centre of the target, less towards its border and beyond",
    source="GUI-G2 (arXiv:2507.15846), Gaussian point reward, alpha 0.5; not rounded",
    judge=judge,
    asks=("place",),
)
