"""
What a search chooses among: elements, and for each the instructions that may be asked.
"""

from __future__ import annotations

import functools
from typing import Protocol

import msgspec

from surefoot.benchmarks.matching import sample_id
from surefoot.core.edit import Resize, Tone
from surefoot.core.instruction import Expression
from surefoot.core.question import Answer, Question
from surefoot.diagnose.findings import Move
from surefoot.run.asking.recorded import Met
from surefoot.score.hits import is_hit


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

    ``features`` are names, sorted; ``cost`` is what it takes to say and to follow;
    ``measures`` are numbers by name (``features.vocabulary`` has both). ``pillar`` names the
    benchmark that asks so; answers are compared within one of them.
    """

    question: Question
    features: tuple[str, ...]
    cost: float
    measures: dict[str, float] = {}
    pillar: str = ""


class ArmResult(msgspec.Struct, frozen=True, dict=True):
    """
    Hold an arm with its answer (None where there was none) and the round it was asked in.

    ``again`` is the answer of a second, independent asking, which only misses get. ``met`` is what
    a run recorded that the click met beside its target, "" where nobody recorded it.
    """

    arm: Arm
    answer: Answer | None
    round: int
    again: Answer | None = None
    met: Met = ""

    @functools.cached_property
    def missed(self) -> bool:
        """Tell whether the model answered and missed when it was asked first."""
        return self.answer is not None and is_miss(self.arm.question, self.answer)

    @functools.cached_property
    def failed(self) -> bool:
        """Tell whether the model missed each time it answered."""
        if self.again is None:
            return self.missed
        return self.missed and is_miss(asked_again(self.arm.question), self.again)

    @property
    def answered(self) -> bool:
        """Tell whether there was an answer at all."""
        return self.answer is not None


class Plan(msgspec.Struct, frozen=True):
    """
    Hold the arms to ask about an element next, the move that was picked, and why, in words.

    Without arms the element is left, and ``why`` says what for.
    """

    arms: tuple[Arm, ...] = ()
    tries: tuple[Move, ...] = ()
    why: str = ""


class Pool(Protocol):
    """Give the elements of a benchmark, and the valid instructions for each."""

    def subjects(self) -> tuple[Subject, ...]:
        """Return the elements, in an order of their own."""

    def strangers(self) -> tuple[Subject, ...]:
        """Return the other elements that could be asked about."""

    def sketch(self, subject: Subject) -> Arm:
        """Return what is known of an element before anything is said of it, as an arm."""

    def arms(self, subject: Subject) -> tuple[Arm, ...]:
        """Return the instructions that may be asked, the cheapest first."""

    def arm(self, subject: Subject, expression: Expression, screen: str = "") -> Arm | None:
        """
        Return an expression as an arm on a screen (by its id), None where it is not valid.

        Without a screen it is the one as captured. An instruction that ``arms`` has in the
        same words is that very arm.
        """

    def changed(self, subject: Subject, arm: Arm, edit: Resize | Tone) -> Arm | None:
        """Return an arm in the same words on a changed picture; None where it does not hold."""

    def milder(self, subject: Subject, arm: Arm) -> Arm | None:
        """Return an arm on a view that changes the screen half as much; None without one."""


def asked_again(question: Question) -> Question:
    """Return the second sample of a question: the same picture and words, asked anew."""
    return msgspec.structs.replace(question, id=sample_id(question.id, 2), sample=2)


def is_miss(question: Question, answer: Answer) -> bool:
    """Tell whether an answer is no hit, as scores judge it; without tolerance."""
    return not is_hit(question, answer)
