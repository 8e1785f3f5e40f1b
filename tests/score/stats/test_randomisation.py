"""
The swap test against all swaps by hand, and its error rate under no effect.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from surefoot.core.errors import InvalidInputError
from surefoot.score.stats.arrays import Floats
from surefoot.score.stats.randomisation import EXACT_CLUSTERS, swap_test, swap_test_name


def by_hand(before: tuple[Floats, Floats], after: tuple[Floats, Floats]) -> float:
    """Enumerate every swap of one column's clusters."""
    sides = [list(zip(*side, strict=True)) for side in (before, after)]

    def change(swapped: tuple[bool, ...]) -> float:
        first = [sides[flip][at] for at, flip in enumerate(swapped)]
        second = [sides[not flip][at] for at, flip in enumerate(swapped)]
        rates = [sum(n for n, _ in part) / sum(d for _, d in part) for part in (first, second)]
        return float(abs(rates[1] - rates[0]))

    swaps = list(itertools.product([False, True], repeat=len(before[0])))
    seen = change(swaps[0])
    return sum(change(each) >= seen - 1e-9 for each in swaps) / len(swaps)


@pytest.mark.parametrize("seed", range(6))
def test_few_clusters_are_enumerated(seed: int) -> None:
    """With unequal cluster sizes p equals that of a loop over all swaps."""
    random = np.random.default_rng(seed)
    below = random.integers(1, 9, size=(2, 7)).astype(float)
    above = random.binomial(below.astype(int), [[0.3], [0.6]]).astype(float)
    sides = [(above[side][:, None], below[side][:, None]) for side in (0, 1)]

    (ours,) = swap_test(sides[0], sides[1], seed=0)
    assert ours == pytest.approx(by_hand((above[0], below[0]), (above[1], below[1])))


def test_many_clusters_are_drawn() -> None:
    """Drawn swaps come near the enumerated p, and the same seed gives the same p."""
    random = np.random.default_rng(3)
    change = random.normal(0.35, 1, size=EXACT_CLUSTERS)
    one, more = np.ones((EXACT_CLUSTERS, 1)), np.ones((EXACT_CLUSTERS + 1, 1))
    (exact,) = swap_test((0 * one, one), (change[:, None], one), seed=0)
    longer = np.append(change, 0.0)[:, None]  # a cluster without a change tells nothing
    (drawn,) = swap_test((0 * more, more), (longer, more), seed=1)
    (again,) = swap_test((0 * more, more), (longer, more), seed=1)

    assert drawn == pytest.approx(exact, abs=0.02)
    assert drawn == again


def test_it_keeps_its_level() -> None:
    """Of 600 comparisons without an effect about one in twenty has p of 0.05 or less."""
    random = np.random.default_rng(5)
    above = random.normal(size=(2, 40, 600)) + random.normal(size=(1, 40, 600))
    one = np.ones((40, 600))
    p = swap_test((above[0], one), (above[1], one), seed=2)

    assert 0.025 < (p <= 0.05).mean() < 0.075


def test_nothing_to_compare_is_no_finding() -> None:
    """A column without elements, or without a change, has p = 1."""
    one = np.ones((5, 2))
    below = np.array([[0.0, 1.0]] * 5)

    assert swap_test((0 * one, below), (0 * one, below), seed=0).tolist() == [1.0, 1.0]


def test_shapes_must_fit() -> None:
    """Sides of different shapes, and no cluster at all, are refused."""
    with pytest.raises(InvalidInputError, match="one shape"):
        swap_test((np.ones((2, 1)),) * 2, (np.ones((3, 1)),) * 2, seed=0)
    with pytest.raises(InvalidInputError, match="with a row"):
        swap_test((np.ones((0, 1)),) * 2, (np.ones((0, 1)),) * 2, seed=0)


def test_the_name_says_how() -> None:
    """The test's name tells an enumeration from a sample."""
    assert swap_test_name(EXACT_CLUSTERS).endswith("exact")
    assert swap_test_name(EXACT_CLUSTERS + 1).endswith("10,000 draws")
