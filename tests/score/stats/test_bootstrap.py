"""
The bootstrap against scipy's, the binomial distribution, and itself in other slices.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, bootstrap

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.bootstrap import percentile_bounds, resampled_ratios


def test_bounds_are_the_binomials_within_one_count() -> None:
    """Of 390 answers the bounds are quantiles of the binomial, to 1/390."""
    for count in (10, 228, 362):
        column = np.repeat([1.0, 0.0], [count, 390 - count])[:, None]
        drawn = resampled_ratios(column, np.ones_like(column), resamples=10_000, seed=0)
        exact = binom.ppf([0.025, 0.975], 390, count / 390) / 390
        assert np.abs(percentile_bounds(drawn)[:, 0] - exact).max() <= 1.001 / 390


def test_bounds_of_unequal_clusters_are_scipys() -> None:
    """Ratios of sums over clusters of unequal size agree with scipy's paired bootstrap."""
    random = np.random.default_rng(2)
    sizes = random.integers(1, 9, 80)
    hits = random.binomial(sizes, 0.6)
    theirs = bootstrap(
        (hits, sizes),
        lambda above, below, axis: above.sum(axis=axis) / below.sum(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=10_000,
        method="percentile",
        batch=1000,
        rng=np.random.default_rng(3),
    ).confidence_interval
    drawn = resampled_ratios(
        hits[:, None].astype(float), sizes[:, None].astype(float), resamples=10_000, seed=4
    )
    assert percentile_bounds(drawn)[:, 0] == pytest.approx([theirs.low, theirs.high], abs=0.004)


def test_columns_share_their_weights() -> None:
    """The resampled difference of two columns is the difference of their resamples."""
    random = np.random.default_rng(5)
    values = random.integers(0, 2, size=(50, 2)).astype(float)
    columns = np.column_stack([values, values[:, 1] - values[:, 0]])
    drawn = resampled_ratios(columns, np.ones_like(columns), resamples=300, seed=6)
    assert drawn[:, 2] == pytest.approx(drawn[:, 1] - drawn[:, 0])


@pytest.mark.parametrize("slice_size", [1, 37, 1000, 10**7])
def test_slices_do_not_change_the_result(slice_size: int) -> None:
    """Any size of the slices gives the same resamples, bit for bit."""
    values = np.arange(30.0)[:, None]
    whole = resampled_ratios(values, np.ones_like(values), resamples=200, seed=7)
    sliced = resampled_ratios(
        values, np.ones_like(values), resamples=200, seed=7, slice_size=slice_size
    )
    assert np.array_equal(whole, sliced)


def test_resamples_that_draw_nothing_are_left_out() -> None:
    """A column that most resamples miss has NaN ratios and bounds over the others."""
    below = np.zeros((4, 2))
    below[0] = (1.0, 0.0)
    drawn = resampled_ratios(below.copy(), below, resamples=200, seed=8)
    assert np.isnan(drawn[:, 0]).any()
    assert np.isnan(drawn[:, 1]).all()
    bounds = percentile_bounds(drawn)
    assert bounds[:, 0].tolist() == [1.0, 1.0]
    assert np.isnan(bounds[:, 1]).all()


def test_matrices_must_fit() -> None:
    """No clusters, or two matrices of different shapes, raise."""
    with pytest.raises(InvalidInputError, match="two equal matrices"):
        resampled_ratios(np.ones((0, 1)), np.ones((0, 1)), resamples=10, seed=0)
    with pytest.raises(InvalidInputError, match="two equal matrices"):
        resampled_ratios(np.ones((3, 1)), np.ones((3, 2)), resamples=10, seed=0)
