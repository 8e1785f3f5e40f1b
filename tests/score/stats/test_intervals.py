"""
Intervals against scipy and the published bounds.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.intervals import clopper_pearson, wilson

COUNTS = [(0, 1), (1, 1), (0, 12), (12, 12), (3, 7), (362, 390), (93, 390), (5000, 9999)]


@pytest.mark.parametrize(("count", "total"), COUNTS)
def test_clopper_pearson_is_scipys_exact_interval(count: int, total: int) -> None:
    """Both ends equal scipy's exact binomial interval, at the edges too."""
    theirs = binomtest(count, total).proportion_ci(0.95, method="exact")
    ours = clopper_pearson(count, total)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize(("count", "total"), COUNTS)
def test_wilson_is_scipys_wilson_interval(count: int, total: int) -> None:
    """Both ends equal scipy's Wilson interval without continuity correction."""
    theirs = binomtest(count, total).proportion_ci(0.95, method="wilson")
    ours = wilson(count, total)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_intervals_hold_their_rate_and_mirror(pair: tuple[int, int]) -> None:
    """Intervals hold the rate, stay in [0, 1], and mirror when hits and misses swap."""
    count, total = pair
    for method in (clopper_pearson, wilson):
        ours, mirror = method(count, total), method(total - count, total)
        assert 0 <= ours.low <= count / total <= ours.high <= 1
        assert ours.low == pytest.approx(1 - mirror.high, abs=1e-9)


def test_clopper_pearson_covers_at_least_its_confidence() -> None:
    """Summed over all outcomes of 25 trials the exact interval covers 95 % of the time."""
    bounds = [clopper_pearson(count, 25) for count in range(26)]
    for rate in np.linspace(0.02, 0.98, 25):
        inside = [bound.low <= rate <= bound.high for bound in bounds]
        covered = float(np.sum(binom.pmf(np.arange(26), 25, rate)[inside]))
        assert covered >= 0.95


@pytest.mark.parametrize(("count", "total"), [(-1, 5), (6, 5), (0, 0)])
def test_impossible_counts_are_refused(count: int, total: int) -> None:
    """A negative count, a count over the total and a total of zero raise."""
    with pytest.raises(InvalidInputError, match="0 <= count <= total"):
        wilson(count, total)
    with pytest.raises(InvalidInputError, match="0 <= count <= total"):
        clopper_pearson(count, total)
