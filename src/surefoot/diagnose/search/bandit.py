"""
A Bayesian logistic regression of failing on features, for Thompson sampling.

Each feature has a weight with the prior N(0, 1), the intercept N(0, 2^2): before any
answer, a feature multiplies the odds of failing by 1/2.7 to 2.7 two times in three, and
a failure rate between 2 and 98 in 100 is as likely as not. The posterior is Laplace's
approximation, found by Newton's method. To sample is to draw all weights once and to take
the arm with the largest score (Thompson, 1933; for logistic models Chapelle and Li, 2011).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.special import expit

from surefoot.score.stats.arrays import Floats, Ints

PRIOR_SD: Final = 1.0
INTERCEPT_SD: Final = 2.0
STEPS: Final = 50
SMALL: Final = 1e-8
ROUNDING: Final = 1e-12  # of the loss


class Posterior:
    """
    Hold a normal distribution over weights by its mean and its precision matrix.
    """

    def __init__(self, mean: Floats, precision: Floats) -> None:
        self.mean = mean
        self.precision = precision

    def updated(
        self, rows: Floats, failed: Floats, *, times: float = 1.0, start: Floats | None = None
    ) -> Posterior:
        """
        Return the posterior after answers, with this one as the prior.

        ``rows`` is n x weights, ``failed`` holds 0 or 1; each answer counts ``times``. Newton's
        method starts at ``start``, else at the prior's mean.
        """
        if not len(rows):
            return self
        signs = 2 * failed - 1

        def loss(weights: Floats) -> float:
            apart = weights - self.mean
            lost = np.logaddexp(0.0, -signs * (rows @ weights)).sum()
            return float(apart @ self.precision @ apart / 2 + times * lost)

        weights = (self.mean if start is None else start).copy()
        now = loss(weights)
        for _ in range(STEPS):
            chance = expit(rows @ weights)
            slope = self.precision @ (self.mean - weights) + times * (rows.T @ (failed - chance))
            curve = self.precision + times * (rows.T * (chance * (1 - chance))) @ rows
            step = cho_solve(cho_factor(curve), slope)
            if float(np.abs(step).max()) < SMALL:
                break
            # Where all answers agree a whole step overshoots, and may go back and forth for ever.
            while (then := loss(weights + step)) > now + ROUNDING * abs(now):
                step = step / 2
            weights, now = weights + step, then
        return Posterior(weights, curve)

    def draw(self, random: np.random.Generator) -> Floats:
        """Return one draw of all weights."""
        lower = np.linalg.cholesky(self.precision)
        noise = random.standard_normal(len(self.mean))
        drawn: Floats = self.mean + solve_triangular(lower.T, noise, lower=False)
        return drawn

    def deviations(self) -> Floats:
        """Return the standard deviation of each weight."""
        spread: Floats = np.sqrt(np.diag(np.linalg.inv(self.precision)))
        return spread


class Bandit:
    """
    Learn which features make a model fail, from all answers so far.

    Features are learned of as they come; the order of the answers does not matter but for
    rounding, and the same answers in the same order give the same posterior.
    """

    def __init__(self) -> None:
        self._place: dict[str, int] = {}
        self._columns: dict[tuple[str, ...], Ints] = {}
        self._rows: list[tuple[str, ...]] = []
        self._failed: list[float] = []
        self._posterior: Posterior | None = None
        self._last: Floats = np.zeros(0)  # where the next one is looked for

    def learn(self, answers: Iterable[tuple[Sequence[str], bool]]) -> None:
        """Take in answers: the features of each, and whether the model failed."""
        for features, failed in answers:
            self._know(features)
            self._rows.append(tuple(features))
            self._failed.append(float(failed))
            self._posterior = None

    @property
    def known(self) -> int:
        """Count the answers so far."""
        return len(self._rows)

    def posterior(self) -> Posterior:
        """Return what is known after all answers."""
        if self._posterior is None or len(self._posterior.mean) != len(self._place) + 1:
            start = np.zeros(len(self._place) + 1)
            start[: len(self._last)] = self._last
            self._posterior = _prior(len(self._place)).updated(
                self.rows(self._rows), np.array(self._failed), start=start
            )
            self._last = self._posterior.mean
        return self._posterior

    def rows(self, features: Sequence[Sequence[str]]) -> Floats:
        """Return feature lists as a matrix of 0 and 1, its first column the intercept."""
        columns = [self._columns_of(tuple(names)) for names in features]
        table = np.zeros((len(features), len(self._place) + 1))
        table[:, 0] = 1.0
        for row, own in zip(table, columns, strict=True):
            row[own] = 1.0
        return table

    def _columns_of(self, names: tuple[str, ...]) -> Ints:
        """Return the columns of some features; kept, since arms are looked at again and again."""
        if names not in self._columns:
            self._know(names)
            self._columns[names] = np.array([self._place[name] + 1 for name in names], np.int64)
        return self._columns[names]

    def weights(self) -> dict[str, tuple[float, float]]:
        """Return mean and standard deviation of each feature's weight."""
        found = self.posterior()
        spread = found.deviations()
        return {
            name: (float(found.mean[at + 1]), float(spread[at + 1]))
            for name, at in self._place.items()
        }

    def _know(self, features: Iterable[str]) -> None:
        for name in features:
            self._place.setdefault(name, len(self._place))


def _prior(features: int) -> Posterior:
    spread = np.full(features + 1, PRIOR_SD)
    spread[0] = INTERCEPT_SD
    return Posterior(np.zeros(features + 1), np.diag(spread**-2.0))
