"""
The valid instructions for the elements of a folder BENCH: its questions, and more.

To a benchmark's own questions come expressions generated for the same elements on the
screens as captured. Each is proven there before it is ever asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from surefoot.core.canonical import digest
from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Cell, Question
from surefoot.core.store import ObjectStore
from surefoot.diagnose.arms import Arm, Subject
from surefoot.diagnose.features import features_of
from surefoot.diagnose.scenes import Scenes
from surefoot.refer.describe import cost_of
from surefoot.refer.expressions import expressions
from surefoot.refer.hold import holds
from surefoot.refer.kinds import kind_of, specificity_of
from surefoot.refer.landmarks import landmark_place
from surefoot.refer.realise import realise
from surefoot.refer.scene import Scene
from surefoot.run.folder import read_questions, read_screens

__all__ = ["AS_CAPTURED", "BenchPool", "open_pool"]

AS_CAPTURED: Final = ("original", "base")


class BenchPool:
    """
    Give the elements and the valid instructions of a benchmark's questions and screens.

    ``most`` is the largest number of generated instructions an element, 0 for none.
    """

    def __init__(
        self, questions: Iterable[Question], scenes: Scenes, *, seed: int = 0, most: int = 40
    ) -> None:
        self.scenes = scenes
        self._seed = seed
        self._most = most
        self._arms: dict[str, tuple[Arm, ...]] = {}
        self._asked: dict[str, list[Question]] = {}
        for each in questions:
            if not each.cell.reasoning:
                self._asked.setdefault(each.pair, []).append(each)

    def subjects(self) -> tuple[Subject, ...]:
        """Return every element that a question is about."""
        return tuple(self._subject(pair) for pair in sorted(self._asked))

    def arms(self, subject: Subject) -> tuple[Arm, ...]:
        """Return the questions about an element and what was generated, the cheapest first."""
        if subject.pair not in self._arms:
            self._arms[subject.pair] = self._found(subject)
        return self._arms[subject.pair]

    def _found(self, subject: Subject) -> tuple[Arm, ...]:
        asked = self._asked[subject.pair]
        found = {(each.screen, each.instruction.text): self._made(each) for each in asked}
        for expression in self._generated(subject):
            arm = self._expressed(subject, expression, subject.screen)
            if arm is not None:
                found.setdefault((subject.screen, arm.question.instruction.text), arm)
        return tuple(sorted(found.values(), key=_order))

    def arm(self, subject: Subject, expression: Expression, screen: str = "") -> Arm | None:
        """Return an expression as an arm, None where it does not hold there or has no words."""
        where = screen or subject.screen
        try:
            rejection = holds(expression, subject.target, self.scenes.scene(where))
        except InvalidInputError:  # parts that cannot stand together
            return None
        return None if rejection is not None else self._expressed(subject, expression, where)

    def _subject(self, pair: str) -> Subject:
        asked = sorted(
            self._asked[pair], key=lambda each: (each.cell.variant not in AS_CAPTURED, each.id)
        )
        screens = self.scenes.screens
        page = screens[asked[0].screen].page
        captured = sorted(
            each.id
            for each in screens.values()
            if each.page == page and each.variant in AS_CAPTURED
        )
        first = asked[0]
        screen = (
            first.screen if first.cell.variant in AS_CAPTURED else [*captured, first.screen][0]
        )
        return Subject(pair, first.cluster, screen, first.instruction.target, first.role)

    def _generated(self, subject: Subject) -> list[Expression]:
        if not self._most:
            return []
        scene = self.scenes.scene(subject.screen)
        found = expressions(scene, subject.target, seed=self._seed, most=self._most)
        return [each.expression for each in found]

    def _expressed(self, subject: Subject, expression: Expression, screen: str) -> Arm | None:
        scene = self.scenes.scene(screen)
        target = scene.screen.element(subject.target)
        template = min(self._asked[subject.pair], key=lambda each: each.id)
        instruction = _instruction(expression, template.instruction, scene)
        if target is None or instruction is None:
            return None
        for asked in self._asked[subject.pair]:
            if (asked.screen, asked.instruction.text) == (screen, instruction.text):
                return self._made(asked)
        shown = scene.screen
        question = Question(
            id=digest([subject.pair, shown.id, instruction])[:20],
            pair=subject.pair,
            cluster=subject.cluster,
            cell=Cell(shown.variant, instruction.kind),
            screen=shown.id,
            image=shown.image,
            width=shown.width,
            height=shown.height,
            instruction=instruction,
            truth=target.box,
            role=subject.role,
        )
        return self._made(question)

    def _made(self, question: Question) -> Arm:
        scene = self.scenes.scene(question.screen)
        cost = cost_of(question.instruction.expression)
        return Arm(question, features_of(question, scene), cost)


def open_pool(bench: Path, *, seed: int, most: int) -> BenchPool:
    """Read a folder BENCH as a pool; raises InvalidInputError."""
    screens = read_screens(bench)
    scenes = Scenes(screens, ObjectStore(bench).get)
    return BenchPool(read_questions(bench), scenes, seed=seed, most=most)


def _order(arm: Arm) -> tuple[bool, float, str]:
    """Sort by cost, what is asked of the screen as captured in unchanged words before."""
    question = arm.question
    changed = question.cell.variant not in AS_CAPTURED or bool(question.instruction.wording)
    return changed, arm.cost, question.id


def _instruction(
    expression: Expression, template: Instruction, scene: Scene
) -> Instruction | None:
    """Say an expression with the action and the value of another instruction."""
    try:
        text = realise(expression, template.action, template.value, language=template.language)
    except InvalidInputError:
        return None
    there = None
    if expression.landmark is not None:
        there = landmark_place(scene, expression.landmark)
    return msgspec.structs.replace(
        template,
        text=text,
        kind=kind_of(expression),
        specificity=specificity_of(expression),
        expression=expression,
        landmark="" if there is None else scene.elements[there].id,
        name_visible=True,
        wording="",
    )
