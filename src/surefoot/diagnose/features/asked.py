"""
What is read of a question as it is asked: its words, its expression, and its landmark.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final

import numpy as np

from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import LOOKS, Expression
from surefoot.core.question import Question
from surefoot.refer.resolve.landmarks import landmark_place
from surefoot.refer.resolve.relations import text_unit
from surefoot.refer.say.realise import realise
from surefoot.refer.scene.geometry import distances
from surefoot.refer.scene.names import key_of
from surefoot.refer.scene.scene import Scene

PLAIN: Final = frozenset(" .,;:!?'\"()-")
NAMING: Final = 3  # letters of a name that is looked for in an instruction
NEAR_LINES: Final = 1.0
FAR_LINES: Final = 3.0
PARTS: Final = (
    *("name", "text", "label", *LOOKS),
    *("function", "landmark", "direction", "ordinal", "region", "container"),
)


class Query:
    """Read a question: its words, its expression, and the condition that it is asked in."""

    def __init__(self, question: Question, scene: Scene) -> None:
        self.question = question
        self.scene = scene
        self.instruction = question.instruction
        self.text = question.instruction.text
        self.words = self.text.split()
        self.expression = question.instruction.expression
        self.place = scene.place.get(question.instruction.target)

    @functools.cached_property
    def quotes(self) -> list[str]:
        """Return what the instruction quotes."""
        return list(quotes_of(self.expression))

    @functools.cached_property
    def landmark(self) -> Landmark | None:
        """Return the landmark, None where there is none on the screen."""
        if self.expression.landmark is None or self.place is None:
            return None
        there = landmark_place(self.scene, self.expression.landmark)
        return None if there is None else Landmark(self.question, self.scene, self.place, there)

    def parts(self) -> Iterator[str]:
        """Yield the names of the expression's parts."""
        if self.expression.role not in ("", "control"):
            yield "role"
        yield from (part for part in PARTS if getattr(self.expression, part))
        if self.expression.name_cut:
            yield "beginning of a name"

    def position(self) -> str:
        """Return to where the expression counts, "" where it does not."""
        if not self.expression.ordinal:
            return ""
        position = self.expression.ordinal.position
        if position < 0:
            return "last" if position == -1 else "end, backwards"
        return {1: "first", 2: "second"}.get(position, "third or later")

    def reworded(self) -> float:
        """Return the share of letters by which words differ from those that say it plainly."""
        given = self.instruction
        if not given.wording:
            return 0.0
        try:
            plain = realise(self.expression, given.action, given.value, language=given.language)
        except InvalidInputError:
            return 0.0
        return 1 - SequenceMatcher(None, plain, self.text, autojunk=False).ratio()

    def said_of_target(self) -> float | None:
        """Return how many in a hundred words stand on the target."""
        if self.place is None:
            return None
        words = key_of(self.text).words
        shown = frozenset(key_of(self.scene.texts[self.place]).words)
        return 100 * sum(word in shown for word in words) / max(len(words), 1)

    def others_said(self) -> float | None:
        """Count the other controls whose names stand in the instruction."""
        if self.place is None:
            return None
        scene, line = self.scene, f" {' '.join(key_of(self.text).words)} "
        others = np.flatnonzero(scene.thing & scene.plain & ~scene.kin(self.place)).tolist()
        names = {scene.names[other] for other in others} - {scene.names[self.place]}
        keys = (" ".join(key_of(name).words) for name in names)
        return float(sum(len(key) >= NAMING and f" {key} " in line for key in keys))


class Landmark:
    """Read the landmark of a question, which is at the place ``there``."""

    def __init__(self, question: Question, scene: Scene, place: int, there: int) -> None:
        self.scene = scene
        self.place = place
        self.there = there
        self.element = scene.elements[there]
        self.apart = distances(scene.boxes, scene.text_boxes[there])
        self.role = question.role

    def is_alike(self) -> bool:
        """Tell whether it, or what holds it, has the target's role."""
        around = (self.there, *self.scene.above(self.there))
        return self.role in {self.scene.elements[at].role for at in around}

    def distance(self) -> str:
        """Return how far it is from the target, in lines of its text."""
        lines = self.apart[self.place] / max(text_unit(self.element), 1.0)
        near = "next to it" if lines <= NEAR_LINES else "near"
        return near if lines <= FAR_LINES else "far away"

    def nearer(self) -> float:
        """Count the other controls that are nearer to it than the target."""
        scene = self.scene
        others = scene.thing & scene.plain & ~scene.kin(self.place) & ~scene.kin(self.there)
        return float((self.apart[others] < self.apart[self.place]).sum())


def quotes_of(expression: Expression | None) -> Iterator[str]:
    """
    Yield the words that an expression has said as they stand, those of the target first.

    >>> list(quotes_of(Expression(name="Save", landmark=Expression(text="Draft"))))
    ['Save', 'Draft']
    """
    if expression is None:
        return
    yield from filter(None, (expression.name, expression.text, expression.label))
    for inner in (expression.landmark, expression.second, expression.container):
        yield from quotes_of(inner)


def signs_of(text: str) -> Iterator[str]:
    """
    Tell which signs words have besides plain letters and marks.

    >>> list(signs_of("Room 12"))
    ['a digit', 'digits or symbols', 'more than letters']
    """
    if any(sign.isdigit() for sign in text):
        yield "a digit"
    if any(sign.isalpha() and not sign.isascii() for sign in text):
        yield "letters beyond English"
    if any(first.islower() and then.isupper() for first, then in itertools.pairwise(text)):
        yield "a capital inside a word"
    symbols = any(sign not in PLAIN and not sign.isalnum() for sign in text)
    if symbols:
        yield "symbols"
    if symbols or any(sign.isdigit() for sign in text):
        yield "digits or symbols"
    if not all(sign.isalpha() or sign.isspace() for sign in text):
        yield "more than letters"
