"""
Elements matched by columns against the same elements matched one by one.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.score.conditions.rows import Condition, Rows, measured_rows
from surefoot.score.contrasts.comparisons import VARIANTS, match_elements, paired_columns
from surefoot.score.contrasts.matching import NO_FLIPS, Sides, merge_cells, shared_sides
from surefoot.score.metric import GivenMetric
from surefoot.score.stats.arrays import Floats

RIGHT = GivenMetric(name="right", title="right", summary="the answer is right")
GREATEST = msgspec.structs.replace(RIGHT, within="max")

# An element, its variant and what was measured of it.
Measured = tuple[int, str, float]
NUMBERS = st.sampled_from([0.0, 1.0, 1.0, 0.25, math.nan])
MEASURED = st.tuples(st.integers(0, 5), st.sampled_from(["original", "style"]), NUMBERS)


def rows_from(measured: list[Measured]) -> Rows:
    """Lay out rows; those with an odd element are of another cluster."""
    return measured_rows(
        [Condition("a", variant=variant) for _, variant, _ in measured],
        [element for element, _, _ in measured],
        [("even", "odd")[element % 2] for element, _, _ in measured],
        {"right": [number for _, _, number in measured]},
        {},
    )


def known(measured: list[Measured], variant: str) -> dict[int, list[float]]:
    """Return the numbers of each element under a variant that are known."""
    found: dict[int, list[float]] = {}
    for element, own, number in measured:
        if own == variant and not math.isnan(number):
            found.setdefault(element, []).append(number)
    return found


@pytest.mark.parametrize("metric", [RIGHT, GREATEST], ids=["mean", "max"])
@settings(max_examples=60)
@given(measured=st.lists(MEASURED, min_size=1, max_size=14))
def test_columns_match_as_plain_loops_do(metric: GivenMetric, measured: list[Measured]) -> None:
    """Means, what the baseline knows alone, and flips are those of loops over elements."""
    rows = rows_from(measured)
    names = list(dict.fromkeys(element for element, _, _ in measured))
    values: Floats = np.array([number for _, _, number in measured])
    before, after = (known(measured, variant) for variant in ("original", "style"))
    asked = {
        one: {e for e, variant, _ in measured if variant == one} for one in ("original", "style")
    }
    pairs = list(paired_columns(rows, VARIANTS))
    assert bool(pairs) == all(asked.values())
    for pair in pairs:
        found = match_elements(rows, metric, values, VARIANTS, pair)
        shared = [name for name in names if name in before and name in after]
        take = max if metric.within == "max" else lambda own: sum(own) / len(own)
        assert [names[at] for at in found.sides.elements] == shared
        assert found.sides.means.tolist() == [
            [take(side[name]) for name in shared] for side in (before, after)
        ]
        alone = [take(own) for name, own in before.items() if name not in after]
        assert sorted(found.alone.tolist()) == sorted(alone)
        assert {names[at] for at in np.flatnonzero(found.asked)} == set.union(*asked.values())
        assert {names[at] for at in np.flatnonzero(found.baseline)} == before.keys()
        ((_, flips),) = found.cells
        both = asked["original"] & asked["style"]
        sides = [[side[name] for name in both if name in side] for side in (before, after)]
        several = metric.within != "max" and any(len(own) > 1 for side in sides for own in side)
        if several or any(take(own) not in (0, 1) for side in sides for own in side):
            assert flips.tolist() == NO_FLIPS.tolist()
        else:
            seen = [(take(before[name]), take(after[name])) for name in shared]
            counts = [seen.count(kind) for kind in ((1, 1), (1, 0), (0, 1), (0, 0))]
            assert flips.tolist() == [0, *counts]


def test_cells_merge_to_the_mean_of_each_element() -> None:
    """An element that one of two cells knows has that one's mean, and flips stand side by side."""
    rows = rows_from([(0, "original", 1.0), (0, "style", 0.0), (1, "original", 1.0)])
    (pair,) = paired_columns(rows, VARIANTS)
    cells = [
        match_elements(rows, RIGHT, np.array(values), VARIANTS, pair)
        for values in ([1.0, 0.0, 1.0], [0.0, 0.0, 1.0])
    ]
    merged = merge_cells(cells, rows.elements)
    assert merged.sides.elements.tolist() == [0]
    assert merged.sides.means.tolist() == [[0.5], [0.0]]
    assert [flips.tolist() for _, flips in merged.cells] == [[0, 0, 1, 0, 0], [0, 0, 0, 0, 1]]


def test_sides_share_what_both_know() -> None:
    """Elements that one of two does not know are in neither."""
    one = Sides(np.array([0, 2, 3]), np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    other = Sides(np.array([2, 4]), np.array([[7.0, 8.0], [9.0, 0.0]]))
    own, others = shared_sides(one, other, 5)
    assert own.elements.tolist() == others.elements.tolist() == [2]
    assert own.means.tolist() == [[2.0], [5.0]]
    assert others.means.tolist() == [[7.0], [9.0]]
