"""
The joint check: a failing instruction counts only if two resolvers find it valid.
"""

from __future__ import annotations

from surefoot.core.question import Question
from surefoot.diagnose.scenes import Scenes
from surefoot.refer.hold import holds
from surefoot.refer.judge import Judge

__all__ = ["Checker"]


class Checker:
    """Judge questions on the screens of a benchmark; one screen's judge is kept at a time."""

    def __init__(self, scenes: Scenes) -> None:
        self._scenes = scenes
        self._judge: tuple[str, Judge] | None = None

    def resolved(self, question: Question) -> bool:
        """Tell whether the resolver that generates finds the question's expression valid."""
        instruction = question.instruction
        scene = self._scenes.scene(question.screen)
        hidden = not instruction.name_visible
        rejection = holds(instruction.expression, instruction.target, scene, hidden_names=hidden)
        return rejection is None

    def judged(self, question: Question) -> bool:
        """Tell whether the resolver that shares no code with it finds the same."""
        if self._judge is None or self._judge[0] != question.screen:
            scene = self._scenes.scene(question.screen)
            self._judge = question.screen, Judge(scene.screen, scene.pixels)
        instruction = question.instruction
        return self._judge[1].judge(instruction.expression, instruction.target).valid
