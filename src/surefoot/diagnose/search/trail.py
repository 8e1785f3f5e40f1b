"""
One element's way through a search: what was asked about it, and what could be asked yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from surefoot.diagnose.search.arms import Arm, ArmResult, Plan, Pool, Subject

EXPLORED: Final = -1  # the round of what was drawn at random
RARE: Final = -2  # and of what was drawn at random among questions of what few have
RECORDED: Final = -3  # and of what a run had answered before


class Trail:
    """Hold what has been asked about one element so far, and what could be asked yet."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.pool = 0
        self.left: list[Arm] = []
        self.tried: list[ArmResult] = []
        self.plans: dict[int, Plan] = {}
        self.rounds = 0
        self.ended = False
        self.opened = False

    def open(self, pool: Pool) -> None:
        """Take the element's instructions from the pool, once."""
        if not self.opened:
            self.left = list(pool.arms(self.subject))
            self.pool = len(self.left)
            self.opened = True
            self.ended = not self.left

    @property
    def failures(self) -> list[ArmResult]:
        """Return the answers that missed, in the order they were asked."""
        return [result for result in self.tried if result.failed]

    @property
    def steered(self) -> list[ArmResult]:
        """Return the answers to what was planned, without what was drawn at random."""
        return [result for result in self.tried if result.round >= 0]

    @property
    def explored(self) -> list[ArmResult]:
        """Return the answers to what was drawn at random."""
        return [result for result in self.tried if result.round == EXPLORED]

    @property
    def first_failure(self) -> int:
        """Return which question was the first to fail, counted from 1; 0 without one."""
        return next((at for at, result in enumerate(self.tried, 1) if result.failed), 0)

    def record(self, results: Sequence[ArmResult]) -> None:
        """Take in one round's answers."""
        asked = {result.arm.question.id for result in results}
        self.left = [item for item in self.left if item.question.id not in asked]
        self.tried += results
