"""
The best constant box against every box there is.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.score.constant_box import constant_ious, fit_constant_box

SIDE = st.integers(0, 6)


@st.composite
def truths(draw: st.DrawFn) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Draw up to six boxes on a grid of 7 x 7 places."""
    pairs = st.lists(SIDE, min_size=2, max_size=2, unique=True).map(sorted)
    rows = draw(st.lists(st.tuples(pairs, pairs), min_size=1, max_size=6))
    found = [(x[0], y[0], x[1], y[1]) for x, y in rows]
    return np.array(found, dtype=np.float64)


@given(truths())
def test_it_is_at_least_every_truth_and_nearly_the_best(
    boxes: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> None:
    """No truth is better, nor is moving one side; every box at all is but a little better."""
    found = fit_constant_box(boxes)
    own = constant_ious(found, boxes).mean()
    every = [
        np.array([left, top, right, bottom], dtype=np.float64)
        for left, right in itertools.combinations(range(7), 2)
        for top, bottom in itertools.combinations(range(7), 2)
    ]
    means = {tuple(item): constant_ious(item, boxes).mean() for item in every}
    assert own >= max(means[tuple(box)] for box in boxes) - 1e-9
    for side, place in itertools.product(range(4), range(7)):
        moved = found.copy()
        moved[side] = place
        if place in boxes[:, side]:
            assert means.get(tuple(moved), 0.0) <= own + 1e-9
    assert own >= 0.8 * max(means.values())


@given(truths(), truths())
def test_its_ious_are_those_of_boxes(
    some: np.ndarray[tuple[int, int], np.dtype[np.float64]],
    others: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> None:
    """One against many gives what each pair of boxes gives by itself."""
    one = Box(*some[0].tolist())
    expected = [one.iou(Box(*other.tolist())) for other in others]
    assert constant_ious(some[0], others) == pytest.approx(expected)


def test_nothing_to_fit() -> None:
    """Without a box there is none to be had."""
    with pytest.raises(InvalidInputError, match="at least one box"):
        fit_constant_box(np.zeros((0, 4)))
