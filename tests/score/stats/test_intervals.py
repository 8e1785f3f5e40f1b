"""
Intervals against scipy.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.intervals import wilson

COUNTS = [(0, 1), (1, 1), (0, 12), (12, 12), (3, 7), (362, 390), (93, 390), (5000, 9999)]


@pytest.mark.parametrize(("count", "total"), COUNTS)
def test_wilson_is_scipys_wilson_interval(count: int, total: int) -> None:
    """Both ends equal scipy's Wilson interval without continuity correction."""
    theirs = binomtest(count, total).proportion_ci(0.95, method="wilson")
    ours = wilson(count, total)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_an_interval_holds_its_rate_and_mirrors(pair: tuple[int, int]) -> None:
    """An interval holds the rate, stays in [0, 1], and mirrors when hits and misses swap."""
    count, total = pair
    ours, mirror = wilson(count, total), wilson(total - count, total)
    assert 0 <= ours.low <= count / total <= ours.high <= 1
    assert ours.low == pytest.approx(1 - mirror.high, abs=1e-9)


@pytest.mark.parametrize(("count", "total"), [(-1, 5), (6, 5), (0, 0)])
def test_impossible_counts_are_refused(count: int, total: int) -> None:
    """A negative count, a count over the total and a total of zero raise."""
    with pytest.raises(InvalidInputError, match="0 <= count <= total"):
        wilson(count, total)
