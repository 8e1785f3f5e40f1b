"""
Tau-b and its p against scipy.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from surefoot.score.stats.ranks import tau_b, tau_p

_ORDERS = st.integers(3, 8).flatmap(
    lambda size: st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=size, max_size=size
    )
)


@given(_ORDERS)
def test_tau_is_scipys(pairs: list[tuple[int, int]]) -> None:
    """With and without ties tau-b equals that of scipy."""
    first, second = (np.array(item, dtype=float) for item in zip(*pairs, strict=True))
    theirs = float(kendalltau(first, second).statistic)

    assert float(tau_b(first[None], second[None])[0]) == pytest.approx(theirs, nan_ok=True)


def test_rows_are_apart() -> None:
    """Each row is a pair of orders of its own; NaN spoils its row alone."""
    first = np.array([[1.0, 2.0, 3.0], [1.0, math.nan, 3.0], [1.0, 1.0, 1.0]])
    second = np.array([[3.0, 2.0, 1.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])

    assert tau_b(first, second) == pytest.approx([-1.0, math.nan, math.nan], nan_ok=True)


def test_p_by_hand() -> None:
    """Of the six orders of three models two are as extreme as the same one."""
    assert tau_p(np.arange(3.0), np.arange(3.0)) == pytest.approx(2 / 6)
    assert tau_p(np.zeros(3), np.arange(3.0)) is None
