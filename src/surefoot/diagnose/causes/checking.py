"""
The joint check: a failing instruction counts only if two resolvers find it valid.
"""

from __future__ import annotations

import functools
from typing import Final

from surefoot.core.question import Question
from surefoot.refer.generate.hold import holds
from surefoot.refer.judge import Judge
from surefoot.refer.scene.scenes import Scenes

KEPT: Final = 48  # as many as scenes, whose pixels they share


class Checker:
    """Judge questions on the screens of a benchmark; the judges of the latest are kept."""

    def __init__(self, scenes: Scenes) -> None:
        self._scenes = scenes
        self._judge_of = functools.lru_cache(maxsize=KEPT)(self._judge)
        self._judged: dict[str, bool] = {}

    def resolved(self, question: Question) -> bool:
        """Tell whether the resolver that generates finds the question's expression valid."""
        instruction = question.instruction
        scene = self._scenes.scene(question.screen)
        hidden = not instruction.name_visible
        rejection = holds(instruction.expression, instruction.target, scene, hidden_names=hidden)
        return rejection is None

    def judged(self, question: Question) -> bool:
        """Tell whether the resolver that shares no code with it finds the same."""
        if question.id not in self._judged:
            judge, instruction = self._judge_of(question.screen), question.instruction
            verdict = judge.judge(instruction.expression, instruction.target)
            self._judged[question.id] = verdict.valid
        return self._judged[question.id]

    def valid(self, question: Question) -> bool:
        """Tell whether both resolvers find it valid."""
        return self.resolved(question) and self.judged(question)

    def _judge(self, screen: str) -> Judge:
        scene = self._scenes.scene(screen)
        return Judge(scene.screen, scene.pixels)
