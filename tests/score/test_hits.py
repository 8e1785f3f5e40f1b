"""
Hits against the geometry of the core, answer by answer.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Unparsed
from surefoot.score.hits import hit_rate, hits
from surefoot.score.outcomes import Record, tabulate

RecordMaker = Callable[..., Record]
PLACES = st.tuples(st.integers(80, 160), st.integers(80, 140)).map(
    lambda at: Point(*map(float, at))
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PLACES, min_size=1, max_size=30), st.sampled_from([0.0, 1.0, 4.0, 20.0]))
def test_hits_are_what_the_box_contains(
    record: RecordMaker, places: list[Point], tolerance: float
) -> None:
    """Every row agrees with Box.contains, borders and tolerances included."""
    box = Box(100.0, 100.0, 140.0, 120.0)
    table = tabulate(record(place, pair=f"p{n}") for n, place in enumerate(places))
    expected = [box.contains(place, tolerance=tolerance) for place in places]
    assert hits(table, tolerance=tolerance).tolist() == expected


def test_a_tolerance_of_20_is_10_pixels_a_side(record: RecordMaker) -> None:
    """The tolerance is the growth of a side's whole length."""
    table = tabulate([record(Point(150.0, 110.0)), record(Point(150.1, 110.0), pair="b")])
    assert hits(table, tolerance=20).tolist() == [True, False]
    assert hits(table, tolerance=0).tolist() == [False, False]


def test_an_unread_reply_is_a_miss_and_a_failed_unit_is_not_counted(record: RecordMaker) -> None:
    """The rate divides by replies: unparsed ones count, failed units do not."""
    replies = [Point(120.0, 110.0), Unparsed("?"), None]
    table = tabulate(record(reply, pair=f"p{n}") for n, reply in enumerate(replies))
    assert hit_rate(table) == 0.5
    assert np.isnan(hit_rate(table.take(~table.answered)))


@pytest.mark.parametrize("tolerance", [-1.0, float("nan"), float("inf")])
def test_a_tolerance_must_be_a_length(tolerance: float) -> None:
    """Negative, infinite and undefined tolerances raise."""
    with pytest.raises(InvalidInputError, match="tolerance"):
        hits(tabulate([]), tolerance=tolerance)
