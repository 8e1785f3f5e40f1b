"""
Distances against a slow loop over answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from surefoot.core.geometry import Box, Point
from surefoot.core.question import Parsed, Unparsed
from surefoot.score.distance import (
    mean_squared_error,
    normalised_distances,
    normalised_squared_error,
    offsets,
)
from surefoot.score.outcomes import Record, tabulate

RecordMaker = Callable[..., Record]


def test_means_are_those_of_a_loop_over_located_answers(record: RecordMaker) -> None:
    """Squared, normalised and diagonal distances equal a loop's over 40 random answers."""
    random = np.random.default_rng(1)
    boxes = [Box.from_xywh(*map(float, random.integers(1, 300, 4))) for _ in range(40)]
    places = [Point(*map(float, random.integers(0, 500, 2))) for _ in boxes]
    replies: list[Parsed] = [*places[:30], *[Unparsed("?")] * 10]
    table = tabulate(
        record(reply, pair=f"p{n}", truth=box)
        for n, (reply, box) in enumerate(zip(replies, boxes, strict=True))
    )
    known = list(zip(places[:30], boxes[:30], strict=True))
    squares = [place.distance(box.center) ** 2 for place, box in known]
    shares = [
        ((place.x - box.center.x) / 1000) ** 2 + ((place.y - box.center.y) / 500) ** 2
        for place, box in known
    ]
    assert mean_squared_error(table) == pytest.approx(math.fsum(squares) / 30)
    assert normalised_squared_error(table) == pytest.approx(math.fsum(shares) / 30)
    diagonals = [math.sqrt(square) / math.hypot(1000, 500) for square in squares]
    assert normalised_distances(table)[:30].tolist() == pytest.approx(diagonals)


def test_a_reply_without_a_place_has_no_distance(record: RecordMaker) -> None:
    """Offsets of unread replies are NaN, and a mean over none of them is NaN."""
    table = tabulate([record(Unparsed("?"))])
    assert np.isnan(offsets(table)).all()
    assert math.isnan(mean_squared_error(table))
