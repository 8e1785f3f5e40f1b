"""
Chance in the model: what second askings tell is what was planted.
"""

from __future__ import annotations

import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Answer, Cell, Question
from surefoot.core.seeds import random_source
from surefoot.diagnose.causes.noise import repeats_of
from surefoot.diagnose.search.arms import Arm, ArmResult, asked_again

HIT, MISS = Point(5.0, 5.0), Point(90.0, 90.0)


def asked(number: int, chance: float) -> ArmResult:
    """Return a question that a model with so much chance was asked, twice where it missed."""
    draw = random_source(0, "noise", str(number))
    instruction = Instruction("Click it", "en", "direct", "high", Expression(role="button"), "e")
    question = Question(
        str(number), "p", "s", Cell("original", "direct"), "v", "", 100, 100, instruction,
        Box(0.0, 0.0, 10.0, 10.0),
    )  # fmt: skip
    clicks = [MISS if draw.random() < chance else HIT for _ in range(2)]
    first, second = (f"{number} {draw.random()}" for _ in clicks)
    again = Answer(asked_again(question).id, second, clicks[1])
    answer = Answer(question.id, first, clicks[0])
    return ArmResult(Arm(question, (), 1.0), answer, 1, again if clicks[0] == MISS else None)


def test_chance_is_recovered() -> None:
    """From the misses that did not hold follow the chance that was planted and its elements."""
    elements = [[asked(20 * at + number, 0.1) for number in range(20)] for at in range(200)]
    failing = sum(any(one.failed for one in several) for several in elements)

    found = repeats_of(elements)

    assert found.chance == pytest.approx(0.1, abs=0.01)
    assert found.elements == pytest.approx(200 * (1 - 0.99**20), rel=0.15)
    assert found.elements == pytest.approx(failing, rel=0.2)


def test_what_fails_for_a_reason_is_no_chance() -> None:
    """Elements that are missed nine times in ten do not raise the chance of the others."""
    sound = [[asked(20 * at + number, 0.05) for number in range(20)] for at in range(100)]
    faulty = [[asked(20 * at + number, 0.9) for number in range(20)] for at in range(100, 200)]

    found = repeats_of([*sound, *faulty])

    assert found.chance == pytest.approx(0.05, abs=0.01)


def test_a_model_that_repeats_itself_shows_no_chance() -> None:
    """Where all second replies are the first to the letter nothing is said of chance."""
    one = asked(1, 1.0)
    assert one.answer is not None
    again = Answer(asked_again(one.arm.question).id, one.answer.raw, MISS)
    same = ArmResult(one.arm, one.answer, 1, again)

    found = repeats_of([[same]])

    assert (found.asked, found.held, found.same) == (1, 1, 1)
    assert found.chance is found.elements is None


def test_what_is_hit_the_second_time_has_not_failed() -> None:
    """One miss of two is a miss and no failure; without a second reply the first counts."""
    one = asked(1, 1.0)
    lucky = ArmResult(one.arm, one.answer, 1, Answer(asked_again(one.arm.question).id, "", HIT))

    assert lucky.missed
    assert not lucky.failed
    assert ArmResult(one.arm, one.answer, 1).failed
