"""
The planners that draw: by the seed alone, and by Thompson sampling over what fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from scipy.special import expit

from surefoot.core.seeds import derive_seed, random_source
from surefoot.diagnose.features.vocabulary import MEASURES
from surefoot.diagnose.search.arms import Arm, ArmResult, Plan, Pool, Subject
from surefoot.diagnose.search.bandit import Bandit, Posterior
from surefoot.diagnose.search.planning import Planner
from surefoot.diagnose.search.trail import Trail
from surefoot.score.stats.arrays import Floats

LOCAL: Final = 3.0  # an answer about the same element counts so many times more for it
SHARES: Final = (0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9)  # of a measure, where it is cut
PROMISING: Final = 2.0  # times as likely to fail as at random, or an element is left
SURE: Final = 0.5  # or so likely


class RandomPlanner(Planner):
    """Take the instructions of an element in an order drawn by the seed: the baseline."""

    seeded = False
    gives_up = False  # ended so, what is drawn at random would seem to fail less often

    def __init__(self, seed: int) -> None:
        self._seed = seed

    async def plan(
        self, subject: Subject, left: Sequence[Arm], tried: Sequence[ArmResult], count: int
    ) -> Plan:
        """Return the next arms; they depend on the seed and the element alone."""
        order = sorted([*left, *(result.arm for result in tried)], key=lambda arm: arm.question.id)
        random_source(self._seed, "random-planner", subject.pair).shuffle(order)
        untried = {item.question.id for item in left}
        arms = tuple(item for item in order if item.question.id in untried)[:count]
        return Plan(arms, why="drawn by the seed" if arms else "nothing is left")


class SearchPlanner(Planner):
    """
    Ask what most likely fails, by Thompson sampling over the features of instructions.

    What was learned about one element serves all later ones; answers about the element
    itself count more for it. What was drawn at random says where measures are cut, and how
    often a random question fails: an element whose likeliest instruction is not twice as
    likely to fail, nor more likely than not, is left, unless the search is ``thorough``.
    Elements whose instructions are not known yet are told apart by what is known of them.
    """

    learns = True

    def __init__(self, seed: int, pool: Pool | None = None, *, thorough: bool = False) -> None:
        self._seed = seed
        self._pool = pool
        self._thorough = thorough
        self._cuts: dict[str, tuple[float, ...]] = {}
        self._base: float | None = None
        self._known: dict[str, tuple[str, ...]] = {}
        self.bandit = Bandit()

    def explored(self, answers: Sequence[ArmResult]) -> None:
        """Cut the measures where the random questions do, and learn from their answers."""
        known = [answer for answer in answers if answer.answered]
        if not known:
            return
        self._base = sum(answer.failed for answer in known) / len(known)
        for name in MEASURES:
            numbers = [
                result.arm.measures[name] for result in known if name in result.arm.measures
            ]
            cuts = np.unique(np.quantile(numbers, SHARES)) if numbers else np.array([])
            self._cuts[name] = tuple(float(cut) for cut in cuts)
        self.learn(known)

    def choose(self, trails: Sequence[Trail], count: int) -> list[Trail]:
        """Return the elements of which a draw of the weights says that they fail most."""
        if self._base is None or self._pool is None:
            return list(trails[:count])
        seed = derive_seed(self._seed, "elements", str(len(trails)))
        weights = self._drawn(self.bandit.posterior(), np.random.default_rng(seed))
        promise = self._promises(self._pool, trails, weights)
        ranked = sorted(range(len(trails)), key=lambda at: (-promise[at], at))
        return [trails[at] for at in ranked[:count]]

    async def plan(
        self, subject: Subject, left: Sequence[Arm], tried: Sequence[ArmResult], count: int
    ) -> Plan:
        """Return the arms that win ``count`` draws, each arm once."""
        if not left:
            return Plan(why="nothing is left")
        rows = self.bandit.rows([self._signs(arm) for arm in left])
        posterior = self._local(tried)
        likely = expit(rows @ posterior.mean)
        if self._base is not None and not self._thorough:
            least = min(PROMISING * self._base, SURE)
            if likely.max() < least:
                most = 100 * likely.max()
                return Plan(why=f"likely to fail: {most:.0f} % at most, under {100 * least:.0f} %")
        seed = derive_seed(self._seed, "thompson", subject.pair, str(len(tried)))
        random = np.random.default_rng(seed)
        chosen: list[int] = []
        for _ in range(min(count, len(left))):
            scores = rows @ self._drawn(posterior, random)
            scores[chosen] = -np.inf
            chosen.append(int(np.argmax(scores)))
        arms = tuple(left[index] for index in chosen)
        shares = ", ".join(f"{100 * likely[index]:.0f} %" for index in chosen)
        return Plan(arms, why=f"likely to fail, by all answers so far: {shares}")

    def learn(self, answers: Sequence[ArmResult]) -> None:
        """Learn from every answer; a question without one says nothing."""
        self.bandit.learn(
            (self._signs(answer.arm), answer.failed) for answer in answers if answer.answered
        )

    def _drawn(self, posterior: Posterior, random: np.random.Generator) -> Floats:
        """Draw weights; after questions at random half as far from the mean."""
        drawn = posterior.draw(random)
        return drawn if self._base is None else (drawn + posterior.mean) / 2

    def _promises(self, pool: Pool, trails: Sequence[Trail], weights: Floats) -> list[float]:
        """
        Return the score of each element's likeliest instruction.

        Where the instructions are not known yet it is that of the element by itself, and what
        the likeliest instruction adds to it for those that are known, on average.
        """
        known = {
            at: self._promise(trail.left, weights)
            for at, trail in enumerate(trails)
            if trail.opened
        }
        if len(known) == len(trails):
            return [known[at] for at in range(len(trails))]
        bare = [self._promise([pool.sketch(trail.subject)], weights) for trail in trails]
        added = [score - bare[at] for at, score in known.items() if trails[at].left]
        usual = float(np.mean(added)) if added else 0.0
        return [known.get(at, score + usual) for at, score in enumerate(bare)]

    def _promise(self, arms: Sequence[Arm], weights: Floats) -> float:
        """Return the score of the likeliest of some instructions."""
        if not arms:
            return -np.inf
        rows = self.bandit.rows([self._signs(arm) for arm in arms])
        return float((rows[:, : len(weights)] @ weights).max())

    def _signs(self, arm: Arm) -> tuple[str, ...]:
        """Return an arm's features, and where its measures lie among the cuts."""
        name = arm.question.id
        if self._base is None or name not in self._known:
            self._known[name] = (*arm.features, *self._steps(arm))
        return self._known[name]

    def _steps(self, arm: Arm) -> Iterator[str]:
        for name, cuts in self._cuts.items():
            number = arm.measures.get(name)
            if number is not None:
                yield from (f"{name}>={cut:g}" for cut in cuts if number >= cut)

    def _local(self, tried: Sequence[ArmResult]) -> Posterior:
        known = [result for result in tried if result.answered]
        rows = self.bandit.rows([self._signs(result.arm) for result in known])
        failed = np.array([float(result.failed) for result in known])
        return self.bandit.posterior().updated(rows, failed, times=LOCAL - 1.0)
