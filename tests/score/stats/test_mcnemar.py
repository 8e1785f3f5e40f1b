"""
McNemar's test against statsmodels and the binomial distribution.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, binomtest
from statsmodels.stats.contingency_tables import mcnemar as reference

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.mcnemar import mcnemar, mcnemar_chi_square

TABLES = [(b, c) for b in range(0, 40, 3) for c in range(0, 40, 4) if b + c]


@pytest.mark.parametrize(("b", "c"), TABLES)
def test_the_chosen_test_is_statsmodels_one(b: int, c: int) -> None:
    """Under 25 flips p is statsmodels' exact one, from 25 its chi-square with correction."""
    exact = b + c < 25
    theirs = reference([[5, b], [c, 7]], exact=exact, correction=True)
    ours = mcnemar(b, c)
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-10)
    assert ours.test.startswith("mcnemar exact" if exact else "mcnemar chi-square")
    assert ours.chi_square == (None if exact else pytest.approx(theirs.statistic))


@pytest.mark.parametrize("total", [0, 1, 2, 7, 14, 24, 25, 40])
def test_mid_p_counts_half_of_what_is_as_likely_as_the_observed(total: int) -> None:
    """Mid-p is the chance of all less likely outcomes and half that of the equally likely."""
    chance = binom.pmf(np.arange(total + 1), total, 0.5)
    for b, own in enumerate(chance):
        alike = np.isclose(chance, own, rtol=1e-9, atol=0)
        expected = chance[(chance < own) & ~alike].sum() + chance[alike].sum() / 2
        assert mcnemar(b, total - b).p_mid == pytest.approx(expected, rel=1e-9)
        if 2 * b == total:
            assert mcnemar(b, b).p_mid == pytest.approx(1 - own / 2, rel=1e-12)


def test_no_flip_is_no_evidence() -> None:
    """With b + c = 0 p is 1, mid-p in the middle, and no statistic is claimed."""
    ours = mcnemar(0, 0)
    assert (ours.p, ours.p_mid, ours.chi_square) == (1.0, 0.5, None)
    assert mcnemar_chi_square(0, 0) == 0.0


def test_the_border_between_the_tests_is_at_25_flips() -> None:
    """24 flips are tested exactly and 25 by chi-square."""
    assert mcnemar(20, 4).p == pytest.approx(binomtest(4, 24).pvalue)
    assert mcnemar(20, 5).chi_square == pytest.approx(14**2 / 25)


def test_negative_counts_are_refused() -> None:
    """A negative count of flips raises."""
    with pytest.raises(InvalidInputError, match="0 or more"):
        mcnemar(-1, 3)
