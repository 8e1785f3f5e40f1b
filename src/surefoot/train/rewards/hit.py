"""
A hit, as the score counts it.
"""

from __future__ import annotations

from typing import Final

from surefoot.core.question import Answer, Parsed, Question
from surefoot.score.hits import is_hit
from surefoot.train.reward import ReplyReward


def judge(question: Question, parsed: Parsed) -> float:
    """Return 1 for a hit, 0 for a miss."""
    return float(is_hit(question, Answer(question.id, "", parsed)))


HIT: Final = ReplyReward(
    name="hit",
    version=1,
    summary="1 in the target, for right words or the right label, or for a refusal that is due",
    source="GTA1, UI-R1 and UI-Venus (2025): 1 in the box; here whatever `score` counts a hit",
    judge=judge,
)
