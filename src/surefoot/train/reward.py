"""
A reward: how good one reply is, from 0 to 1, judged on what ``surefoot run`` reads in it.

What is read and what is right come from the modules that score runs, so that a reward and a
score cannot disagree. A reward is one file in ``train/rewards/``, or in a package of your own
under the entry-point group ``surefoot.train.rewards``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.core.question import Asks, Parsed, Question, Refusal
from surefoot.core.registry import Registry
from surefoot.forms.scoring.episodes import EpisodeScore

EVERYTHING: Final[tuple[Asks, ...]] = ("place", "words", "option")


class ReplyReward(msgspec.Struct, frozen=True, kw_only=True):
    """
    Describe a reward: ``judge`` takes a question and what its reply parsed to, in pixels.

    It is pure and returns 0 to 1. ``asks`` are the kinds of questions that it judges; of others
    it says nothing. ``of_form`` judges the score of a form that was filled in, in its place.
    ``source`` names where it is defined.
    """

    name: str
    version: int
    summary: str
    source: str
    judge: Callable[[Question, Parsed], float] | None = None
    of_form: Callable[[EpisodeScore], float] | None = None
    asks: tuple[Asks, ...] = EVERYTHING

    def of(self, question: Question, parsed: Parsed) -> float | None:
        """
        Return the reward of a reply, None for a question of another kind.

        Raises InvalidInputError where ``judge`` returns something else than 0 to 1.
        """
        if self.judge is None or question.asks not in self.asks:
            return None
        value = self.judge(question, parsed)
        if not 0 <= value <= 1:
            raise InvalidInputError(
                f"0 to 1 from the reward '{self.name}' ({self.judge.__module__})",
                found=f"{value!a:.80}",
                remedy="mend the reward",
            )
        return float(value)


def best_place(question: Question, parsed: Parsed, nearness: Callable[[Box], float]) -> float:
    """
    Return the best ``nearness`` to any right box, a polygon standing as the box around it.

    Where the screen does not show what is asked for, a Refusal alone is worth 1.
    """
    if not question.answerable:
        return float(isinstance(parsed, Refusal))
    return max(map(nearness, (question.truth, *question.boxes)))


REWARDS: Final = Registry(ReplyReward, "surefoot.train.rewards", what="reward")
