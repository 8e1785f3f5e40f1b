"""
The distance from the centre of the target, in shares of the farthest there can be: SE-GUI's.
"""

from __future__ import annotations

import math
from typing import Final

from surefoot.core.geometry import Box
from surefoot.core.question import Parsed, Question
from surefoot.score.truths import place_of
from surefoot.train.reward import ReplyReward, best_place


def judge(question: Question, parsed: Parsed) -> float:
    """
    Return 1 - (d / D)^2, and 0 beyond: d to the place, D to the farthest corner of the picture.

    Both are from the target's centre, with x in widths and y in heights of the picture.
    """
    place = place_of(parsed)

    def nearness(box: Box) -> float:
        if place is None:
            return 0.0
        x, y = box.center.x / question.width, box.center.y / question.height
        away = math.hypot(place.x / question.width - x, place.y / question.height - y)
        farthest = math.hypot(max(x, 1 - x), max(y, 1 - y))
        return max(0.0, 1 - (away / farthest) ** 2)

    return best_place(question, parsed, nearness)


DISTANCE: Final = ReplyReward(
    name="distance",
    version=1,
    summary="1 in the centre of the target, 0 at the farthest corner of the picture",
    source="SE-GUI (2025), point_reward: the term that it adds to 1 in the box",
    judge=judge,
    asks=("place",),
)
