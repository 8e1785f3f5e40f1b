"""
The pool: valid instructions, each once, in a fixed order.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.core.instruction import Expression, Ordinal
from surefoot.diagnose.checking import Checker
from surefoot.diagnose.pool import open_pool
from surefoot.run.folder import read_questions


def test_arms_are_valid_and_different(bench: Path) -> None:
    """Each instruction holds by both resolvers, and no two are the same words or question."""
    pool = open_pool(bench, bench, seed=0, most=40)
    checker = Checker(pool.scenes)
    for subject in pool.subjects()[:6]:
        arms = pool.arms(subject)
        assert len({each.question.id for each in arms}) == len(arms) > 5
        assert len({each.question.instruction.text for each in arms}) == len(arms)
        assert all(checker.resolved(each.question) for each in arms)
        assert all(checker.judged(each.question) for each in arms)
        assert [each.cost for each in arms] == sorted(each.cost for each in arms)


def test_the_benchmarks_own_questions_are_kept(bench: Path) -> None:
    """Every question of the benchmark is an arm under its own id."""
    pool = open_pool(bench, bench, seed=0, most=40)
    arms = [arm for subject in pool.subjects() for arm in pool.arms(subject)]
    kept = {each.question.id: each.question for each in arms}

    for question in read_questions(bench):
        assert kept[question.id] == question


def test_two_pools_are_equal(bench: Path) -> None:
    """The same benchmark and seed give the same arms in the same order."""
    one, other = (open_pool(bench, bench, seed=3, most=20) for _ in range(2))
    subject = one.subjects()[2]

    assert one.subjects() == other.subjects()
    assert one.arms(subject) == other.arms(subject)


@pytest.mark.parametrize(
    "expression",
    [
        Expression(role="link"),
        Expression(role="link", name="Home"),
        Expression(role="link", direction="above"),
        Expression(role="link", ordinal=Ordinal(0, "row")),
        Expression(role="link", size="largest", ordinal=Ordinal(1, "row")),
        Expression(),
    ],
)
def test_what_does_not_hold_is_no_arm(bench: Path, expression: Expression) -> None:
    """An ambiguous, a false and a malformed expression are never asked."""
    pool = open_pool(bench, bench, seed=0, most=0)
    subject = next(each for each in pool.subjects() if each.target == "a2")

    assert pool.arm(subject, expression) is None


def test_a_benchmark_without_its_screens_is_refused(bench: Path, tmp_path: Path) -> None:
    """A question about a screen that is not there is said, not skipped."""
    pool = open_pool(bench, bench, seed=0, most=0)
    with pytest.raises(InvalidInputError, match="nowhere"):
        pool.scenes.scene("nowhere")
    with pytest.raises(InvalidInputError):
        open_pool(tmp_path, tmp_path, seed=0, most=0)
