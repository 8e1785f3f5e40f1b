"""
Planners on a made-up pool: the search finds a planted weakness sooner than chance.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Answer, Cell, Question
from surefoot.core.seeds import random_source
from surefoot.diagnose.search.arms import Arm, ArmResult, Plan, Subject
from surefoot.diagnose.search.heuristics import HeuristicPlanner
from surefoot.diagnose.search.planner import Planner, RandomPlanner, SearchPlanner

FAMILIES = 6
VALUES = 5


def made_arm(subject: str, number: int) -> Arm:
    """Return an instruction with one value of each family of features, drawn by its number."""
    draw = random_source(0, subject, str(number))
    features = tuple(sorted(f"f{at}:{draw.randrange(VALUES)}" for at in range(FAMILIES)))
    id_ = f"{subject}/{number}"
    instruction = Instruction(id_, "en", "direct", "high", Expression(name=id_), "t")
    cell = Cell("original", "direct")
    box = Box(0, 0, 10, 10)
    question = Question(id_, subject, subject, cell, "s", "", 100, 100, instruction, box)
    return Arm(question, features, float(number))


def planted(arm: Arm) -> bool:
    """Fail at two values out of thirty."""
    return "f0:1" in arm.features or "f3:2" in arm.features


def failures_found(planner: Planner, *, elements: int = 30, questions: int = 8) -> int:
    """Count the failures that a planner finds with a fixed number of questions an element."""
    found = 0
    for number in range(elements):
        name = f"e{number}"
        subject = Subject(name, name, "s", "t", "button")
        left, tried = [made_arm(name, index) for index in range(30)], list[ArmResult]()
        for round_ in range(questions):
            (arm,) = asyncio.run(planner.plan(subject, left, tried, 1)).arms
            at = Point(50.0, 50.0) if planted(arm) else Point(5.0, 5.0)
            tried.append(ArmResult(arm, Answer(arm.question.id, "", at), round_))
            left = [item for item in left if item is not arm]
            planner.learn(tried[-1:])
        found += sum(result.failed for result in tried)
    return found


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_search_beats_chance(seed: int) -> None:
    """With the same number of questions the search finds at least 1.7 times as many."""
    searched = failures_found(SearchPlanner(seed))
    random = failures_found(RandomPlanner(seed))

    assert searched >= 1.7 * random
    assert random > 40


def test_a_search_repeats_itself() -> None:
    """The same seed and the same answers give the same choices."""
    arms = [made_arm("e", index) for index in range(20)]
    subject = Subject("e", "e", "s", "t", "button")

    def chosen(seed: int) -> list[str]:
        plan = asyncio.run(SearchPlanner(seed).plan(subject, arms, [], 5))
        return [arm.question.id for arm in plan.arms]

    assert chosen(4) == chosen(4)
    assert len(set(chosen(4))) == 5
    assert chosen(4) != chosen(5)


def test_chance_goes_on_in_its_order() -> None:
    """What is left comes in the same order, however much of it was asked before."""
    arms = [made_arm("e", index) for index in range(12)]
    subject = Subject("e", "e", "s", "t", "button")
    planner = RandomPlanner(3)
    whole = asyncio.run(planner.plan(subject, arms, [], 12)).arms

    tried = [ArmResult(arm, None, 1) for arm in whole[:5]]
    rest = asyncio.run(planner.plan(subject, _without(arms, whole[:5]), tried, 12)).arms

    assert rest == whole[5:]
    assert whole != tuple(arms)


def test_nothing_left_is_nothing_planned() -> None:
    """Without an instruction left planners end the element."""
    subject = Subject("e", "e", "s", "t", "button")
    for planner in (SearchPlanner(0), RandomPlanner(0), HeuristicPlanner()):
        assert asyncio.run(planner.plan(subject, [], [], 3)) == Plan(why="nothing is left")


def test_a_question_without_answer_teaches_nothing() -> None:
    """A missing reply moves no weight."""
    planner = SearchPlanner(0)

    planner.learn([ArmResult(made_arm("e", 1), None, 1)])

    assert planner.bandit.weights() == {}


def _without(arms: Sequence[Arm], gone: Sequence[Arm]) -> list[Arm]:
    return [arm for arm in arms if arm not in gone]
