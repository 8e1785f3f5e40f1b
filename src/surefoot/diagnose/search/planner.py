"""
Planners: what decides which instruction is asked next.

A planner sees the instructions that are left and what has been answered, and never the
answer that it is about to get. All of its choices follow from the seed and from the
answers before, so that a diagnosis replays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from surefoot.core.seeds import derive_seed, random_source
from surefoot.diagnose.search.arms import Arm, ArmResult, Subject
from surefoot.diagnose.search.bandit import Bandit, Posterior

__all__ = ["Planner", "RandomPlanner", "SearchPlanner"]

LOCAL = 3.0  # an answer about the same element counts so many times more for it


class Planner(Protocol):
    """Choose the next instructions for one element after another."""

    @property
    def seeded(self) -> bool:
        """Tell whether the cheapest instructions are asked first, as the paper's seeds are."""

    async def plan(
        self, subject: Subject, left: Sequence[Arm], tried: Sequence[ArmResult], count: int
    ) -> list[Arm]:
        """Return at most ``count`` of the arms to ask next; none ends the element."""

    def learn(self, answers: Sequence[ArmResult]) -> None:
        """Take in the answers of one round, about all elements that were in it."""


class RandomPlanner:
    """Take the instructions of an element in an order drawn by the seed: the baseline."""

    seeded = False

    def __init__(self, seed: int) -> None:
        self._seed = seed

    async def plan(
        self, subject: Subject, left: Sequence[Arm], tried: Sequence[ArmResult], count: int
    ) -> list[Arm]:
        """Return the next arms; they depend on the seed and the element alone."""
        order = sorted([*left, *(result.arm for result in tried)], key=lambda arm: arm.question.id)
        random_source(self._seed, "random-planner", subject.pair).shuffle(order)
        untried = {item.question.id for item in left}
        return [item for item in order if item.question.id in untried][:count]

    def learn(self, answers: Sequence[ArmResult]) -> None:
        """Learn nothing."""


class SearchPlanner:
    """
    Ask what most likely fails, by Thompson sampling over the features of instructions.

    What was learned about one element serves all later ones; answers about the element
    itself count more for it. Early on the draws differ widely, and that is the exploration.
    """

    seeded = True

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.bandit = Bandit()

    async def plan(
        self, subject: Subject, left: Sequence[Arm], tried: Sequence[ArmResult], count: int
    ) -> list[Arm]:
        """Return the arms that win ``count`` draws, each arm once."""
        if not left:
            return []
        rows = self.bandit.rows([arm.features for arm in left])
        posterior = self._local(tried)
        seed = derive_seed(self._seed, "thompson", subject.pair, str(len(tried)))
        random = np.random.default_rng(seed)
        chosen: list[int] = []
        for _ in range(min(count, len(left))):
            scores = rows @ posterior.draw(random)
            scores[chosen] = -np.inf
            chosen.append(int(np.argmax(scores)))
        return [left[index] for index in chosen]

    def learn(self, answers: Sequence[ArmResult]) -> None:
        """Learn from every answer; a question without one says nothing."""
        self.bandit.learn(
            (answer.arm.features, answer.failed) for answer in answers if answer.answered
        )

    def _local(self, tried: Sequence[ArmResult]) -> Posterior:
        known = [result for result in tried if result.answered]
        rows = self.bandit.rows([result.arm.features for result in known])
        failed = np.array([float(result.failed) for result in known])
        return self.bandit.posterior().updated(rows, failed, times=LOCAL - 1.0)
