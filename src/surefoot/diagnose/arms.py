"""
What a search chooses among: elements, and for each the instructions that may be asked.
"""

from __future__ import annotations

from typing import Protocol

import msgspec

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression
from surefoot.core.question import Answer, Parsed, Question

__all__ = ["Arm", "Pool", "Subject", "Tried", "is_miss", "place_of"]


class Subject(msgspec.Struct, frozen=True):
    """Name one element to diagnose: its pair, its page, and the screen as it was captured."""

    pair: str
    cluster: str
    screen: str
    target: str
    role: str


class Arm(msgspec.Struct, frozen=True):
    """
    Hold one valid instruction as a question, with what it is like.

    ``features`` are names, sorted; ``cost`` is what it takes to say and to follow.
    """

    question: Question
    features: tuple[str, ...]
    cost: float


class Tried(msgspec.Struct, frozen=True):
    """Hold an arm with its answer (None where there was none) and the round it was asked in."""

    arm: Arm
    answer: Answer | None
    round: int

    @property
    def failed(self) -> bool:
        """Tell whether the model answered and missed."""
        return self.answer is not None and is_miss(self.arm.question, self.answer)

    @property
    def answered(self) -> bool:
        """Tell whether there was an answer at all."""
        return self.answer is not None


class Pool(Protocol):
    """Give the elements of a benchmark, and the valid instructions for each."""

    def subjects(self) -> tuple[Subject, ...]:
        """Return the elements, in an order of their own."""

    def arms(self, subject: Subject) -> tuple[Arm, ...]:
        """Return the instructions that may be asked, the cheapest first."""

    def arm(self, subject: Subject, expression: Expression, screen: str = "") -> Arm | None:
        """
        Return an expression as an arm on a screen (by its id), None where it is not valid.

        Without a screen it is the one as captured. An instruction that ``arms`` has in the
        same words is that very arm.
        """

    def milder(self, subject: Subject, arm: Arm) -> Arm | None:
        """Return an arm on a view that changes the screen half as much; None without one."""


def place_of(parsed: Parsed) -> Point | None:
    """
    Return the point that an answer names: a box's centre, None for no place.

    >>> place_of(Box(0, 0, 10, 20))
    Point(x=5.0, y=10.0)
    """
    if isinstance(parsed, Box):
        return parsed.center
    return parsed if isinstance(parsed, Point) else None


def is_miss(question: Question, answer: Answer) -> bool:
    """Tell whether an answer names no place in the target's box, its border counted in."""
    place = place_of(answer.parsed)
    return place is None or not question.truth.contains(place)
