"""
What every planner does: it decides which element and which instruction is asked about next.

A planner sees the instructions that are left and what has been answered, and never the
answer that it is about to get. All of its choices follow from the seed and from the
answers before, so that a diagnosis replays.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence

from surefoot.core.ledger import Failure
from surefoot.diagnose.search.arms import Arm, ArmResult, Plan, Subject
from surefoot.diagnose.search.trail import Trail


class Planner(abc.ABC):
    """
    Choose the next elements, and the next instructions for one element after another.

    A planner says what it needs of the loop. ``seeded``: the cheapest instructions are asked
    first, as the paper's seeds are. ``learns``: the search begins with questions drawn at random,
    to learn from. ``gives_up``: a search of all controls ends where many elements in a row have
    no failure. ``unread`` are requests of its own whose record is no reply.
    """

    seeded = True
    learns = False
    gives_up = True
    unread: Sequence[Failure] = ()

    def explored(self, answers: Sequence[ArmResult]) -> None:
        """Take in the answers to what was drawn at random, as all others."""
        self.learn(answers)

    def choose(self, trails: Sequence[Trail], count: int) -> list[Trail]:
        """Return the elements to ask about next, ``count`` at most: as they come."""
        return list(trails[:count])

    @abc.abstractmethod
    async def plan(
        self, subject: Subject, left: Sequence[Arm], tried: Sequence[ArmResult], count: int
    ) -> Plan:
        """Return at most ``count`` arms to ask next, with reasons; none ends the element."""

    def learn(self, answers: Sequence[ArmResult]) -> None:  # noqa: B027 - some learn nothing
        """Take in the answers of one round, about all elements that were in it."""
