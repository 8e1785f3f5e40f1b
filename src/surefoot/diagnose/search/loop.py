"""
The loop: seeds, plan, ask, learn; until enough failures are found or the rounds are over.

Several elements go together, and all questions of one round are asked at once; what is
learned from them counts from the next round on. So the path depends on the answers alone,
never on which of them came first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from surefoot.core.seeds import random_source
from surefoot.diagnose.search.arms import Arm, ArmResult, Pool, Subject
from surefoot.diagnose.search.asker import Asker
from surefoot.diagnose.search.options import DiagnoseOptions
from surefoot.diagnose.search.planner import Planner
from surefoot.run.engine.progress import Progress

__all__ = ["Trail", "chosen_subjects", "search"]


class Trail:
    """Hold what has been asked about one element so far, and what could be asked yet."""

    def __init__(self, subject: Subject, arms: Sequence[Arm]) -> None:
        self.subject = subject
        self.pool = len(arms)
        self.left = list(arms)
        self.tried: list[ArmResult] = []
        self.rounds = 0
        self.ended = not arms

    @property
    def failures(self) -> list[ArmResult]:
        """Return the answers that missed, in the order they were asked."""
        return [result for result in self.tried if result.failed]

    @property
    def first_failure(self) -> int:
        """Return which question was the first to fail, counted from 1; 0 without one."""
        return next((at for at, result in enumerate(self.tried, 1) if result.failed), 0)

    def record(self, results: Sequence[ArmResult]) -> None:
        """Take in one round's answers."""
        asked = {result.arm.question.id for result in results}
        self.left = [item for item in self.left if item.question.id not in asked]
        self.tried += results


def chosen_subjects(pool: Pool, options: DiagnoseOptions) -> list[Subject]:
    """Return the elements to diagnose, in an order drawn by the seed, ``limit`` at most."""
    order = sorted(pool.subjects(), key=lambda subject: subject.pair)
    random_source(options.seed, "elements").shuffle(order)
    return order[: options.limit or None]


async def search(
    pool: Pool,
    planner: Planner,
    asker: Asker,
    options: DiagnoseOptions,
    progress: Progress,
) -> list[Trail]:
    """Search for failing instructions, element by element; ``progress`` counts elements."""
    subjects = chosen_subjects(pool, options)
    progress.begin(total=len(subjects), kept=0, failed=0)
    trails: list[Trail] = []
    spent = 0
    for batch in _batches(subjects, options.together):
        new = [Trail(subject, pool.arms(subject)) for subject in batch]
        spent += await _search_together(new, planner, asker, options, spent)
        trails += new
        for _ in new:
            progress.advance()
    return trails


async def _search_together(
    trails: Sequence[Trail],
    planner: Planner,
    asker: Asker,
    options: DiagnoseOptions,
    spent: int,
) -> int:
    """Search for several elements at once; returns the number of questions asked."""
    begun = spent
    for round_ in range(0 if planner.seeded else 1, options.rounds + 1):
        planned = []
        for item in trails:
            if not item.ended:
                item.rounds = round_
                planned.append((item, await _plan(item, planner, options)))
        planned = _affordable(planned, options.budget - spent if options.budget else None)
        arms = [arm for _, several in planned for arm in several]
        if not arms:
            break
        results = await asker.results(arms, round_)
        left = iter(results)
        for trail, several in planned:
            trail.record([next(left) for _ in several])
            trail.ended = not trail.left or len(trail.failures) >= options.failures
        planner.learn(results)
        spent += len(arms)
    return spent - begun


async def _plan(trail: Trail, planner: Planner, options: DiagnoseOptions) -> list[Arm]:
    if trail.rounds == 0:
        return trail.left[: options.seeds]
    wanted = min(options.width, options.failures - len(trail.failures))
    found = await planner.plan(trail.subject, trail.left, trail.tried, wanted)
    trail.ended = not found
    return found


def _affordable(
    planned: list[tuple[Trail, list[Arm]]], money: int | None
) -> list[tuple[Trail, list[Arm]]]:
    """Cut what was planned to what the budget still allows, in order."""
    if money is None:
        return planned
    kept = []
    for trail, arms in planned:
        taken = arms[: max(money, 0)]
        money -= len(taken)
        trail.ended = trail.ended or len(taken) < len(arms)
        kept.append((trail, taken))
    return kept


def _batches(subjects: Sequence[Subject], size: int) -> Iterator[Sequence[Subject]]:
    for start in range(0, len(subjects), size):
        yield subjects[start : start + size]
