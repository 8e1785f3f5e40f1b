"""
The plan by four moves: what it tries follows from what failed, and it says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction, Region
from surefoot.core.question import Answer, Cell, Question
from surefoot.diagnose.findings import Move
from surefoot.diagnose.search.arms import Arm, ArmResult, Plan, Subject
from surefoot.diagnose.search.heuristics import HeuristicPlanner
from surefoot.diagnose.search.moves import Moves
from surefoot.diagnose.search.pool import BenchPool, open_pool


@pytest.fixture(scope="module")
def pool(bench: Path) -> BenchPool:
    """Return the pool of the drawn benchmark."""
    return open_pool(bench, bench, seed=0, most=24)


def link(pool: BenchPool, number: int) -> tuple[Subject, list[Arm]]:
    """Return one of the links named 'Team', which can be pointed at in every way."""
    subject = [item for item in pool.subjects() if item.target == "a2"][number]
    return subject, list(pool.arms(subject))


def answered(arms: Sequence[Arm], *, failed: bool) -> list[ArmResult]:
    """Return answers that all hit, or all miss."""
    found = []
    for arm in arms:
        place = Point(639.0, 1.0) if failed else arm.question.truth.center
        answer = Answer(arm.question.id, "", place)
        found.append(ArmResult(arm, answer, 1))
    return found


def plan_of(
    planner: HeuristicPlanner, subject: Subject, left: Sequence[Arm], tried: Sequence[ArmResult]
) -> Plan:
    """Return the next two arms."""
    return asyncio.run(planner.plan(subject, left, tried, 2))


def made(name: str, expression: Expression, *features: str) -> Arm:
    """Return an arm with the features that are given."""
    instruction = Instruction(name, "en", "direct", "high", expression, "t")
    cell, box = Cell("original", "direct"), Box(0, 0, 10, 10)
    question = Question(name, "e", "e", cell, "s", "", 100, 100, instruction, box)
    return Arm(question, features, 1.0)


def by_part(question: Question) -> tuple[Move, ...]:
    """Take a region for a spatial trap, and a name for a functional overlap."""
    return ("spatial",) if question.instruction.expression.region else ("overlap",)


def test_a_hit_turns_the_plan_away_and_a_miss_draws_it() -> None:
    """A trap that was hit is left for what is untried, and one that failed goes on."""
    place, name = Expression(role="link", region=Region("left")), Expression(name="Save")
    placed = [made(f"p{at}", place, "part:region") for at in range(4)]
    named = [made(f"n{at}", name, "part:name") for at in range(4)]
    planner, subject = HeuristicPlanner(by_part), Subject("e", "e", "s", "t", "link")
    first = plan_of(planner, subject, placed + named, [])
    hits = answered(placed[:2], failed=False)
    planner.learn(hits)
    turned = plan_of(planner, subject, placed[2:] + named, hits)
    tried = [*hits, *answered(named[:1], failed=True)]
    planner.learn(tried[2:])
    drawn = plan_of(planner, subject, placed[2:] + named[1:], tried)

    assert first == Plan(
        tuple(placed[:2]),
        ("spatial",),
        "spatial phrasing trap (not tried yet), rather than functional overlap (not tried yet); "
        "the cheapest first",
    )
    assert turned == Plan(
        tuple(named[:2]),
        ("overlap",),
        "functional overlap (not tried yet), rather than spatial phrasing trap "
        "(0 of 2 failed here); the cheapest first",
    )
    assert drawn == Plan(
        tuple(named[1:3]),
        ("overlap",),
        "functional overlap (1 of 1 failed here), rather than spatial phrasing trap "
        "(0 of 2 failed here); the cheapest first",
    )


def test_what_failed_elsewhere_is_tried_first_here(pool: BenchPool) -> None:
    """On a new element it asks what says 'right of', as that alone failed on two others."""
    planner = HeuristicPlanner(Moves(pool.scenes).of)
    for number in (0, 1):
        _, arms = link(pool, number)
        said = [arm for arm in arms if "direction:right of" in arm.features]
        planner.learn(answered(said, failed=True))
        planner.learn(answered([arm for arm in arms if arm not in said], failed=False))
    subject, arms = link(pool, 2)

    plan = plan_of(planner, subject, arms, [])

    assert plan.tries == ("nearby text",)  # the landmark's words stand beside it
    assert all("direction:right of" in arm.features for arm in plan.arms)
    assert "first instructions that say 'right of' (not tried here, " in plan.why


def test_the_same_answers_give_the_same_plan(pool: BenchPool) -> None:
    """Nothing is drawn: two planners that saw the same agree to the letter."""
    subject, arms = link(pool, 0)
    tried = answered(arms[:3], failed=True)
    plans = []
    for _ in range(2):
        planner = HeuristicPlanner(Moves(pool.scenes).of)
        planner.learn(tried)
        plans.append(plan_of(planner, subject, arms[3:], tried))

    assert plans[0] == plans[1]
