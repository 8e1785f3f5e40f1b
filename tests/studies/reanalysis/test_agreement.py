"""
The least miscount against trying every selection, exact bounds against scipy's.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import binomtest

from surefoot.core.errors import InvalidInputError
from surefoot_studies.reanalysis.agreement import exact_bounds, least_miscount

COUNTS = [(0, 1), (1, 1), (0, 12), (12, 12), (3, 7), (362, 390), (93, 390), (5000, 9999)]


@pytest.mark.parametrize(("count", "total"), COUNTS)
def test_exact_bounds_are_scipys(count: int, total: int) -> None:
    """Both ends equal scipy's exact binomial interval, at the edges too."""
    theirs = binomtest(count, total).proportion_ci(0.95, method="exact")

    assert exact_bounds(count, total) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_no_selection_does_better_than_the_bound(seed: int) -> None:
    """For small tables no selection at all stays nearer to the counts than the bound."""
    random = np.random.default_rng(seed)
    results = random.integers(0, 2, size=(4, 9)).astype(float)
    counts = random.integers(0, 7, size=4).astype(float)
    best = min(
        float(np.abs(results[:, chosen].sum(axis=1) - counts).sum())
        for chosen in combinations(range(9), 6)
    )
    assert least_miscount(results, counts, 6) <= best + 1e-9


def test_counts_of_a_selection_are_found_and_impossible_ones_are_not() -> None:
    """Counts that some selection has give 0; more hits than there are give the lack."""
    results = np.array([[1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0]])
    assert least_miscount(results, np.array([2.0, 1.0]), 2) == 0
    assert least_miscount(results, np.array([4.0, 1.0]), 3) == pytest.approx(2)


def test_counts_must_fit_the_table() -> None:
    """Another number of counts than rows, or too large a selection, raise."""
    with pytest.raises(InvalidInputError, match="a count for each row"):
        least_miscount(np.ones((2, 3)), np.ones(3), 2)
    with pytest.raises(InvalidInputError, match="a count for each row"):
        least_miscount(np.ones((2, 3)), np.ones(2), 4)
