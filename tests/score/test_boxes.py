"""
Boxes against boxes: pixels counted one by one, and sizes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from surefoot.core.geometry import Box
from surefoot.score.boxes import (
    best_iou,
    histogram,
    size_thirds,
    threshold_curve,
)
from surefoot.score.hits import is_hit
from surefoot.score.outcomes import Record, tabulate

RecordMaker = Callable[..., Record]


@st.composite
def small_boxes(draw: st.DrawFn) -> Box:
    """Draw a box of whole pixels on a picture of 14 x 14."""
    across = sorted(draw(st.lists(st.integers(0, 14), min_size=2, max_size=2, unique=True)))
    down = sorted(draw(st.lists(st.integers(0, 14), min_size=2, max_size=2, unique=True)))
    return Box(across[0], down[0], across[1], down[1])


def pixels_of(box: Box) -> set[tuple[int, int]]:
    """Return the pixels in a box, one by one."""
    middles = itertools.product(range(14), range(14))
    return {
        (x, y)
        for x, y in middles
        if box.left < x + 0.5 < box.right and box.top < y + 0.5 < box.bottom
    }


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(truth=small_boxes(), other=small_boxes(), said=small_boxes())
def test_iou_counts_pixels(record: RecordMaker, truth: Box, other: Box, said: Box) -> None:
    """IoU is pixels in both over pixels in either; of two right boxes the better one counts."""
    _, question, answer = record(said, truth=truth)
    ious = [
        len(pixels_of(said) & pixels_of(box)) / len(pixels_of(said) | pixels_of(box))
        for box in (truth, other)
    ]
    assert best_iou(question, answer) == pytest.approx(ious[0])
    both = msgspec.structs.replace(question, boxes=(other,))
    assert best_iou(both, answer) == pytest.approx(max(ious))
    middle = said.center
    assert is_hit(both, answer) == (truth.contains(middle) or other.contains(middle))


@given(st.lists(st.sampled_from([0.0, 1.0, 0.99, 0.989]) | st.floats(0, 1), max_size=60))
def test_a_histogram_counts_each_once(ious: list[float]) -> None:
    """Peaks and bins together are all; each bin counts what a loop finds in it."""
    found = histogram(np.array(ious), bins=7)
    assert found.zeros == ious.count(0.0)
    assert found.ones == sum(value >= 0.99 for value in ious)
    between = [value for value in ious if 0 < value < 0.99]
    for low, high, count in zip(found.edges, found.edges[1:], found.counts, strict=False):
        assert count == sum(low <= value < high for value in between)
    assert found.zeros + found.ones + sum(found.counts) == len(ious)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_a_curve_falls(ious: list[float]) -> None:
    """Each point is a loop's count, and no higher threshold is reached more often."""
    curve = threshold_curve(np.array(ious), (0.1, 0.5, 0.9)).tolist()
    assert curve == [sum(value >= t for value in ious) / len(ious) for t in (0.1, 0.5, 0.9)]
    assert curve == sorted(curve, reverse=True)
    assert np.isnan(threshold_curve(np.array([np.nan]))).all()


def test_sizes_come_in_thirds_named_by_pixels(record: RecordMaker) -> None:
    """A third of the distinct targets is in each, however often one of them is asked for."""
    sides = (10, 11, 12, 20, 21, 22, 30, 31, 32)
    records = [
        record(None, pair=f"p{side}", variant=variant, truth=Box(0, 0, side / 2, side * 2))
        for side in sides
        for variant in ("static", "hide")[: 1 + (side == 10)]
    ]
    table = tabulate(records)
    sizes = size_thirds(table.asked)
    named = [sizes.names[code] for code in sizes.codes]
    assert len(sizes.names) == 3
    assert named[0] == named[1]
    assert [named.count(item) for item in sizes.names] == [4, 3, 3]
    assert all(name.endswith(" px") for name in sizes.names)


def test_equal_sizes_make_no_third(record: RecordMaker) -> None:
    """Where all targets are of one size every one of them is in one class."""
    table = tabulate(record(None, pair=f"p{n}") for n in range(5))
    assert len(set(size_thirds(table.asked).codes.tolist())) == 1
