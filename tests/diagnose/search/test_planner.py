"""
Planners on a made-up pool: the search finds a planted weakness sooner than chance.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import msgspec
import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.instruction import Expression, Instruction
from surefoot.core.question import Answer, Cell, Question
from surefoot.core.seeds import random_source
from surefoot.diagnose.search.arms import Arm, ArmResult, Plan, Subject
from surefoot.diagnose.search.heuristics import HeuristicPlanner
from surefoot.diagnose.search.planner import RandomPlanner, SearchPlanner
from surefoot.diagnose.search.planning import Planner
from surefoot.diagnose.search.trail import Trail

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
    for planner in (SearchPlanner(0), RandomPlanner(0), HeuristicPlanner(lambda _: ())):
        assert asyncio.run(planner.plan(subject, [], [], 3)) == Plan(why="nothing is left")


def test_a_question_without_answer_teaches_nothing() -> None:
    """A missing reply moves no weight."""
    planner = SearchPlanner(0)

    planner.learn([ArmResult(made_arm("e", 1), None, 1)])

    assert planner.bandit.weights() == {}


def _without(arms: Sequence[Arm], gone: Sequence[Arm]) -> list[Arm]:
    return [arm for arm in arms if arm not in gone]


class Made:
    """A pool of made-up elements, of which only their role is known before they are opened."""

    def subjects(self) -> tuple[Subject, ...]:
        """Return forty elements, every second a link."""
        names = [f"e{number}" for number in range(40)]
        roles = ("link", "button")
        return tuple(Subject(name, name, "s", "t", roles[int(name[1:]) % 2]) for name in names)

    def strangers(self) -> tuple[Subject, ...]:
        """Return none."""
        return ()

    def sketch(self, subject: Subject) -> Arm:
        """Return the role alone."""
        return self._of_role(subject, made_arm(subject.pair, 99), ())

    def arms(self, subject: Subject) -> tuple[Arm, ...]:
        """Return four instructions, which have values of the families besides."""
        made = (made_arm(subject.pair, number) for number in range(4))
        return tuple(self._of_role(subject, arm, arm.features) for arm in made)

    def arm(self, subject: Subject, expression: Expression, screen: str = "") -> None:
        """Return nothing: no other words are known."""

    def changed(self, subject: Subject, arm: Arm, edit: object) -> None:
        """Return nothing: there is no picture."""

    def milder(self, subject: Subject, arm: Arm) -> None:
        """Return nothing: there is no view."""

    def _of_role(self, subject: Subject, arm: Arm, features: tuple[str, ...]) -> Arm:
        return msgspec.structs.replace(arm, features=(*features, f"role:{subject.role}"))


def chosen_after(fails: Callable[[Arm], bool], *, opened: int) -> list[Trail]:
    """Return the four trails chosen first, after answers about elements that are left out."""
    pool = Made()
    planner = SearchPlanner(0, pool)
    trails = [Trail(subject) for subject in pool.subjects()]
    answers = []
    for trail in trails[20:]:
        for arm in pool.arms(trail.subject):
            at = Point(50.0, 50.0) if fails(arm) else Point(5.0, 5.0)
            answers.append(ArmResult(arm, Answer(arm.question.id, "", at), -1))
    planner.explored(answers)
    for trail in trails[:opened]:
        trail.open(pool)
    return planner.choose(trails[:20], 4)


def test_elements_are_chosen_by_their_instructions_where_these_are_known() -> None:
    """Of a fault in the words, known elements with such words come before unknown ones."""
    chosen = chosen_after(lambda arm: "f0:1" in arm.features, opened=12)

    assert all("f0:1" in {name for arm in one.left for name in arm.features} for one in chosen)


def test_unknown_elements_are_chosen_by_what_is_known_of_them() -> None:
    """Of a fault of a role the elements of that role come first, though none is open."""
    chosen = chosen_after(lambda arm: "role:link" in arm.features, opened=0)

    assert {trail.subject.role for trail in chosen} == {"link"}
