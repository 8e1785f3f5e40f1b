"""
The joint check: a failing instruction counts only if two resolvers find it valid.
"""

from __future__ import annotations

import functools
from typing import Final, Protocol

from surefoot.core.question import Question
from surefoot.refer.generate.hold import holds
from surefoot.refer.judge import Judge
from surefoot.refer.scene.scenes import Scenes

KEPT: Final = 48  # as many as scenes, whose pixels they share


class Proofs(Protocol):
    """Say how what a benchmark asks is proven, where its screens alone do not tell."""

    def stand_in(self, question: Question) -> Question | None:
        """Return what resolvers judge in the place of a question, None where it does not hold."""

    def vouched(self, question: Question) -> bool:
        """Tell whether a question holds by the word of its source."""


class Checker:
    """
    Judge questions on the screens of a benchmark; the judges of the latest are kept.

    ``proofs`` are the benchmark's own rules, such as those for what is hidden.
    """

    def __init__(self, scenes: Scenes, proofs: Proofs | None = None) -> None:
        self._scenes = scenes
        self._proofs = proofs
        self._judge_of = functools.lru_cache(maxsize=KEPT)(self._judge)
        self._judged: dict[str, bool] = {}

    def resolved(self, question: Question) -> bool:
        """Tell whether the resolver that generates finds the question's expression valid."""
        if self.vouched(question):
            return True
        stand_in = self._stand_in(question)
        if stand_in is None:
            return False
        instruction = stand_in.instruction
        scene = self._scenes.scene(stand_in.screen)
        hidden = not instruction.name_visible
        rejection = holds(instruction.expression, instruction.target, scene, hidden_names=hidden)
        return rejection is None

    def judged(self, question: Question) -> bool:
        """Tell whether the resolver that shares no code with it finds the same."""
        if question.id not in self._judged:
            self._judged[question.id] = self.vouched(question) or self._judges(question)
        return self._judged[question.id]

    def valid(self, question: Question) -> bool:
        """Tell whether both resolvers find it valid."""
        return self.resolved(question) and self.judged(question)

    def vouched(self, question: Question) -> bool:
        """Tell whether its source alone says that a question is valid."""
        return self._proofs is not None and self._proofs.vouched(question)

    def _stand_in(self, question: Question) -> Question | None:
        return question if self._proofs is None else self._proofs.stand_in(question)

    def _judges(self, question: Question) -> bool:
        stand_in = self._stand_in(question)
        if stand_in is None:
            return False
        instruction = stand_in.instruction
        verdict = self._judge_of(stand_in.screen).judge(instruction.expression, instruction.target)
        return verdict.valid

    def _judge(self, screen: str) -> Judge:
        scene = self._scenes.scene(screen)
        return Judge(scene.screen, scene.pixels)
