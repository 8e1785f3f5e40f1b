"""
The right option's label; places and words are for other rewards.
"""

from __future__ import annotations

from typing import Final

from surefoot.train.reward import ReplyReward
from surefoot.train.rewards.hit import judge

CHOICE: Final = ReplyReward(
    name="choice",
    version=1,
    summary="1 for the label of the right option, of questions with options alone",
    source="ours: `hit`, so that a mixture can weigh options apart from places",
    judge=judge,
    asks=("option",),
)
