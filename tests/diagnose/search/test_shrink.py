"""
Shrinking: what is left is valid, fails, and nothing more can be taken from it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.geometry import Point
from surefoot.core.instruction import Expression
from surefoot.core.ledger import Ledger
from surefoot.core.question import Answer, Question
from surefoot.core.store import ObjectStore
from surefoot.diagnose.causes.checking import Checker
from surefoot.diagnose.search.arms import Arm, ArmResult
from surefoot.diagnose.search.asker import Asker
from surefoot.diagnose.search.pool import open_pool
from surefoot.diagnose.search.shrink import Reduction, reductions, shrink_all, shrinking
from surefoot.refer.resolve.sizes import size_of

Fails = Callable[[Expression], bool]


class Planted:
    """Miss every question whose expression a rule is true of."""

    def __init__(self, fails: Fails) -> None:
        self._fails = fails
        self.asked: list[str] = []

    def identity(self) -> dict[str, object]:
        """Return a name."""
        return {"name": "planted"}

    async def answer(self, question: Question, image: bytes, *further: bytes) -> Answer:
        """Return the middle of the target, or the picture's corner."""
        assert image
        assert not further
        self.asked.append(question.id)
        missed = self._fails(question.instruction.expression)
        place = Point(639.0, 399.0) if missed else question.truth.center
        return Answer(question.id, "", place)


def quotes_help(expression: Expression) -> bool:
    """Fail where 'Help' is a landmark."""
    marks = (expression.landmark, expression.second)
    return any(mark is not None and "Help" in (mark.name, mark.text) for mark in marks)


def counts(expression: Expression) -> bool:
    """Fail where anything is counted."""
    return expression.ordinal is not None


def always(expression: Expression) -> bool:
    """Fail at everything."""
    return bool(expression)


def reduced(bench: Path, out: Path, fails: Fails, budget: int) -> list[Reduction]:
    """Reduce every instruction about one element that fails."""
    pool, model = open_pool(bench, bench, seed=0, most=40), Planted(fails)
    subject = next(item for item in pool.subjects() if item.target == "a2")
    arms = pool.arms(subject)
    failing = [item for item in arms if fails(item.question.instruction.expression)]
    assert failing
    with Ledger.open(out, {"kind": "diagnosis"}) as ledger:
        asker = Asker(model, ObjectStore(bench).get, ledger)
        valid = Checker(pool.scenes).valid
        works = [
            shrinking(_missed(arm), subject, pool, arms, budget, valid=valid) for arm in failing
        ]
        found = asyncio.run(shrink_all(works, asker))
    assert len(set(model.asked)) == len(model.asked)
    return found


def _missed(arm: Arm) -> ArmResult:
    return ArmResult(arm, Answer(arm.question.id, "", Point(639.0, 399.0)), 1)


@pytest.mark.parametrize("fails", [quotes_help, counts, always])
def test_nothing_more_can_be_taken(bench: Path, tmp_path: Path, fails: Fails) -> None:
    """Of a minimal result no valid reduction fails, and the result itself does."""
    pool = open_pool(bench, bench, seed=0, most=0)
    subject = next(item for item in pool.subjects() if item.target == "a2")

    for reduction in reduced(bench, tmp_path / "run", fails, 100):
        expression = reduction.result.arm.question.instruction.expression
        assert reduction.minimal
        assert fails(expression)
        assert not [
            smaller
            for _, smaller in reductions(expression)
            if fails(smaller) and pool.arm(subject, smaller) is not None
        ]


def test_steps_lead_to_something_smaller(bench: Path, tmp_path: Path) -> None:
    """Where everything fails, some instruction shrinks, and its steps are told."""
    found = reduced(bench, tmp_path / "run", always, 100)

    moved = [reduction for reduction in found if reduction.steps]
    assert moved
    for reduction in found:
        assert bool(reduction.steps) == (
            reduction.result.arm.question.id != reduction.of.arm.question.id
        )
        assert reduction.asked >= len(reduction.steps)


def test_a_budget_is_kept(bench: Path, tmp_path: Path) -> None:
    """No reduction asks more than its budget, and says where it ended too soon."""
    found = reduced(bench, tmp_path / "run", always, 1)

    assert all(reduction.asked <= 1 for reduction in found)
    assert any(not reduction.minimal for reduction in found)


def test_a_view_is_taken_away_first(bench: Path) -> None:
    """A failure on a view is tried on the screen as captured before anything else."""
    pool = open_pool(bench, bench, seed=0, most=0)
    viewed, *others = [item for item in pool.subjects() if item.target == "a2"]
    captured = others[0].screen
    subject = msgspec.structs.replace(viewed, screen=captured)
    arm = pool.arms(viewed)[0]

    first = next(shrinking(_missed(arm), subject, pool, (), 5, valid=bool))

    assert arm.question.screen != captured
    assert first.question.screen == captured
    assert first.question.instruction.expression == arm.question.instruction.expression


def test_what_is_disputed_is_neither_asked_nor_kept(bench: Path) -> None:
    """A step that either resolver disputes is passed over, and the next one is asked once."""
    pool = open_pool(bench, bench, seed=0, most=40)
    subject = next(item for item in pool.subjects() if item.target == "a2")
    arms = pool.arms(subject)
    largest = _missed(max(arms, key=lambda arm: arm.cost))
    asked = _asked(shrinking(largest, subject, pool, arms, 100, valid=lambda _: True))
    disputed = asked[0].question.id

    left = _asked(
        shrinking(
            largest, subject, pool, arms, 100, valid=lambda question: question.id != disputed
        )
    )
    none = _asked(shrinking(largest, subject, pool, arms, 100, valid=lambda _: False))

    assert disputed not in {item.question.id for item in left}
    assert left
    assert none == []


@given(
    st.builds(
        Expression,
        role=st.sampled_from(["", "button"]),
        name=st.sampled_from(["", "Save", "Sign in"]),
        colour=st.sampled_from(["", "red"]),
        relation=st.sampled_from(["", "between"]),
        landmark=st.builds(Expression, text=st.just("Total"), role=st.sampled_from(["", "link"])),
        second=st.none() | st.just(Expression(text="Net worth")),
    )
)
def test_reductions_are_smaller_and_in_order(expression: Expression) -> None:
    """Every reduction is smaller, the smallest comes first, and no relation lacks its landmark."""
    smaller = [item for _, item in reductions(expression)]
    sizes = [size_of(item) for item in smaller]

    assert all(size < size_of(expression) for size in sizes)
    assert sizes == sorted(sizes)
    assert not [item for item in smaller if item.relation and item.landmark is None]


def _asked(work: Generator[Arm, ArmResult, Reduction]) -> list[Arm]:
    """Fail every arm that a reduction asks, and return them."""
    asked: list[Arm] = []
    while True:
        try:
            asked.append(work.send(_missed(asked[-1])) if asked else next(work))
        except StopIteration:
            return asked
