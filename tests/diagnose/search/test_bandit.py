"""
The bandit's regression against a general optimiser, and its draws against their posterior.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from surefoot.diagnose.search.bandit import Bandit
from surefoot.score.stats.arrays import Floats

ANSWERS = [
    (("a", "b"), True),
    (("a",), True),
    (("b",), False),
    (("b", "c"), False),
    (("c",), True),
    ((), False),
]


def learned(answers: list[tuple[tuple[str, ...], bool]]) -> Bandit:
    """Return a bandit that was told of answers."""
    bandit = Bandit()
    bandit.learn(answers)
    return bandit


def loss(weights: Floats, rows: Floats, failed: Floats) -> float:
    """Return the negative log posterior, written out from its definition."""
    prior = weights[0] ** 2 / 8 + (weights[1:] ** 2).sum() / 2
    scores = rows @ weights
    return float(prior - (failed * scores - np.log1p(np.exp(scores))).sum())


def test_the_mean_is_where_the_posterior_is_largest() -> None:
    """A general optimiser of the written-out posterior finds the same weights."""
    bandit = learned(ANSWERS)
    rows = np.array([[1.0, "a" in f, "b" in f, "c" in f] for f, _ in ANSWERS])
    failed = np.array([float(missed) for _, missed in ANSWERS])

    found = minimize(loss, np.zeros(4), args=(rows, failed), method="BFGS", tol=1e-10)

    assert bandit.posterior().mean == pytest.approx(found.x, abs=1e-5)


def test_many_features_that_agree_come_to_rest() -> None:
    """The slope is nothing at the mean, where whole steps of Newton's method go back and forth."""
    random = np.random.default_rng(0)
    rows = (random.random((300, 699)) < 0.3).astype(float)
    told = [(tuple(f"f{at}" for at in np.flatnonzero(row).tolist()), bool(row[5])) for row in rows]
    at_once, in_turn = Bandit(), Bandit()
    at_once.learn(told)
    for start in range(0, 300, 100):
        in_turn.learn(told[start : start + 100])
        in_turn.posterior()

    for bandit in (at_once, in_turn):
        table = bandit.rows([features for features, _ in told])
        mean = bandit.posterior().mean
        prior = mean * np.array([0.25, *np.ones(len(mean) - 1)])
        chance = 1 / (1 + np.exp(-table @ mean))
        slope = table.T @ (np.array([float(failed) for _, failed in told]) - chance) - prior
        assert np.abs(slope).max() < 1e-5


def test_the_precision_is_the_curvature_there() -> None:
    """Second differences of the written-out posterior give the same matrix."""
    posterior = learned(ANSWERS).posterior()
    rows = np.array([[1.0, "a" in f, "b" in f, "c" in f] for f, _ in ANSWERS])
    failed = np.array([float(missed) for _, missed in ANSWERS])
    step = 1e-4
    steps = np.eye(4) * step

    def at(move: Floats) -> float:
        return loss(posterior.mean + move, rows, failed)

    curve = [
        [(at(a + b) - at(a - b) - at(b - a) + at(-a - b)) / (4 * step**2) for a in steps]
        for b in steps
    ]

    assert posterior.precision == pytest.approx(np.array(curve), abs=1e-4)


def test_agreeing_answers_leave_weights_finite() -> None:
    """A feature that always fails gets a large weight and no infinite one."""
    bandit = learned([(("x",), True), (("y",), False)] * 200)

    mean, spread = bandit.weights()["x"]
    assert 1.5 < mean < 10.0
    assert 0 < spread < 1.0


def test_draws_follow_the_posterior() -> None:
    """Mean and covariance of many draws are those of the posterior."""
    posterior = learned(ANSWERS).posterior()
    random = np.random.default_rng(1)

    drawn = np.array([posterior.draw(random) for _ in range(20_000)])

    assert drawn.mean(axis=0) == pytest.approx(posterior.mean, abs=0.03)
    assert np.cov(drawn.T) == pytest.approx(np.linalg.inv(posterior.precision), abs=0.06)


def test_a_new_feature_is_unknown() -> None:
    """A feature without any answer keeps the prior, whatever was learned before."""
    bandit = learned(ANSWERS)

    bandit.rows([("new",)])

    assert bandit.weights()["new"] == pytest.approx((0.0, 1.0))
