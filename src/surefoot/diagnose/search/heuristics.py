"""
A plan that can be followed by hand: the paper's four moves, and what earlier answers taught.

Each round picks one of the moves of ``moves``: that of the instruction whose likeliest feature
fails most by what is known, and of several the one that fails most itself. Of its instructions
those come first that share most with what failed. All of it is counting, and each round says
what it counted. The Diagnosis Agent of "Do GUI Grounders Truly Understand UI Elements?" lets a
model choose among the moves (section 4, step II).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from surefoot.core.question import Question
from surefoot.diagnose.features.vocabulary import tag_of, words_of
from surefoot.diagnose.findings import Move
from surefoot.diagnose.search.arms import Arm, ArmResult, Plan, Subject
from surefoot.diagnose.search.moves import MOVES, NO_MOVE
from surefoot.diagnose.search.planning import Planner

ELSEWHERE: Final = 2.0  # answers about the element that all those about others count as


class _Tally(msgspec.Struct):
    """Count how many answers there are with each feature, and how many of them failed."""

    asked: Counter[str] = msgspec.field(default_factory=Counter)
    failed: Counter[str] = msgspec.field(default_factory=Counter)

    def add(self, answers: Iterable[tuple[ArmResult, Sequence[str]]]) -> None:
        for answer, signs in answers:
            if answer.answered:
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
    Pick the move that fails most by what is known, and say why; ``moves_of`` tells a question's.

    What nothing is known of fails half of the time. Of the instructions the one is asked first
    whose likeliest feature fails most, then its second likeliest, and so on ("take the best":
    Gigerenzer and Goldstein, 1996). It draws nothing: the same answers give the same plan.
    """

    def __init__(self, moves_of: Callable[[Question], tuple[Move, ...]]) -> None:
        self._moves_of = moves_of
        self._all = _Tally()

    async def plan(
        self,
        subject: Subject,  # noqa: ARG002 - one form
        left: Sequence[Arm],
        tried: Sequence[ArmResult],
        count: int,
    ) -> Plan:
        """Return the likeliest arms of the likeliest move."""
        here = _Tally()
        here.add((result, self._signs(result.arm)) for result in tried)
        known = _Known(here, self._all.less(here))
        signs = {arm.question.id: self._signs(arm) for arm in left}
        ranks = {name: sorted(-known.share(sign) for sign in own) for name, own in signs.items()}
        own = {
            words: [arm for arm in left if words in signs[arm.question.id]]
            for words in (*MOVES.values(), NO_MOVE)
        }
        ranked = sorted(
            (words for words, arms in own.items() if arms),
            key=lambda words: (
                min(ranks[arm.question.id][0] for arm in own[words]), -known.share(words)
            ),
        )  # fmt: skip
        if not ranked:
            return Plan(why="nothing is left")
        best, *others = ranked
        arms = sorted(own[best], key=lambda arm: ranks[arm.question.id])[:count]
        ranked_words = [f"{words} ({known.told(words)})" for words in ranked]
        why = f"{ranked_words[0]}{f', rather than {_listed(ranked_words[1:])}' if others else ''}"
        asked = [signs[arm.question.id] for arm in arms]
        lesson = _lesson(asked, [signs[arm.question.id] for arm in own[best]], known)
        tries = tuple(move for move, words in MOVES.items() if words == best)
        return Plan(tuple(arms), tries, why + lesson)

    def learn(self, answers: Sequence[ArmResult]) -> None:
        """Count every answer."""
        self._all.add((answer, self._signs(answer.arm)) for answer in answers)

    def _signs(self, arm: Arm) -> tuple[str, ...]:
        """Return the moves that an arm makes, and the features of what it says."""
        counted = (name for name in arm.features if tag_of(name).counted)
        moves = [MOVES[move] for move in self._moves_of(arm.question)]
        return *(moves or [NO_MOVE]), *counted


def _lesson(asked: Sequence[Sequence[str]], among: Sequence[Sequence[str]], known: _Known) -> str:
    """Say which feature decided among instructions, and which one hits have ruled out."""
    shared = set.intersection(*map(set, among))
    others = set().union(*among) - set().union(*asked)
    best = max(sorted(set(asked[0]) - shared), key=known.share, default="")
    hit = [
        other
        for other in sorted(others)
        if known.here.asked[other] and not known.here.failed[other]
    ]
    worst = min(hit, key=known.share, default="")
    lesson = f"; first {_said(best)} ({known.told(best)})" if best else "; the cheapest first"
    return lesson + (f", no more {_said(worst)} ({known.told(worst)})" if worst else "")


def _said(sign: str) -> str:
    return sign if sign in {*MOVES.values(), NO_MOVE} else words_of(sign)


def _listed(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
