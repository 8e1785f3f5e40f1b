"""
The loop: explore, choose, plan, ask, learn; until enough fails or the rounds are over.

The first questions are drawn at random, the last of them among those of what few have. Then a
planner that learns chooses the elements, and of each the instructions; it leaves an element
where nothing promises to fail. Several elements go together, and all questions of one round
are asked at once; what is learned from them counts from the next round on. So the path depends
on the answers alone, never on which of them came first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from surefoot.core.seeds import random_source
from surefoot.diagnose.search.arms import Arm, ArmResult, Plan, Pool, Subject
from surefoot.diagnose.search.asker import Asker
from surefoot.diagnose.search.options import DiagnoseOptions
from surefoot.diagnose.search.planning import Planner
from surefoot.diagnose.search.rare import rare_arms
from surefoot.diagnose.search.trail import EXPLORED, RARE, Trail
from surefoot.run.engine.progress import Progress

MOST_BARREN: Final = 40  # elements in a row without a failure, which end a search of all controls
MOST_EXPLORED: Final = 4  # questions about one element


def chosen_subjects(pool: Pool, options: DiagnoseOptions) -> list[Subject]:
    """Return the elements to diagnose, in an order drawn by the seed, ``limit`` at most."""
    subjects = [*pool.subjects(), *(pool.strangers() if options.freely else ())]
    order = sorted(subjects, key=lambda subject: subject.pair)
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
    trails = [Trail(subject) for subject in subjects]
    spent = await _explore(trails, pool, planner, asker, options) if planner.learns else 0
    left, barren = list(trails), 0
    planned = options.freely and planner.gives_up
    while left and barren < MOST_BARREN and not (options.budget and spent >= options.budget):
        batch = planner.choose(left, options.together)
        for trail in batch:
            left.remove(trail)
            trail.open(pool)
        spent += await _search_together(batch, planner, asker, options, spent)
        for trail in batch:
            progress.advance()
            barren = barren + 1 if planned and not trail.failures else 0
    return [trail for trail in trails if trail.opened]


async def _explore(
    trails: Sequence[Trail], pool: Pool, planner: Planner, asker: Asker, options: DiagnoseOptions
) -> int:
    """Ask random instructions of random elements; returns the number of questions asked."""
    wanted = min(options.explore, options.budget or options.explore)
    # Screen by screen, since a screen's pixels are not kept for long.
    for trail in sorted(trails[:wanted], key=lambda one: one.subject.screen):
        trail.open(pool)
    arms: list[tuple[Trail, Arm]] = []
    for turn in range(min(MOST_EXPLORED, options.failures)):
        for trail in trails:
            if len(arms) == wanted:
                break
            trail.open(pool)
            drawn = sorted(trail.left, key=lambda arm: arm.question.id)
            random_source(options.seed, "explore", trail.subject.pair).shuffle(drawn)
            arms += [(trail, arm) for arm in drawn[turn : turn + 1]]
    results = await _ask(arms, EXPLORED, asker, options)
    planner.explored(results)
    money = options.budget - len(results) if options.budget else options.rare
    owner = {arm.question.id: trail for trail in trails for arm in trail.left}
    rare = rare_arms(
        [arm for trail in trails for arm in trail.left],
        [result.arm for result in results],
        most=min(options.rare, options.explore // 2, money),
        seed=options.seed,
    )
    more = await _ask([(owner[arm.question.id], arm) for arm in rare], RARE, asker, options)
    planner.learn(more)
    return len(results) + len(more)


async def _ask(
    arms: Sequence[tuple[Trail, Arm]], round_: int, asker: Asker, options: DiagnoseOptions
) -> list[ArmResult]:
    """Ask arms of several elements, and record the answers of each."""
    results = await asker.results([arm for _, arm in arms], round_)
    for (trail, _), result in zip(arms, results, strict=True):
        trail.record([result])
        trail.ended = not trail.left or len(trail.failures) >= options.failures
    return results


async def _search_together(
    trails: Sequence[Trail],
    planner: Planner,
    asker: Asker,
    options: DiagnoseOptions,
    spent: int,
) -> int:
    """Search for several elements at once; returns the number of questions asked."""
    begun = spent
    explored = planner.learns and options.explore > 0
    seeded = planner.seeded and not explored and not any(trail.tried for trail in trails)
    for round_ in range(0 if seeded else 1, options.rounds + 1):
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
        found = Plan(tuple(trail.left[: options.seeds]), why="the cheapest, as nothing is known")
    else:
        wanted = min(options.width, options.failures - len(trail.failures))
        found = await planner.plan(trail.subject, trail.left, trail.tried, wanted)
        trail.ended = not found.arms
    trail.plans[trail.rounds] = found
    return list(found.arms)


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
