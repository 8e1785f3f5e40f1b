"""
What replies show by themselves: clicks off by a step or a scale, and replies without a place.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Answer, Cell, Parsed, Question, Refusal
from surefoot.diagnose.causes.replies import ReplyCause, reply_causes
from surefoot.diagnose.search.arms import Arm, ArmResult

Reply = Callable[[Point, np.random.Generator], Parsed]


def seen(reply: Reply) -> list[ReplyCause]:
    """Return what is seen of a model's replies about targets all over twelve sites."""
    random = np.random.default_rng(0)
    instruction = Instruction("x", "en", "direct", "high", Expression(name="x"), "t")
    answers = []
    for number in range(120):
        left, top = random.uniform(0, 1200), random.uniform(0, 760)
        box = Box(left, top, left + 60, top + 24)
        question = Question(
            f"q{number}", f"e{number}", f"s{number % 12}", Cell("original", "direct"), "s", "i",
            1280, 800, instruction, box,
        )  # fmt: skip
        answer = Answer(question.id, "", reply(box.center, random))
        answers.append(ArmResult(Arm(question, (), 1.0), answer, 0))
    return list(reply_causes(answers))


def test_a_step_is_found_and_measured() -> None:
    """Clicks 40 px right of and 20 px below their targets are said to be."""
    (cause,) = seen(lambda middle, _: Point(middle.x + 40, middle.y + 20))

    assert cause.name == "step"
    assert cause.words == "clicks 40 px too far right and 20 px too far down"
    assert cause.share == 1.0


def test_a_scale_is_found_and_measured() -> None:
    """Clicks at four fifths of the way from the corner are said to be."""
    (cause,) = seen(lambda middle, _: Point(0.8 * middle.x, 0.8 * middle.y))

    assert cause.name == "scale"
    assert cause.words == "clicks at 0.80 times the way across and 0.80 times the way down"


def test_declined_questions_are_told() -> None:
    """A model that declines two questions in five is said to."""
    (cause,) = seen(lambda middle, random: Refusal("no") if random.random() < 0.4 else middle)

    assert (cause.name, cause.share) == ("refused", 1.0)


@pytest.mark.parametrize(
    "reply",
    [
        lambda _, random: Point(random.uniform(0, 1280), random.uniform(0, 800)),
        lambda *_: Point(640.0, 400.0),
        lambda middle, _: middle,
        lambda middle, random: Point(
            middle.x + random.normal(0, 90), middle.y + random.normal(0, 90)
        ),
    ],
)
def test_other_misses_are_neither(reply: Reply) -> None:
    """Clicks anywhere, in the middle, scattered around the target, or right show no cause."""
    assert seen(reply) == []
