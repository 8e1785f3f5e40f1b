"""
The clustered test against a sandwich estimator, McNemar's, and its own false alarms.
"""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from statsmodels.stats.contingency_tables import mcnemar as reference

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.clustered import clustered_test
from surefoot.score.stats.mcnemar import mcnemar


def test_one_pair_a_cluster_is_mcnemars_without_correction() -> None:
    """With independent pairs the statistic is McNemar's times (m - 1)/m."""
    differences = np.repeat([-1, 1, 0], [30, 12, 100])
    theirs = reference([[0, 30], [12, 0]], exact=False, correction=False)
    ours = clustered_test(differences, 42)
    assert ours.chi_square == pytest.approx(theirs.statistic * 141 / 142)
    assert ours.design_effect == 1.0


def test_the_statistic_follows_from_a_sandwich_estimate() -> None:
    """It is t²/(1 + t²/(m - 1)) of statsmodels' cluster-robust t with equal clusters."""
    random = np.random.default_rng(3)
    clusters, size = 60, 5
    pairs = random.integers(-1, 2, size=(clusters, size)) + random.integers(0, 2, (clusters, 1))
    pairs = np.clip(pairs, -1, 1)
    fitted = sm.OLS(pairs.ravel(), np.ones(pairs.size)).fit(
        cov_type="cluster",
        cov_kwds={"groups": np.repeat(np.arange(clusters), size), "use_correction": False},
    )
    wald = float(fitted.tvalues[0]) ** 2
    expected = wald / (1 + wald / clusters) * (clusters - 1) / clusters
    ours = clustered_test(pairs.sum(axis=1), int(np.abs(pairs).sum()))
    assert ours.chi_square == pytest.approx(expected)


def test_without_flips_or_with_one_cluster_there_is_no_evidence() -> None:
    """No flip gives p = 1 without a design effect, and one cluster gives p = 1."""
    assert clustered_test(np.zeros(9), 0).p == 1.0
    assert clustered_test(np.zeros(9), 0).design_effect is None
    assert clustered_test(np.array([4]), 4).p == 1.0


def test_flips_that_cannot_be_are_refused() -> None:
    """Fewer flips than the change needs raise."""
    with pytest.raises(InvalidInputError, match="explain the change"):
        clustered_test(np.array([3, 1]), 2)


def test_false_alarms_stay_near_five_percent_where_mcnemars_do_not() -> None:
    """Where pages share an effect that is zero on average, 3 % to 7 % reject, not over 8 %."""
    random = np.random.default_rng(11)
    rejected = np.array([_rejections(random) for _ in range(3000)]).mean(axis=0)
    assert 0.03 < rejected[0] < 0.07
    assert rejected[1] > 0.08


def _rejections(random: np.random.Generator) -> tuple[bool, bool]:
    lean = random.normal(0, 1.2, size=(78, 1))
    before = random.random((78, 5)) < 1 / (1 + np.exp(-lean))
    after = random.random((78, 5)) < 1 / (1 + np.exp(lean))
    lost, won = int((before & ~after).sum()), int((after & ~before).sum())
    differences = (after.astype(int) - before).sum(axis=1)
    clustered = clustered_test(differences, lost + won).p < 0.05
    return clustered, mcnemar(lost, won).p < 0.05
