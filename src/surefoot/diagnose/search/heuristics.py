"""
A plan that can be followed by hand: four heuristics, and what earlier answers taught.

An element can be pointed at by where it is, what it does, what it looks like, or what it
says. Each round tries one of the four: that of the instruction whose likeliest feature fails
most by what is known, and of several the one that fails most itself. Of its instructions those
come first that share most with what failed. All of it is counting, and each round says what it
counted. The Diagnosis Agent of "Do GUI Grounders Truly Understand UI Elements?" has four other
heuristics (section 4): spatial phrasing traps, visual look-alikes, functional overlaps, nearby
text. These rules are ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from surefoot.core.instruction import Expression
from surefoot.diagnose.features.vocabulary import tag_of, words_of
from surefoot.diagnose.findings import Heuristic
from surefoot.diagnose.search.arms import Arm, ArmResult, Plan, Subject
from surefoot.diagnose.search.planning import Planner

# In the order in which they are tried while nothing tells them apart.
HEURISTICS: Final[dict[Heuristic, str]] = {
    "location": "where it is",
    "function": "what it does",
    "appearance": "what it looks like",
    "text": "what it says",
}
ELSEWHERE: Final = 2.0  # answers about the element that all those about others count as


def heuristic_of(expression: Expression) -> Heuristic:
    """
    Return what an expression points by: the first of the four that it uses.

    >>> heuristic_of(Expression(role="button", name="Save")), heuristic_of(Expression(role="tab"))
    ('text', 'appearance')
    """
    placed = (expression.direction, expression.relation, expression.ordinal)
    if any((*placed, expression.region, expression.container)):
        return "location"
    if expression.function:
        return "function"
    named = expression.name or expression.text or expression.label
    return "text" if named or expression == Expression() else "appearance"


def tried_by(arms: Iterable[Arm]) -> tuple[Heuristic, ...]:
    """Return the heuristics that arms use, each once, in the order of ``HEURISTICS``."""
    used = {heuristic_of(arm.question.instruction.expression) for arm in arms}
    return tuple(one for one in HEURISTICS if one in used)


class _Tally(msgspec.Struct):
    """Count how many answers there are with each feature, and how many of them failed."""

    asked: Counter[str] = msgspec.field(default_factory=Counter)
    failed: Counter[str] = msgspec.field(default_factory=Counter)

    def add(self, answers: Iterable[ArmResult]) -> None:
        for answer in answers:
            if answer.answered:
                signs = _signs(answer.arm)
                self.asked.update(signs)
                self.failed.update(signs if answer.failed else ())

    def less(self, other: _Tally) -> _Tally:
        return _Tally(self.asked - other.asked, self.failed - other.failed)


class _Known(msgspec.Struct):
    """Hold the answers about one element, and those about all others."""

    here: _Tally
    elsewhere: _Tally

    def share(self, sign: str) -> float:
        """
        Return how likely what has a feature fails, one half before any answer.

        The share elsewhere, with one more of each, counts as two answers about the element.
        """
        there = (self.elsewhere.failed[sign] + 1) / (self.elsewhere.asked[sign] + 2)
        return (self.here.failed[sign] + ELSEWHERE * there) / (self.here.asked[sign] + ELSEWHERE)

    def told(self, sign: str) -> str:
        """Say what is known of a feature."""
        here, there = (
            f"{tally.failed[sign]} of {tally.asked[sign]} failed" if tally.asked[sign] else ""
            for tally in (self.here, self.elsewhere)
        )
        if here and there:
            return f"{here} here, {there.removesuffix(' failed')} elsewhere"
        if there:
            return f"not tried here, {there} elsewhere"
        return f"{here} here" if here else "not tried yet"


class HeuristicPlanner(Planner):
    """
    Try the heuristic that fails most by what is known, and say why.

    What nothing is known of fails half of the time. Of the instructions the one is asked first
    whose likeliest feature fails most, then its second likeliest, and so on ("take the best":
    Gigerenzer and Goldstein, 1996). It draws nothing: the same answers give the same plan.
    """

    def __init__(self) -> None:
        self._all = _Tally()

    async def plan(
        self,
        subject: Subject,  # noqa: ARG002 - one form
        left: Sequence[Arm],
        tried: Sequence[ArmResult],
        count: int,
    ) -> Plan:
        """Return the likeliest arms of the likeliest heuristic."""
        here = _Tally()
        here.add(tried)
        known = _Known(here, self._all.less(here))
        own: dict[Heuristic, list[Arm]] = {}
        for arm in left:
            own.setdefault(heuristic_of(arm.question.instruction.expression), []).append(arm)
        ranked = sorted(
            (one for one in HEURISTICS if one in own),
            key=lambda one: (min(_ranks(arm, known)[0] for arm in own[one]), -known.share(one)),
        )
        if not ranked:
            return Plan(why="nothing is left")
        best, *others = ranked
        arms = sorted(own[best], key=lambda arm: _ranks(arm, known))[:count]
        told = [f"{HEURISTICS[one]} ({known.told(one)})" for one in (best, *others)]
        why = f"{told[0]}{f', rather than {_listed(told[1:])}' if others else ''}"
        return Plan(tuple(arms), (best,), why + _lesson(arms, own[best], known))

    def learn(self, answers: Sequence[ArmResult]) -> None:
        """Count every answer."""
        self._all.add(answers)


def _signs(arm: Arm) -> tuple[str, ...]:
    """Return the heuristic that an arm uses, and the features of what it says."""
    counted = (name for name in arm.features if tag_of(name).counted)
    return heuristic_of(arm.question.instruction.expression), *counted


def _ranks(arm: Arm, known: _Known) -> list[float]:
    """Return what arms are sorted by: the shares of their features, the greatest first."""
    return sorted(-known.share(sign) for sign in _signs(arm))


def _lesson(arms: Sequence[Arm], among: Sequence[Arm], known: _Known) -> str:
    """Say which feature decided among instructions, and which one hits have ruled out."""
    shared = set.intersection(*(set(_signs(arm)) for arm in among))
    asked = {sign for arm in arms for sign in _signs(arm)}
    others = {sign for arm in among for sign in _signs(arm)} - asked
    best = max(sorted(set(_signs(arms[0])) - shared), key=known.share, default="")
    hit = [one for one in sorted(others) if known.here.asked[one] and not known.here.failed[one]]
    worst = min(hit, key=known.share, default="")
    told = f"; first {words_of(best)} ({known.told(best)})" if best else "; the cheapest first"
    return told + (f", no more {words_of(worst)} ({known.told(worst)})" if worst else "")


def _listed(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
