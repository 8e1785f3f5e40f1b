"""
A reply that can be read, whether it is right or not.
"""

from __future__ import annotations

from typing import Final

from surefoot.core.question import Answer, Parsed, Question
from surefoot.score.outcomes import Status, tabulate
from surefoot.train.reward import ReplyReward


def judge(question: Question, parsed: Parsed) -> float:
    """Return 1 for an answer of the kind that is asked, or a refusal; 0 where none is read."""
    status = tabulate([("", question, Answer(question.id, "", parsed))]).status[0]
    return float(status != Status.UNPARSED)


FORMAT: Final = ReplyReward(
    name="format",
    version=1,
    summary="1 for a reply that `run` can read",
    source="GUI-R1, UI-R1, GUI-G2 and UI-Venus (2025) reward their own spelling; here any read",
    judge=judge,
)
