"""
Holm and Benjamini-Hochberg against statsmodels.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.multiplicity import benjamini_hochberg, holm

FAMILIES = st.lists(st.floats(0, 1), min_size=1, max_size=40)


@given(FAMILIES)
def test_holm_is_statsmodels_holm(values: list[float]) -> None:
    """Adjusted p-values equal statsmodels' for any family, ties included."""
    assert holm(values) == pytest.approx(multipletests(values, method="holm")[1].tolist())


@given(FAMILIES)
def test_benjamini_hochberg_is_statsmodels_one(values: list[float]) -> None:
    """Adjusted p-values equal statsmodels' for any family, ties included."""
    theirs = multipletests(values, method="fdr_bh")[1].tolist()
    assert benjamini_hochberg(values) == pytest.approx(theirs)


def test_an_empty_family_needs_no_correction() -> None:
    """No p-values give no p-values."""
    assert holm([]) == benjamini_hochberg([]) == []


def test_what_is_no_p_value_is_refused() -> None:
    """A NaN or a value over 1 raises instead of spreading."""
    with pytest.raises(InvalidInputError, match="between 0 and 1"):
        holm([0.5, float("nan")])
    with pytest.raises(InvalidInputError, match="between 0 and 1"):
        benjamini_hochberg([1.5])
