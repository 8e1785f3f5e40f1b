"""
The two-proportion z-test against statsmodels.
"""

from __future__ import annotations

import pytest
from statsmodels.stats.proportion import proportions_ztest

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.proportions import two_proportion_z


@pytest.mark.parametrize("counts", [(362, 353), (10, 380), (1, 0), (389, 390)])
@pytest.mark.parametrize("totals", [(390, 390), (390, 400)])
def test_z_and_p_are_statsmodels_ones(counts: tuple[int, int], totals: tuple[int, int]) -> None:
    """The sign is that of the second rate against the first, with the pooled variance."""
    z, p = proportions_ztest(counts[::-1], totals[::-1])
    assert two_proportion_z(counts, totals) == pytest.approx((z, p))


@pytest.mark.parametrize("hits", [0, 390])
def test_two_equal_certainties_do_not_differ(hits: int) -> None:
    """390 of 390 against 390 of 390, and 0 against 0, give p = 1 and never NaN."""
    assert two_proportion_z((hits, hits), (390, 390)) == (0.0, 1.0)


def test_impossible_counts_are_refused() -> None:
    """A count over its total raises."""
    with pytest.raises(InvalidInputError, match="counts <= totals"):
        two_proportion_z((5, 1), (4, 4))
