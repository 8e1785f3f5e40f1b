"""
The loop: when it stops, what it costs, and that nothing hangs on which answer came first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from surefoot.core.errors import MissingComponentError, ModelError
from surefoot.core.geometry import Point
from surefoot.core.ledger import Ledger
from surefoot.core.question import Answer, Question
from surefoot.core.seeds import random_source
from surefoot.core.store import ObjectStore
from surefoot.diagnose.search.asker import Asker
from surefoot.diagnose.search.loop import search
from surefoot.diagnose.search.options import DiagnoseOptions
from surefoot.diagnose.search.planner import RandomPlanner, SearchPlanner
from surefoot.diagnose.search.planning import Planner
from surefoot.diagnose.search.pool import open_pool
from surefoot.diagnose.search.trail import Trail
from surefoot.run.engine.progress import Progress


class Walker:
    """Miss what a seeded rule says, at a pace that differs from question to question."""

    def __init__(self, share: float, *, mute: str = "", stop_after: int = 0) -> None:
        self._share = share
        self._mute = mute
        self._stop_after = stop_after
        self.asked: list[str] = []

    def identity(self) -> dict[str, object]:
        """Return a name."""
        return {"name": "walker", "share": self._share}

    async def answer(self, question: Question, image: bytes, *further: bytes) -> Answer:
        """Return the middle of the target or a corner, after a while."""
        assert image
        assert not further
        draw = random_source(0, question.id)
        self.asked.append(question.id)
        if len(self.asked) == self._stop_after:
            raise MissingComponentError("a model", found="none any more")
        for _ in range(draw.randrange(8)):
            await asyncio.sleep(0)
        if self._mute and self._mute in question.pair:
            raise ModelError("timeout", expected="a reply", found="none")
        missed = draw.random() < self._share
        return Answer(question.id, "", Point(639.0, 1.0) if missed else question.truth.center)


def searched(
    bench: Path,
    out: Path,
    model: Walker,
    *,
    concurrency: int = 8,
    twice: bool = False,
    planner: Planner | None = None,
    **chosen: int,
) -> list[Trail]:
    """Search with a model of ours, by the usual planner if no other is given."""
    options = DiagnoseOptions(**{"explore": 0, **chosen})  # type: ignore[arg-type]
    pool = open_pool(bench, bench, seed=0, most=12)
    with Ledger.open(out, {"kind": "diagnosis"}) as ledger:
        asker = Asker(model, ObjectStore(bench).get, ledger, concurrency=concurrency, twice=twice)
        planner = planner or SearchPlanner(options.seed, pool)
        return asyncio.run(search(pool, planner, asker, options, Progress("test")))


def path_of(trails: list[Trail]) -> list[tuple[str, bool]]:
    """Return every question in the order asked, and whether it failed."""
    return [(result.arm.question.id, result.failed) for trail in trails for result in trail.tried]


def test_an_element_ends_with_enough_failures(bench: Path, tmp_path: Path) -> None:
    """A model that always misses is asked as often as failures are wanted."""
    for trail in searched(bench, tmp_path / "run", Walker(1.0), limit=4, failures=3):
        assert len(trail.tried) == 3
        assert trail.first_failure == 1


def test_an_element_ends_with_its_rounds(bench: Path, tmp_path: Path) -> None:
    """A model that never misses is asked the seed and then the rounds, or all there is."""
    trails = list(searched(bench, tmp_path / "run", Walker(0.0), limit=4, rounds=3, width=2))

    assert max(len(trail.tried) for trail in trails) == 7
    assert max(trail.rounds for trail in trails) == 3
    assert all(trail.rounds == 3 or len(trail.tried) < 7 for trail in trails)


def test_a_budget_ends_the_search(bench: Path, tmp_path: Path) -> None:
    """The whole search asks no more than its budget, and nobody twice."""
    model = Walker(0.2)

    trails = searched(bench, tmp_path / "run", model, budget=50)

    assert sum(len(trail.tried) for trail in trails) == 50
    assert len(model.asked) == len(set(model.asked)) == 50


@pytest.mark.parametrize("concurrency", [1, 3])
def test_the_order_of_replies_changes_nothing(
    bench: Path, tmp_path: Path, concurrency: int
) -> None:
    """However many questions are in flight, the search takes the same path."""
    one = searched(bench, tmp_path / "one", Walker(0.3), limit=10)
    other = searched(bench, tmp_path / "b", Walker(0.3), limit=10, concurrency=concurrency)

    assert path_of(one) == path_of(other)


def test_a_stopped_search_goes_on_without_asking_twice(bench: Path, tmp_path: Path) -> None:
    """After a stop the second attempt asks only what has no answer yet, on the same path."""
    whole = searched(bench, tmp_path / "whole", Walker(0.3), limit=10)
    stopped, again = Walker(0.3, stop_after=40), Walker(0.3)

    with pytest.raises(MissingComponentError):
        searched(bench, tmp_path / "run", stopped, limit=10)
    with Ledger.read(tmp_path / "run") as ledger:
        kept = len(ledger.finished())
    resumed = searched(bench, tmp_path / "run", again, limit=10)

    assert kept > 20
    assert path_of(resumed) == path_of(whole)
    assert len(again.asked) == len(path_of(whole)) - kept


def test_a_missing_reply_is_no_failure(bench: Path, tmp_path: Path) -> None:
    """Questions without a reply cost, but count neither as failed nor as hit."""
    trails = searched(bench, tmp_path / "run", Walker(1.0, mute="#a2"), limit=12, rounds=2)

    mute = [item for item in trails if item.subject.target == "a2"]
    assert mute
    for trail in mute:
        assert trail.tried
        assert not any(result.answered or result.failed for result in trail.tried)


def test_each_miss_is_asked_again_and_nothing_else(bench: Path, tmp_path: Path) -> None:
    """A second sample of every miss is asked for, and what is hit then has not failed."""
    model = Walker(0.5)

    trails = searched(bench, tmp_path / "run", model, twice=True, limit=6, rounds=4)
    tried = [result for trail in trails for result in trail.tried]

    again = [name for name in model.asked if name.endswith("~2")]
    assert sorted(again) == sorted(f"{one.arm.question.id}~2" for one in tried if one.missed)
    assert 0 < sum(one.failed for one in tried) < len(again)
    assert all(one.again is not None for one in tried if one.missed)


def test_the_first_questions_are_drawn_and_then_hopeless_elements_are_left(
    bench: Path, tmp_path: Path
) -> None:
    """So many are drawn over all elements; where one kind fails the others are left at once."""

    class Kind(Walker):
        async def answer(self, question: Question, *_: bytes) -> Answer:
            missed = question.role == "link"
            place = Point(639.0, 1.0) if missed else question.truth.center
            return Answer(question.id, "", place)

    trails = searched(bench, tmp_path / "run", Kind(0.0), explore=48)

    assert [len(trail.explored) for trail in trails] == [2] * len(trails)
    steered = [one for trail in trails for one in trail.steered]
    assert sum(one.failed for one in steered) / len(steered) > 0.9
    assert all(len(trail.failures) == 5 for trail in trails if trail.subject.role == "link")


def test_freely_chosen_elements_fail_three_times_as_often_as_random_ones(
    write_bench: Callable[..., Path], tmp_path: Path
) -> None:
    """Where one control of twelve fails, none of the benchmark's, the search goes to its like."""
    bench = write_bench(tmp_path / "bench", 6, ("r1", "a2"))

    class Large(Walker):
        async def answer(self, question: Question, *_: bytes) -> Answer:
            missed = question.truth.width > 100
            place = Point(1.0, 1.0) if missed else question.truth.center
            return Answer(question.id, "", place)

    trails = searched(bench, tmp_path / "run", Large(0.0), explore=36, budget=80, freely=True)

    random = [one.failed for trail in trails for one in trail.explored]
    planned = [one.failed for trail in trails for one in trail.steered]
    assert len(random) == 36
    assert sum(planned) / len(planned) > 3 * sum(random) / len(random) > 0
    assert {trail.subject.target for trail in trails if trail.explored} > {"r1", "a2", "big"}
    assert not any(one.round == 0 for trail in trails for one in trail.tried)


def test_random_questions_of_all_controls_go_on_where_nothing_fails(
    write_bench: Callable[..., Path], tmp_path: Path
) -> None:
    """A search by promise gives up after forty elements without a failure, chance does not."""
    bench = write_bench(tmp_path / "bench", 5, ("r1", "a2"))
    model, planner = Walker(0.0), RandomPlanner(0)

    trails = searched(
        bench, tmp_path / "run", model, planner=planner, freely=True, rounds=1, width=1
    )

    assert len(trails) == 5 * 12
    assert len(model.asked) > 40


def test_a_server_that_never_answers_ends_the_search(bench: Path, tmp_path: Path) -> None:
    """Where none of the first sixteen questions has a reply no more are asked."""
    model = Walker(0.0, mute="site")

    with pytest.raises(ModelError, match="first 16 questions"):
        searched(bench, tmp_path / "run", model, explore=48)

    assert len(model.asked) == 16
