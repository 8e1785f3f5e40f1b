"""
Directional bias of answers placed by hand.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from surefoot.core.geometry import Point
from surefoot.core.question import Unparsed
from surefoot.score.conditions.direction import directional_bias
from surefoot.score.outcomes import Record, tabulate

RecordMaker = Callable[..., Record]


def test_misses_are_shared_among_the_sides(record: RecordMaker) -> None:
    """Each miss counts for the side of its longer error; hits and unread replies do not."""
    off = [(-200, 10), (300, 10), (300, -10), (5, -90), (0, 0), (1, 2)]
    replies = [Point(120.0 + x, 110.0 + y) for x, y in off]
    rows = [record(reply, pair=f"p{n}") for n, reply in enumerate(replies)]
    (bias,) = directional_bias(tabulate([*rows, record(Unparsed("?"), pair="u")]))
    assert (bias.located, bias.misses) == (6, 4)
    assert (bias.left, bias.right, bias.above, bias.below) == (0.25, 0.5, 0.25, 0.0)
    assert bias.mean_x == pytest.approx(sum(x for x, _ in off) / 6)
    assert bias.mean_y == pytest.approx(sum(y for _, y in off) / 6)


def test_directions_are_kept_apart(record: RecordMaker) -> None:
    """Relational answers have one row for each direction, without a share where all hit."""
    rows = [
        record(Point(120.0, 300.0), pair="a", instruction="relational", direction="above"),
        record(Point(120.0, 110.0), pair="b", instruction="relational", direction="below"),
    ]
    found = {bias.direction: bias for bias in directional_bias(tabulate(rows))}
    assert found["above"].below == 1.0
    assert found["below"].below is None


def test_a_tolerance_turns_near_misses_into_hits(record: RecordMaker) -> None:
    """With a tolerance a near miss is no miss, and the ruler is told."""
    table = tabulate([record(Point(145.0, 110.0))])
    assert [directional_bias(table, tolerance=literal)[0].misses for literal in (0, 20)] == [1, 0]
    assert directional_bias(table, tolerance=20)[0].tolerance == 20


def test_no_located_reply_has_no_bias(record: RecordMaker) -> None:
    """A run without a place has no rows."""
    assert directional_bias(tabulate([record(Unparsed("?"))])) == ()
