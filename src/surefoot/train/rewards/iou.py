"""
The overlap of an answered box with the right one.
"""

from __future__ import annotations

from typing import Final

from surefoot.core.geometry import Box
from surefoot.core.question import Parsed, Question
from surefoot.train.reward import ReplyReward, best_place


def judge(question: Question, parsed: Parsed) -> float:
    """Return the intersection over union with the right box that fits best, 0 without a box."""

    def nearness(box: Box) -> float:
        return parsed.iou(box) if isinstance(parsed, Box) else 0.0

    return best_place(question, parsed, nearness)


IOU: Final = ReplyReward(
    name="iou",
    version=1,
    summary="intersection over union of the answered and the right box",
    source="GUI-G1 (arXiv:2505.15810), which weighs it 0.25 beside 1 in the box",
    judge=judge,
    asks=("place",),
)
