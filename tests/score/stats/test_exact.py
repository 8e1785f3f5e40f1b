"""
Sums without rounding: those of the rational numbers, in any order and from any parts.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from surefoot.score.stats.exact import ExactSums, exact_mean, exact_sums

NUMBERS = st.floats(-1e150, 1e150)
ROWS = st.lists(st.tuples(NUMBERS, st.integers(0, 2), st.integers(0, 3)), max_size=40)


@given(ROWS)
def test_a_sum_is_that_of_the_fractions(rows: list[tuple[float, int, int]]) -> None:
    """Each sum is the float nearest to the sum of the numbers as fractions."""
    values, at, _ = np.array(rows).reshape(-1, 3).T
    found = exact_sums(values, at.astype(int), 3)

    for place in range(3):
        own = [Fraction(value) for value, home, _ in rows if home == place]
        assert found[place] == float(sum(own, Fraction(0)))


@given(ROWS, st.permutations(range(4)))
def test_parts_come_to_the_same_in_any_order(
    rows: list[tuple[float, int, int]], order: list[int]
) -> None:
    """Sums of parts, merged in any order, are those of the whole to the last bit."""
    values, at, part = np.array(rows).reshape(-1, 3).T
    merged = ExactSums(3)
    for number in order:
        own = ExactSums(3)
        own.add(values[part == number], at[part == number].astype(int))
        merged.merge(own)
    whole = exact_sums(values, at.astype(int), 3)

    assert merged.rounded().tobytes() == whole.tobytes()
    assert merged.whole() == float(sum(map(Fraction, values.tolist()), Fraction(0)))


def test_what_is_infinite_stays_so() -> None:
    """An infinity makes its own sum infinite, and no other one."""
    found = exact_sums(np.array([math.inf, 1.0, 2.5]), np.array([0, 0, 1]), 2)

    assert found.tolist() == [math.inf, 2.5]
    assert exact_mean(np.array([0.1] * 10)) == 0.1
