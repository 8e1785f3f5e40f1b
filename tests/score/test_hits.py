"""
Hits against the geometry of the core, answer by answer.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box, Point
from surefoot.core.question import Parsed, Refusal, Unparsed
from surefoot.score.hits import hit_rate, hits, is_hit, judge
from surefoot.score.metric import METRICS, Ruler
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


def changed(row: Record, **changes: object) -> Record:
    """Change the question of a record."""
    model, question, answer = row
    return model, msgspec.structs.replace(question, **changes), answer


def test_a_polygon_is_hit_inside_of_it_alone(record: RecordMaker) -> None:
    """A click in the box around it misses; tolerance lets it grow all round."""
    corners = (Point(100.0, 100.0), Point(140.0, 100.0), Point(100.0, 140.0))
    places = [Point(110.0, 110.0), Point(120.0, 120.0), Point(138.0, 138.0), Unparsed("?")]
    table = tabulate(
        changed(record(place, pair=f"p{n}", truth=Box(100, 100, 140, 140)), polygon=corners)
        for n, place in enumerate(places)
    )
    assert hits(table).tolist() == [True, True, False, False]
    off = np.hypot(18, 18)  # from (138, 138) to the long side, along its normal
    assert hits(table, tolerance=2 * off + 0.01).tolist() == [True, True, True, False]
    assert hits(table, tolerance=2 * off - 0.01).tolist() == [True, True, False, False]


@pytest.mark.parametrize(
    ("answerable", "reply", "right"),
    [
        (False, Refusal("it is not there"), True),
        (False, Point(0.0, 0.0), False),
        (False, Unparsed("?"), False),
        (False, None, False),
        (True, Refusal("it is not there"), False),
    ],
)
def test_a_refusal_is_right_where_nothing_is_to_be_found(
    record: RecordMaker, *, answerable: bool, reply: Parsed | None, right: bool
) -> None:
    """Only a Refusal hits there, not even a click at the origin; elsewhere it misses."""
    row = changed(record(reply, truth=Box(0, 0, 0, 0)), answerable=answerable)
    assert hits(tabulate([row]), tolerance=20).tolist() == [right]


def test_any_of_several_boxes_is_hit(record: RecordMaker) -> None:
    """Each box is as right as the first, with the tolerance of a box."""
    places = [Point(120.0, 110.0), Point(15.0, 15.0), Point(25.0, 15.0), Point(60.0, 60.0)]
    table = tabulate(
        changed(record(place, pair=f"p{n}"), boxes=(Box(10, 10, 20, 20),))
        for n, place in enumerate(places)
    )
    assert hits(table).tolist() == [True, True, False, False]
    assert hits(table, tolerance=10).tolist() == [True, True, True, False]


def test_words_are_hit_by_no_click(record: RecordMaker) -> None:
    """Where words alone are asked for, the empty box at the origin is no target."""
    row = changed(record(Point(0.0, 0.0), truth=Box(0, 0, 0, 0)), answers=("128 bits",))
    assert hits(tabulate([row])).tolist() == [False]


def test_errors_leave_out_what_has_no_place(record: RecordMaker) -> None:
    """A click at what is not there has no distance, so the cell's means stay those of others."""
    rows = [
        record(Point(121.0, 110.0)),
        changed(record(Point(900.0, 400.0), pair="b", truth=Box(0, 0, 0, 0)), answerable=False),
    ]
    squared = METRICS.get("mse").values(tabulate(rows), Ruler())
    assert squared.tolist() == pytest.approx([1.0, np.nan], nan_ok=True)


def test_one_question_is_judged_as_the_table_is(record: RecordMaker) -> None:
    """Judging by id, one at a time and in a table are the same, failed questions too."""
    places = [Point(98.0, 110.0), Box(100, 100, 140, 120), Refusal("no"), None]
    rows = [record(place, pair=f"p{n}") for n, place in enumerate(places)]
    asked = [question for _, question, _ in rows]
    given = [answer for _, _, answer in rows if answer is not None]
    for tolerance, expected in (
        (0.0, [False, True, False, False]),
        (4.0, [True, True, False, False]),
    ):
        found = judge(asked, given, tolerance=tolerance)
        assert list(found.values()) == expected
        assert hits(tabulate(rows), tolerance=tolerance).tolist() == expected
        assert [is_hit(q, a, tolerance=tolerance) for _, q, a in rows] == expected
    with pytest.raises(InvalidInputError, match="one to"):
        is_hit(asked[0], given[1])
